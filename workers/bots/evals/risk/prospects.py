"""How a seat of Risk stands, as log odds to win: what searches judge by, with fitted weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import tanh

from services.core.decisions import Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import BONUS, HAS_DIE, MOUNT_DOOM, POINTS, REGION_LANDS, bits
from workers.bots.evals.risk.worth import value_of
from workers.bots.habits.risk.campaign import campaign
from workers.bots.habits.risk.invasions import MOST, late

TURN_OVER = 0.3
"""What the end of a turn costs, since others go on; else a search would put it off."""

HELD = (
    "territories",
    "strongholds",
    "regions",
    "parts of regions",
    "battalions",
    "largest army",
    "Leaders",
    "territory cards",
    "adventure cards",
    "points of cards",
)
NOTHING = (0.0,) * len(HELD)
SCORED = (1, 2, 1, 0, 0, 0, 0, 0, 0, 1)
"""How many points each is at the end, in the order of `HELD`."""
SURE = 2.0
"""By a lead of this much over one of several others little is gained by more.

Places count, not margins: else the strongest would crush the weakest, whom he beats anyway."""
POINT = 0.25
"""The log odds of a point more, when it ends."""
EVEN_ROLL = 0.5
"""The Fellowship leaves a region, and destroys the Ring, with four or more."""

# By seats, at the beginning of the Ring's way, and what its end adds: log odds, for each one more.
WEIGHTS: Mapping[int, Sequence[tuple[float, float]]] = {
    2: (
        (0.069, -0.036),
        (0.425, -0.402),
        (-0.030, 0.115),
        (-0.207, 0.127),
        (0.084, 0.048),
        (0.022, 0.066),
        (0.158, 0.181),
        (0.309, 0.154),
        (0.279, 0.016),
        (-0.033, 0.115),
    ),
    3: (
        (-0.005, 0.153),
        (0.081, 0.025),
        (0.046, -0.102),
        (-0.015, -0.042),
        (0.058, -0.082),
        (0.067, 0.022),
        (0.116, -0.060),
        (0.206, -0.054),
        (0.102, 0.046),
        (0.049, 0.060),
    ),
    4: (
        (0.012, 0.102),
        (0.049, 0.079),
        (0.044, -0.093),
        (-0.034, -0.017),
        (0.049, -0.031),
        (0.106, -0.065),
        (0.003, 0.120),
        (0.472, -0.338),
        (0.045, -0.012),
        (0.068, 0.040),
    ),
}


def foreseen(game: Game[Board], seat: Seat, stands: Callable[[Board, int], float]) -> float:
    """How a seat will stand when the turn is over, by any measure of how it stands."""
    b = game.board
    if b.placing or not b.number:
        return value_of(game, seat)
    planned = campaign(game, seat, stands)
    if planned is None:
        return stands(b, seat) - TURN_OVER * (b.turn == seat)
    return planned - TURN_OVER


def standing(b: Board, seat: int) -> float:
    """How likely a seat is to win as things stand, as log odds."""
    return weighted(b, seat, WEIGHTS[len(b.territory_cards)], POINT)


def weighted(b: Board, seat: int, weights: Sequence[tuple[float, float]], point: float) -> float:
    """The same by these weights of what it has, and of a point when it ends.

    If the game ends before the seat's next turn, points are all that counts.
    """
    nearing, last = late(b), ends_within(b.ring, sum(map(b.is_in, b.seats)))
    counts = [
        (1 - last) * (first + more * nearing) + last * point * scored
        for (first, more), scored in zip(weights, SCORED, strict=True)
    ]
    side, foes = both_sides(b, seat)
    ours = sum([_mark(counts, one) for one in side]) / len(side)
    ahead = [ours - _mark(counts, one) for one in foes]
    return ahead[0] if len(foes) == 1 else sum([SURE * tanh(by / SURE) for by in ahead]) / len(foes)


def _mark(counts: Sequence[float], held: Sequence[float]) -> float:
    return sum([count * each for count, each in zip(counts, held, strict=True)])


@cache
def ends_within(ring: int, moves: int) -> float:
    """How likely the Ring is destroyed by `moves` moves of the Fellowship, cards aside."""
    if not moves:
        return 0.0
    stays = ends_within(ring, moves - 1)
    if ring == MOUNT_DOOM:
        return EVEN_ROLL + (1 - EVEN_ROLL) * stays
    then = ends_within(ring + 1, moves - 1)
    if ring + 1 == MOUNT_DOOM:  # it is tried at once
        then = EVEN_ROLL + (1 - EVEN_ROLL) * then
    leaves = EVEN_ROLL if HAS_DIE[ring] else 1.0
    return leaves * then + (1 - leaves) * stays


def holdings(b: Board, seat: int) -> Sequence[float]:
    """What a seat has, in the order of `HELD`."""
    held, whole, parts = b.held[seat], 0.0, 0.0
    for lands, bonus in zip(REGION_LANDS, BONUS, strict=True):
        mine = held & lands
        if mine == lands:
            whole += bonus
        elif mine:
            part = mine.bit_count() / lands.bit_count()
            parts += bonus * part * part
    armies = [b.army[land] for land in bits(held)]
    side = b.settings.sides[seat]
    return (
        held.bit_count(),
        (held & b.settings.strongholds).bit_count(),
        whole,
        parts,
        sum(armies),
        min(max(armies), MOST),
        (b.led & held).bit_count(),
        b.territory_cards[seat].bit_count() + (b.conquered and b.turn == seat),
        b.hands[seat].bit_count(),
        sum([POINTS[card][side] for card in bits(b.played[seat])]),
    )


def both_sides(b: Board, seat: int) -> tuple[list[Sequence[float]], list[Sequence[float]]]:
    """What each seat of a side has, and each of its enemies; partners count together."""
    side: list[Sequence[float]] = []
    foes: list[Sequence[float]] = []
    for other in b.seats:
        is_friend = other == seat or b.settings.are_allies(other, seat)
        (side if is_friend else foes).append(holdings(b, other) if b.held[other] else NOTHING)
    return side, foes


def lead(b: Board, seat: int) -> list[float]:
    """What a seat has of each beyond the average of its enemies; by this weights are fitted."""
    side, foes = both_sides(b, seat)
    return [
        sum(ours) / len(side) - sum(theirs) / len(foes)
        for ours, theirs in zip(zip(*side, strict=True), zip(*foes, strict=True), strict=True)
    ]
