"""What must hold in every position of The Confrontation."""

from __future__ import annotations

from bisect import bisect_left

from services.confrontation.board import ALL_PIECES, FREE, PIECES_OF, REASONS, Board, face_number
from services.confrontation.play.turn import ChooseMove
from services.confrontation.tables import (
    CAPACITY,
    DARK,
    FULL_HAND,
    GOOD,
    NOBODY,
    NOWHERE,
    PLACES,
    TUNNEL,
)
from services.confrontation.worlds import PIECES, face_in, obliged_in, place_of, world_of, worlds
from services.core.frames import Game

G = Game[Board]


def audit(g: G) -> None:
    """Assert that nothing is lost or doubled, and that nobody knows what is not so."""
    b = g.board
    assert b.reason in REASONS
    _audit_pieces(b)
    _audit_cards(g)
    if isinstance(g.question(), ChooseMove):
        _audit_rest(b)
    for side in (GOOD, DARK):
        _audit_knowledge(b, side)


def _audit_pieces(b: Board) -> None:
    count = bytearray(2 * PLACES)
    for piece in ALL_PIECES:
        count[piece // PIECES * PLACES + b.place[piece]] += 1
        assert b.face[piece] != NOBODY or b.place[piece] == NOWHERE
    assert count == b.count, "counts follow from places"
    for side in (GOOD, DARK):
        for place in range(TUNNEL):
            assert b.number_at(side, place) <= CAPACITY[place], "no region is over its capacity"
    faces = [face for face in b.face if face != NOBODY]
    assert len(set(faces)) == len(faces), "no character is there twice"


def _audit_cards(g: G) -> None:
    b = g.board
    good, dark = b.hands
    assert good, "a hand is refilled before it is asked for"
    assert good.bit_count() == dark.bit_count(), "hands run out together"
    assert not good & ~FULL_HAND[GOOD], "cards are in their own hands"
    assert not dark & ~FULL_HAND[DARK], "cards are in their own hands"


def _audit_rest(b: Board) -> None:
    """Between battles each region holds one side, and nobody is left in view or in the tunnel."""
    for place in range(TUNNEL):
        assert not (b.number_at(GOOD, place) and b.number_at(DARK, place)), "sides do not mix"
    assert not b.number_at(GOOD, TUNNEL), "the tunnel is empty"
    assert b.place[b.bearer] != NOWHERE, "the Ring is carried"
    assert (b.mark == NOBODY) == (b.duty == FREE)


def _audit_knowledge(b: Board, side: int) -> None:
    """The truth is one of the worlds that the opponent holds possible."""
    trail = b.trails[side]
    if trail is None:
        return
    known = worlds(trail)
    truth = world_of((b.place[piece] for piece in PIECES_OF[side]), _obliged(b, side))
    first = bisect_left(known, truth)
    if first < len(known) and known[first] == truth:
        return
    assert any(_agrees(b, side, world) for world in known), "the truth is held possible"


def _obliged(b: Board, side: int) -> int | None:
    return b.mark % PIECES if b.mark in PIECES_OF[side] else None


def _agrees(b: Board, side: int, world: int) -> bool:
    """Whether a world is the truth as far as it goes: it may leave faces open."""
    return obliged_in(world) == _obliged(b, side) and all(
        place_of(world, number) == b.place[piece]
        and face_in(world, number) in (None, face_number(b.face[piece], piece))
        for number, piece in enumerate(PIECES_OF[side])
    )
