"""The parts of a local run: what each is called, how it is started, and how it is found healthy."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bree.local import postgres_server, redis_server
from bree.local.settings import HOST, LocalSettings
from bree.local.state import POSTGRES, State
from bree.process.brokers import brokers_of
from workers.levels import LEVELS

SERVERS = ("redis", POSTGRES)
"""What is not Bree's own, and keeps all that is kept."""

STAGES = (*SERVERS, "engine", "gateway", "worker", "sweeper")
"""The kinds of parts, each relying on those before it; so they stop in the opposite order."""

BROKERS = "BREE_BROKER_URL"

KINDS = {"gateway": "gateway", "workers": "worker", "workers.sweeper": "sweeper"}
"""What a module is, if it is no engine."""

SETTINGS = {
    "redis": "BREE_REDIS_PORT",
    POSTGRES: "BREE_POSTGRES_PORT",
    "engine": "BREE_ENGINE_PORT",
    "gateway": "BREE_GATEWAY_PORT",
}


@dataclass(frozen=True)
class Part:
    """One process of the platform, with all that it makes itself."""

    name: str
    kind: str
    command: tuple[str, ...]
    port: int = 0  # 0: it serves metrics only
    metrics: int = 0  # 0: none
    http: int = 0  # likewise
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def game(self) -> str:
        """Which game an engine plays."""
        return self.command[-1].removeprefix("services.")

    def ports(self) -> Iterator[tuple[int, str]]:
        """The ports it needs, each with the setting that moves it."""
        if self.port:
            yield self.port, SETTINGS[self.kind]
        if self.http:
            yield self.http, "BREE_HTTP_PORT"
        if self.metrics:
            yield self.metrics, "BREE_METRICS_PORT"


def outline(settings: LocalSettings) -> list[Part]:
    """Everything that is to run, where it will be found, and not yet what it is told."""
    metrics = iter(range(settings.metrics_port, 65536))
    gateway = _part("gateway", "gateway", settings.gateway_port, next(metrics))
    gateway = replace(gateway, http=settings.http_port)
    return [
        *([] if settings.store_url else [Part("redis", "redis", (), settings.redis_port)]),
        *([] if settings.ledger_url else [Part(POSTGRES, POSTGRES, (), settings.postgres_port)]),
        *(_part(*engine, next(metrics)) for engine in _engines(settings)),
        gateway,
        *(_part(f"worker-{n}", "workers", 0, next(metrics)) for n in _count(settings.workers)),
        *(
            _part(f"sweeper-{n}", "workers.sweeper", 0, next(metrics))
            for n in _count(settings.sweepers)
        ),
    ]


def parts_of(settings: LocalSettings, state: State) -> list[Part]:
    """Everything that is to run."""
    parts = outline(settings)
    servers = servers_of(settings, state)
    shared = _environment(settings, state, parts)
    brokers = itertools.cycle(brokers_of(shared[BROKERS]))
    return servers + [
        replace(part, environment={**shared, **_own(part, state, brokers)})
        for part in parts
        if part.kind not in SERVERS
    ]


def servers_of(settings: LocalSettings, state: State) -> list[Part]:
    """What is not Bree's own of that, which can run alone."""
    parts = outline(settings)
    return [_server(part, settings, state) for part in parts if part.kind in SERVERS]


def _server(part: Part, settings: LocalSettings, state: State) -> Part:
    """A server that has what it needs to start."""
    if part.kind == POSTGRES:
        command = postgres_server.prepare(settings, state)
        return replace(part, command=command, environment=postgres_server.environment())
    program = redis_server.find(settings.redis_server, state.root)
    password = state.secret(redis_server.PASSWORD)
    conf = redis_server.configure(state.root, settings.redis_port, password)
    return replace(part, command=(program.path, str(conf)))


def _count(number: int) -> range:
    return range(1, number + 1)


def _engines(settings: LocalSettings) -> list[tuple[str, str, int]]:
    """The name, module and port of every replica of every engine there is."""
    ports = iter(range(settings.engine_port, 65536))
    return [
        (f"{game}-{number}", f"services.{game}", next(ports))
        for game in settings.served()
        for number in _count(settings.replicas)
    ]


def _part(name: str, module: str, port: int, metrics: int) -> Part:
    kind = KINDS.get(module, "engine")
    return Part(name, kind, (sys.executable, "-m", module), port, metrics)


def _environment(settings: LocalSettings, state: State, parts: Iterable[Part]) -> dict[str, str]:
    """What all parts are told, besides what is told to this program."""
    addresses: dict[str, list[str]] = {}
    for engine in parts:
        if engine.kind == "engine":
            addresses.setdefault(engine.game, []).append(f"{HOST}:{engine.port}")
    store = settings.store_url or redis_server.url(
        settings.redis_port, state.secret(redis_server.PASSWORD)
    )
    ledger = settings.ledger_url or postgres_server.url(
        settings.postgres_port, state.secret(postgres_server.PASSWORD)
    )
    return {
        **os.environ,
        "BREE_STORE_URL": store,
        BROKERS: settings.broker_url or store,
        "BREE_LEDGER_URL": ledger,
        "BREE_STORE_NEW": "yes" if state.store_is_new() else "no",
        "BREE_STORE_MEMORY": str(state.memory),
        "BREE_PLATFORM_TOKEN": state.secret("platform_token"),
        "BREE_ENGINES": ";".join(f"{game}={','.join(at)}" for game, at in addresses.items()),
        "BREE_GATEWAY": f"{HOST}:{settings.gateway_port}",
        "BREE_METRICS_ADDRESS": HOST,
        "BREE_DRAIN_SECONDS": str(settings.drain_seconds),
        "PYTHONUNBUFFERED": "1",
    }


def _own(part: Part, state: State, brokers: Iterator[str]) -> dict[str, str]:
    """What one part is told and no other."""
    own = {"BREE_METRICS_PORT": str(part.metrics), "BREE_LISTEN": f"{HOST}:{part.port}"}
    if part.kind == "engine":  # the key of all chance, and which bots there are
        own["BREE_FATE_KEY"] = state.secret("fate_key")
        own["BREE_BOT_LEVELS"] = ",".join(LEVELS[part.game])
    if part.http:
        own["BREE_HTTP_LISTEN"] = f"{HOST}:{part.http}"
    if part.kind == "worker":
        own[BROKERS] = next(brokers)  # each worker serves one
        own["PROMETHEUS_MULTIPROC_DIR"] = str(state.metrics(part.name))
    return own
