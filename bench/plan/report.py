"""What the plan says: how true it is, what gives way first, what it takes, what failures do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median, quantiles
from typing import Any, NamedTuple

from bench.measure import Measure
from bench.plan import failures
from bench.plan.costs import Costs, costs_of, kept
from bench.plan.demand import Load, Plan, Shape, ceilings, plan_of
from bench.plan.moves import Client, Platform, Size

LOAD = Load()
NOW = Shape(censuses=1, brokers=4, gateways_apart=False, is_sharded=True)
APART = replace(NOW, gateways_apart=True, is_sharded=False)
LAYOUTS = {
    "one Redis": Shape(is_one_redis=True, censuses=1),
    "64 masters, every engine counts": replace(APART, censuses=0),
    "64 masters, gateways apart": APART,
    "64 masters, one broker": replace(NOW, brokers=1),
    "64 masters": NOW,
}
SECONDS = 6.0  # of a simulation that is compared with what was measured
TAKEOVERS = {1.0: 6.0, 5.0: 20.0, 15.0: 40.0}
"""Seconds until a replica is the master, and how long is looked at."""
LEVELS = ("novice", "apprentice", "adept", "master")
GIB = 1 << 30
FIGURES = ("moves", "p50", "p99")
UNITS = {"moves": "acts/s", "p50": "ms", "p99": "ms"}
FEW = 4  # moves at a time, in the measurement among 10,000 matches
WITHIN, TAILS_WITHIN = 1.5, 10.0
"""The factors within which throughput and the median are predicted, and the slowest of a hundred:
that depends on what else a machine does, which is not simulated."""

Results = Sequence[Mapping[str, Any]]


class Comparison(NamedTuple):
    """What the simulation says of a set-up that was measured, and what was measured."""

    name: str
    unit: str
    simulated: float
    measured: float

    @property
    def factor(self) -> float:
        """How far it is from what was measured, up or down."""
        ratio = self.simulated / self.measured
        return max(ratio, 1 / ratio)


def measures() -> Iterator[Measure]:
    """All that the plan says."""
    results = kept()
    costs = costs_of(results)
    yield from _validation(costs, results)
    yield from _ceilings(costs)
    plan = plan_of(LOAD, costs, NOW)
    yield from _sizes(costs, plan)
    yield from _memory(costs, plan)
    yield from _failures(costs, plan, results)


# How true it is.


def bench_of(costs: Costs, at_once: int, *, looks: bool = False) -> list[float]:
    """What the bench's own set-up does: the seconds that each move takes, once it runs."""
    platform = Platform(costs, Size(replicated=False, cores=2))
    client = Client(platform, at_once, looks=looks)
    platform.world.run(2 * SECONDS)
    return [move.ended - move.began for move in client.done if move.ended > SECONDS]


def comparisons(costs: Costs, results: Results) -> Iterator[Comparison]:
    """Throughput, median and tail, simulated and measured."""
    values = {one["name"]: float(one["value"]) for one in results if "value" in one}
    for at_once in (1, 32, 256):
        name = f"platform: confrontation, {at_once} matches"
        found = zip(FIGURES, _figures(bench_of(costs, at_once)), strict=True)
        for what, said in found:
            measured = values[f"{name}, {what}"]
            yield Comparison(f"{at_once} matches, {what}", UNITS[what], said, measured)
    name = "10,000 live matches, p99"
    tail = _figures(bench_of(costs, FEW, looks=True))[2]
    yield Comparison(name, "ms", tail, values[f"platform: {name}"])


def _figures(times: list[float]) -> tuple[float, float, float]:
    return len(times) / SECONDS, 1000 * median(times), 1000 * quantiles(times, n=100)[98]


def _validation(costs: Costs, results: Results) -> Iterator[Measure]:
    for one in comparisons(costs, results):
        wanted = f"within {TAILS_WITHIN if 'p99' in one.name else WITHIN:g}×"
        yield Measure(
            f"simulated: {one.name}",
            round(one.simulated, 2),
            one.unit,
            f"measured {one.measured:,.6g} {one.unit}",
            one.simulated / one.measured,
            wanted,
        )


# What gives way, and what it takes.


def _ceilings(costs: Costs) -> Iterator[Measure]:
    for layout, shape in LAYOUTS.items():
        for number, one in enumerate(ceilings(LOAD, costs, shape), 1):
            yield Measure(
                f"scale: {layout}, ceiling of {one.part}",
                round(one.scale * LOAD.moves, -2),
                "moves/s",
                f"number {number}: {one.why}",
            )


