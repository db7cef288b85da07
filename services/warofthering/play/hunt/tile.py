"""One Hunt tile and all that comes of it (RULES 14, H4 to H12; 13.3).

Order of reading: the tile, being revealed.

Design. A tile is a frame of its own, `Tile`, because cards and Strongholds draw one without a roll.
What is unusual about it is a set of bits, its `exceptions`. Nothing in the chain is secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept, politics
from services.warofthering.play.asking import ANSWER, ANSWERS, Given, Roll, choose, choose_word, say
from services.warofthering.play.characters import put
from services.warofthering.play.control import tidy
from services.warofthering.play.ending import ended_by_ring
from services.warofthering.play.hunt.draws import RandomCompanion
from services.warofthering.play.hunt.routes import (
    reveal_regions,
    shadow_strongholds,
    shortest_route,
)
from services.warofthering.play.hunt.toll import (
    Aftermath,
    corrupt,
    hunter,
    reducers,
    step_on_track,
)
from services.warofthering.play.hunt.warding import WardedDraw
from services.warofthering.play.separation import (
    ChooseGuide,
    fellowship_seat,
    going,
    leave_company,
    lose_companion,
    separation_regions,
)
from services.warofthering.tables import (
    COMPANY,
    DIE_VALUE,
    EYE_TILES,
    EYE_VALUE,
    FELLOWSHIP_TILES,
    FIGURES,
    FREE,
    GOLLUM,
    HOBBITS,
    LEVEL,
    MORIA,
    NO_TILE,
    REGIONS,
    STANDARD_TILES,
    TILE_REVEALS,
    TILE_STOPS,
    TILE_VALUE,
    TILES,
)

G = Game[Board]


# What is unusual about a tile, as bits.
NO_EYE, NO_FELLOWSHIP_TILE, NO_REDUCTION, FORCED_CASUALTY = 1, 2, 4, 8
NO_REVEAL, ON_TRACK, FOLLOW_UP = 16, 32, 64


@dataclass(slots=True)
class Tile(Procedure):
    """One Hunt tile and all that it does."""

    eye: int = 0  # the damage of an Eye
    exceptions: int = 0
    tile: int = NO_TILE
    damage: int = 0
    used_card: int = 0  # one card from the table a tile (S11)
    had_casualty: int = 0
    betrayed: int = 0  # Gollum reveals the Fellowship
    left: tuple[int, ...] = ()  # the Hobbits who have separated, and go when all is done
    left_progress: int = 0  # their range is that of the moment when they left

    script: ClassVar[tuple[str, ...]] = (
        "draw",
        "apply",
        "set_damage",
        "forced_casualty",
        "answer_forced",
        "after_forced",
        "respond",
        "answer",
        "after_casualty",
        "use_table",
        "corrupt",
        "reveal",
        "let_hobbit_go",
        "place_hobbit",
        "end",
    )

    def draw(self, g: G) -> None:
        g.call(WardedDraw())

    def apply(self, g: G) -> None:
        if not self.got:  # kept away, and still a move (15.3)
            if self.exceptions & ON_TRACK:
                step_on_track(g)
            self.go_to("end")
            return
        self.tile, self.used_card = self.got
        if self._is_void():
            say(g, "tile_without_effect", tile=TILES[self.tile])
            self.go_to("end")
            return
        if self.exceptions & ON_TRACK and not TILE_STOPS[self.tile]:
            step_on_track(g)  # before the damage (S12)
        if TILE_VALUE[self.tile] == DIE_VALUE:
            g.call(Roll(dice=1, what="tile"))

    def set_damage(self, g: G) -> None:
        value = TILE_VALUE[self.tile]
        self.damage = self.eye if value == EYE_VALUE else self.got[0] if self.got else value
        if self.damage < 0:
            corrupt(g, self.damage)
            self.damage = 0

    # Card modes: a casualty that must be taken, or damage that nothing lowers.

    def forced_casualty(self, g: G) -> None:
        if self.exceptions & FORCED_CASUALTY and self.damage and g.board.company():
            g.call(RandomCompanion())

    def answer_forced(self, g: G) -> None:
        if self.got:
            self._lose(g, self.got[0])

    def after_forced(self, g: G) -> None:
        tidy(g)
        if self.exceptions & NO_REDUCTION:
            self.go_to("corrupt")

    def respond(self, g: G) -> None:
        words = self._responses(g.board) if self.damage > 0 else []
        if words:
            choose_word(g, fellowship_seat(g.board), ("corruption", *words), "hunt_response")

    def answer(self, g: G) -> None:
        word = ANSWERS[self.got[0]] if self.got else "corruption"
        self.go_to(_NEXT.get(word, "respond"))
        if word == "guide":
            g.call(Given(value=(g.board.guide,)))
        elif word == "random":
            g.call(RandomCompanion())
        elif word == "table":
            choose(g, fellowship_seat(g.board), "card", reducers(g.board), "hunt_table")
        elif word == "separate":
            self._use_guide(g)
        elif word == "reveal":
            self.betrayed = 1
            self.damage -= 1

    def after_casualty(self, g: G) -> None:
        self._lose(g, self.got[0])
        tidy(g)
        self.go_to("respond")

    def use_table(self, g: G) -> None:
        self.used_card = 1
        self.damage -= 1
        politics.discard_from_table(g, self.got[0])
        self.go_to("respond")

    # At twelve nothing more happens, not even the reveal (Ruling 41).
    def corrupt(self, g: G) -> None:
        corrupt(g, self.damage)

    def reveal(self, g: G) -> None:
        if (self.betrayed or self._reveals(g.board)) and not self.exceptions & FOLLOW_UP:
            g.call(Reveal())

    def let_hobbit_go(self, g: G) -> None:
        for who in self.left[:1]:
            regions = separation_regions(g.board, [who], self.left_progress)
            choose(g, fellowship_seat(g.board), "region", regions, going(who))

    def place_hobbit(self, g: G) -> None:
        if self.got:
            who, *others = self.left
            self.left = tuple(others)
            say(g, "separated", companion=FIGURES[who])
            put(g, who, self.got[0])
            self.go_to("let_hobbit_go")
        tidy(g)

    def end(self, g: G) -> None:
        ended_by_ring(g)

    # Inside.

    def _is_void(self) -> bool:
        eye = self.exceptions & NO_EYE and self.tile in EYE_TILES
        return bool(eye or (self.exceptions & NO_FELLOWSHIP_TILE and self.tile in FELLOWSHIP_TILES))

    def _reveals(self, b: Board) -> bool:
        """Whether the tile reveals the Fellowship, with whoever guides by now (Ruling 42)."""
        if not TILE_REVEALS[self.tile] or self.exceptions & NO_REVEAL:
            return False
        readings = b.settings.readings
        numbered = self.tile in STANDARD_TILES and self.tile not in EYE_TILES
        if b.guide == GOLLUM and readings.unlisted_abilities and numbered:
            return False
        if b.in_mordor or not b.is_refuge(b.region):
            return True
        is_safe = readings.refuges_hide or (readings.refuges_hide_who_rest and not b.progress)
        return not is_safe  # D18

    def _responses(self, b: Board) -> list[str]:
        words = []
        if b.company() and not self.had_casualty:
            words += ["guide", "random"]
        if b.guide in HOBBITS:
            words.append("separate")
        if b.guide == GOLLUM and b.hidden and not self.betrayed and not self._reveals(b):
            words.append("reveal")
        if not self.used_card and reducers(b):
            words.append("table")
        return words

    def _use_guide(self, g: G) -> None:
        """A Hobbit leaves and lowers the damage by one; he goes on when all else is done (H9)."""
        b = g.board
        self.damage -= 1
        if b.in_mordor:
            leave_company(g, b.guide, None)
        else:
            self.left, self.left_progress = (*self.left, b.guide), b.progress
            b.move(b.guide, COMPANY, b.home_area(b.region, FREE))
        g.call(ChooseGuide())

    def _lose(self, g: G, who: int) -> None:
        self.had_casualty = 1
        self.damage = max(self.damage - LEVEL[who], 0)
        lose_companion(g, who)
        g.call(Aftermath())


_NEXT = {
    "guide": "after_casualty",
    "random": "after_casualty",
    "table": "use_table",
    "corruption": "corrupt",
}
"""By answer: the step that it leads to, if that is not the next answer."""


# Being revealed.


@dataclass(slots=True)
class Reveal(Procedure):
    """The Fellowship is revealed, and its figure goes where it has really been (13.3)."""

    tiles: int = 0  # for Strongholds of the Shadow on the way
    through_moria: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "flip",
        "go",
        "answer_balrog",
        "stronghold_tile",
        "end",
    )

    def flip(self, g: G) -> None:
        b = g.board
        if not b.hidden:
            g.done()
            return
        b.hidden = False
        say(g, "fellowship_revealed")
        if not b.in_mordor:
            choose(g, fellowship_seat(b), "region", reveal_regions(b), "reveal_to")

    def go(self, g: G) -> None:
        b = g.board
        tidy(g)
        if not self.got:
            g.done()
            return
        (region,) = self.got
        route = shortest_route(b, b.region, region, b.progress)
        self.tiles, self.through_moria = len(shadow_strongholds(b, route)), int(MORIA in route)
        b.region, b.progress = region, 0
        say(g, "fellowship_found", region=REGIONS[region])
        if self.through_moria and b.is_on_table(kept.BALROG):
            choose_word(g, hunter(b), ("keep", "use"), "balrog")

    def answer_balrog(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.BALROG)
            g.call(Tile(exceptions=NO_EYE | FOLLOW_UP))

    def stronghold_tile(self, g: G) -> None:
        if self.tiles:
            self.tiles -= 1
            self.go_to("stronghold_tile")
            g.call(Tile(exceptions=FOLLOW_UP))

    def end(self, g: G) -> None:
        tidy(g)
