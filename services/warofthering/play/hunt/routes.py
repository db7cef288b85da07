"""Ways of the Fellowship across the map (RULES P2, 13.3, S04)."""

from __future__ import annotations

from collections.abc import Sequence

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.tables import (
    ADJACENT,
    DISTANCE,
    MORIA,
    REGION_COUNT,
    SETTLEMENT,
    SHADOW,
    STRONGHOLD,
)

G = Game[Board]

_PAST_STRONGHOLD, _THROUGH_MORIA = 10_000, 1000
"""What a region costs a route in regions, besides the one that it is."""


def reveal_regions(b: Board) -> list[int]:
    """Where a revealed Fellowship may be found (13.3, S10)."""
    found = [r for r in range(REGION_COUNT) if DISTANCE[b.region][r] <= b.progress]
    return [r for r in found if not b.is_refuge(r)] or [b.region]


def shadow_strongholds(b: Board, route: Sequence[int]) -> list[int]:
    """The Strongholds under Shadow control that a route touches, each once."""
    return [
        region
        for region in dict.fromkeys(route)
        if SETTLEMENT[region] == STRONGHOLD and b.is_controlled_by(region, SHADOW)
    ]


def shortest_route(
    b: Board, start: int, end: int, steps: int, *, hunted: bool = True
) -> tuple[int, ...]:
    """The best way over at most `steps` borders (S04).

    It touches as few Strongholds of the Shadow as can be if these hunt, and Moria only if it must.
    """
    weight = [_THROUGH_MORIA * (r == MORIA) for r in range(REGION_COUNT)]
    if hunted:
        for region in shadow_strongholds(b, range(REGION_COUNT)):
            weight[region] += _PAST_STRONGHOLD
    best: dict[int, tuple[int, tuple[int, ...]]] = {start: (weight[start], (start,))}
    result = best.get(end)
    for _ in range(steps):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for region, (cost, way) in best.items():
            for near in ADJACENT[region]:
                longer = (cost + weight[near] + 1, (*way, near))
                if DISTANCE[near][end] < steps and (near not in further or longer < further[near]):
                    further[near] = longer
        best = further
        if end in best and (result is None or best[end] < result):
            result = best[end]
    assert result is not None
    return result[1]
