"""Step 7 (RULES 10): the Ring moves on, or is held, or is destroyed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.risk.board import Board
from services.risk.play.dice import Roll
from services.risk.play.ending import Ending
from services.risk.play.playable import AFTER_ROLL, BEFORE_LEAVING, BEFORE_MOVING
from services.risk.play.windows import open_window
from services.risk.tables import HAS_DIE, MOUNT_DOOM, PATH, TERRITORIES

G = Game[Board]

STAYS_AT, DESTROYED_AT = 3, 4
"""The highest total with which the Ring stays; the lowest die that destroys it at Mount Doom."""


def move_ring(g: G) -> None:
    """The Ring goes one territory further."""
    b = g.board
    b.ring += 1
    g.emit("ring_moved", {"territory": TERRITORIES[PATH[b.ring]]}, None)


@dataclass(slots=True)
class Fellowship(Procedure):
    """The window before leaving, the roll, the windows after it, the step."""

    script: ClassVar[tuple[str, ...]] = (
        "set_out",
        "see_if_it_must_roll",
        "roll",
        "count",
        "leave",
        "last_chance",
        "move",
        "see_if_at_the_end",
        "try_to_destroy",
        "destroy",
    )

    def set_out(self, g: G) -> None:
        b = g.board
        b.roll_more = 0
        if b.ring == MOUNT_DOOM:
            self.go_to("try_to_destroy")
        elif HAS_DIE[b.ring]:
            self.go_to("roll")
        else:
            open_window(g, BEFORE_LEAVING, b.from_seat(b.turn), once=True)

    def see_if_it_must_roll(self, g: G) -> None:
        if not self.got:
            self.go_to("last_chance")

    def roll(self, g: G) -> None:
        g.call(Roll(dice=1))

    def count(self, g: G) -> None:
        b = g.board
        (face,) = self.got
        b.roll_more += face
        g.emit("fellowship_rolled", {"territory": TERRITORIES[PATH[b.ring]], "die": face}, None)
        open_window(g, AFTER_ROLL, b.from_seat(b.turn))

    def leave(self, g: G) -> None:
        b = g.board
        if b.roll_more <= STAYS_AT:
            self._stay(g)

    def last_chance(self, g: G) -> None:
        b = g.board
        open_window(g, BEFORE_MOVING, b.from_seat(b.turn), once=True)

    def move(self, g: G) -> None:
        if self.got:
            self._stay(g)
        else:
            move_ring(g)

    def _stay(self, g: G) -> None:
        g.emit("ring_stayed", {"territory": TERRITORIES[PATH[g.board.ring]]}, None)
        g.done()

    # The first attempt comes in the step in which the Ring arrives (RULES R19).
    def see_if_at_the_end(self, g: G) -> None:
        if g.board.ring != MOUNT_DOOM:
            g.done()

    def try_to_destroy(self, g: G) -> None:
        g.call(Roll(dice=1))

    def destroy(self, g: G) -> None:
        (face,) = self.got
        destroyed = face >= DESTROYED_AT
        g.emit("doom_rolled", {"die": face, "destroyed": int(destroyed)}, None)
        if destroyed:
            g.stack[:] = [Ending(destroyed=1)]
