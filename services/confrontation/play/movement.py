"""Movement (RULES 4): where each character may go, and what an onlooker may conclude from it.

Order: plain steps, what single characters add to them, the whole list, and the masks that say which
hidden pieces could have made a move. Whether a character could depends on nothing but its text and
the counts that everyone sees, so an onlooker computes the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from services.confrontation.board import BARRED, FREE, MUST, PIECES_OF, Board
from services.confrontation.characters import AROUND, BESIDE, LEAP, LONE, RIDE
from services.confrontation.tables import (
    ADJACENT,
    CAPACITY,
    CHARACTER_KEYS,
    CHARACTERS,
    DARK,
    FORWARD,
    GOOD,
    MARCHES,
    NOBODY,
    NOWHERE,
    PLACES,
    REACH,
    REACH_TO,
    SIDEWAYS,
    STEPS,
    TILES,
    TUNNEL,
)
from services.confrontation.worlds import PIECES, Masks
from services.core.decisions import Action

REACHES = frozenset(
    character.id for character in CHARACTERS if REACH[character.id] or character.id in MARCHES
)
"""The characters who may go where others may not."""

MOVE: tuple[tuple[Action, ...], ...] = tuple(
    tuple(Action("move", (who, to)) for to in range(TUNNEL)) for who in range(len(CHARACTER_KEYS))
)


def plain_steps(b: Board, side: int, start: int) -> Iterator[int]:
    """Where any character of a side may step: forward, river and tunnel, if there is room."""
    base = side * PLACES
    for to in STEPS[side][start]:
        if b.count[base + to] < CAPACITY[to]:
            yield to


def ridden(b: Board, side: int, start: int) -> set[int]:
    """The regions at the end of a forward ride; all passed through are clear and have room."""
    base, enemy = side * PLACES, (1 - side) * PLACES
    reached: set[int] = set()
    coming = list(FORWARD[side][start])
    while coming:
        to = coming.pop()
        if to not in reached:
            reached.add(to)
            if not b.count[enemy + to] and b.count[base + to] < CAPACITY[to]:
                coming += FORWARD[side][to]
    return reached


def _candidates(who: int) -> tuple[tuple[int, ...], ...]:
    """By region: where a text may lead beyond the plain steps, for a look at the map alone."""
    reach, steps = REACH[who], STEPS[CHARACTERS[who].side]
    forward = FORWARD[CHARACTERS[who].side]
    anywhere = range(TUNNEL) if REACH_TO[who] == NOWHERE else (REACH_TO[who],)

    def beyond(start: int) -> Iterable[int]:
        if reach == AROUND:
            return ADJACENT[start]
        if reach == BESIDE:
            return SIDEWAYS[start]
        if reach == LEAP:
            return (to for over in forward[start] for to in forward[over])
        return anywhere if reach == LONE else ()

    regions = range(TUNNEL)
    return tuple(tuple(sorted({*beyond(r)}.difference(steps[r], [r]))) for r in regions)


_SEEKS_LONE = frozenset(c.id for c in CHARACTERS if REACH[c.id] == LONE)
_RIDES = frozenset(c.id for c in CHARACTERS if REACH[c.id] == RIDE)
_BEYOND = tuple(_candidates(who) for who in range(len(CHARACTERS)))


def reaches(b: Board, who: int, side: int, start: int) -> list[int]:
    """Where this character may go beyond the plain steps, in the order of the map."""
    count, enemy = b.count, (1 - side) * PLACES
    if who in _SEEKS_LONE:
        return [to for to in _BEYOND[who][start] if count[enemy + to] == 1]
    if who in _RIDES:
        rides = sorted(ridden(b, side, start).difference(STEPS[side][start]))
        return [to for to in rides if count[enemy + to]]
    if who in MARCHES:
        rides = sorted(ridden(b, side, start).difference(STEPS[side][start]))
        return [to for to in rides if not count[to] and not count[PLACES + to]]
    return [to for to in _BEYOND[who][start] if count[enemy + to]]


def may_go(b: Board, piece: int) -> bool:
    """Whether the card that obliges a piece lets this one make the move."""
    if b.duty == MUST:
        return piece == b.mark
    return b.duty != BARRED or piece != b.mark


def moves(b: Board) -> list[Action]:
    """Every legal move of the side whose turn it is."""
    side = b.turn
    found: list[Action] = []
    add, steps, base, count = found.append, STEPS[side], side * PLACES, b.count
    for piece in PIECES_OF[side]:
        start = b.place[piece]
        if start >= TUNNEL or (b.duty and not may_go(b, piece)):
            continue
        if b.fixed and b.is_immobile(piece):
            continue
        who = b.face[piece]
        row = MOVE[who]
        for to in steps[start]:
            if count[base + to] < CAPACITY[to]:
                add(row[to])
        if who in REACHES:
            found += [row[to] for to in reaches(b, who, side, start)]
    return found


def can_move(b: Board, piece: int, *, plain_only: bool = False) -> bool:
    """Whether a piece has anywhere to go."""
    start = b.place[piece]
    if start >= TUNNEL or b.is_immobile(piece):
        return False
    side, who = piece // PIECES, b.face[piece]
    if any(True for _ in plain_steps(b, side, start)):
        return True
    return not plain_only and who in REACHES and bool(reaches(b, who, side, start))


def can_move_at_all(b: Board, side: int) -> bool:
    """Whether a side has a move that saves it from losing for want of one."""
    plain_only = b.settings.plain_only
    return any(
        may_go(b, piece) and can_move(b, piece, plain_only=plain_only) for piece in PIECES_OF[side]
    )


# What an onlooker concludes. A mask has a bit for each piece of the side, counted from 0.


def _faces(b: Board, piece: int) -> tuple[int, int]:
    """The characters that a piece may be, for all an onlooker knows."""
    if b.faced >> piece & 1:
        return b.face[piece], b.face[piece]
    return TILES[piece // PIECES][piece % PIECES]


def _mask(b: Board, side: int, could: Callable[[int, int], bool]) -> Masks:
    masks = [0, 0]
    for piece in b.pieces_in_play(side):
        for number, who in enumerate(_faces(b, piece)):
            if who != NOBODY and could(piece, who):
                masks[number] |= 1 << piece % PIECES
    return masks[0], masks[1]


def movers(b: Board, side: int, start: int, to: int) -> Masks:
    """The hidden pieces that could go from here to there."""
    if to in STEPS[side][start]:
        return hidden(b, side)

    def could(piece: int, who: int) -> bool:
        return not b.is_shown(piece) and who in REACHES and to in reaches(b, who, side, start)

    return _mask(b, side, could)


def hidden(b: Board, side: int) -> Masks:
    """The hidden pieces, whichever they are."""
    shown = (b.shown | b.fixed | b.gazed) >> side * PIECES
    mask = ~shown & (1 << PIECES) - 1  # the fallen are in no place, and need no leaving out
    return mask, mask


def able_from(b: Board, side: int, start: int, *, plain_only: bool = False) -> Masks:
    """The pieces that would have somewhere to go from here."""
    plain = any(True for _ in plain_steps(b, side, start))

    def could(piece: int, who: int) -> bool:
        if b.is_immobile(piece):
            return False
        if plain:
            return True
        return not plain_only and who in REACHES and bool(reaches(b, who, side, start))

    return _mask(b, side, could)


def able_groups(b: Board, side: int, *, plain_only: bool) -> list[int]:
    """For every region where a side stands: the region, and who could move from it."""
    groups = []
    for start in range(TUNNEL):
        if b.number_at(side, start):
            first, second = able_from(b, side, start, plain_only=plain_only)
            if first or second:
                groups += [start, first, second]
    return groups


def surely_able(b: Board, side: int, wanted: int) -> bool:
    """Whether this number of pieces can move whichever characters they are."""
    count, base = b.count, side * PLACES
    for piece in PIECES_OF[side]:
        start = b.place[piece]
        if start >= TUNNEL or (b.fixed and b.is_immobile(piece)):
            continue
        for to in STEPS[side][start]:
            if count[base + to] < CAPACITY[to]:
                wanted -= 1
                break
        if not wanted:
            return True
    return False


def surely_chooses(b: Board) -> bool:
    """Whether the mover has two moves or more whichever characters his pieces are."""
    if b.duty == FREE and surely_able(b, b.turn, 2):
        return True
    steps = 0
    for piece in PIECES_OF[b.turn]:
        start = b.place[piece]  # that of an obliged piece is plain to everyone
        if start < TUNNEL and may_go(b, piece) and not b.is_immobile(piece):
            steps += sum(1 for _ in plain_steps(b, b.turn, start))
    return steps > 1


def retreats(b: Board, side: int, start: int, direction: str) -> list[int]:
    """Where a character may retreat to (RULES 7): no enemy, and room."""
    base, enemy = side * PLACES, (1 - side) * PLACES
    return [
        to
        for to in _DIRECTIONS[direction](b, side, start)
        if not b.count[enemy + to] and b.count[base + to] < CAPACITY[to]
    ]


def _sideways(b: Board, side: int, start: int) -> tuple[int, ...]:
    near = SIDEWAYS[start]
    if not b.settings.downstream_only:
        return near
    return tuple(to for to in near if not _is_upstream(start, to))


def _is_upstream(start: int, to: int) -> bool:
    """Whether a step goes against the Anduin: the river runs the other way, and only so."""
    return start in STEPS[GOOD][to] and start in SIDEWAYS[to]


_DIRECTIONS: Mapping[str, Callable[[Board, int, int], tuple[int, ...]]] = {
    "forward": lambda b, side, start: FORWARD[side][start],
    "backward": lambda b, side, start: FORWARD[1 - side][start],
    "sideways": _sideways,
}
assert DARK == 1 - GOOD
