"""Redis after very many finished matches, which have left it; and what the ledger takes for each.

The matches are those of `archive`, which a whole platform plays. So many of them would take hours;
here they are played by the platform's own parts without the way between its processes (`near.py`),
on the servers of a local run. What that leaves out, and `archive` has, are the queues of Celery.
`BREE_BENCH_MATCHES` says how many matches the first count is made after; the second one is made
after a hundred times as many. It takes long, and is measured only if it is asked for. No rate comes
of it: nobody plays so.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import asyncpg
from redis.asyncio import Redis

from bench.held import Held, compared, count, first_count, until_left
from bench.measure import Measure
from bench.town import NO_LIMITS, free_ports
from bree.ledger.upgrade import upgraded
from bree.local import postgres_server, redis_server
from bree.local.parts import servers_of
from bree.local.settings import LocalSettings
from bree.local.state import State
from bree.local.supervisor import Supervisor

FEW, TIMES = 2_000, 100
PROCESSES = 2
STOP_SECONDS = 60.0

MARKERS, MOST_MARKERS = "{bree:epoch}:beads", 4096
"""What grows with time and not with matches, until it has so many: it is full at both counts."""

SETTINGS = {
    **NO_LIMITS,
    "BREE_NEW_ACCOUNTS_BURST": "1000",
    "BREE_STORE_NEW": "yes",
    "BREE_STORE_LOOK_SECONDS": "0.05",  # so it is soon full
    "BREE_LIVE_SECONDS": "0",
    "BREE_LOG_LEVEL": "error",
}

SIZE = "SELECT pg_database_size(current_database())"
KEPT = "SELECT count(*) FROM bree.matches LEFT JOIN bree.records r ON r.match = id"
SETTLED = f"{KEPT} WHERE settled <> '' AND revision > 0 OR state = 'closed'"


class Servers(NamedTuple):
    """Where a Redis and a PostgreSQL are, and what is told to those who use them."""

    store: str
    ledger: str
    environment: dict[str, str]


class Found(NamedTuple):
    """What was there after some matches."""

    held: Held
    size: int  # of the ledger, in bytes


def measures() -> Iterator[Measure]:
    """Keys and memory of Redis after few and after many finished matches."""
    few = first_count(FEW)
    before, after = asyncio.run(_measured(few))
    yield from compared("many", (few, TIMES * few), before.held, after.held)
    each = (after.size - before.size) / ((TIMES - 1) * few)
    name = "many: the ledger, of a match that was given up at once"
    yield Measure(name, round(each), "bytes")


async def _measured(few: int) -> tuple[Found, Found]:
    async with servers() as there, players(there, PROCESSES) as playing:
        before = await _after(few, playing, there)
        after = await _after((TIMES - 1) * few, playing, there)
        await check(there.ledger, TIMES * few)
    return before, after


async def _after(matches: int, playing: list[Process], there: Servers) -> Found:
    """What is there when so many more matches have been played and have left."""
    await play(playing, matches)
    async with Redis.from_url(there.store, decode_responses=True) as redis:
        await until_left(redis)
        while await redis.llen(MARKERS) < MOST_MARKERS:  # noqa: ASYNC110  # they come by time
            await asyncio.sleep(1)
        return Found(await count(redis), await _asked(there.ledger, SIZE))


async def play(playing: list[Process], matches: int) -> None:
    """Have so many matches played, by all together."""
    shares = [matches * n // len(playing) for n in range(len(playing) + 1)]
    for player, first, last in zip(playing, shares, shares[1:], strict=False):
        assert player.stdin is not None
        player.stdin.write(f"{last - first}\n".encode())
    await asyncio.gather(*(_said("played", player) for player in playing))


async def check(ledger: str, matches: int) -> None:
    """End the measurement if not all matches are in the ledger as they should be."""
    kept, settled = [await _asked(ledger, query) for query in (KEPT, SETTLED)]
    if (kept, settled) != (matches, matches):
        raise SystemExit(f"of {matches} matches the ledger has {kept}, and {settled} are settled")


async def _asked(ledger: str, query: str) -> int:
    connection = await asyncpg.connect(ledger)
    try:
        return int(await connection.fetchval(query))
    finally:
        await connection.close()


# Who is asked.


@asynccontextmanager
async def servers() -> AsyncIterator[Servers]:
    """The servers of a local run, alone."""
    with tempfile.TemporaryDirectory() as root:
        ports = free_ports(2)
        settings = LocalSettings(
            state=Path(root),
            redis_port=ports[0],
            postgres_port=ports[1],
            store_url="",
            ledger_url="",
        )
        state = State(settings.state)
        parts = servers_of(settings, state)
        supervisor = Supervisor(parts, state, settings, lambda said: None)
        try:
            await supervisor.start()
            there = _named(settings, state)
            await upgraded(there.ledger, "bench")
            yield there
        finally:
            await supervisor.stop()
            state.close()


def _named(settings: LocalSettings, state: State) -> Servers:
    passwords = state.passwords()
    store = redis_server.url(settings.redis_port, passwords["redis"])
    ledger = postgres_server.url(settings.postgres_port, passwords["postgres"])
    secret = {
        "BREE_PLATFORM_TOKEN": state.secret("platform_token"),
        "BREE_FATE_KEY": state.secret("fate_key"),
    }
    where = {"BREE_STORE_URL": store, "BREE_LEDGER_URL": ledger}
    return Servers(store, ledger, {**os.environ, **SETTINGS, **secret, **where})


@asynccontextmanager
async def players(there: Servers, number: int) -> AsyncIterator[list[Process]]:
    """So many processes that play."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(_player(there)) for _ in range(number)]


@asynccontextmanager
async def _player(there: Servers) -> AsyncIterator[Process]:
    command = (sys.executable, "-m", "bench.near_players")
    process = await asyncio.create_subprocess_exec(
        *command, env=there.environment, stdin=PIPE, stdout=PIPE
    )
    try:
        await _said("ready", process)
        yield process
    except BaseException:
        process.terminate()  # it may have much to play
        raise
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _said(word: str, process: Process) -> None:
    """Wait until a process says that it is so far."""
    assert process.stdout is not None
    said = (await process.stdout.readline()).decode().strip()
    if said != word:
        raise SystemExit(f"a process that plays said {said!r} in the place of {word!r}")