def _sizes(costs: Costs, plan: Plan) -> Iterator[Measure]:
    for part in plan.parts:
        why = f"{part.why} {100 * part.share / max(part.use, 1e-9):.0f} %"
        yield Measure(f"scale: {part.name}, processes", part.copies, "", why)
        yield Measure(f"scale: {part.name}, busy", round(100 * part.use, 1), "%", why)
    yield Measure("scale: machines of two cores", plan.machines, "")
    few = next(n for n in range(1, 65) if bears(costs, "master", masters=n))
    smaller = plan_of(LOAD, costs, replace(NOW, masters=few))
    yield Measure("scale: masters that suffice", few, "")
    yield Measure("scale: machines with as many masters", smaller.machines, "")
    silent = LOAD.pages * costs.page_silent
    yield Measure("scale: cores for streams on which nothing happens", round(silent, 1), "")
    quiet = plan_of(LOAD, replace(costs, news=0.0), NOW)
    yield Measure("scale: gateways without news of others", quiet.part("gateway").copies, "")
    bots = LOAD.moves * LOAD.bots
    yield Measure(
        "scale: bots' turns that one broker bears", round(bots * _broker(costs)), "turns/s"
    )
    for level in LEVELS:
        took = getattr(costs, level) + costs.bot_worker
        yield Measure(
            f"scale: cores for 1,000 turns a second of {level}", round(1000 * took, 1), ""
        )


def bears(costs: Costs, part: str, **many: int) -> bool:
    """Whether so many of a part are enough."""
    shape = replace(NOW, **many)  # type: ignore[arg-type]  # numbers of processes alone
    return plan_of(LOAD, costs, shape).part(part).use <= shape.busy


def _broker(costs: Costs) -> float:
    alone = ceilings(LOAD, costs, LAYOUTS["64 masters, one broker"])
    return next(one.scale for one in alone if "broker" in one.part)


def _memory(costs: Costs, plan: Plan) -> Iterator[Measure]:
    yield Measure("scale: bytes of a live match in Redis", round(costs.live_bytes), "bytes")
    yield Measure("scale: bytes of a live match in an engine", round(costs.cached_bytes), "bytes")
    whole = LOAD.matches * costs.live_bytes / GIB
    yield Measure("scale: a million live matches in Redis", round(whole, 2), "GiB")
    whole = LOAD.matches * costs.cached_bytes / GIB
    yield Measure("scale: a million live matches in engines", round(whole, 1), "GiB")
    each = 1024 * whole / plan.part("engine").copies
    yield Measure("scale: live matches in each engine", round(each), "MiB")
    whole = LOAD.pages * costs.page_bytes / GIB
    yield Measure("scale: half a million pages in gateways", round(whole, 1), "GiB")


# What dies.


def _failures(costs: Costs, plan: Plan, results: Results) -> Iterator[Measure]:
    small, game = failures.Scene(costs, plan, LOAD, 16), failures.Scene(costs, plan, LOAD)
    for takeover, seconds in TAKEOVERS.items():
        name = f"a master dies, {takeover:g} s"
        yield from _outcome(name, failures.master_dies(small, takeover, seconds))
    short, long = failures.replays(results)
    yield Measure("fails: a match loaded, of the shortest", round(1000 * short, 1), "ms")
    yield Measure("fails: a match loaded, of the longest", round(1000 * long, 1), "ms")
    yield from _outcome("an engine dies, short matches", failures.engine_dies(game, short, 3.0))
    yield from _outcome("an engine dies, long matches", failures.engine_dies(game, long, 3.0))
    yield Measure("fails: an engine dies, long matches, over after", _caught_up(game, long), "s")
    yield from _outcome("a gateway dies", failures.gateway_dies(game, 2.0))
    turns = failures.half_the_workers_die(game, 10.0, 60.0)
    yield Measure("fails: half the workers die, turns that wait at most", turns.most_waiting, "")
    yield Measure("fails: half the workers die, longest wait", round(turns.longest, 1), "s")


def _caught_up(scene: failures.Scene, replay: float) -> float:
    """Until an engine's matches are all loaded elsewhere, by what the others have to spare."""
    part = scene.plan.part("engine")
    engines = part.copies / scene.share
    spare = (engines - 1) - part.use * engines
    lost = scene.load.matches / part.copies
    return round(lost * replay / spare) if spare > 0 else float("inf")


def _outcome(name: str, one: failures.Outcome) -> Iterator[Measure]:
    yield Measure(f"fails: {name}, moves that wait at most", one.most_waiting, "")
    yield Measure(f"fails: {name}, moves asked again", one.asked_again, "")
    yield Measure(f"fails: {name}, slowest move", round(one.slowest, 2), "s")
    if "long matches" not in name:  # which the simulated time does not reach
        yield Measure(f"fails: {name}, over after", round(one.over_after, 2), "s")
    else:
        yield Measure(f"fails: {name}, usual p50", round(1000 * one.usual, 1), "ms")
        yield Measure(f"fails: {name}, usual p99", round(1000 * one.usual_p99, 1), "ms")
