"""What of a platform takes and does tasks: brokers that go away, engines, workers, a supervisor."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from bree.engine.v1.engine_pb2 import CreateMatchRequest, Player
from bree.engine.v1.engine_pb2_grpc import EngineServiceStub
from bree.local.parts import Part
from bree.local.settings import HOST, LocalSettings
from bree.local.state import State
from bree.local.supervisor import Supervisor
from tests.local.parts import free_range
from tests.redis_server import RedisServer, redis_server

GAME, SEATS, LEVEL = "confrontation", ("good", "dark"), "uniform"
"""Short turns: of many tasks at any moment, some are being acknowledged."""

ANSWER_SECONDS = 2.0

_FIGURE = re.compile(r"^(bree_\w+)(?:\{[^}]*\})? ([-+.e0-9]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Servers:
    """The Redis of a run; they are one if the broker is shared."""

    store: RedisServer
    broker: RedisServer


@contextmanager
def servers(*, shared: bool) -> Iterator[Servers]:
    """A store, and a broker that keeps nothing unless it is the store."""
    with redis_server() as store:
        if shared:
            yield Servers(store, store)
            return
        with redis_server("--appendonly", "no") as broker:
            yield Servers(store, broker)


class Town:
    """An engine, a sweeper and workers, kept running as a local run keeps them."""

    def __init__(self, home: Path, at: Servers, workers: int, say: Callable[[str], None]) -> None:
        self.state = State(home)
        self.names = itertools.count(1)
        self.created = 0
        ports = iter(range(free_range(workers + 3), 32_000))
        self.engine = next(ports)
        self.shared = {
            **os.environ,
            "BREE_STORE_URL": at.store.url,
            "BREE_STORE_NEW": "yes",
            "BREE_BROKER_URL": at.broker.url,
            "BREE_PLATFORM_TOKEN": self.state.secret("platform_token"),
            "BREE_FATE_KEY": self.state.secret("fate_key"),
            "BREE_ENGINES": f"{GAME}={HOST}:{self.engine}",
            "BREE_QUEUES": "bots",
            "BREE_LOG_LEVEL": "warning",
        }
        self.parts = [
            self._part("engine", f"services.{GAME}", next(ports), self.engine),
            self._part("sweeper", "workers.sweeper", next(ports)),
            *(self._part(f"worker-{n}", "workers", next(ports)) for n in range(1, workers + 1)),
        ]
        self.supervisor = Supervisor(self.parts, self.state, LocalSettings(state=home), say)

    def _part(self, name: str, module: str, metrics: int, port: int = 0) -> Part:
        more = {"BREE_METRICS_PORT": str(metrics), "BREE_LISTEN": f"{HOST}:{port}"}
        kind = name.partition("-")[0]
        if kind == "worker":
            more["PROMETHEUS_MULTIPROC_DIR"] = str(self.state.metrics(name))
        command = (sys.executable, "-m", module)
        environment = {**self.shared, **more}
        return Part(name, kind, command, port, metrics, environment=environment)

    def workers(self) -> list[Part]:
        return [part for part in self.parts if part.kind == "worker"]

    async def start(self) -> None:
        """Start everything, and wait until it is well."""
        self.supervisor.prepare()
        await self.supervisor.start()
        token = self.state.secret("platform_token")
        self.metadata = (("authorization", f"Bearer {token}"),)
        self.channel = grpc.aio.insecure_channel(f"{HOST}:{self.engine}")
        self.stub = EngineServiceStub(self.channel)

    async def stop(self) -> None:
        await self.channel.close()
        await self.supervisor.stop()
        self.state.close()

    async def keep_busy(self, matches: int) -> None:
        """See that this number of matches between bots is in play, for ever."""
        while True:
            over = (await figures(self.parts[0])).get("bree_matches_over_total", self.created)
            try:
                while self.created - over < matches:
                    await self._begin()
            except grpc.aio.AioRpcError:
                pass  # the store is away
            await asyncio.sleep(0.5)

    async def _begin(self) -> None:
        players = [Player(seat=seat, bot_level=LEVEL, nonce=b"load") for seat in SEATS]
        request = CreateMatchRequest(match=f"load-{next(self.names)}", players=players)
        await self.stub.CreateMatch(request, metadata=self.metadata, timeout=ANSWER_SECONDS)
        self.created += 1


async def turns(worker: Part) -> float:
    """How many questions a worker has answered since it started."""
    return (await figures(worker)).get("bree_bot_turns_total", 0.0)


async def figures(part: Part) -> dict[str, float]:
    """What a part counts now, all labels together; nothing if it does not answer."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection(HOST, part.metrics)
            writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
            text = (await reader.read()).decode()
            writer.close()
    except (OSError, TimeoutError):
        return {}
    sums: dict[str, float] = {}
    for name, value in _FIGURE.findall(text):
        sums[name] = sums.get(name, 0.0) + float(value)
    return sums


def hold(server: RedisServer) -> None:
    """Stop a server in the middle of what it does; whoever is connected stays so."""
    os.kill(server.pid, signal.SIGSTOP)


def release(server: RedisServer) -> None:
    """Let it go on."""
    os.kill(server.pid, signal.SIGCONT)
