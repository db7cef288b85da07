"""A world that a seat cannot tell from this one: the cards set aside unseen, drawn anew.

Design. Decks and stacks are bags, so what has not been turned up is no secret of the position: it
does not exist yet. Only the three cards set aside in a chapter do. For who has not looked at them
each card that is not turned up may be one of them, and which they are in truth is not asked: a
guess made from a guess is as good as one made from the game itself.
"""

from __future__ import annotations

from services.core.decisions import Pick, Seat
from services.core.frames import Game
from services.duel.board import Board

G = Game[Board]


def guess(g: G, seat: Seat, pick: Pick) -> G:
    """The same game with the set-aside cards redrawn, if this seat has not seen them."""
    imagined = g.copy()
    b = imagined.board
    if b.aside and not b.knows_aside(seat):
        unseen = sorted((*b.bag, *b.aside))
        drawn = [unseen.pop(pick(len(unseen))) for _ in b.aside]
        b.bag, b.aside = bytearray(unseen), bytearray(sorted(drawn))
    return imagined
