"""A platform in one process: an engine, a gateway, and what a sweeper and workers do for them.

Design. All that is asked, stored, told and taken out is done by the platform's own parts, on real
servers. Left out is what lies between its processes: a call to the engine or to the gateway is a
call of a function here, and a task is done by a thread of this process, without Celery. So a match
takes a small part of the time that it takes elsewhere, and leaves behind what it leaves there.
"""

from __future__ import annotations

import asyncio
import threading
from asyncio import Future
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import grpc
from google.protobuf.message import Message
from typing_extensions import override

from bree.process.brokers import Spread
from bree.process.settings import read
from bree.process.statuses import Denied
from bree.process.store_monitor import StoreMonitor
from gateway.engines import PASSED_ON
from gateway.kin import Kin
from gateway.ledger_store import LedgerStore
from gateway.main import Process
from gateway.methods import Method
from gateway.outbox import Outbox
from gateway.retention import Retention
from gateway.servicers import told
from gateway.settings import GatewaySettings
from gateway.tidying import Tidying
from services import rules_of
from services.host.archived_store import ArchivedStore
from services.host.fate_keys import why_not
from services.host.ledger_archive import LedgerArchive
from services.host.main import Engine
from services.host.serialization import SCORE, Due
from services.host.servicer import Servicer
from services.host.settings import HostSettings
from services.host.store import RedisStore
from workers import leaving, scoring
from workers.bot_turn import Turn
from workers.calls import Failed, Request
from workers.clients import Clients
from workers.outlet import Outlet
from workers.settings import SweeperSettings
from workers.sweeper import Sweeper

THREADS = 4
"""How many tasks are done at the same time, and of those that wait for one:"""

MOST_WAITING = 60

Task = Callable[[Clients, str, str], str]


class NearEngine:
    """The methods of an engine of this process, as a stub of gRPC has them."""

    def __init__(self, servicer: Servicer) -> None:
        self._servicer = servicer

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._servicer, name)

        async def call(request: Message, **_: object) -> Any:
            return await method(request, None)

        return call

    def passed_on(self, name: str) -> Callable[..., Any]:
        """A method whose answers the gateway reads as what it will send."""
        method = getattr(self, name)

        async def call(request: Message, **_: object) -> Any:
            return _as_sent(name, await method(request))

        return call

    def watch(self, request: Any, **_: object) -> NearStream:
        """A stream of steps."""
        return NearStream(self._servicer.Watch(request, None))  # type: ignore[arg-type]


class NearStream:
    """What an engine of this process tells, as a stream of gRPC is read."""

    def __init__(self, steps: AsyncGenerator[Message, None]) -> None:
        self._steps = steps
        self._closing: asyncio.Task[None] | None = None

    async def read(self) -> Any:
        """The next step."""
        step = await anext(self._steps, None)
        return grpc.aio.EOF if step is None else _as_sent("Watch", step)

    def cancel(self) -> None:
        """Nobody reads any more."""
        self._closing = asyncio.create_task(self._steps.aclose())


def _as_sent(method: str, answer: Message) -> Any:
    return PASSED_ON[method][1].FromString(answer.SerializeToString())


class NearClients(Clients):
    """What threads of this process call: its engine and its gateway."""

    def __init__(self, settings: SweeperSettings, engine: Any, gateway: Any) -> None:
        super().__init__(settings)
        self._loop = asyncio.get_running_loop()
        self._engine, self._gateway = engine, gateway

    @override
    def engine(self, game: str, match: str, method: Callable[[Any], Any], request: Request) -> Any:
        return self._asked(method(self._engine), request)

    @override
    def settlement(self, match: str, method: Callable[[Any], Any], request: Request) -> Any:
        return self._asked(method(self._gateway), request)

    def _asked(self, method: Callable[..., Any], request: Message) -> Any:
        try:
            return asyncio.run_coroutine_threadsafe(method(request), self._loop).result()
        except Denied as denied:
            raise Failed(denied.code, denied.reason, denied.message) from denied


