"""A platform to be hurt: two of everything, and a wire of its own between any two of its parts.

Design. It is the local run with other addresses: its parts are those that `bree run`
would start, kept running by the same supervisor, in this process. Each part is told the port of a
wire where it would be told the port of another part. A second gateway is the first with others.
"""

from __future__ import annotations

import contextlib
import re
import struct
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from bree.local.parts import SERVERS, Part, parts_of
from bree.local.settings import LocalSettings
from bree.local.state import State, running
from bree.local.supervisor import Supervisor
from bree.process.settings import read
from services import GAMES
from tests.chaos.people import Heard
from tests.chaos.wire import HOST, Wire
from tests.local.parts import free_range

EDGE = Path(__file__).parent / "edge"
SPOKEN_TO = {
    "engine": {"BREE_STORE_URL": "store", "BREE_BROKER_URL": "broker", "BREE_LEDGER_URL": ""},
    "gateway": {"BREE_STORE_URL": "store", "BREE_ENGINES": "", "BREE_LEDGER_URL": ""},
    "worker": {"BREE_BROKER_URL": "broker", "BREE_ENGINES": "", "BREE_GATEWAY": ""},
    "sweeper": {"BREE_BROKER_URL": "broker", "BREE_ENGINES": "", "BREE_GATEWAY": ""},
}
"""The variables in which each kind of part finds others; and what Redis is to it by each."""

SETTINGS = {
    "BREE_LOG_LEVEL": "info",
    "BREE_NEW_ACCOUNTS_A_MINUTE": 6000,
    "BREE_NEW_ACCOUNTS_BURST": 1000,
    "BREE_LOOKS_A_SECOND": 1000,
    "BREE_LOOKS_BURST": 1000,
}
"""All accounts of the chaos have one address; what one account may do is as by default."""

ANSWER_SECONDS = 2.0


def kind_of(name: str) -> str:
    """The kind of a part, by its name."""
    kind = name.partition("-")[0]
    return "engine" if kind in GAMES else kind


