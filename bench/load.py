"""Load: durable moves through gateway, engine and store, beside a bare two-hop gRPC echo.

The whole platform runs in processes of its own, on free ports and a new state directory, with a
real Redis that makes every append durable before it answers. One client plays random moves in many
matches at once; what it counts are answers that were acknowledged. The echo runs in turns with it,
with messages of the size that answers have, and as many calls at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from statistics import mean, median, quantiles
from typing import Any

import grpc

from bench.echo import METHOD
from bench.measure import Measure
from bench.player import Player, player
from bench.town import echo, platform
from services import GAMES

ROUNDS, SECONDS = 9, 2.0
AT_ONCE = (1, 32, 256)  # of the first game; of the others the middle one
SPARE = 60  # matches that are begun before, for those that end in a round
WANTED = {32: ">= 0.5"}


def measures() -> Iterator[Measure]:
    """Throughput and latency at each number of matches, each with its echo; and memory."""
    with platform() as town:
        for game in GAMES:
            at_once = AT_ONCE if game == GAMES[0] else AT_ONCE[1:2]
            yield from asyncio.run(_measures(town.gateway, game, at_once))
        for kind, mib in sorted(town.memory().items()):
            yield Measure(f"memory after the load: {kind}", round(mib, 1), "MiB")


async def _measures(gateway: str, game: str, at_once: Sequence[int]) -> list[Measure]:
    found: list[Measure] = []
    async with player(gateway, game=game) as one:
        await one.prepare(8)
        sample = await one.play(8, 2.0)
        with echo(one.asked // len(sample), one.answered // len(sample)) as (address, request):
            async with grpc.aio.insecure_channel(address) as channel:
                for matches in at_once:
                    found += [m async for m in _side_by_side(one, channel, request, matches)]
    return found


async def _side_by_side(
    one: Player, channel: Any, request: bytes, matches: int
) -> AsyncIterator[Measure]:
    rounds = []
    for number in range(ROUNDS + 1):
        await one.prepare(matches + SPARE)
        moves = await one.play(matches, SECONDS)
        echoes = await _echoes(channel, request, matches)
        if number:  # the first one warms up
            rounds.append((moves, echoes))
    for measure in _report(one.game, matches, rounds):
        yield measure


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


def _report(
    game: str, matches: int, rounds: list[tuple[list[float], list[float]]]
) -> Iterator[Measure]:
    ours = median(len(moves) / SECONDS for moves, _ in rounds)
    theirs = median(len(echoes) / SECONDS for _, echoes in rounds)
    ratio = median(len(moves) / len(echoes) for moves, echoes in rounds)
    name, reference = f"platform: {game}, {matches} matches", f"two-hop echo {theirs:,.0f}/s"
    yield Measure(
        f"{name}, moves", round(ours), "acts/s", reference, ratio, WANTED.get(matches, "")
    )
    for percent in (50, 99):
        mine = mean(percentile(moves, percent) for moves, _ in rounds)
        other = mean(percentile(echoes, percent) for _, echoes in rounds)
        reference = f"two-hop echo {1000 * other:.2f} ms"
        yield Measure(f"{name}, p{percent}", round(1000 * mine, 2), "ms", reference, mine / other)


def percentile(values: list[float], percent: int) -> float:
    """The value that so many percent of all do not exceed."""
    return quantiles(values, n=100)[percent - 1]
