"""The special cards (RULES 11): what each offers, and what it does. Once a game each.

Order: those played at the choice of a move, what they offer and then what they do; the Palantír,
which may be played at any time in Dark's turn; Gwaihir, played in a battle; the tables. A region is
named where the rules have a player point at a piece he has not seen, and chance draws among the
pieces there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.confrontation.board import (
    BARRED,
    FREE,
    MUST,
    PIECES_OF,
    Board,
    name_of,
)
from services.confrontation.play.ending import tell_shown
from services.confrontation.play.march import (
    FIRST_OF_TWO,
    depart,
    note_able,
    note_able_from,
    oblige,
    tell_owner,
)
from services.confrontation.play.movement import can_move, hidden, may_go, plain_steps, retreats
from services.confrontation.play.specials import (
    BESIDE_MOVE,
    EFFECTS,
    INSTEAD_OF_MOVE,
    INTERRUPTIONS,
    Moment,
    holds,
    use,
)
from services.confrontation.tables import (
    DARK,
    GOOD,
    MORDOR,
    NOBODY,
    NOWHERE,
    REGION,
    REGIONS,
    SHIRE,
    SIDES,
    SPECIAL,
    TAG,
    TUNNEL,
)
from services.confrontation.worlds import PIECES, marked, moved, put
from services.core.decisions import CHANCE, Action, Seat
from services.core.frames import Game, Question

G = Game[Board]

GANDALF_WHITE, SHADOWFAX = SPECIAL["sp_gandalf_white"], SPECIAL["sp_shadowfax"]
KING_REVEALED, GWAIHIR = SPECIAL["sp_king_revealed"], SPECIAL["sp_gwaihir"]
PALANTIR, RECALL = SPECIAL["sp_palantir"], SPECIAL["sp_recall"]
DARK_OF_MORDOR, CREBAIN = SPECIAL["sp_dark_of_mordor"], SPECIAL["sp_crebain"]

_FANGORN = REGION["fangorn"]


def hidden_at(b: Board, side: int, place: int) -> list[int]:
    """The pieces of a side there that its opponent does not see."""
    return [piece for piece in b.pieces_at(side, place) if not b.is_shown(piece)]


# What may be played when a move is chosen.


def _shadowfaxes(b: Board) -> list[Action]:
    """A first step for one character, who must be able to move again."""
    if b.duty != FREE or not holds(b, SHADOWFAX):
        return []
    return [
        Action("shadowfax", (b.face[piece], to))
        for piece in b.pieces_in_play(GOOD)
        for to in _free_steps(b, piece)
        if _goes_on(b, piece, to)
    ]


def _free_steps(b: Board, piece: int) -> list[int]:
    """Plain steps into regions without enemies."""
    side = piece // PIECES
    if b.is_immobile(piece):
        return []
    steps = plain_steps(b, side, b.place[piece])
    return [to for to in steps if not b.number_at(1 - side, to)]


def _goes_on(b: Board, piece: int, to: int) -> bool:
    trial = b.copy()
    trial.move(piece, to)
    return can_move(trial, piece)


def _dark_steps(b: Board) -> list[Action]:
    """A first step for one character, after which a different one must be able to move."""
    if b.duty == BARRED or not holds(b, DARK_OF_MORDOR):
        return []
    return [
        Action("dark_of_mordor", (b.face[piece], to))
        for piece in b.pieces_in_play(DARK)
        if b.duty == FREE or piece != b.mark
        for to in _free_steps(b, piece)
        if _another_goes_on(b, piece, to)
    ]


def _another_goes_on(b: Board, piece: int, to: int) -> bool:
    trial = b.copy()
    trial.move(piece, to)
    others = [p for p in PIECES_OF[DARK] if p != piece and (b.duty == FREE or may_go(b, p))]
    return any(can_move(trial, other) for other in others)


def _revivals(b: Board) -> list[Action]:
    if not holds(b, GANDALF_WHITE) or _fallen_gandalf(b) == NOBODY:
        return []
    if b.number_at(DARK, _FANGORN) or not b.has_room(GOOD, _FANGORN):
        return []
    return [Action("gandalf_white")]


def _fallen_gandalf(b: Board) -> int:
    fallen = [piece for piece in b.fallen(GOOD) if TAG[b.face[piece]] == "gandalf"]
    return fallen[0] if fallen else NOBODY


def _pointings(b: Board) -> list[Action]:
    """Regions whose hidden pieces could all move, so that the list itself tells nothing."""
    if not holds(b, KING_REVEALED) or b.tagged(GOOD, "aragorn") == NOBODY:
        return []
    return [
        Action("king_revealed", (place,))
        for place in range(TUNNEL)
        if hidden_at(b, DARK, place) and any(True for _ in plain_steps(b, DARK, place))
    ]


def _recalls(b: Board) -> list[Action]:
    if not holds(b, RECALL) or b.number_at(GOOD, MORDOR) or not b.has_room(DARK, MORDOR):
        return []
    pieces = [piece for piece in b.pieces_in_play(DARK) if b.place[piece] != MORDOR]
    return [Action("recall", (b.face[piece],)) for piece in pieces]


def _exposures(b: Board) -> list[Action]:
    if not holds(b, CREBAIN):
        return []
    regions = [place for place in range(TUNNEL) if exposable_at(b, place)]
    return [Action("crebain", (place,)) for place in regions]


def exposable_at(b: Board, place: int) -> list[int]:
    """The Good pieces there that are not shown for good already."""
    return [piece for piece in b.pieces_at(GOOD, place) if not b.fixed >> piece & 1]


def gaze_actions(b: Board) -> list[Action]:
    """The regions into which the Palantír may look."""
    if b.turn != DARK or not holds(b, PALANTIR):
        return []
    regions = [place for place in range(TUNNEL) if place != SHIRE and b.number_at(GOOD, place)]
    return [Action("palantir", (place,)) for place in regions]


# What they do. The choice of a move is still on top of the stack.


def _first_step(g: G, action: Action, duty: int) -> None:
    b = g.board
    who, to = action.nouns
    piece = b.piece_of(who)
    start = b.place[piece]
    newly = b.duty == FREE
    if not newly:  # another piece is obliged already: this one is not it
        b.duty = BARRED
    depart(g, piece, to, obliges=newly)
    if newly:
        oblige(g, piece, duty)
    else:
        b.duty = MUST
    if duty == MUST:
        note_able_from(b, GOOD, to, b.place[piece])
    else:
        note_able(b, DARK)
    g.done(start, to, FIRST_OF_TWO)


def _revive(g: G, action: Action) -> None:
    b = g.board
    piece = _fallen_gandalf(b)
    b.see(GOOD, put(piece, _FANGORN))
    b.move(piece, _FANGORN)
    g.emit("returned", {"character": name_of(b, piece), "region": REGIONS[_FANGORN]}, None)
    g.done()


def _reveal_king(g: G, action: Action) -> None:
    aragorn = g.board.tagged(GOOD, "aragorn")
    g.board.show(aragorn)
    tell_shown(g, aragorn)
    g.done()
    g.call(Point(region=action.nouns[0]))


def _recall(g: G, action: Action) -> None:
    b = g.board
    piece = b.piece_of(action.nouns[0])
    start = b.place[piece]
    if b.is_shown(piece):
        b.see(DARK, put(piece % PIECES, MORDOR))
    else:
        b.see(DARK, moved(start, MORDOR, hidden(b, DARK)))
    b.move(piece, MORDOR)
    facts: dict[str, object] = {"side": SIDES[DARK], "from": REGIONS[start], "to": REGIONS[MORDOR]}
    tell_owner(g, "recalled", facts, piece)
    g.done()


def _expose(g: G, action: Action) -> None:
    g.done()
    g.call(Expose(region=action.nouns[0]))


def gaze(g: G, region: int) -> None:
    """Show every Good piece in a region until the end of the turn."""
    b = g.board
    pieces = b.pieces_at(GOOD, region)
    for piece in pieces:
        if not b.is_shown(piece):
            b.show(piece)
            b.shown &= ~(1 << piece)
        b.gazed |= 1 << piece
    names = [name_of(b, piece) for piece in pieces]
    g.emit("region_seen", {"region": REGIONS[region], "characters": names}, None)


@dataclass(slots=True)
class Point(Question[Board]):
    """Chance points at one of the hidden Dark pieces in a region; it must move next."""

    region: int = NOWHERE
    prompt: ClassVar[str] = "special.point"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        return [Action("point", (b.face[p],)) for p in hidden_at(b, DARK, self.region)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        piece = b.piece_of(action.nouns[0])
        b.see(DARK, marked(self.region, hidden(b, DARK)))
        facts: dict[str, object] = {"region": REGIONS[self.region]}
        tell_owner(g, "obliged", facts, piece)
        oblige(g, piece, MUST)
        g.done()


@dataclass(slots=True)
class Expose(Question[Board]):
    """One of the Good pieces in a region is shown for good: chance picks it, unseen.

    What the Palantír has just shown, Dark picks himself.
    """

    region: int = NOWHERE
    prompt: ClassVar[str] = "special.expose"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (CHANCE,) if hidden_at(b, GOOD, self.region) else (b.seat_of(DARK),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        pieces = hidden_at(b, GOOD, self.region) or exposable_at(b, self.region)
        return [Action("expose", (b.face[piece],)) for piece in pieces]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        piece = b.piece_of(action.nouns[0])
        b.show(piece)
        b.shown &= ~(1 << piece)
        b.fixed |= 1 << piece
        g.emit("exposed", {"character": name_of(b, piece), "region": REGIONS[self.region]}, None)
        g.done()


@dataclass(slots=True)
class Gaze(Question[Board]):
    """Dark may look into the Palantír between the parts of his turn."""

    prompt: ClassVar[str] = "special.palantir"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(DARK),) if gaze_actions(g.board) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("pass"), *gaze_actions(g.board)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "palantir":
            use(g, PALANTIR)
            gaze(g, action.nouns[0])
        g.done()


@dataclass(slots=True)
class CallGwaihir(Question[Board]):
    """Good may have the eagle carry his combatant off: sideways or backward, at once."""

    where: int = NOWHERE
    prompt: ClassVar[str] = "special.gwaihir"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        if not holds(g.board, GWAIHIR) or not self.ways(g.board):
            return ()
        return (g.board.seat_of(GOOD),)

    def ways(self, b: Board) -> list[int]:
        """Where the eagle can set him down."""
        near = [
            *retreats(b, GOOD, self.where, "sideways"),
            *retreats(b, GOOD, self.where, "backward"),
        ]
        return list(dict.fromkeys(near))

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("pass"), *(Action("gwaihir", (to,)) for to in self.ways(g.board))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "gwaihir":
            use(g, GWAIHIR)
        g.done(*action.nouns)


# The tables. What is offered first is listed first.

BESIDE_MOVE[GOOD].append(_shadowfaxes)
BESIDE_MOVE[DARK].extend((_dark_steps, gaze_actions))
INSTEAD_OF_MOVE[GOOD].extend((_revivals, _pointings))
INSTEAD_OF_MOVE[DARK].extend((_recalls, _exposures))
EFFECTS |= {
    "gandalf_white": _revive,
    "shadowfax": lambda g, action: _first_step(g, action, MUST),
    "king_revealed": _reveal_king,
    "palantir": lambda g, action: gaze(g, action.nouns[0]),
    "recall": _recall,
    "dark_of_mordor": lambda g, action: _first_step(g, action, BARRED),
    "crebain": _expose,
}
INTERRUPTIONS |= {
    Moment.BETWEEN_PARTS: lambda where: Gaze(),
    Moment.BEFORE_TEXTS: lambda where: CallGwaihir(where=where),
}
