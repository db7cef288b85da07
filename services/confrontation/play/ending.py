"""Defeat and victory (RULES 8): what ends a game, checked the moment it happens.

A function here that answers true has ended the game: its caller must not go on.
"""

from __future__ import annotations

from services.confrontation.board import DRAWN, Board, name_of
from services.confrontation.tables import (
    DARK,
    GOOD,
    HEIR,
    HEIRLESS_AGAINST,
    MORDOR,
    NOBODY,
    NOWHERE,
    REGIONS,
    SHIRE,
    SIDES,
    TAG,
    WINS_IN,
)
from services.confrontation.worlds import PIECES, put
from services.core.frames import Game

G = Game[Board]

SHIRE_FALLS = 3
"""Dark characters in the Shire that win."""


def conclude(g: G, winner: int, reason: str) -> None:
    """End this game; the match goes on with the next one, if there is one."""
    b = g.board
    b.result, b.reason = winner, reason
    facts = {"winner": None if winner == DRAWN else SIDES[winner], "reason": reason}
    g.emit("game_ended", facts, None)
    g.unwind()


def tell_shown(g: G, piece: int) -> None:
    """Say that a piece has been turned to everyone, and where it stands."""
    b = g.board
    facts = {"character": name_of(b, piece), "region": REGIONS[b.place[piece]]}
    g.emit("shown", facts, None)


def check_places(g: G) -> bool:
    """End the game if someone has won by where pieces stand; called after every change of place."""
    b = g.board
    if b.place[b.bearer] == MORDOR:
        conclude(g, GOOD, "ring_in_mordor")
        return True
    intruders = b.number_at(DARK, SHIRE)
    if intruders >= SHIRE_FALLS:
        conclude(g, DARK, "shire_overrun")
        return True
    if intruders and any(WINS_IN[b.face[p]] == SHIRE for p in b.pieces_at(DARK, SHIRE)):
        conclude(g, DARK, "witch_king_in_shire")
        return True
    return False


def defeat(g: G, piece: int, by: int) -> bool:
    """Remove a piece that `by` defeated; true if the Ring fell with it and the game is over."""
    b = g.board
    side = piece // PIECES
    g.emit("defeated", {"side": SIDES[side], "character": name_of(b, piece)}, None)
    b.see(side, put(piece % PIECES, NOWHERE))
    b.move(piece, NOWHERE)
    b.hide(piece)
    b.fixed &= ~(1 << piece)
    return piece == b.bearer and _ring_is_lost(g, piece, by)


def _ring_is_lost(g: G, piece: int, by: int) -> bool:
    """Whether no successor takes the Ring up (RULES 10, Frodo)."""
    b = g.board
    face = b.face[piece]
    heir = b.tagged(GOOD, HEIR[face])
    if heir == NOBODY or TAG[b.face[by]] == HEIRLESS_AGAINST[face]:
        conclude(g, DARK, "ring_bearer_defeated")
        return True
    b.bearer = heir
    b.show(heir)
    facts = {"character": name_of(b, heir), "region": REGIONS[b.place[heir]]}
    g.emit("ring_passed_on", facts, None)
    return check_places(g)
