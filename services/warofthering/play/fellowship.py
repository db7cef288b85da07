"""The Fellowship (RULES 13, 15, P2): its phase, its moves by die or card, hiding, Mordor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept, politics
from services.warofthering.play.asking import ANSWER, YES, choose, choose_word, say
from services.warofthering.play.control import tidy
from services.warofthering.play.hunt import (
    NO_EYE,
    NO_REVEAL,
    ON_TRACK,
    Hunt,
    Tile,
    corrupt,
    hunter,
    shortest_route,
)
from services.warofthering.play.separation import ChooseGuide, fellowship_seat
from services.warofthering.tables import (
    DISTANCE,
    DRAWN,
    EYE_TILES,
    LARGEST_PROGRESS,
    MORDOR_ENTRANCES,
    MORIA,
    NATION_OF,
    POOL,
    REGION_COUNT,
    REGIONS,
    STANDARD_TILES,
    TILE_COUNT,
    WAITING,
)

G = Game[Board]


@dataclass(slots=True)
class FellowshipPhase(Procedure):
    """Declare, enter Mordor, choose the Guide; what cannot be done is skipped (P2)."""

    declared: int = 0
    through_moria: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "ask_declare",
        "declare",
        "answer_balrog",
        "ask_mordor",
        "enter_mordor",
        "choose_guide",
    )

    def ask_declare(self, g: G) -> None:
        b = g.board
        if b.hidden and not b.in_mordor:
            choose(g, fellowship_seat(b), "region", declarable(b), "declare", optional=True)

    def declare(self, g: G) -> None:
        if not self.got:
            return
        b = g.board
        (region,) = self.got
        route = shortest_route(b, b.region, region, b.progress, hunted=False)
        self.declared, self.through_moria = 1, int(MORIA in route)
        b.region, b.progress = region, 0
        say(g, "fellowship_declared", region=REGIONS[region])
        politics.discard_when(g, kept.DECLARED)
        if b.is_refuge(region):
            corrupt(g, -1)
            politics.rouse(g, NATION_OF[region], politics.DECLARED, region)
            politics.discard_when(g, kept.DECLARED_IN_REFUGE)
        tidy(g)
        if self.through_moria and b.is_on_table(kept.BALROG):
            choose_word(g, hunter(b), ("keep", "use"), "balrog")

    def answer_balrog(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.BALROG)
            refuge = NO_REVEAL if g.board.is_refuge(g.board.region) else 0
            g.call(Tile(exceptions=NO_EYE | refuge))

    def ask_mordor(self, g: G) -> None:
        b = g.board
        if not b.in_mordor and b.region in MORDOR_ENTRANCES and self._may_enter(b):
            choose_word(g, fellowship_seat(b), ("no", "yes"), "enter_mordor")

    def _may_enter(self, b: Board) -> bool:
        """By a declaration that ended there, or by being there (D19)."""
        return not b.settings.readings.mordor_needs_declaring or bool(self.declared and b.hidden)

    def enter_mordor(self, g: G) -> None:
        if self.got == (YES,):
            enter_mordor(g)

    def choose_guide(self, g: G) -> None:
        g.call(ChooseGuide(anew=1))


def declarable(b: Board) -> list[int]:
    """Where the Fellowship may be declared."""
    return [r for r in range(REGION_COUNT) if DISTANCE[b.region][r] <= b.progress]


def enter_mordor(g: G) -> None:
    """The Fellowship is on the Mordor Track, and the Hunt Pool is made up anew (15.1, D20)."""
    b = g.board
    b.mordor, b.progress = 0, 0
    eyes_only = b.settings.readings.eyes_alone_return
    for tile in STANDARD_TILES:
        if tile in EYE_TILES or not eyes_only:
            b.move_tile(tile, DRAWN, POOL, b.tiles_in(DRAWN, tile))
    for tile in range(TILE_COUNT):
        b.move_tile(tile, WAITING, POOL, b.tiles_in(WAITING, tile))
    say(g, "mordor_entered")


# Moves, by a die or a card.


def can_move(b: Board) -> bool:
    """Whether the Fellowship can move: it is hidden, and has not gone as far as it may (S09)."""
    return b.hidden and (b.in_mordor or b.progress < LARGEST_PROGRESS)


@dataclass(slots=True)
class MoveFellowship(Procedure):
    """One move: on the map the Hunt follows, on the Mordor Track a tile is drawn (13.2, 15.3)."""

    script: ClassVar[tuple[str, ...]] = ("move", "end")

    def move(self, g: G) -> None:
        b = g.board
        b.acted_in_mordor = True
        if b.in_mordor:
            say(g, "fellowship_moved", progress=b.progress)
            g.call(Tile(eye=b.hunt_shadow + b.hunt_free, exceptions=ON_TRACK))
            return
        b.advance_progress()
        say(g, "fellowship_moved", progress=b.progress)
        g.call(Hunt())

    def end(self, g: G) -> None:
        tidy(g)


def shift(g: G, region: int) -> None:
    """A card puts the figure into another region: no move, no Hunt, and progress stays."""
    g.board.region = region
    say(g, "fellowship_shifted", region=REGIONS[region])


def hide(g: G) -> None:
    """A revealed Fellowship is hidden again (13.5)."""
    g.board.hidden = True
    g.board.acted_in_mordor = True
    say(g, "fellowship_hidden")


@dataclass(slots=True)
class HideFellowship(Procedure):
    """A die hides the Fellowship."""

    script: ClassVar[tuple[str, ...]] = ("hide",)

    def hide(self, g: G) -> None:
        hide(g)


def suffer_inactivity(g: G) -> None:
    """On the Mordor Track a Fellowship that did nothing is corrupted (15.6, D21)."""
    b = g.board
    if not b.in_mordor or b.acted_in_mordor:
        return
    if not b.hidden or b.settings.readings.hiding_is_no_excuse:
        corrupt(g, 1)
