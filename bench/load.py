"""Load: durable moves through gateway, engine and store, beside a bare two-hop gRPC echo.

The whole platform runs in processes of its own, on free ports and a new state directory, with a
real Redis that makes every append durable before it answers. One client plays random moves in many
matches at once; what it counts are answers that were acknowledged. The echo runs in turns with it,
with messages of the size that answers have, and as many calls at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from statistics import mean, median, quantiles
from typing import Any, NamedTuple

import grpc

from bench.echo import METHOD
from bench.measure import Measure
from bench.player import Player, player
from bench.town import Echo, Town, echo, platform
from services import GAMES
from services.manifests import manifests

ROUNDS, SECONDS = 9, 2.0
SPARE = 60  # matches that are begun before, for those that end in a round
WANTED = {32: ">= 0.5"}


def measures() -> Iterator[Measure]:
    """Throughput and latency at each number of matches, each with its echo; and memory."""
    with platform() as town:
        for game in GAMES:
            yield from asyncio.run(_measures(town, game, manifests()[game].bench.matches))
        for kind, mib in sorted(town.memory().items()):
            yield Measure(f"memory after the load: {kind}", round(mib, 1), "MiB")


class Round(NamedTuple):
    """What was done in one turn, by the platform or by the echo."""

    times: list[float]  # that each answer took
    spent: float  # seconds of processor time, of all processes and this one

    @property
    def rate(self) -> float:
        return len(self.times) / SECONDS

    @property
    def each(self) -> float:
        """Microseconds of processor time for one answer."""
        return 1e6 * self.spent / len(self.times)


async def _measures(town: Town, game: str, at_once: Sequence[int]) -> list[Measure]:
    found: list[Measure] = []
    async with player(town.gateway, game=game) as one:
        await one.prepare(8)
        sample = await one.play(8, 2.0)
        with echo(one.asked // len(sample), one.answered // len(sample)) as other:
            async with grpc.aio.insecure_channel(other.address) as channel:
                for matches in at_once:
                    rounds = await _side_by_side(town, one, other, channel, matches)
                    found += _report(game, matches, rounds)
    return found


async def _side_by_side(
    town: Town, one: Player, other: Echo, channel: Any, matches: int
) -> list[tuple[Round, Round]]:
    rounds = []
    for _ in range(ROUNDS + 1):
        await one.prepare(matches + SPARE)
        moves = await turn(one.play(matches, SECONDS), town.spent)
        echoes = await turn(_echoes(channel, other.request, matches), other.spent)
        rounds.append((moves, echoes))
    return rounds[1:]  # the first one warms up


async def turn(work: Awaitable[list[float]], spent: Callable[[], float]) -> Round:
    """One turn's work, with the processor time that was spent meanwhile."""
    before = spent() + time.process_time()
    return Round(await work, spent() + time.process_time() - before)


async def _echoes(channel: Any, request: bytes, at_once: int) -> list[float]:
    ask: Any = channel.unary_unary(METHOD)
    times: list[float] = []
    until = time.monotonic() + SECONDS

    async def again() -> None:
        while time.monotonic() < until:
            began = time.perf_counter()
            await ask(request)
            times.append(time.perf_counter() - began)

    await asyncio.gather(*(again() for _ in range(at_once)))
    return times


def _report(game: str, matches: int, rounds: list[tuple[Round, Round]]) -> Iterator[Measure]:
    ours, theirs = (median(one.rate for one in pair) for pair in zip(*rounds, strict=True))
    ratio = median(moves.rate / echoes.rate for moves, echoes in rounds)
    name, reference = f"platform: {game}, {matches} matches", f"two-hop echo {theirs:,.0f}/s"
    yield Measure(
        f"{name}, moves", round(ours), "acts/s", reference, ratio, WANTED.get(matches, "")
    )
    ours, theirs = (median(one.each for one in pair) for pair in zip(*rounds, strict=True))
    ratio = median(echoes.each / moves.each for moves, echoes in rounds)
    yield Measure(f"{name}, processor", round(ours), "us", f"two-hop echo {theirs:.0f} us", ratio)
    for percent in (50, 99):
        mine = mean(percentile(moves.times, percent) for moves, _ in rounds)
        other = mean(percentile(echoes.times, percent) for _, echoes in rounds)
        reference = f"two-hop echo {1000 * other:.2f} ms"
        yield Measure(f"{name}, p{percent}", round(1000 * mine, 2), "ms", reference, mine / other)


def percentile(values: list[float], percent: int) -> float:
    """The value that this percentage of all values does not exceed."""
    return quantiles(values, n=100)[percent - 1]
