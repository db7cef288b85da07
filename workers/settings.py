"""What workers and sweepers are told: where brokers, engines and the gateway are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from bree.process.brokers import SERVER, brokers_of
from bree.process.replicas import Addresses, checked, engines_of
from bree.process.settings import ProcessSettings
from bree.process.tasks import QUEUE_OF
from bree.redis.sentinels import Sentinels

QUEUES = tuple(dict.fromkeys(QUEUE_OF.values()))


def addresses_of(text: str) -> Addresses:
    """The addresses in a list such as `10.0.0.1:7000,10.0.0.2:7000`, each of them once."""
    addresses = tuple(checked(part.strip()) for part in text.split(",") if part.strip())
    if not addresses:
        raise ValueError("an address and a port are needed")
    return tuple(dict.fromkeys(addresses))


def queues_of(text: str) -> tuple[str, ...]:
    """The queues in a list such as `bots,scoring`."""
    queues = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if not set(queues) <= set(QUEUES):
        raise ValueError(f"the queues are {', '.join(QUEUES)}")
    return queues


class SweeperSettings(ProcessSettings):
    """The settings of `python -m workers.sweeper`, which workers have as well."""

    model_config = SettingsConfigDict(validate_default=False)  # it is no text to be taken apart

    store_url: str = Field(default="redis://127.0.0.1:6379/0", pattern=f"^({SERVER})$")
    broker_url: str = ""  # or several with blanks between; empty: the store
    engines: Annotated[Mapping[str, Addresses], NoDecode, BeforeValidator(engines_of)]
    gateway: Annotated[Addresses, NoDecode, BeforeValidator(addresses_of)] = ("127.0.0.1:7000",)

    queues: Annotated[tuple[str, ...], NoDecode, BeforeValidator(queues_of)] = QUEUES
    worker_processes: int = Field(default=2, ge=1, le=256)  # turns played at the same time
    task_seconds: float = Field(default=30, ge=1, le=3600)  # then a bot must answer at once
    task_grace_seconds: float = Field(default=15, ge=1, le=600)  # and then its process is killed
    turn_tries: int = Field(default=8, ge=2, le=1000)  # of a bot's turn that fails
    patience_seconds: float = Field(default=3, ge=0, le=60)  # how long a part may be out of reach
    stuck_seconds: float = Field(default=8, ge=3, le=600)  # idle, without asking for a task

    sweep_seconds: float = Field(default=1, gt=0, le=60)
    sweep_overdue_ms: int = Field(default=1000, ge=0, le=600_000)
    sweep_lease_ms: int = Field(default=15_000, ge=1000, le=600_000)
    sweep_backlog: int = Field(default=500, ge=1)  # turns waiting; above it, none is sent again

    @field_validator("store_url")
    @classmethod
    def _names_a_server(cls, url: str) -> str:
        Sentinels.of(url)
        return url

    @field_validator("broker_url")
    @classmethod
    def _names_brokers(cls, urls: str) -> str:
        brokers_of(urls)
        return urls

    @property
    def brokers(self) -> tuple[str, ...]:
        """Where tasks are sent to."""
        return brokers_of(self.broker_url, self.store_url)

    @property
    def broker(self) -> str:
        """The broker, where there is one."""
        (one,) = self.brokers
        return one

    def at(self, broker: str) -> Self:
        """The same, with one broker only."""
        return self.model_copy(update={"broker_url": broker})


class WorkerSettings(SweeperSettings):
    """The settings of `python -m workers`."""

    @field_validator("broker_url")
    @classmethod
    def _is_one(cls, urls: str) -> str:
        if len(urls.split()) > 1:
            raise ValueError("a worker serves one broker: name the one that is to be its own")
        return urls
