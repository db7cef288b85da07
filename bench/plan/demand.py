"""How much of each part a load takes, how many of each that makes, and what gives way first.

Design. Costs add up: a load takes a certain share of the time of each part. What can be had in any
number is added until each of it is as busy as it may be; what there is one of, or what every copy
has to do however many there are, has a ceiling. The lowest ceiling is the first bottleneck.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import NamedTuple

from bench.plan.costs import Costs

GAMES = 4
CORES = 2  # of a machine
NEWS_CHANNELS = 16
CENSUS_SECONDS, SWEEP_SECONDS, LOOK_SECONDS = 10.0, 1.0, 2.0


@dataclass(frozen=True, slots=True)
class Load:
    """What is assumed of those who play."""

    matches: float = 1_000_000
    moves: float = 50_000  # a second
    bots: float = 0.1  # of the moves
    pages: float = 500_000  # that look on, of which each move is told to one
    due: float = 1.0  # of the matches: those with a clock or a bot's turn within ten minutes

    def times(self, scale: float) -> Load:
        """The same people, more or fewer of them."""
        more = {"matches": self.matches, "moves": self.moves, "pages": self.pages}
        return replace(self, **{name: scale * value for name, value in more.items()})


@dataclass(frozen=True, slots=True)
class Shape:
    """How the platform is laid out."""

    masters: int = 64  # of the matches; each with a replica
    brokers: int = 1  # payers are many, so that each has as many turns as another
    is_one_redis: bool = False  # for matches, gateways and broker alike, without a replica
    gateways_apart: bool = True  # with one Redis of their own, and not in the cluster
    is_sharded: bool = False  # whether a move is told by the node that has it, and by no other
    censuses: int = 0  # by how many engines of a game; 0: by every one of them
    busy: float = 0.7  # how busy a process is to be at most


class Part(NamedTuple):
    """Processes of one kind."""

    name: str
    copies: int
    use: float  # of the time of each
    why: str  # what most of that is
    share: float  # which is so much of its time
    grows: bool = False  # whether more of them take less each


class Plan(NamedTuple):
    """All parts for a load."""

    parts: tuple[Part, ...]

    def part(self, name: str) -> Part:
        """The processes of this kind."""
        return next(part for part in self.parts if part.name == name)

    @property
    def first(self) -> Part:
        """What is nearest to its ceiling."""
        return max(self.parts, key=lambda part: part.share if part.grows else part.use)

    @property
    def machines(self) -> int:
        """How many machines all of it takes."""
        return sum(ceil(part.copies / CORES) for part in self.parts)


def plan_of(load: Load, costs: Costs, shape: Shape) -> Plan:
    """What a load takes."""
    begun = load.moves / costs.turns
    people, bots = load.moves * (1 - load.bots), load.moves * load.bots
    news = begun * costs.news * costs.news_heard
    own = people * costs.gateway + load.moves * costs.page_step
    own += begun * costs.begun_gateway + load.pages * costs.page_silent
    gateways = _copies(own, news, shape.busy)
    moved = load.moves / GAMES * costs.heard
    thinking = people * costs.engine + bots * costs.bot_engine + begun * costs.begun_engine
    engines = _copies(thinking / GAMES, moved, shape.busy)
    workers = _copies(bots * (costs.bot_worker + costs.thought), 0, shape.busy)
    silent = load.pages * costs.page_silent / gateways
    stores = _stores(load, costs, shape, GAMES * engines, gateways)
    return Plan(
        (
            *stores,
            _grows("gateway", gateways, own, news, _most(silent, own / gateways)),
            _grows("engine", GAMES * engines, thinking, moved, "its own moves"),
            _grows("worker", workers, bots * (costs.bot_worker + costs.thought), 0, "thoughts"),
        )
    )


def _most(silent: float, own: float) -> str:
    return "streams on which nothing happens" if silent > own / 2 else "calls"


def _copies(work: float, each: float, busy: float) -> int:
    """How many it takes, if each has something to do besides that all of them have."""
    left = busy - each
    return max(1, ceil(work / left)) if left > 0.01 else max(1, ceil(work / 0.01))


def _grows(name: str, copies: int, work: float, each: float, why: str) -> Part:
    whys = {"gateway": "news of others heard", "engine": "moves of others heard of"}
    return Part(name, copies, work / copies + each, whys.get(name, why), each, grows=True)


def _stores(load: Load, costs: Costs, shape: Shape, engines: int, gateways: int) -> Iterator[Part]:
    """Every Redis, with what its only thread does."""
    begun, bots = load.moves / costs.turns, load.moves * load.bots
    counting = shape.censuses or engines / GAMES
    of_matches = {
        "appends": load.moves * (costs.redis_append if shape.is_one_redis else costs.waited),
        "moves told to engines": load.moves * engines / GAMES * costs.told,
        "the census": counting * load.matches * load.due / 1e6 * costs.census / CENSUS_SECONDS,
        "sweeps": GAMES * costs.sweep / SWEEP_SECONDS,
    }
    of_gateways = {
        "matches begun": begun * costs.begun_redis,
        "news told to gateways": begun * costs.news * gateways * costs.told,
        "looks": (engines + gateways) / LOOK_SECONDS * costs.look,
    }
    of_broker = {"bots' turns": bots * max(0.0, costs.bot_redis - costs.redis_append)}
    if shape.is_one_redis:
        yield _single("the one Redis", of_matches | of_gateways | of_broker)
        return
    each = {name: value / shape.masters for name, value in of_matches.items()}
    bus = {"moves told to other nodes": 0.0 if shape.is_sharded else load.moves * costs.bus}
    if not shape.gateways_apart:
        each |= _in_cluster(of_gateways, shape.masters)
    yield _single("master", each | bus, shape.masters)
    copied = {"copies": load.moves * costs.copied / shape.masters}
    yield _single("replica", copied | bus, shape.masters)
    if shape.gateways_apart:
        yield _single("Redis of the gateways", of_gateways)
    turns = {name: value / shape.brokers for name, value in of_broker.items()}
    yield _single("Redis of the brokers", turns, shape.brokers)


def _in_cluster(of_gateways: dict[str, float], masters: int) -> dict[str, float]:
    """What the gateways take of each master: every process looks at all, news has few channels."""
    shared = {"looks": 1, "news told to gateways": min(masters, NEWS_CHANNELS)}
    return {name: value / shared.get(name, masters) for name, value in of_gateways.items()}


def _single(name: str, does: dict[str, float], copies: int = 1) -> Part:
    why = max(does, key=lambda one: does[one])
    return Part(name, copies, sum(does.values()), why, does[why])


class Ceiling(NamedTuple):
    """The load at which a part can do no more."""

    part: str
    why: str
    scale: float  # times the load that was given


def ceilings(load: Load, costs: Costs, shape: Shape) -> list[Ceiling]:
    """Of each part that more machines do not help, the lowest first."""
    names = [part.name for part in plan_of(load, costs, shape).parts]
    found = [_ceiling(name, load, costs, shape) for name in names]
    return sorted(filter(None, found), key=lambda one: one.scale)


def _ceiling(name: str, load: Load, costs: Costs, shape: Shape) -> Ceiling | None:
    def is_over(scale: float) -> bool:
        part = plan_of(load.times(scale), costs, shape).part(name)
        return part.share >= shape.busy if part.grows else part.use >= 1

    low, high = 0.001, 1000.0
    if not is_over(high):
        return None
    while high / low > 1.001:
        middle = (low * high) ** 0.5
        low, high = (low, middle) if is_over(middle) else (middle, high)
    return Ceiling(name, plan_of(load.times(low), costs, shape).part(name).why, high)
