"""The settings of an engine."""

from __future__ import annotations

import re

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from bree.ledger.settings import LedgerSettings
from bree.process.brokers import brokers_of
from bree.process.store_monitor import StoreSettings
from bree.redis.clients import checked
from services.host.ends import FOR_EVER


class HostSettings(StoreSettings, LedgerSettings):
    """The settings of `python -m services.<game>`. Without a ledger no match leaves the store."""

    # redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://
    store_url: str = "redis://127.0.0.1:6379/0"
    broker_url: str = ""  # of Celery, or several with blanks between; empty: the store
    fate_key: SecretStr  # 64 hexadecimal digits; the secrets of all matches follow from it; or keys
    bot_levels: str = (  # the hosted opponents that workers have, the weakest first
        "uniform,novice,apprentice,greedy,adept,master"
    )
    live_seconds: float = Field(default=3600, ge=0, le=31_536_000)  # that settled matches stay
    store_seconds: float = Field(default=5, ge=0.1, le=60)  # then a silent store counts as lost
    cache_bytes: int = Field(default=256 << 20, ge=1 << 20)  # what matches in memory may weigh
    most_watchers: int = Field(default=20_000, ge=1)  # streams at the same time
    census_seconds: float = Field(default=10, ge=0.1, le=600)  # how often what is due is counted

    @field_validator("fate_key")
    @classmethod
    def _is_a_key(cls, key: SecretStr) -> SecretStr:
        for one in key.get_secret_value().split(","):
            if not re.fullmatch(r"[0-9a-fA-F]{64}", one):
                raise ValueError(
                    "a key is 64 hexadecimal digits, such as `openssl rand -hex 32` makes; "
                    "older ones follow it after commas"
                )
        return key

    @field_validator("store_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        return checked(url)

    @field_validator("broker_url")
    @classmethod
    def _names_brokers(cls, urls: str, info: ValidationInfo) -> str:
        brokers_of(urls, info.data.get("store_url", ""))
        return urls

    @field_validator("store_seconds")
    @classmethod
    def _is_longer_than_replicas_are_waited_for(cls, seconds: float, info: ValidationInfo) -> float:
        if info.data.get("store_replicas") and 1000 * seconds <= 2 * info.data["store_replica_ms"]:
            raise ValueError(
                "a store that waits for its replicas must not count as lost meanwhile: "
                "twice BREE_STORE_REPLICA_MS is too long for it"
            )
        return seconds

    @field_validator("bot_levels")
    @classmethod
    def _are_levels(cls, levels: str) -> str:
        if not re.fullmatch(r"([a-z][a-z0-9_]{0,39}(,[a-z][a-z0-9_]{0,39})*)?", levels):
            raise ValueError("levels are lower-case words with commas between")
        return levels

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the hosted bots, the weakest first."""
        return tuple(self.bot_levels.split(",")) if self.bot_levels else ()

    @property
    def stay_ms(self) -> int:
        """How long settled matches stay in the store; for ever where there is no ledger."""
        return round(1000 * self.live_seconds) if self.ledger_url else FOR_EVER

    @property
    def brokers(self) -> tuple[str, ...]:
        """Where tasks are sent to."""
        return brokers_of(self.broker_url, self.store_url)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys that secrets are made with: new ones with the first."""
        return tuple(map(bytes.fromhex, self.fate_key.get_secret_value().split(",")))
