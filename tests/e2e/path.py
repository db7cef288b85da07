"""How many functions of ours one Act passes: `python -m tests.e2e.path [GAME] [--list]`.

Gateway and engine run in this process, with stores on a Redis of its own and a real wire between
them. Counted is what is entered, once however often it waits, from the call until all that follows
from it is done; the client and libraries are not.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import grpc

from bree.gateway.v1 import gateway_pb2 as pb
from bree.ledger.link import Ledger
from bree.process import logs
from bree.process.store_monitor import StoreMonitor
from gateway.ledger_store import LedgerStore
from gateway.main import Process
from gateway.settings import GatewaySettings
from services import GAMES, rules_of
from services.host.main import Engine
from services.host.settings import HostSettings
from services.host.store import RedisStore as EngineStore
from tests.gateway.town import Caller
from tests.ledgers import ledgers
from tests.redis_server import redis_server

ROOT = Path(__file__).resolve().parents[2]
OURS = tuple(f"{ROOT}/{folder}/" for folder in ("bree", "gateway", "services", "workers"))
TOKEN = "the token of the platform"
LOOPS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}  # later Pythons enter none for these
PARTS = ("gateway", "bree/process", "bree/redis", "services")
SETTLED_SECONDS = 0.1  # until what an Act leads to has been done


class Nobody:
    """No worker is told of anything."""

    def tell(self, dues):
        """It is forgotten."""


@contextmanager
def counted():
    """The functions that are entered meanwhile, by file and name."""
    entered, found = set(), Counter()

    def note(frame, event, _):
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(OURS) or code.co_name in LOOPS:
            return
        if frame not in entered:  # a coroutine is called again whenever it goes on
            entered.add(frame)
            found[code.co_filename.removeprefix(f"{ROOT}/"), code.co_qualname] += 1

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


@asynccontextmanager
async def running(game, url, ledger_url):
    """The address of a gateway with an engine of this game."""
    given = {"platform_token": TOKEN, "listen": "127.0.0.1:0", "drain_seconds": 0}
    given |= {"store_url": url, "store_new": True, "store_look_seconds": 60}
    settings = HostSettings(fate_key="ab" * 32, **given)
    store = EngineStore(url, game)
    store.monitor = StoreMonitor(settings, settings.epoch(), store, game)
    engine = Engine(rules_of(game), settings, store, Nobody(), store.monitor.time)
    await engine.start()
    engines = f"{game}=127.0.0.1:{engine.server.port}"
    settings = GatewaySettings(engines=engines, health_seconds=60, **given)
    store = LedgerStore(url, Ledger(ledger_url))
    store.monitor = StoreMonitor(settings, settings.epoch(), store, "gateway")
    gateway = Process(settings, store)
    await gateway.start()
    try:
        yield f"127.0.0.1:{gateway.server.port}"
    finally:
        await gateway.stop()
        await engine.stop()
        await engine.store.close()


async def begun(game, channel):
    """A match of one account with itself: who calls, the match, and its seats."""
    account = await Caller(channel).ask(pb.CreateAccountRequest())
    caller = Caller(channel, account.token)
    match = (await caller.ask(pb.CreateMatchRequest(game=game))).match
    seats = [seat.seat for seat in match.seats]
    for seat in seats:
        await caller.ask(pb.JoinMatchRequest(match=match.id, seat=seat))
    await caller.ask(pb.StartMatchRequest(match=match.id))
    return caller, match.id, seats


async def answer(caller, match, seats):
    """The Act that answers the first question of the first seat that is asked one."""
    for seat in seats:
        asked = (await caller.ask(pb.GetViewRequest(match=match, seat=seat))).question
        if asked.choices:
            action = asked.choices[0].action.text
            return pb.ActRequest(
                match=match,
                seat=seat,
                question=asked.number,
                action=action,
                request_id=f"r-{asked.number}",
            )
    raise AssertionError("nobody is asked")


async def passed(game, url, ledger_url):
    """What one Act passes in a match that is known to gateway and engine."""
    async with (
        running(game, url, ledger_url) as address,
        grpc.aio.insecure_channel(address) as channel,
    ):
        caller, match, seats = await begun(game, channel)
        await caller.ask(await answer(caller, match, seats))
        act = await answer(caller, match, seats)
        await asyncio.sleep(SETTLED_SECONDS)
        with counted() as found:
            await caller.ask(act)
            await asyncio.sleep(SETTLED_SECONDS)
    return found


def told(name, found):
    """The three numbers of a part."""
    files = {file for file, _ in found}
    return (
        f"{name:12} {sum(found.values()):4} calls of {len(found):4} functions in {len(files)} files"
    )


def main():
    """Count, and print what was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.e2e.path", description=__doc__)
    asked.add_argument("game", nargs="?", default="confrontation", choices=GAMES)
    asked.add_argument("--list", action="store_true", help="name the functions")
    wanted = asked.parse_args()
    logs.set_up("path", "error")
    with redis_server() as redis, ledgers() as each:
        found = asyncio.run(passed(wanted.game, redis.url, each.empty()))
    lines = [f"{calls:4} {file} {name}" for (file, name), calls in sorted(found.items())]
    parts = [
        told(part, {at: n for at, n in found.items() if at[0].startswith(part)}) for part in PARTS
    ]
    said = [*(lines if wanted.list else ()), *parts, told("in all", found)]
    sys.stdout.write("\n".join(said) + "\n")


if __name__ == "__main__":
    main()
