"""The turn (RULES 3, 4, 8): able to move, the move, the tunnel, arrival, battles, concealment.

Order of reading: the turn itself, the choice of a move, the ambush in the tunnel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.confrontation.board import DRAWN, FREE, MUST, PIECES_OF, Board, name_of
from services.confrontation.play.battle import Battle
from services.confrontation.play.ending import check_places, conclude, defeat
from services.confrontation.play.march import (
    ONLY_MOVE,
    depart,
    leave_tunnel,
    note_able,
    release,
)
from services.confrontation.play.movement import (
    can_move,
    can_move_at_all,
    moves,
    surely_able,
    surely_chooses,
)
from services.confrontation.play.specials import (
    Moment,
    offer_specials,
    play_special,
    replacing_actions,
    special_actions,
)
from services.confrontation.tables import (
    AMBUSHES,
    DARK,
    GOOD,
    MORIA,
    NOWHERE,
    REGIONS,
    SIDES,
    TILES,
    TUNNEL,
)
from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question

G = Game[Board]


@dataclass(slots=True)
class Turn(Procedure):
    """One side's turn, and then the other's, until the game ends."""

    start: int = NOWHERE  # of the move being made
    to: int = NOWHERE
    again: int = 0  # a card has put this move before the turn's own

    script: ClassVar[tuple[str, ...]] = (
        "see_if_able",
        "choose_move",
        "enter_tunnel",
        "arrive",
        "fight",
        "second_move",
        "last_look",
        "conceal",
        "pass_on",
    )

    def see_if_able(self, g: G) -> None:
        b = g.board
        assert b.duty != MUST or can_move(b, b.mark)  # the card chose one that can (RULINGS 7)
        if b.duty == FREE and surely_able(b, b.turn, 1):
            return  # nearly always, and plain to everyone
        if replacing_actions(b):
            return  # and nobody learns whether there is a move besides
        if can_move_at_all(b, b.turn):
            note_able(b, b.turn, plain_only=b.settings.plain_only)
        else:
            conclude(g, 1 - b.turn, "no_move_left")

    def choose_move(self, g: G) -> None:
        g.call(ChooseMove())

    def enter_tunnel(self, g: G) -> None:
        if not self.got:  # a card was played instead
            self.go_to("last_look")
            return
        self.start, self.to, self.again = self.got
        b = g.board
        if b.duty and not self.again:
            release(g)
        if b.number_at(GOOD, TUNNEL):
            g.call(Ambush())

    def arrive(self, g: G) -> None:
        if self.got:
            _spring_ambush(g)
            self.go_to("last_look")
        else:
            leave_tunnel(g, self.to)
            check_places(g)

    def fight(self, g: G) -> None:
        b = g.board
        if b.number_at(GOOD, self.to) and b.number_at(DARK, self.to):
            self.go_to("fight")  # and come back: there may be more enemies
            g.call(Battle(where=self.to))

    def second_move(self, g: G) -> None:
        if self.again:
            self.go_to("choose_move")

    def last_look(self, g: G) -> None:
        if g.board.specials:
            offer_specials(g, Moment.BETWEEN_PARTS)

    def conceal(self, g: G) -> None:
        b = g.board
        b.shown = b.gazed = 0
        b.struck = False
        if b.duty and b.mark // len(PIECES_OF[b.turn]) == b.turn:
            release(g)

    def pass_on(self, g: G) -> None:
        b = g.board
        b.ply += 1
        b.turn = 1 - b.turn
        if b.settings.ply_cap is not None and b.ply >= b.settings.ply_cap:
            conclude(g, DRAWN, "turn_limit")
        self.start, self.to, self.again, self.at = NOWHERE, NOWHERE, 0, 0


@dataclass(slots=True)
class ChooseMove(Question[Board]):
    """The side whose turn it is moves a character, or plays a special card.

    It is neutral where a text or a card that nobody sees may be all that makes it a choice.
    """

    prompt: ClassVar[str] = "turn.move"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(g.board.turn),)

    def is_neutral(self, g: G, seat: Seat) -> bool:
        return not surely_chooses(g.board)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        return moves(b) + special_actions(b) if b.specials else moves(b)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb != "move":
            play_special(g, action)
            return
        b = g.board
        who, to = action.nouns
        piece = b.piece_of(who)
        start = b.place[piece]
        depart(g, piece, to)
        g.done(start, to, ONLY_MOVE)


@dataclass(slots=True)
class Ambush(Question[Board]):
    """Dark may show the Balrog in Moria and destroy whoever is in the tunnel below.

    He is asked whenever a Dark piece in Moria could be the Balrog, for all that Good knows, so that
    the question itself tells nothing (RULES 4, RULINGS 4).
    """

    prompt: ClassVar[str] = "tunnel.ambush"
    neutral: ClassVar[bool] = True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        possible = any(_could_ambush(b, piece) for piece in b.pieces_in_play(DARK))
        return (b.seat_of(DARK),) if b.number_at(DARK, MORIA) and possible else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        balrog = [piece for piece in b.pieces_at(DARK, MORIA) if b.face[piece] in AMBUSHES]
        return [Action("pass"), *(Action("ambush", (b.face[piece],)) for piece in balrog)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


def _could_ambush(b: Board, piece: int) -> bool:
    """Whether this piece may be the Balrog, for all that Good knows of faces."""
    faced = b.faced >> piece & 1
    faces = (b.face[piece],) if faced else TILES[DARK][piece - len(PIECES_OF[DARK])]
    return any(face in AMBUSHES for face in faces)


def _spring_ambush(g: G) -> None:
    """The traveller falls without a battle; nothing in Fangorn is shown (RULES 4)."""
    b = g.board
    (balrog,) = b.pieces_at(DARK, MORIA)
    (victim,) = b.pieces_at(GOOD, TUNNEL)
    b.show(balrog)
    b.show(victim)
    facts = {"character": name_of(b, balrog), "victim": name_of(b, victim)}
    g.emit("ambushed", {**facts, "region": REGIONS[MORIA], "side": SIDES[DARK]}, None)
    defeat(g, victim, balrog)
