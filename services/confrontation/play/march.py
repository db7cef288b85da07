"""One move (RULES 4): leaving, the tunnel, what a card obliges; and what everyone saw."""

from __future__ import annotations

from collections.abc import Mapping

from services.confrontation.board import BARRED, FREE, MUST, Board, name_of
from services.confrontation.play.movement import able_from, able_groups, hidden, movers, surely_able
from services.confrontation.tables import (
    FORWARD,
    GOOD,
    MARCHES,
    NOBODY,
    REGIONS,
    SIDES,
    STEPS,
    TUNNEL,
    TUNNEL_FROM,
    TUNNEL_TO,
)
from services.confrontation.worlds import (
    ANY,
    OBLIGED,
    OTHERS,
    PIECES,
    UNMARKED,
    able,
    marked,
    moved,
    put,
)
from services.core.frames import Game

G = Game[Board]


ONLY_MOVE, FIRST_OF_TWO = range(2)
"""What a turn is told of a move besides where it led: whether another one follows."""

_WHICH = {FREE: ANY, MUST: OBLIGED, BARRED: OTHERS}


_ALONE = (frozenset({0}), frozenset({1}))
_BUT = (frozenset({1, None}), frozenset({0, None}))


def _plain_way(side: int, start: int, to: int) -> str:
    if side == GOOD and (start, to) == (TUNNEL_FROM, TUNNEL_TO):
        return "tunnel"
    if to in FORWARD[side][start]:
        return "step"
    return "river" if to in STEPS[side][start] else ""


_PLAIN_WAY = tuple(
    tuple(tuple(_plain_way(side, start, to) for to in range(TUNNEL)) for start in range(TUNNEL))
    for side in range(len(SIDES))
)


def way(b: Board, side: int, start: int, to: int) -> str:
    """The kind of a move, as everyone sees it."""
    plain = _PLAIN_WAY[side][start][to]
    return plain or ("attack" if b.number_at(1 - side, to) else "march")


def tell_owner(g: G, kind: str, facts: Mapping[str, object], piece: int) -> None:
    """Say what happened to everyone, and to its owner alone who it was (RULES 12.1, 12.2)."""
    b = g.board
    named = {**facts, "character": name_of(b, piece)}
    if b.is_shown(piece):
        g.emit(kind, named, None)
    else:
        seat = b.seat_of(piece // PIECES)
        g.emit(kind, named, _ALONE[seat])
        g.emit(kind, facts, _BUT[seat])


def depart(g: G, piece: int, to: int, *, obliges: bool = False) -> None:
    """A piece leaves for `to`; through the tunnel it is on its way until it arrives."""
    b = g.board
    side, start = piece // PIECES, b.place[piece]
    kind = way(b, side, start, to)
    if kind == "march" and b.face[piece] in MARCHES:
        b.show(piece)
    landing = TUNNEL if kind == "tunnel" else to
    if b.is_shown(piece):
        b.see(side, put(piece % PIECES, landing))
        if obliges:
            bit = 1 << piece % PIECES
            b.see(side, marked(landing, (bit, bit)))
    else:
        could = movers(b, side, start, to)
        b.see(side, moved(start, landing, could, _WHICH[b.duty], obliges=obliges))
    b.move(piece, landing)
    facts = {"side": SIDES[side], "from": REGIONS[start], "to": REGIONS[to], "by": kind}
    tell_owner(g, "moved", facts, piece)


def leave_tunnel(g: G, to: int) -> None:
    """Whoever is in the tunnel comes out."""
    b = g.board
    if not b.number_at(GOOD, TUNNEL):
        return
    (piece,) = b.pieces_at(GOOD, TUNNEL)
    if b.is_shown(piece):
        b.see(GOOD, put(piece % PIECES, to))
    else:
        b.see(GOOD, moved(TUNNEL, to, hidden(b, GOOD)))
    b.move(piece, to)


def oblige(g: G, piece: int, duty: int) -> None:
    """A card makes this piece the one that moves next, or the one that may not."""
    g.board.mark, g.board.duty = piece, duty


def release(g: G) -> None:
    """No card obliges anyone any more."""
    b = g.board
    if b.duty:
        b.see(b.mark // PIECES, UNMARKED)
        b.mark, b.duty = NOBODY, FREE


def note_able(b: Board, side: int, *, plain_only: bool = False) -> None:
    """Everyone sees that this side has a move; say so where that is not plain anyway."""
    which = _WHICH[b.duty]
    if which != OBLIGED and surely_able(b, side, 1 if which == ANY else 2):
        return
    b.see(side, able(which, able_groups(b, side, plain_only=plain_only)))


def note_able_from(b: Board, side: int, start: int, place: int) -> None:
    """Everyone sees that the obliged piece, now at `place`, will be able to go on from `start`."""
    b.see(side, able(OBLIGED, (place, *able_from(b, side, start))))
