"""Leaders (RULES 7): how one joins the board, and what is told when one goes somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.risk.board import Board
from services.risk.tables import TERRITORIES, bits

G = Game[Board]

MOST_LEADERS = 2
"""Leaders of one seat."""


def tell_leader(g: G, seat: int, start: int, to: int) -> None:
    """Say that a Leader went somewhere."""
    facts = {"seat": g.board.name(seat), "from": TERRITORIES[start], "to": TERRITORIES[to]}
    g.emit("leader_moved", facts, None)


@dataclass(slots=True)
class Appoint(Question[Board]):
    """A Leader joins the board; the same question as when the last one is replaced (RULES 7)."""

    seat: int = 0
    prompt: ClassVar[str] = "leader.appoint"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        free = b.held[self.seat] & ~b.led
        return (self.seat,) if free and b.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        return [Action("station", (land,)) for land in bits(b.held[self.seat] & ~b.led)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (land,) = action.nouns
        g.board.led |= 1 << land
        facts = {"seat": g.board.name(self.seat), "territory": TERRITORIES[land]}
        g.emit("leader_stationed", facts, None)
        g.done()


@dataclass(slots=True)
class ReplaceLeader(Appoint):
    """A player without a Leader gets one (RULES 7)."""

    prompt: ClassVar[str] = "leader.replace"
