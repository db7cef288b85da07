"""Traces: what they cost, with the same load on a platform that sends them and one that does not.

Two platforms stand side by side, and the same client plays on them in turns: first while a share of
calls is kept, as it is by default, then while each call is asked to be kept. What is compared is
processor time for one answered move, of all processes and the client; the collector is not part of
the platform. Turns are short and many, and their sums are compared: what else a machine has to do
changes from second to second, and by more than traces cost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack

from bench.collector import collector
from bench.load import Round, turn
from bench.measure import Measure
from bench.player import Player, player
from bench.town import Town, platform

ROUNDS, SECONDS = 120, 0.5
MATCHES, SPARE = 32, 40
ASKS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

Pair = tuple[Round, Round]
"""A turn with traces, and one without."""


def measures() -> Iterator[Measure]:
    """Processor time and moves a second with traces, beside those without."""
    with collector() as spans:
        settings = {"BREE_TRACES": spans.address, "BREE_TRACES_A_SECOND": "1000000"}
        with platform() as without, platform(**settings) as with_them:
            yield from asyncio.run(_measures(without, with_them))


async def _measures(without: Town, with_them: Town) -> list[Measure]:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(player(without.gateway))
        other = await stack.enter_async_context(player(with_them.gateway))
        sides = (with_them, other), (without, one)
        usual = [await _pair(sides, number) for number in range(ROUNDS + 1)]
        other.metadata = [*other.metadata, ("traceparent", ASKS)]
        every = [await _pair(sides, number) for number in range(ROUNDS // 2 + 1)]
    return [*_report("by default", usual[1:], "<= 1.03"), *_report("of every call", every[1:], "")]


async def _pair(sides: tuple[tuple[Town, Player], tuple[Town, Player]], number: int) -> Pair:
    """One turn on each side; who begins changes from time to time."""
    done = {}
    for side in (0, 1) if number % 2 else (1, 0):
        town, one = sides[side]
        await one.prepare(MATCHES + SPARE)
        done[side] = await turn(one.play(MATCHES, SECONDS), town.spent)
    return done[0], done[1]


def _report(way: str, pairs: list[Pair], wanted: str) -> Iterator[Measure]:
    name = f"traces {way}, {MATCHES} matches"
    ours, theirs = map(_whole, zip(*pairs, strict=True))
    reference = f"without {theirs.each:.0f} us"
    ratio = ours.each / theirs.each
    yield Measure(f"{name}, processor", round(ours.each), "us", reference, ratio, wanted)
    moves, others = (len(side.times) / (len(pairs) * SECONDS) for side in (ours, theirs))
    reference = f"without {others:,.0f}/s"
    yield Measure(f"{name}, moves", round(moves), "acts/s", reference, moves / others)


def _whole(rounds: Sequence[Round]) -> Round:
    """All rounds of one side as one."""
    times = [seconds for one in rounds for seconds in one.times]
    return Round(times, sum(one.spent for one in rounds))
