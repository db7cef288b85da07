"""Moves of an army over several regions, by card (RULES 7.8).

The group is fixed at the start; every region entered is free for army movement and is entered like
in a march; it may stop wherever the card lets it. Moves without a route are `transfer`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.play.armies import HELD, end_march, march, may_enter, ready
from services.warofthering.play.asking import choose
from services.warofthering.play.forces import (
    ANY_ARMY,
    Detach,
    Force,
    detach,
    largest,
    movable,
    units_in,
    without,
)
from services.warofthering.tables import ADJACENT, NOWHERE, REGION_COUNT

G = Game[Board]

ANYWHERE, WITH_FRIENDS = range(2)
"""Where a journey may end: in any region, or in one with another army of the side."""


@dataclass(slots=True)
class Journey(Procedure):
    """One army of a seat goes up to so many regions; hands back what is held then, as `March`."""

    seat: int = 0
    distance: int = 2
    need: int = ANY_ARMY
    ends: int = ANYWHERE
    held: tuple[int, ...] = ()
    optional: int = 0
    area: int = NOWHERE
    force: Force = NO_FORCE
    gone: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_area", "first_region", "detach", "set_out", "step")

    def choose_area(self, g: G) -> None:
        areas = journey_areas(g.board, self.seat, self.distance, self.need, self.ends, self.held)
        choose(g, self.seat, "area", areas, "march_from", optional=bool(self.optional))

    def first_region(self, g: G) -> None:
        if not self.got:
            g.done(*self.held)
            return
        (self.area,) = self.got
        b = g.board
        army = ready(b, self.seat, self.area, self.held)
        choose(g, self.seat, "region", self._next(b, self.area, army, 0), "march_to")

    def detach(self, g: G) -> None:
        b = g.board
        (region,) = self.got
        army = ready(b, self.seat, self.area, self.held)
        able = _able(b, army, self.area, region, self.need)
        # What may take the first step may be too much for the last.
        able = _that_arrives(b, self.seat, army, able, (region, self.distance - 1), self)
        self.gone = region
        question = Detach(seat=self.seat, area=self.area, army=army, able=able, need=self.need)
        detach(g, question)

    def set_out(self, g: G) -> None:
        self.force = self.got
        march(g, self.force, self.area, self.gone)
        self.area, self.distance = self.gone, self.distance - 1
        b = g.board
        onward = self._next(b, self.area, self.force, 0) if self.distance else []
        may_stop = _may_end(b, self.area, self.force, self.ends)
        if onward:
            choose(g, self.seat, "region", onward, "march_on", optional=may_stop)

    def step(self, g: G) -> None:
        if not self.got:
            end_march(g, self.force, self.area)
            g.done(*self.held, self.area, *self.force)
            return
        (self.gone,) = self.got
        self.got = self.force
        self.set_out(g)
        self.go_to("step")

    def _next(self, b: Board, start: int, force: Force, spent: int) -> list[int]:
        """The regions to enter next from which the journey can end."""
        left = self.distance - spent - 1
        return [
            region
            for region in ADJACENT[start]
            if _passes(b, self.seat, region)
            and (able := _able(b, force, start, region, self.need)) != NO_FORCE
            and _arrives(b, self.seat, region, able, left, self.ends)
        ]


def _passes(b: Board, seat: int, region: int) -> bool:
    return may_enter(b, region, b.charter.sides[seat])


def _able(b: Board, army: Force, start: int, region: int, need: int) -> Force:
    return largest(b, army, movable(b, army, region), need)


def _may_end(b: Board, region: int, force: Force, ends: int) -> bool:
    """Whether a journey may end where the force is, its own units not counting as others."""
    if ends == ANYWHERE:
        return True
    return any(units_in(without(b.group(region, side), force)) for side in (0, 1))


def _arrives(b: Board, seat: int, region: int, force: Force, steps: int, ends: int) -> bool:
    """Whether a force that enters a region can end there, or go on to where it can."""
    side = b.charter.sides[seat]
    if ends == ANYWHERE or b.units_at(region, side):
        return True
    if not steps:
        return False
    return any(
        _passes(b, seat, near) and _arrives(b, seat, near, onward, steps - 1, ends)
        for near in ADJACENT[region]
        if units_in(onward := movable(b, force, near))
    )


def _that_arrives(
    b: Board, seat: int, army: Force, able: Force, way: tuple[int, int], plan: Journey
) -> Force:
    """The most of those able to set out who can all end the journey together."""
    region, steps = way
    if plan.ends == ANYWHERE or b.units_at(region, b.charter.sides[seat]):
        return able
    best = NO_FORCE
    for near in ADJACENT[region]:
        if not steps or not _passes(b, seat, near):
            continue
        onward = largest(b, army, movable(b, able, near), plan.need)
        if onward != NO_FORCE and _arrives(b, seat, near, onward, steps - 1, plan.ends):
            best = max(best, onward, key=units_in)
    return best


def journey_areas(
    b: Board, seat: int, steps: int, need: int, ends: int, held: tuple[int, ...] = ()
) -> list[int]:
    """The fields from which a seat may begin such a journey."""
    found = []
    for area in b.areas_with_units(b.charter.sides[seat]):
        if area < REGION_COUNT and units_in(army := ready(b, seat, area, held)):
            plan = Journey(seat=seat, distance=steps, need=need, ends=ends)
            if plan._next(b, area, army, 0):  # noqa: SLF001  # its own kind
                found.append(area)
    return found


@dataclass(slots=True)
class Journeys(Procedure):
    """Up to so many armies of a seat make such a journey; the first must, unless optional."""

    seat: int = 0
    most: int = 1
    distance: int = 2
    need: int = ANY_ARMY
    ends: int = ANYWHERE
    optional: int = 0
    held: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("go", "count")

    def go(self, g: G) -> None:
        made = len(self.held) // HELD
        plan = Journey(seat=self.seat, distance=self.distance, need=self.need, ends=self.ends)
        plan.held, plan.optional = self.held, int(bool(made or self.optional))
        g.call(plan)

    def count(self, g: G) -> None:
        if len(self.got) > len(self.held):
            self.held = self.got
            if len(self.held) // HELD < self.most:
                self.go_to("go")


def transfer(g: G, force: Force, start: int, region: int) -> None:
    """A force is put into a region without a route: only the region itself is entered."""
    march(g, force, start, region)
    end_march(g, force, region)
