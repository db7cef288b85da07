"""What keeps a Hunt tile away or has another drawn in its place (RULES 14, H4 to H6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept, politics
from services.warofthering.play.asking import ANSWER, choose_word
from services.warofthering.play.hunt.draws import DrawTile
from services.warofthering.play.separation import fellowship_seat
from services.warofthering.tables import DRAWN, NO_TILE, POOL

G = Game[Board]


@dataclass(slots=True)
class WardedDraw(Procedure):
    """A tile is drawn against the Fellowship, by the Hunt or by a card.

    Hands back the tile, and whether a card from the table was used for it (S11); nothing if
    Wizard's Staff kept it away.
    """

    tile: int = NO_TILE
    first: int = NO_TILE  # put back after the second one

    script: ClassVar[tuple[str, ...]] = (
        "ask_staff",
        "draw",
        "ask_coat",
        "draw_again",
        "hand_back",
    )

    def ask_staff(self, g: G) -> None:
        if g.board.is_on_table(kept.WIZARDS_STAFF):
            choose_word(g, fellowship_seat(g.board), ("keep", "use"), "wizards_staff")

    def draw(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.WIZARDS_STAFF)
            g.done()
        else:
            g.call(DrawTile())

    def ask_coat(self, g: G) -> None:
        (self.tile,) = self.got
        if g.board.is_on_table(kept.MITHRIL_COAT):
            choose_word(g, fellowship_seat(g.board), ("keep", "use"), "mithril_coat")

    def draw_again(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.MITHRIL_COAT)
            self.first = self.tile
            g.call(DrawTile(held=(self.tile,)))

    def hand_back(self, g: G) -> None:
        if self.got:
            g.board.move_tile(self.first, DRAWN, POOL)
            g.done(self.got[0], 1)
        else:
            g.done(self.tile, 0)
