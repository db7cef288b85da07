"""The parts of a local run: what each is called, how it is started, and how it is found healthy."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bree.local import redis_server
from bree.local.settings import HOST, CannotStart, LocalSettings
from bree.local.state import State
from services import GAMES
from workers.levels import LEVELS

STAGES = ("redis", "engine", "gateway", "worker", "sweeper")
"""The kinds of parts, each relying on those before it; so they stop in the opposite order."""

SETTINGS = {
    "redis": "BREE_REDIS_PORT",
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
    environment: Mapping[str, str] = field(default_factory=dict)

    def ports(self) -> Iterator[tuple[int, str]]:
        """The ports it needs, each with the setting that moves it."""
        if self.port:
            yield self.port, SETTINGS[self.kind]
        if self.metrics:
            yield self.metrics, "BREE_METRICS_PORT"


def parts_of(settings: LocalSettings, state: State) -> list[Part]:
    """Everything that is to run."""
    password = state.secret("redis_password")
    program = redis_server.find(settings.redis_server)
    conf = redis_server.configure(program, state.root, settings.redis_port, password)
    engines = _engines(settings)
    shared = _environment(settings, state, engines)
    metrics = iter(range(settings.metrics_port, 65536))
    gateway = _part("gateway", "gateway", settings.gateway_port, next(metrics), shared)
    return [
        Part("redis", "redis", (program.path, str(conf)), settings.redis_port),
        *(_part(*one, next(metrics), _engine(one, shared, state)) for one in engines),
        gateway,
        *(_worker(number, next(metrics), shared, state) for number in _count(settings.workers)),
        *(
            _part(f"sweeper-{number}", "workers.sweeper", 0, next(metrics), shared)
            for number in _count(settings.sweepers)
        ),
    ]


def _count(number: int) -> range:
    return range(1, number + 1)


def _engines(settings: LocalSettings) -> list[tuple[str, str, int]]:
    """The name, module and port of every replica of every engine there is."""
    games = [game for game in GAMES if importlib.util.find_spec(f"services.{game}.__main__")]
    if not games:
        raise CannotStart("there is no engine to start")
    ports = iter(range(settings.engine_port, 65536))
    return [
        (f"{game}-{number}", f"services.{game}", next(ports))
        for game in games
        for number in _count(settings.replicas)
    ]


def _environment(
    settings: LocalSettings, state: State, engines: list[tuple[str, str, int]]
) -> dict[str, str]:
    addresses: dict[str, list[str]] = {}
    for _, module, port in engines:
        addresses.setdefault(module.removeprefix("services."), []).append(f"{HOST}:{port}")
    store = redis_server.url(settings.redis_port, state.secret("redis_password"))
    return {
        **os.environ,
        "BREE_STORE_URL": store,
        "BREE_BROKER_URL": store,
        "BREE_STORE_NEW": "yes" if state.store_is_new() else "no",
        "BREE_STORE_MEMORY": str(state.memory),
        "BREE_PLATFORM_TOKEN": state.secret("platform_token"),
        "BREE_ENGINES": ";".join(f"{game}={','.join(at)}" for game, at in addresses.items()),
        "BREE_GATEWAY": f"{HOST}:{settings.gateway_port}",
        "BREE_METRICS_ADDRESS": HOST,
        "BREE_DRAIN_SECONDS": str(settings.drain_seconds),
        "PYTHONUNBUFFERED": "1",
    }


def _engine(
    engine: tuple[str, str, int], shared: Mapping[str, str], state: State
) -> dict[str, str]:
    """What engines alone are told: the key of all chance, and which bots there are."""
    levels = LEVELS[engine[1].removeprefix("services.")]
    key = state.secret("fate_key")
    return {**shared, "BREE_FATE_KEY": key, "BREE_BOT_LEVELS": ",".join(levels)}


def _part(name: str, module: str, port: int, metrics: int, shared: Mapping[str, str]) -> Part:
    kind = "engine" if module.startswith("services.") else module.rpartition(".")[2]
    environment = {**shared, "BREE_METRICS_PORT": str(metrics), "BREE_LISTEN": f"{HOST}:{port}"}
    return Part(name, kind, (sys.executable, "-m", module), port, metrics, environment)


def _worker(number: int, metrics: int, shared: Mapping[str, str], state: State) -> Part:
    name = f"worker-{number}"
    together = {"PROMETHEUS_MULTIPROC_DIR": str(state.metrics(name))}
    environment = {**shared, **together, "BREE_METRICS_PORT": str(metrics)}
    return Part(name, "worker", (sys.executable, "-m", "workers"), 0, metrics, environment)
