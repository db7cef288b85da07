"""What each thing costs, and where that was measured: all that the plan begins from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).parents[1] / "results.json"

US, MS, ONE = 1e-6, 1e-3, 1.0
MIB, KIB = 1024.0 * 1024, 1024.0


class Source(NamedTuple):
    """Which measure a cost is, and what its unit is in seconds or bytes."""

    name: str
    unit: float


SOURCES = {
    "client_alone": Source("plan: client, a move, 1 matches", US),
    "client": Source("plan: client, a move, 256 matches", US),
    "gateway_alone": Source("plan: gateway, a move, 1 matches", US),
    "gateway": Source("plan: gateway, a move, 256 matches", US),
    "engine_alone": Source("plan: engine, a move, 1 matches", US),
    "engine": Source("plan: engine, a move, 256 matches", US),
    "redis_alone": Source("plan: Redis, a move, 1 matches", US),
    "redis_append": Source("plan: Redis, an append of 32 at once", US),
    "durable": Source("plan: Redis, an append alone, until it is durable", MS),
    "append_alone": Source("plan: Redis, an append alone", US),
    "waited": Source(
        "plan: Redis, an append with a replica and one WAIT for all that go together", US
    ),
    "copied": Source("plan: Redis, an append, copied by a replica", US),
    "told": Source("plan: Redis, a move told to one more engine", US),
    "bus": Source("plan: Redis, a PUBLISH in a cluster, on each other node", US),
    "heard": Source("plan: engine, a move of others heard of", US),
    "census": Source("plan: Redis, a census of a million that are due", ONE),
    "sweep": Source("plan: Redis, a sweep of a game that finds nothing", US),
    "look": Source("plan: Redis, a look whether it is the store that is known", US),
    "begun_gateway": Source("plan: gateway, a match begun", US),
    "begun_engine": Source("plan: engine, a match begun", US),
    "begun_redis": Source("plan: Redis, a match begun", US),
    "news": Source("plan: gateways told of a match begun", ONE),
    "news_heard": Source("plan: gateway, news of others heard, 32 at once", US),
    "bot_worker": Source("plan: worker, a turn of a bot", US),
    "bot_engine": Source("plan: engine, a turn of a bot", US),
    "bot_redis": Source("plan: Redis, a turn of a bot", US),
    "turns": Source("plan: turns of a match", ONE),
    "novice": Source("plan: worker, a thought of novice", MS),
    "apprentice": Source("plan: worker, a thought of apprentice", MS),
    "adept": Source("plan: worker, a thought of adept", MS),
    "master": Source("plan: worker, a thought of master", MS),
    "page_step": Source("news: 500 browsers' streams, processor time of a step told", US),
    "page_silent": Source(
        "news: 500 browsers' streams, processor time while silent, of each", US
    ),
    "page_bytes": Source("news: 500 browsers' streams, memory of each", KIB),
    "live_bytes": Source("store: a live match that has begun", ONE),
    "engine_new_bytes": Source("plan: memory of an engine that has just begun", MIB),
    "engine_full_bytes": Source("memory with 10,000 live matches: confrontation", MIB),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of processor time, but for what ends in `bytes`, and `news` and `turns`."""

    client_alone: float
    client: float
    gateway_alone: float
    gateway: float
    engine_alone: float
    engine: float
    redis_alone: float
    redis_append: float
    durable: float
    append_alone: float
    waited: float
    copied: float
    told: float
    bus: float
    heard: float
    census: float
    sweep: float
    look: float
    begun_gateway: float
    begun_engine: float
    begun_redis: float
    news: float
    news_heard: float
    bot_worker: float
    bot_engine: float
    bot_redis: float
    turns: float
    novice: float
    apprentice: float
    adept: float
    master: float
    page_step: float
    page_silent: float
    page_bytes: float
    live_bytes: float
    engine_new_bytes: float
    engine_full_bytes: float

    @property
    def disk(self) -> float:
        """For how long an append waits for the disk, at most."""
        return max(0.0, self.durable - self.append_alone)

    @property
    def cached_bytes(self) -> float:
        """What a live match takes in the memory of its engine."""
        return (self.engine_full_bytes - self.engine_new_bytes) / 10_000

    @property
    def thought(self) -> float:
        """A thought, where as many bots have each level."""
        return (self.novice + self.apprentice + self.adept + self.master) / 4


class Missing(Exception):
    """A figure that has not been measured."""


def costs_of(results: Sequence[Mapping[str, Any]]) -> Costs:
    """The costs among what was measured."""
    values = {result["name"]: result.get("value") for result in results}
    found: dict[str, float] = {}
    for field, (name, unit) in SOURCES.items():
        value = values.get(name)
        if not isinstance(value, int | float):
            raise Missing(f"bench/results.json has no {name!r}; measure it: make bench PARTS=plan")
        found[field] = unit * value
    return Costs(**found)


def kept() -> Sequence[Mapping[str, Any]]:
    """What was measured so far."""
    results: Sequence[Mapping[str, Any]] = json.loads(RESULTS.read_text("utf-8"))
    return results
