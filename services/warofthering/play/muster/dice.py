"""What a Muster result does for nations: recruits (RULES 9.1, 9.2) and advances (10.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.play import kept
from services.warofthering.play.asking import say
from services.warofthering.play.stacking import Trim
from services.warofthering.tables import (
    AREAS,
    ELITE,
    FIGURE_NATION,
    FIGURES,
    FREE,
    LEADER,
    NATIONS_OF,
    NAZGUL,
    NO_NATION,
    REGION_COUNT,
    REGULAR,
    RESERVE,
    SAURON,
    SAURON_STRONGHOLDS,
    SETTLEMENTS_OF,
    SIDE_OF,
    SIDE_OF_NATION,
)

G = Game[Board]

NOWHERE_YET = REGION_COUNT
"""In place of the settlement of the first of two figures: it is not recruited yet."""


def can_muster_in(b: Board, region: int, side: int) -> bool:
    """Whether a die recruits in a settlement: own, not besieged, no enemy units (9.1)."""
    return (
        b.control[region] == side
        and not b.units[2 * region + 1 - side]
        and not b.is_besieged(region)
    )


def musters(b: Board, seat: int, *, elites: bool, but: int = NOWHERE_YET) -> Iterator[Action]:
    """Which figure a seat may recruit where; `but` is where the other one was recruited."""
    side = b.settings.sides[seat]
    for nation in NATIONS_OF[side]:
        if not b.is_at_war(nation) or b.settings.seat_of_nation[nation] != seat:
            continue
        if b.is_resting(nation):
            continue
        for figure in _kinds(nation, elites):
            if not b.count(RESERVE, figure):
                continue
            joins = figure >= LEADER and figure != NAZGUL  # a Leader joins units (S06)
            for region in _settlements(figure, nation):
                is_open = region != but and can_muster_in(b, region, side)
                if is_open and (not joins or b.units_at(region, FREE)):
                    yield Action("recruit", (figure, region))


def muster_choices(b: Board, seat: int, *, elites: bool, but: int = NOWHERE_YET) -> list[Action]:
    """All that a seat may recruit."""
    return list(musters(b, seat, elites=elites, but=but))


def can_recruit(b: Board, seat: int) -> bool:
    """Whether a seat may recruit anything with a Muster result."""
    return next(musters(b, seat, elites=True), None) is not None


@cache
def _kinds(nation: int, elites: bool) -> list[int]:  # cached
    kinds = [REGULAR + nation]
    if elites:
        kinds.append(ELITE + nation)
    if SIDE_OF_NATION[nation] == FREE:
        kinds.append(LEADER + nation)
    elif nation == SAURON:
        kinds.append(NAZGUL)
    return kinds


def _settlements(figure: int, nation: int) -> tuple[int, ...]:
    return SAURON_STRONGHOLDS if figure == NAZGUL else SETTLEMENTS_OF[nation]


def enlist(g: G, figure: int, area: int, number: int = 1) -> None:
    """Put figures from the reinforcements into an area."""
    g.board.move(figure, RESERVE, area, number)
    say(g, "recruited", figure=FIGURES[figure], number=number, place=AREAS[area])


@dataclass(slots=True)
class Recruit(Procedure):
    """A seat recruits with a Muster result: an Elite, or two lesser figures (9.1)."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("first", "second", "trim")

    def first(self, g: G) -> None:
        g.call(ChooseRecruit(seat=self.seat))

    def second(self, g: G) -> None:
        figure, region = self.got
        if not ELITE <= figure < LEADER and muster_choices(
            g.board, self.seat, elites=False, but=region
        ):
            g.call(ChooseRecruit(seat=self.seat, but=region))

    def trim(self, g: G) -> None:
        g.call(Trim())


@dataclass(slots=True)
class ChooseRecruit(Question[Board]):
    """A seat recruits a figure; the second of two may be declined."""

    prompt: ClassVar[str] = "muster.recruit"

    seat: int = 0
    but: int = NOWHERE_YET  # the settlement of the first figure

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        is_first = self.but == NOWHERE_YET
        choices = muster_choices(g.board, seat, elites=is_first, but=self.but)
        return choices if is_first else [Action("decline"), *choices]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "recruit":
            figure, region = action.nouns
            enlist(g, figure, region)
            if FIGURE_NATION[figure] != NO_NATION:
                g.board.note_action(SIDE_OF[figure], 1 << FIGURE_NATION[figure], 0)
        else:
            say(g, "declined", seat=g.board.settings.seats[seat], what="recruit")
        g.done(*action.nouns)


def advance_choices(b: Board, seat: int) -> list[int]:
    """The nations of a seat that a Muster result may advance (10.3)."""
    return [
        nation
        for nation in NATIONS_OF[b.settings.sides[seat]]
        if b.settings.seat_of_nation[nation] == seat
        and b.can_advance(nation)
        and not b.is_resting(nation)
        and kept.may_muster_advance(b, nation)
    ]
