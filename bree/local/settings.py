"""What the local run is told: where it keeps things, which ports it uses, how much it starts."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from bree.process.brokers import brokers_of
from bree.process.settings import ProcessSettings, read
from bree.redis.clients import checked
from bree.redis.primaries import STORE
from services import GAMES

ROOT = Path(__file__).resolve().parents[2]
"""Where Bree's packages lie: a clone of it, or the folder of an installation."""

DISTRIBUTION = "bree-platform"
"""What installers call it."""

HOST = "127.0.0.1"
"""Nothing of a local run can be reached from another machine."""


class Trouble(Exception):
    """What keeps the platform from running, as a sentence."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code


class CannotStart(Trouble):
    """What has to be mended before it can start at all."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, 2)


def state_directory() -> Path:
    """Where a run keeps things by default: in its clone, or where programs of a user keep them."""
    if (ROOT / "pyproject.toml").exists():
        return ROOT / ".run"
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "bree"


class LocalSettings(ProcessSettings):
    """The settings of `bree run`."""

    platform_token: SecretStr = SecretStr("kept in the state directory")
    drain_seconds: float = Field(default=3, ge=0, le=600)

    state: Path = state_directory()
    gateway_port: int = Field(default=7000, ge=1024, le=65535)
    http_port: int = Field(default=7080, ge=1024, le=65535)  # of the gateway's page
    redis_port: int = Field(default=7001, ge=1024, le=65535)
    postgres_port: int = Field(default=7002, ge=1024, le=65535)
    engine_port: int = Field(default=7101, ge=1024, le=65000)  # of the first engine
    metrics_port: int = Field(default=9100, ge=1024, le=65000)  # the gateway's, which is the first
    games: str = ""  # their names between commas; empty: every game that there is
    replicas: int = Field(default=1, ge=1, le=16)  # of each engine
    workers: int = Field(default=1, ge=1, le=16)
    sweepers: int = Field(default=1, ge=1, le=4)
    redis_server: str = ""  # a program; empty: the machine's, or the one that came with Bree
    postgres_server: str = ""  # a folder of programs; empty: likewise
    store_url: str = Field(default="", pattern=f"^$|^{STORE}$")  # a Redis of one's own
    store_replicas: int = Field(default=0, ge=0)  # which only that one may have
    broker_url: str = ""  # or several with blanks between; empty: the store
    ledger_url: str = Field(default="", pattern="^$|^postgres(ql)?://")  # likewise
    start_seconds: float = Field(default=60, ge=1, le=600)
    stop_seconds: float = Field(default=15, ge=1, le=600)
    check_seconds: float = Field(default=120, ge=1, le=3600)  # that the match may take

    @field_validator("games")
    @classmethod
    def _are_games(cls, games: str) -> str:
        strange = [name for name in _listed(games) if name not in GAMES]
        if strange:
            known = ", ".join(GAMES)
            raise ValueError(f"there is no game {', '.join(strange)}; there are {known}")
        return games

    @field_validator("store_url")
    @classmethod
    def _is_store(cls, url: str) -> str:
        return url and checked(url)

    @field_validator("store_replicas")
    @classmethod
    def _are_there(cls, replicas: int, info: ValidationInfo) -> int:
        if replicas and not info.data.get("store_url"):
            raise ValueError(
                "the store of a local run has no replicas; name one that has with BREE_STORE_URL"
            )
        return replicas

    @field_validator("broker_url")
    @classmethod
    def _have_workers(cls, urls: str, info: ValidationInfo) -> str:
        brokers = len(brokers_of(urls))
        if brokers > info.data.get("workers", brokers):
            raise ValueError(f"each of {brokers} brokers needs a worker: raise BREE_WORKERS")
        return urls

    @property
    def page(self) -> str:
        """What a browser is told to open."""
        return f"http{'s' if self.tls_certificate else ''}://{HOST}:{self.http_port}"

    def served(self) -> tuple[str, ...]:
        """The games whose engines run."""
        return tuple(game for game in GAMES if game in (_listed(self.games) or GAMES))


def _listed(games: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in games.split(",") if name.strip())


def of_this_run() -> LocalSettings:
    """The settings that the environment gives."""
    return read(LocalSettings)
