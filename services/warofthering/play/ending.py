"""Victory (RULES 18): the sudden ends, the count at the end of a turn, and scores."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import DRAWN_GAME, UNDECIDED, Board
from services.warofthering.play.asking import say
from services.warofthering.tables import (
    FREE,
    LARGEST_CORRUPTION,
    NATION_OF,
    OWNER,
    REGION_COUNT,
    SHADOW,
    SIDES,
    VICTORY_AT,
    VICTORY_POINTS,
)

G = Game[Board]


def conclude(g: G, result: int, reason: str) -> None:
    """End the game at once."""
    b = g.board
    b.result, b.reason = result, reason
    winner = None if result == DRAWN_GAME else SIDES[result]
    say(g, "game_ended", winner=winner, reason=reason)
    g.stop()


def ended_by_corruption(g: G) -> bool:
    """Whether the Ring-bearers are lost, as they are the moment it is so (18.1)."""
    if g.board.corruption >= LARGEST_CORRUPTION:
        conclude(g, SHADOW, "corruption")
    return g.board.result != UNDECIDED


def ended_by_ring(g: G) -> bool:
    """Whether the Ring is destroyed, once the tile that led to the Crack of Doom is met (S12)."""
    if g.board.ring_is_destroyed():
        conclude(g, FREE, "ring_destroyed")
    return g.board.result != UNDECIDED


def ended_by_conquest(g: G) -> bool:
    """Whether a side has conquered enough at the end of a turn, the Shadow first (18.3)."""
    b = g.board
    if b.victory_points(SHADOW) >= VICTORY_AT[SHADOW]:
        conclude(g, SHADOW, "shadow_conquest")
    elif b.victory_points(FREE) >= VICTORY_AT[FREE]:
        conclude(g, FREE, "free_conquest")
    elif b.settings.turn_limit is not None and b.turn >= b.settings.turn_limit:
        conclude(g, DRAWN_GAME, "turn_limit")
    return b.result != UNDECIDED


def scores(b: Board) -> tuple[int, ...]:
    """By seat: a win counts one, and one more for the better of two team-mates (19.6)."""
    if b.result in (UNDECIDED, DRAWN_GAME):
        return (0,) * len(b.settings.seats)
    merits = [merit(b, seat) for seat in range(len(b.settings.seats))]
    return tuple(_score(b, seat, merits) for seat in range(len(b.settings.seats)))


def _score(b: Board, seat: int, merits: list[int]) -> int:
    side = b.settings.sides[seat]
    if side != b.result:
        return -1
    team = b.settings.teams[side]
    if len(team) == 1:
        return 1
    best = max(merits[mate] for mate in team)
    return 2 if merits[seat] == best else 1


def merit(b: Board, seat: int) -> int:
    """What a seat's nations took, for the Shadow, less what they lost (19.6)."""
    side = b.settings.sides[seat]
    nations = b.settings.nations[seat]
    worth = 0
    for region in range(REGION_COUNT):
        points = VICTORY_POINTS[region]
        if not points or b.control[region] == OWNER[region]:
            continue
        if OWNER[region] == side and nations >> NATION_OF[region] & 1:
            worth -= points
        elif side == SHADOW and b.captors[region] == seat:
            worth += points
    return worth
