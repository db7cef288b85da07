"""The roll for the Hunt (RULES 14, H0 to H3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept, politics
from services.warofthering.play.asking import ANSWER, Roll, choose, choose_word, say
from services.warofthering.play.forces import elite_leaders
from services.warofthering.play.hunt.tile import Tile
from services.warofthering.play.hunt.toll import hunter
from services.warofthering.tables import (
    NAZGUL,
    SETTLEMENT,
    SHADOW,
    STRONGHOLD,
    WITCH_KING,
)

G = Game[Board]

MOST_HUNT_DICE = 5
"""How many dice of the Hunt Box are rolled at most (H2)."""


@dataclass(slots=True)
class Hunt(Procedure):
    """A roll for the Hunt after a move of the Fellowship, and the tile if it succeeds."""

    bonus: int = 0  # beside the Free dice in the Hunt Box
    successes: int = 0
    failed: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "ask_crebain",
        "roll",
        "count",
        "choose_rerolls",
        "reroll",
        "count_rerolls",
        "draw",
    )

    def ask_crebain(self, g: G) -> None:
        b = g.board
        if not b.hunt_shadow:
            g.done()
        elif b.is_on_table(kept.CREBAIN):
            choose_word(g, hunter(b), ("keep", "use"), "crebain")

    def roll(self, g: G) -> None:
        b = g.board
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.CREBAIN)
            self.bonus += 1
        g.call(Roll(dice=min(b.hunt_shadow, MOST_HUNT_DICE), what="hunt"))

    def count(self, g: G) -> None:
        self.successes = self._hits(g.board, self.got)
        self.failed = len(self.got) - self.successes

    def choose_rerolls(self, g: G) -> None:
        most = min(rerolls(g.board), self.failed)
        if most:
            choose(g, hunter(g.board), "number", range(most, -1, -1), "hunt_rerolls")

    def reroll(self, g: G) -> None:
        if self.got and self.got[0]:
            g.call(Roll(dice=self.got[0], what="hunt_reroll"))

    def count_rerolls(self, g: G) -> None:
        self.successes += self._hits(g.board, self.got)

    def draw(self, g: G) -> None:
        say(g, "hunt_rolled", successes=self.successes)
        if self.successes:
            g.call(Tile(eye=self.successes))

    def _hits(self, b: Board, pips: tuple[int, ...]) -> int:
        bonus = b.hunt_free + self.bonus
        return sum(1 for n in pips if n > 1 and n + bonus >= 6)


def rerolls(b: Board) -> int:
    """How many failed dice may be rolled again, for what is where the figure is (H3)."""
    region = b.region
    areas = b.army_areas(region)
    number = int(SETTLEMENT[region] == STRONGHOLD and b.is_controlled_by(region, SHADOW))
    number += any(b.units_at(area, SHADOW) for area in areas)
    number += any(b.count(area, NAZGUL) or b.count(area, WITCH_KING) for area in areas)
    if b.settings.readings.elites_reroll_the_hunt:
        number += sum(b.count(area, elite) for area in areas for elite in elite_leaders(b))
    return number
