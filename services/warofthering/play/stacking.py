"""Stacking (RULES 7.6, 19.5): what is too much in one place goes back to the reinforcements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.play.asking import say
from services.warofthering.tables import (
    AREAS,
    FIELD_LIMIT,
    FIGURE_NATION,
    FIGURES,
    GARRISON_LIMIT,
    NOWHERE,
    ON_MAP,
    REGION_COUNT,
    RESERVE,
    UNITS,
)

G = Game[Board]


def limit(area: int) -> int:
    """How many units of a side may be in an area."""
    return FIELD_LIMIT if area < REGION_COUNT else GARRISON_LIMIT


def excess(b: Board) -> tuple[int, int] | None:
    """The first area with too many units of a side, and that side."""
    units = b.units
    fields, garrisons = units[: 2 * REGION_COUNT], units[2 * REGION_COUNT : 2 * ON_MAP.stop]
    if max(fields) <= FIELD_LIMIT and max(garrisons) <= GARRISON_LIMIT:
        return None
    for area in ON_MAP:
        for side in (0, 1):
            if units[2 * area + side] > limit(area):
                return area, side
    return None


@dataclass(slots=True)
class Trim(Procedure):
    """Remove units wherever there are too many; put it after whatever may overfill an area."""

    area: int = NOWHERE  # the area being trimmed
    removed: int = 0  # so far, there

    script: ClassVar[tuple[str, ...]] = ("look",)

    def look(self, g: G) -> None:
        found = excess(g.board)
        if found is None:
            return
        self.at = 0
        area, side = found
        if area != self.area:
            self.area, self.removed = area, 0
        question = RemoveExcess(area=area, seat=_remover(g.board, area, side, self.removed))
        self.removed += 1
        choices = question.legal(g, question.seat)
        g.call(question)
        if len(choices) == 1:  # not asked (RULES 1.5)
            question.take(g, question.seat, choices[0])


def _remover(b: Board, area: int, side: int, removed: int) -> int:
    """Who removes the next unit: team-mates with units there in turn, the leader last (19.5)."""
    settings = b.settings
    nations = [FIGURE_NATION[f] for f, _ in b.figures_at(area, side) if f in UNITS]
    there = {settings.seat_of_nation[nation] for nation in nations}
    order = sorted(there, key=lambda seat: seat == b.leading[side])
    return order[removed % len(order)]


@dataclass(slots=True)
class RemoveExcess(Question[Board]):
    """The owner returns one unit of an overfull area to the reinforcements."""

    prompt: ClassVar[str] = "stacking.remove_excess"

    area: int = 0
    seat: int = 0

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        side = b.settings.sides[seat]
        own = b.settings.seat_of_nation
        return [
            Action("remove", (f,))
            for f, _ in b.figures_at(self.area, side)
            if f in UNITS and own[FIGURE_NATION[f]] == seat
        ]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (figure,) = action.nouns
        g.board.move(figure, self.area, RESERVE)
        say(g, "excess_removed", area=AREAS[self.area], figure=FIGURES[figure])
        g.done()

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"area": AREAS[self.area]}
