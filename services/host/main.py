"""An engine as a process: settings, logs, metrics, the store, the server, and a quiet end."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

import structlog
import uvloop

from bree.engine.v1.engine_pb2_grpc import add_EngineServiceServicer_to_server
from bree.ledger.link import Ledger
from bree.process import garbage, logs, metrics, traces
from bree.process.again import again_and_again
from bree.process.multiplexer import SERVICE as LINES
from bree.process.server import Server, platform_only
from bree.process.settings import read
from bree.process.store_monitor import StoreMonitor
from bree.redis.client import Quorum
from services.core.contract import Rules
from services.host.archived_store import ArchivedStore
from services.host.commands import Commands
from services.host.dispatch import Brokers, Dispatch
from services.host.ends import Ends
from services.host.fate_keys import why_not
from services.host.ledger_archive import LedgerArchive
from services.host.matches import Matches, Now
from services.host.queries import Queries, RulesThread
from services.host.serialization import BOT_TURN, CLOCK, LEAVE, SCORE
from services.host.servicer import SERVICE, Servicer
from services.host.settings import HostSettings
from services.host.store import Away, RedisStore, Store, Unsure
from services.host.watch import Hub

log = structlog.get_logger()

RETRY_SECONDS = 0.5
SWITCH_SECONDS = 0.001
"""How long the rules' thread runs before the loop goes on, which has calls to answer."""

STOPPED, CANNOT_START = 0, 2
"""Exit codes."""


def clock_ms() -> int:
    """The time in ms since 1970."""
    return time.time_ns() // 1_000_000


class Engine:
    """The parts of an engine, joined; in tests several of them share a store."""

    def __init__(
        self,
        rules: Rules[Any],
        settings: HostSettings,
        store: Store,
        dispatch: Dispatch,
        now: Now = clock_ms,
    ) -> None:
        self.rules = rules
        self.settings = settings
        self.store = store
        self.matches = Matches(rules, store, settings.keys, settings.cache_bytes, now)
        self.rules_thread = RulesThread()
        self.hub = Hub(self.matches, settings.most_watchers)
        parts = (
            Commands(rules, self.matches, store, dispatch, now, next(iter(settings.levels), "")),
            Ends(rules.name, self.matches, store, now, settings.stay_ms),
            Queries(rules, self.matches, self.rules_thread),
            self.hub,
        )
        self.servicer = Servicer(rules, settings.levels, parts, now)
        self.now = now
        token = settings.platform_token.get_secret_value()
        self.server = Server(settings, platform_only(token))
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Listen for calls, and for news from the store."""
        add_EngineServiceServicer_to_server(self.servicer, self.server.services)
        self.server.offer_multiplexing()
        await self.server.start([SERVICE, LINES])
        rest = self.settings.census_seconds
        census = again_and_again("census", self._census, rest, (Away, Unsure))
        looks = (self.hub.run(), self.hub.look_around())
        for work in (*looks, census, self._end_streams(), garbage.collect()):
            self._tasks.append(asyncio.create_task(work))

    async def stop(self) -> None:
        """Let calls finish, and go."""
        self.hub.stop()
        await self.server.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.rules_thread.close()

    async def _end_streams(self) -> None:
        await self.server.stopping.wait()
        self.hub.stop()

    async def _census(self) -> None:
        """Keep the figures of what is due up to date, by what any engine of the game counted."""
        game, now = self.rules.name, self.now()
        counted = await self.store.census(now, int(1000 * self.settings.census_seconds))
        for kind in (BOT_TURN, CLOCK, SCORE, LEAVE):
            count, oldest = counted.get(kind, (0, now))
            metrics.DUE.labels(game, kind).set(count)
            metrics.DUE_AGE_SECONDS.labels(game, kind).set((now - oldest) / 1000)


def serve(rules: Rules[Any]) -> int:
    """Be an engine of this game until a signal ends it; its exit code."""
    settings = read(HostSettings)
    logs.set_up(f"engine:{rules.name}", settings.log_level, settings.log_format)
    traces.set_up(f"engine:{rules.name}", settings, decides=False)
    sys.setswitchinterval(SWITCH_SECONDS)
    garbage.freeze()
    try:
        metrics.serve(settings.metrics_port, settings.metrics_address)
    except OSError as error:
        return _fail(f"BREE_METRICS_PORT: nobody can listen on {settings.metrics_port}: {error}")
    return uvloop.run(_serve(rules, settings))


async def _serve(rules: Rules[Any], settings: HostSettings) -> int:
    quorum = Quorum(settings.store_replicas, settings.store_replica_ms)
    store = RedisStore(settings.store_url, rules.name, settings.store_seconds, quorum)
    monitor = store.monitor = StoreMonitor(settings, settings.epoch(), store, rules.name)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stopping.set)
    if await _unless(stopping, _reached(store, monitor)):
        return STOPPED
    if why := await _wrong_store(store) or await _wrong_key(store, monitor, settings):
        return _fail(why)
    brokers, ledger = Brokers(settings.brokers, rules.name), settings.ledger()
    engine = Engine(rules, settings, _archived(store, ledger, settings), brokers, monitor.time)
    try:
        await engine.start()
    except (RuntimeError, OSError, ValueError) as error:
        return _fail(f"BREE_LISTEN: nobody can listen on {settings.listen}: {error}")
    log.info("serving", game=rules.name, edition=rules.edition, port=engine.server.port)
    work = (monitor.run(), _note_key(store, monitor, settings))
    tasks = [asyncio.create_task(one) for one in work]
    await stopping.wait()
    log.info("stopping")
    for task in tasks:
        task.cancel()
    await engine.stop()
    brokers.close()
    await store.close()
    await ledger.close()
    return STOPPED


def _archived(store: RedisStore, ledger: Ledger, settings: HostSettings) -> Store:
    """The store with what has left it; where there is no ledger, nothing leaves."""
    if settings.ledger_url:
        return ArchivedStore(store, LedgerArchive(ledger, store.game))
    log.warning("no ledger: matches that are over stay in the store", setting="BREE_LEDGER_URL")
    return store


async def _reached(store: RedisStore, monitor: StoreMonitor) -> None:
    """Wait until the store answers; a store that is away at the start is on its way."""
    while True:
        try:
            if not await store.misnamed():  # else it never will
                await monitor.look()
        except (Away, Unsure) as error:
            log.warning("waiting for the store", store=store.name, why=str(error))
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


async def _wrong_store(store: RedisStore) -> str:
    with suppress(Away, Unsure):
        why = await store.misnamed()
        return why and f"BREE_STORE_URL: {why}"
    return ""


async def _wrong_key(store: RedisStore, monitor: StoreMonitor, settings: HostSettings) -> str:
    """Why the fate key is not the right one; a store that takes no changes is told of it later."""
    if monitor.trouble:
        return ""  # it may not be the right store
    with suppress(Away, Unsure):
        return await why_not(store, settings.keys)
    return ""


async def _note_key(store: RedisStore, monitor: StoreMonitor, settings: HostSettings) -> None:
    """Look at the fate key once the store may be used, if it was in doubt at the start."""
    while monitor.trouble:  # noqa: ASYNC110  # it ends with a look
        await asyncio.sleep(settings.store_look_seconds)
    if why := await _wrong_key(store, monitor, settings):
        log.error(why)


async def _unless(stopping: asyncio.Event, work: Awaitable[None]) -> bool:
    """Do this unless the process is to stop first; whether it is."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(stopping.wait())]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    return stopping.is_set()


def _fail(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return CANNOT_START
