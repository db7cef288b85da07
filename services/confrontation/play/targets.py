"""Which of several defenders is fought (RULES 5, B1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.confrontation.board import Board
from services.confrontation.tables import NOWHERE
from services.core.decisions import Action, Seat
from services.core.frames import Game, Question

G = Game[Board]


def pool(b: Board, where: int) -> list[int]:
    """The defenders among whom chance draws: those who may not be named."""
    return [piece for piece in b.pieces_at(1 - b.turn, where) if not b.is_nameable(piece)]


@dataclass(slots=True)
class NameTarget(Question[Board]):
    """The attacker names a defender shown this turn, or leaves it to chance."""

    where: int = NOWHERE
    prompt: ClassVar[str] = "battle.target"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(g.board.turn),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        defenders = b.pieces_at(1 - b.turn, self.where)
        named = [Action("target", (b.face[p],)) for p in defenders if b.is_nameable(p)]
        return [Action("random"), *named] if pool(b, self.where) else named

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        if action.verb == "target":
            g.done(b.piece_of(action.nouns[0]))
            return
        hidden = pool(b, self.where)
        g.done(*hidden[: len(hidden) == 1])
        if len(hidden) > 1:
            g.call(DrawTarget(where=self.where))


@dataclass(slots=True)
class DrawTarget(Question[Board]):
    """Chance draws one of the defenders who may not be named."""

    where: int = NOWHERE
    prompt: ClassVar[str] = "battle.draw_target"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        return [Action("target", (b.face[piece],)) for piece in pool(b, self.where)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(g.board.piece_of(action.nouns[0]))
