"""What a card recruits (RULES 9.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import control
from services.warofthering.play.asking import choose, say
from services.warofthering.play.muster.dice import enlist
from services.warofthering.play.stacking import Trim
from services.warofthering.tables import (
    AREAS,
    ELITE,
    FIGURES,
    FREE,
    LEADER,
    NAZGUL,
    REGULAR,
    RESERVE,
    SIDE_OF_NATION,
)

G = Game[Board]


def area_for(b: Board, region: int, side: int) -> int | None:
    """The area where a card may put a side's figures in a region; None if it may not (9.3)."""
    if b.is_besieged_by(region, 1 - side):
        return b.home_area(region, side)
    if b.units_at(region, 1 - side):
        return None
    if b.is_controlled_by(region, 1 - side) and not b.is_besieged_by(region, side):
        return None
    return region


class Troops(NamedTuple):
    """What a card recruits; units of any kind are each of the kind that the seat chooses."""

    regulars: int = 0
    elites: int = 0
    any_kind: int = 0
    leaders: int = 0
    nazgul: int = 0


@dataclass(slots=True)
class Levy(Procedure):
    """A card puts figures of a nation into a region, as many as it says and there are (9.3).

    A Leader needs a unit beside him (S06).
    """

    seat: int = 0
    nation: int = 0
    region: int = 0
    troops: tuple[int, ...] = (0, 0, 0, 0, 0)  # as `Troops`
    chosen: int = 0  # of the units of any kind

    script: ClassVar[tuple[str, ...]] = ("units", "choose_kind", "place_kind", "leading", "trim")

    def units(self, g: G) -> None:
        if self._area(g.board) is None:
            g.done()
            return
        troops = Troops(*self.troops)
        self._put(g, REGULAR + self.nation, troops.regulars)
        self._put(g, ELITE + self.nation, troops.elites)

    def choose_kind(self, g: G) -> None:
        kinds = (REGULAR + self.nation, ELITE + self.nation)
        if self.chosen < Troops(*self.troops).any_kind:
            there = [kind for kind in kinds if g.board.count(RESERVE, kind)]
            choose(g, self.seat, "figure", there, "levy")

    def place_kind(self, g: G) -> None:
        if self.got:
            self._put(g, self.got[0], 1)
            self.chosen += 1
            self.go_to("choose_kind")

    def leading(self, g: G) -> None:
        area = self._area(g.board)
        assert area is not None
        troops = Troops(*self.troops)
        if troops.leaders and g.board.units_at(area, FREE):
            self._put(g, LEADER + self.nation, troops.leaders)
        self._put(g, NAZGUL, troops.nazgul)

    def trim(self, g: G) -> None:
        side = SIDE_OF_NATION[self.nation]
        if g.board.units_at(self.region, side):  # Nazgûl alone are no army
            control.arrive(g, self.region, side)
        g.call(Trim())

    def _area(self, b: Board) -> int | None:
        return area_for(b, self.region, SIDE_OF_NATION[self.nation])

    def _put(self, g: G, figure: int, number: int) -> None:
        area = self._area(g.board)
        number = min(number, g.board.count(RESERVE, figure))
        if number and area is not None:
            enlist(g, figure, area, number)


def upgrade(g: G, nation: int, area: int, number: int, pile: int = RESERVE) -> None:
    """Replace Regulars of a nation in an area by Elites, as many as there are."""
    b = g.board
    most = min(number, b.count(area, REGULAR + nation), b.count(RESERVE, ELITE + nation))
    if most:
        b.move(REGULAR + nation, area, pile, most)
        b.move(ELITE + nation, RESERVE, area, most)
        say(g, "upgraded", figure=FIGURES[ELITE + nation], number=most, place=AREAS[area])
