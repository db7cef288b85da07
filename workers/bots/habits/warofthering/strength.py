"""What those compare who play War of the Ring by habit: strength, walls, what is worth having."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from services.core.decisions import Action, Pick
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.tables import (
    DISTANCE,
    ELITE,
    FIGURES_OF,
    FREE,
    MORDOR_ENTRANCES,
    OWNER,
    REGION,
    REGION_COUNT,
    REGION_OF,
    SETTLEMENT,
    STRONGHOLD,
    UNITS,
    VICTORY_POINTS,
)

G = Game[Board]
Actions = Sequence[Action]
Habit = Callable[[G, int, Actions, Pick], Action]

VALUED = tuple(r for r in range(REGION_COUNT) if VICTORY_POINTS[r])
TO_MORDOR: tuple[int, ...] = tuple(
    min(DISTANCE[region][gate] for gate in MORDOR_ENTRANCES) for region in range(REGION_COUNT)
)
"""By region: steps to the nearest entrance of Mordor."""
CROWNED_IN = tuple(REGION[name] for name in ("minas_tirith", "pelargir", "dol_amroth"))
"""Where Strider may be crowned."""
KEPT = 20_000
"""Answers about armies that are kept: most stand still from one position to the next."""


def strength(b: Board, area: int, side: int) -> float:
    """The fighting strength of a side in an area: Elites count half as much again."""
    return _strength(b.figures_in(area), side)


@lru_cache(maxsize=KEPT)
def _strength(figures: bytes, side: int) -> float:
    units = leaders = 0.0
    for figure in FIGURES_OF[side]:
        if figure in UNITS:
            units += figures[figure] * (1.5 if figure >= ELITE else 1.0)
        else:
            leaders += figures[figure]
    return units + 0.4 * min(leaders, units)


def walls(b: Board, area: int, side: int) -> float:
    """How much an army gains by what it stands in, under siege or about to be."""
    region = REGION_OF[area]
    if SETTLEMENT[region] == STRONGHOLD and b.control[region] == side:
        return 1.8
    return 1.2 if VICTORY_POINTS[region] and b.control[region] == side else 1.0


def odds(b: Board, source: int, target: int, side: int) -> float:
    """How many times as strong as its target an army is."""
    enemy = strength(b, target, 1 - side) * walls(b, target, 1 - side)
    return strength(b, source, side) / max(enemy, 0.5)


def prizes(b: Board, side: int) -> list[int]:
    """The regions whose conquest, or recapture, is worth points to a side."""
    return [r for r in VALUED if b.control[r] != side and (OWNER[r] != side or side == FREE)]


def nearest_enemy(b: Board, region: int, side: int) -> int:
    """How far the next enemy army is from a region."""
    distance = DISTANCE[region]
    return min((distance[REGION_OF[a]] for a in b.areas_with_units(1 - side)), default=20)


def anything(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Any of them."""
    return actions[pick(len(actions))]