class NearGateway:
    """The methods of a gateway of this process for other parts of it, as a stub has them."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._methods = {method.name: method for method in methods}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self._methods[name].answer


class Tasks:
    """Does in threads what workers are sent, by the engine at once and by the sweeper later."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.clients: Clients | None = None  # until there is somebody to call
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(THREADS, "worker")
        self._waiting: set[Future[str]] = set()

    def tell(self, due: Iterable[Due]) -> None:
        """Do what an engine says is due."""
        for one in due:
            if one.kind == SCORE:
                self._begin(scoring.score, one.match)

    def send_turn(self, turn: Turn, payer: str, *, alone: bool) -> None:
        raise AssertionError("no bots play here")

    def send_score(self, game: str, match: str) -> None:
        self._loop.call_soon_threadsafe(self._begin, scoring.score, match)

    def send_leave(self, game: str, match: str) -> None:
        self._loop.call_soon_threadsafe(self._begin, leaving.leave, match)

    def _begin(self, task: Task, match: str) -> None:
        assert self.clients is not None, "tasks come from those who play"
        done = self._loop.run_in_executor(self._pool, task, self.clients, self.game, match)
        self._waiting.add(done)
        done.add_done_callback(self._waiting.discard)

    async def room(self) -> None:
        """Wait until not too many tasks wait: what is played must leave as fast."""
        while len(self._waiting) > MOST_WAITING:
            await asyncio.wait(self._waiting, return_when=asyncio.FIRST_COMPLETED)

    def close(self) -> None:
        """Let go of what waits."""
        self._pool.shutdown(cancel_futures=True)


class Caller:
    """Somebody with a token, or with none, who is admitted at each call."""

    def __init__(self, process: Process, token: str = "") -> None:
        self._admission = process.gateway.admission
        self._methods = {method.name: method for method in process.gateway.methods}
        self._token = token

    async def __call__(self, name: str, request: Message) -> Any:
        return await (await self._admitted(name)).answer(request)

    async def listen(self, name: str, request: Message) -> None:
        """Be told, for ever or until the gateway stops."""
        with suppress(Denied):
            async for _ in told(await self._admitted(name), request):
                pass

    async def _admitted(self, name: str) -> Method:
        method = self._methods[name]
        await self._admission.admit(method.path, self._token, lambda: "127.0.0.1")
        return method


class Near:
    """The parts of such a platform, joined. Its settings are those of the environment."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.tasks = Tasks(game)
        self._keeping: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the engine, the gateway that asks it, and the sweeper that asks both."""
        self._engine = await self._started_engine()
        address = f"{self.game}=127.0.0.1:{self._engine.server.port}"
        self.process = self._process(read(GatewaySettings, engines=address))
        near = NearEngine(self._engine.servicer)
        [replica] = self.process.gateway.engines.replicas[self.game]
        replica.stub = near
        replica.multiplexed = {name: near.passed_on(name) for name in replica.multiplexed}
        replica.watch_questions = near.watch
        await self.process.start()
        settings = read(SweeperSettings, engines=address)
        gateway = NearGateway(self.process.gateway.methods)
        self.tasks.clients = NearClients(settings, near, gateway)
        outlets = Spread([settings.broker], lambda _: Outlet("here", self.tasks, lambda: 0, 1))
        self._sweeper = Sweeper(settings, self.tasks.clients, outlets)
        self._sweeping = threading.Thread(target=self._sweeper.run, args=([self.game],))
        self._sweeping.start()

    async def _started_engine(self) -> Engine:
        settings = read(HostSettings)
        store = RedisStore(settings.store_url, self.game, settings.store_seconds)
        monitor = StoreMonitor(settings, settings.epoch(), store, self.game)
        store.monitor = monitor
        await monitor.look()
        if why := await why_not(store, settings.keys):
            raise SystemExit(why)
        self._keeping.append(asyncio.create_task(monitor.run()))
        archived = ArchivedStore(store, LedgerArchive(settings.ledger(), self.game))
        rules = rules_of(self.game)
        engine = Engine(rules, settings, archived, self.tasks, monitor.time)
        await engine.start()
        return engine

    def _process(self, settings: GatewaySettings) -> Process:
        """A gateway with all that it does beside answering."""
        store = LedgerStore(settings.store_url, settings.ledger(), settings.copy_seconds)
        store.monitor = StoreMonitor(settings, settings.epoch(), store, "gateway")
        store.ledger.kin = Kin(store)
        process = Process(settings, store)
        process.keep_doing(store.monitor.run())
        told_ms = round(1000 * settings.told_seconds)
        process.keep_doing(Outbox(store, process.gateway.matches, told_ms).run())
        process.keep_doing(Retention(settings, store).run())
        process.keep_doing(Tidying(settings, store, process.gateway.matches).run())
        return process

    async def stop(self) -> None:
        """Stop all of it, those first that rely on the others."""
        self._sweeper.stopping.set()
        await asyncio.to_thread(self._sweeping.join)
        self.tasks.close()
        await self.process.stop()
        await self._engine.stop()
        for task in self._keeping:
            task.cancel()