class World:
    """One platform in a directory of its own."""

    def __init__(self, home: Path, say: Callable[[str], None], **settings: object) -> None:
        self.home = home
        self.said: list[str] = []
        self._tell = say
        base = free_range(60)
        wanted = {"replicas": 2, "workers": 2, "sweepers": 2, **settings}
        self.settings: LocalSettings = read(
            LocalSettings,
            state=home / "state",
            gateway_port=base,
            redis_port=base + 2,
            engine_port=base + 3,
            postgres_port=base + 17,
            http_port=base + 19,
            metrics_port=base + 20,
            **wanted,
        )
        self.wires: dict[str, Wire] = {}
        self.matches: list[str] = []  # that good people play, for evil ones to find
        self.heard = Heard()
        self.supervisor: Supervisor | None = None

    @property
    def logs(self) -> Path:
        """Where each part writes what it has to say."""
        return self.home / "state" / "logs"

    @property
    def edge(self) -> Path:
        """Where the processes look for what the chaos wants of them."""
        return self.home / "edge"

    async def start(self, more: Mapping[str, str] | None = None) -> None:
        """Start everything, each part told so much more, and return when it is well."""
        self.told = {**{key: str(value) for key, value in SETTINGS.items()}, **(more or {})}
        self.edge.mkdir(parents=True)
        self.state = State(self.settings.state)
        (self.edge / "now").symlink_to(self.state.root / "redis")
        parts = self.wanted(
            _doubled(parts_of(self.settings, self.state), self.settings.metrics_port)
        )
        names = {part.port: part.name for part in parts if part.port}
        self.parts = [await self._reached_by_wires(part, names) for part in parts]
        self.clients_to = [
            (await self._wire("client", part.name, part.port)).port
            for part in parts
            if part.kind == "gateway"
        ]
        self.supervisor = Supervisor(self.parts, self.state, self.settings, self._note)
        self.supervisor.prepare()
        await self.supervisor.start()

    def wanted(self, parts: list[Part]) -> list[Part]:
        """Those of the parts of a local run that this world has."""
        return parts

    async def stop(self) -> None:
        """Stop everything that was started."""
        if self.supervisor is not None:
            await self.supervisor.stop()
            self.state.close()
        for wire in self.wires.values():
            await wire.close()

    def address(self, first: int) -> str:
        """Where a client finds the gateways, and which of them it tries first."""
        ports = [*self.clients_to[first % 2 :], *self.clients_to[: first % 2]]
        return "ipv4:" + ",".join(f"{HOST}:{port}" for port in ports)

    def running(self) -> dict[str, int]:
        """What runs, each with its process."""
        return running(self.state.root)

    def part(self, name: str) -> Part:
        """A part by its name."""
        return next(part for part in self.parts if part.name == name)

    async def back(self, name: str) -> None:
        """Wait until a part is well again."""
        await self.supervisor.until_healthy(self.part(name))

    @contextlib.asynccontextmanager
    async def redis(self) -> AsyncIterator[Redis]:
        """Redis itself, by no wire."""
        client = Redis(
            host=HOST,
            port=self.settings.redis_port,
            password=self.state.secret("redis_password"),
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        try:
            yield client
        finally:
            await client.aclose()

    def put_clock_wrong(self, name: str, seconds: float) -> None:
        """Let the clock of a part go wrong by so much; 0 is right again."""
        with self._clock(name).open("r+b") as file:
            file.write(struct.pack("q", int(seconds * 1e9)))

    def _clock(self, name: str) -> Path:
        return self.edge / f"clock-{name}"

    def _note(self, sentence: str) -> None:
        self.said.append(sentence)
        self._tell(sentence)

    async def _reached_by_wires(self, part: Part, names: Mapping[int, str]) -> Part:
        if part.kind == "postgres":
            return part
        if part.kind == "redis":
            start = (sys.executable, str(EDGE / "store_start.py"), str(self.edge))
            return replace(part, command=(*start, *part.command))
        self._clock(part.name).write_bytes(struct.pack("q", 0))
        environment = {**part.environment, **self.told}
        environment["CHAOS_CLOCK"] = str(self._clock(part.name))
        environment["PYTHONPATH"] = str(EDGE)
        for variable, called in SPOKEN_TO[part.kind].items():
            environment[variable] = await self._rewired(
                part.name, environment[variable], {port: called or names[port] for port in names}
            )
        return replace(part, environment=environment)

    async def _rewired(self, caller: str, text: str, names: Mapping[int, str]) -> str:
        """The same addresses, each by a wire."""
        for port in map(int, re.findall(rf"{re.escape(HOST)}:(\d+)", text)):
            if port not in names:
                continue  # it is none of the parts
            wire = await self._wire(caller, names[port], port)
            text = text.replace(f"{HOST}:{port}", f"{HOST}:{wire.port}")
        return text

    async def _wire(self, caller: str, called: str, port: int) -> Wire:
        name = f"{caller}>{called}"
        if name not in self.wires:
            self.wires[name] = Wire(name, port)
            await self.wires[name].open()
        return self.wires[name]


def _doubled(parts: list[Part], first: int) -> list[Part]:
    """The same with a second gateway, which everybody who calls gateways is told of, too."""
    gateway = next(part for part in parts if part.kind == "gateway")
    port, http, metrics = gateway.port + 1, gateway.http - 1, first + len(parts)
    second = replace(
        gateway,
        name="gateway-2",
        port=port,
        http=http,
        metrics=metrics,
        environment={
            **gateway.environment,
            "BREE_LISTEN": f"{HOST}:{port}",
            "BREE_HTTP_LISTEN": f"{HOST}:{http}",
            "BREE_METRICS_PORT": str(metrics),
        },
    )
    one = f"{HOST}:{gateway.port}"
    both = {"BREE_GATEWAY": f"{one},{HOST}:{port}"}
    return [
        part if part.kind in SERVERS else replace(part, environment={**part.environment, **both})
        for part in [*parts, second]
    ]
