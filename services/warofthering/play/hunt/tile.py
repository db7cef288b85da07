"""One Hunt tile and all that comes of it (RULES 14, H4 to H12; 13.3).

Order of reading: the tile, being revealed.

Design. A tile is a frame of its own, `Tile`, because cards and Strongholds draw one without a roll.
What is unusual about it is a set of bits, its `ways`. Nothing in the chain is secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.cards import kept
from services.warofthering.play import politics
from services.warofthering.play.asking import ANSWER, ANSWERS, Given, Roll, choose, choose_word, say
from services.warofthering.play.characters import place
from services.warofthering.play.control import tidy
from services.warofthering.play.ending import ended_by_ring
from services.warofthering.play.hunt.draws import DrawTile, RandomCompanion
from services.warofthering.play.hunt.routes import (
    reveal_regions,
    shadow_strongholds,
    shortest_route,
)
from services.warofthering.play.hunt.toll import (
    Aftermath,
    add_corruption,
    hunter,
    reducers,
    step_on_track,
)
from services.warofthering.play.separation import (
    ChooseGuide,
    fellowship_seat,
    leave_company,
    lose_companion,
    separation_regions,
)
from services.warofthering.tables import (
    COMPANY,
    DIE_VALUE,
    DRAWN,
    EYE_TILES,
    EYE_VALUE,
    FELLOWSHIP_TILES,
    FIGURES,
    GOLLUM,
    HOBBITS,
    LEVEL,
    MORIA,
    NO_FIGURE,
    NO_TILE,
    POOL,
    REGIONS,
    RETURNING,
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
    ways: int = 0
    tile: int = NO_TILE
    first: int = NO_TILE  # put back after the second one
    damage: int = 0
    used_card: int = 0  # one card from the table a tile (S11)
    had_casualty: int = 0
    reveals: int = 0
    left: int = NO_FIGURE  # the Hobbit who separates when all is done
    left_progress: int = 0  # his range is that of the moment when he left
    tried: int = 0  # Gollum has been asked

    script: ClassVar[tuple[str, ...]] = (
        "ask_staff",
        "answer_staff",
        "draw",
        "take_tile",
        "answer_coat",
        "again",
        "apply",
        "set_damage",
        "forced_casualty",
        "answer_forced",
        "after_forced",
        "respond",
        "answer",
        "after_casualty",
        "corrupt",
        "reveal",
        "let_hobbit_go",
        "place_hobbit",
        "end",
    )

    def ask_staff(self, g: G) -> None:
        if g.board.is_on_table(kept.WIZARDS_STAFF):
            choose_word(g, fellowship_seat(g.board), ("keep", "use"), "wizards_staff")

    def answer_staff(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.WIZARDS_STAFF)
            if self.ways & ON_TRACK:
                step_on_track(g)
            self.go_to("end")

    def draw(self, g: G) -> None:
        g.call(DrawTile())

    def take_tile(self, g: G) -> None:
        (self.tile,) = self.got
        if g.board.is_on_table(kept.MITHRIL_COAT) and not self.used_card:
            choose_word(g, fellowship_seat(g.board), ("keep", "use"), "mithril_coat")

    def answer_coat(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.MITHRIL_COAT)
            self.used_card, self.first = 1, self.tile
            g.call(DrawTile(held=(self.tile,)))

    def again(self, g: G) -> None:
        if self.got:
            (self.tile,) = self.got
            g.board.move_tile(self.first, DRAWN, POOL)

    def apply(self, g: G) -> None:
        if self._is_void():
            say(g, "tile_without_effect", tile=TILES[self.tile])
            self.go_to("end")
            return
        if self.ways & ON_TRACK and not TILE_STOPS[self.tile]:
            step_on_track(g)  # before the damage (S12)
        if TILE_VALUE[self.tile] == DIE_VALUE:
            g.call(Roll(dice=1, what="tile"))

    def set_damage(self, g: G) -> None:
        value = TILE_VALUE[self.tile]
        self.damage = self.eye if value == EYE_VALUE else self.got[0] if self.got else value
        self.reveals = int(TILE_REVEALS[self.tile] and not self._reveal_is_ignored(g.board))
        if self.damage < 0:
            add_corruption(g, self.damage)
            self.damage = 0

    # Card modes: a casualty that must be taken, or damage that nothing lowers.

    def forced_casualty(self, g: G) -> None:
        if self.ways & FORCED_CASUALTY and self.damage and g.board.company():
            g.call(RandomCompanion())

    def answer_forced(self, g: G) -> None:
        if self.got:
            self._lose(g, self.got[0])

    def after_forced(self, g: G) -> None:
        tidy(g)
        if self.ways & NO_REDUCTION:
            self.go_to("corrupt")

    def respond(self, g: G) -> None:
        words = self._responses(g.board) if self.damage > 0 else []
        if words:
            choose_word(g, fellowship_seat(g.board), ("corruption", *words), "hunt_response")

    def answer(self, g: G) -> None:
        word = ANSWERS[self.got[0]] if self.got else "corruption"
        if word == "guide":
            g.call(Given(value=(g.board.guide,)))
        elif word == "random":
            g.call(RandomCompanion())
        elif word == "separate":
            self._use_guide(g)
        elif word == "reveal":
            self.tried, self.reveals = 1, 1
            self.damage -= 1
        elif word == "table":
            self._use_table(g)
        if word not in ("guide", "random"):
            self.go_to("corrupt" if word == "corruption" else "respond")

    def after_casualty(self, g: G) -> None:
        self._lose(g, self.got[0])
        tidy(g)
        self.go_to("respond")

    def corrupt(self, g: G) -> None:
        add_corruption(g, self.damage)

    def reveal(self, g: G) -> None:
        if self.reveals and not self.ways & FOLLOW_UP:
            g.call(Reveal())

    def let_hobbit_go(self, g: G) -> None:
        if self.left != NO_FIGURE:
            regions = separation_regions(g.board, [self.left], self.left_progress)
            choose(g, fellowship_seat(g.board), "region", regions, "separate_to")

    def place_hobbit(self, g: G) -> None:
        if self.got:
            say(g, "separated", companion=FIGURES[self.left])
            place(g, self.left, self.got[0])
        tidy(g)

    def end(self, g: G) -> None:
        if not self.ways & FOLLOW_UP:
            ended_by_ring(g)

    # Inside.

    def _is_void(self) -> bool:
        eye = self.ways & NO_EYE and self.tile in EYE_TILES
        return bool(eye or (self.ways & NO_FELLOWSHIP_TILE and self.tile in FELLOWSHIP_TILES))

    def _reveal_is_ignored(self, b: Board) -> bool:
        if self.ways & NO_REVEAL:
            return True
        abilities = "published_abilities" not in b.charter.literal
        numbered = self.tile in STANDARD_TILES and self.tile not in EYE_TILES
        if b.guide == GOLLUM and abilities and numbered:
            return True
        if b.in_mordor or not b.is_refuge(b.region):
            return False
        literal = "reveal_ignored" in b.charter.literal
        standing = not b.progress and "reveal_ignored" not in b.charter.published
        return literal or standing  # D18

    def _responses(self, b: Board) -> list[str]:
        words = []
        if b.company() and not self.had_casualty:
            words += ["guide", "random"]
        if b.guide in HOBBITS:
            words.append("separate")
        if b.guide == GOLLUM and not self.tried and not self.reveals and b.hidden:
            words.append("reveal")
        if not self.used_card and reducers(b):
            words.append("table")
        return words

    def _use_table(self, g: G) -> None:
        self.used_card = 1
        self.damage -= 1
        politics.discard_from_table(g, reducers(g.board)[0])

    def _use_guide(self, g: G) -> None:
        """A Hobbit leaves and lowers the damage by one; he goes when all else is done (H9)."""
        b = g.board
        self.damage -= 1
        if b.in_mordor:
            leave_company(g, b.guide, None)
        else:
            self.left, self.left_progress = b.guide, b.progress
            b.move(b.guide, COMPANY, RETURNING)
        g.call(ChooseGuide())

    def _lose(self, g: G, who: int) -> None:
        self.had_casualty = 1
        self.damage = max(self.damage - LEVEL[who], 0)
        lose_companion(g, who)
        g.call(Aftermath())


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
            g.call(Tile(ways=NO_EYE | FOLLOW_UP))

    def stronghold_tile(self, g: G) -> None:
        if self.tiles:
            self.tiles -= 1
            self.go_to("stronghold_tile")
            g.call(Tile(ways=FOLLOW_UP))

    def end(self, g: G) -> None:
        tidy(g)
        ended_by_ring(g)
