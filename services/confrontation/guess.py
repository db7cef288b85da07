"""A world that a seat cannot tell from this one: the other side's secrets, drawn anew.

Design. What is drawn follows from the trail that both worlds share, never from the truth: so a
guess made from a guess is as good as one made from the game itself. Everything else on the board
and the stack is public or the seat's own, and stays.
"""

from __future__ import annotations

from services.confrontation.board import FREE, PIECES_OF, Board
from services.confrontation.tables import NOBODY, TILES
from services.confrontation.worlds import face_in, obliged_in, place_of, worlds
from services.core.decisions import Pick, Seat
from services.core.frames import Game
from services.core.questions import Seal

G = Game[Board]


def guess(g: G, seat: Seat, pick: Pick) -> G:
    """The same game with the places, faces and sealed picks of the other side redrawn."""
    imagined = g.copy()
    b = imagined.board
    side = 1 - b.side_of(seat)
    trail = b.trails[side]
    world = None
    if trail is not None:
        known = worlds(trail)
        world = known[pick(len(known))]
        _place(b, side, world)
    _draw_faces(b, side, world, pick)
    question = imagined.question()
    if isinstance(question, Seal):
        question.redraw(imagined, b.seat_of(side), pick)
    return imagined


def _place(b: Board, side: int, world: int) -> None:
    for number, piece in enumerate(PIECES_OF[side]):
        b.place[piece] = place_of(world, number)
    obliged = obliged_in(world)
    if b.duty != FREE and obliged is not None:
        b.mark = PIECES_OF[side][obliged]


def _draw_faces(b: Board, side: int, world: int | None, pick: Pick) -> None:
    """Give a face to every tile that was drafted unseen and never shown."""
    for number, piece in enumerate(PIECES_OF[side]):
        if b.face[piece] == NOBODY or b.faced >> piece & 1:
            continue
        known = None if world is None else face_in(world, number)
        b.face[piece] = TILES[side][number][pick(2) if known is None else known]
