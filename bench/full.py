"""Moves while the ledger has many finished matches, beside the same while it has few.

Two platforms run at once, each with a ledger of its own, and play in turns: so what else the
machine does meets both alike. What is compared is the processor time of a move, of all processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from statistics import median
from typing import TypeVar

import asyncpg

from bench.ledger import fill
from bench.load import SECONDS, SPARE, turn
from bench.measure import Measure
from bench.player import Player, player
from bench.town import Town, platform

GAME = "confrontation"
FEW, MANY, MATCHES, ROUNDS = 2_000, 200_000, 32, 15
WANTED = "<= 1.03"
T = TypeVar("T")


def measures() -> Iterator[Measure]:
    """The processor time of a move, and moves a second."""
    with platform(BREE_GAMES=GAME) as few, platform(BREE_GAMES=GAME) as many:
        rounds = asyncio.run(_rounds(few, many))
    name = f"full: a move beside {MANY:,} finished matches"
    for what, unit, number in ((", processor time", "us", 0), (", moves", "acts/s", 1)):
        pairs = [(a[number], b[number]) for a, b in rounds]
        before, now = (median(side) for side in zip(*pairs, strict=True))
        ratio = median(b / a for a, b in pairs)
        said = f"beside {FEW:,}: {before:.0f} {unit}"
        yield Measure(name + what, round(now), unit, said, ratio, WANTED if not number else "")


async def _rounds(few: Town, many: Town) -> list[tuple[tuple[float, float], ...]]:
    for town, matches in ((few, FEW), (many, MANY)):
        pool = await asyncpg.create_pool(town.ledger, min_size=1, max_size=1)
        await fill(pool, 1, matches)
        await pool.close()
    async with AsyncExitStack() as stack:
        sides = [
            (town, await stack.enter_async_context(player(town.gateway, game=GAME)))
            for town in (few, many)
        ]
        rounds = [[await _turn(*side) for side in _order(sides, n)] for n in range(ROUNDS + 1)]
    return [tuple(_order(one, n)) for n, one in enumerate(rounds) if n]


def _order(sides: list[T], number: int) -> list[T]:
    """Whoever comes second in one round comes first in the next."""
    return sides[::-1] if number % 2 else sides


async def _turn(town: Town, one: Player) -> tuple[float, float]:
    await one.prepare(MATCHES + SPARE)
    done = await turn(one.play(MATCHES, SECONDS), town.spent)
    return done.each, done.rate
