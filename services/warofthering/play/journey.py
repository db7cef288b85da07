"""Moves of an army over several regions, by card (RULES 7.8).

The group is fixed at the start; every region entered is free for army movement and is entered like
in a march; it may stop wherever the card lets it. Moves without a route are `transfer`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.play.armies import (
    also_held,
    end_march,
    forces_held,
    march,
    may_enter,
    ready,
)
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
from services.warofthering.tables import ADJACENT, DISTANCE, NOWHERE, REGION_COUNT

G = Game[Board]

ANYWHERE, WITH_FRIENDS = range(2)
"""Where a journey may end: in any region, or in one with another army of the side."""


@dataclass(slots=True)
class Journey(Procedure):
    """One army goes up to `distance` regions; hands back who has moved then, as `March` does."""

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
        choose(g, self.seat, "region", self.first_regions(b, army), "march_to")

    def detach(self, g: G) -> None:
        b = g.board
        (region,) = self.got
        able = self._setting_out(b, ready(b, self.seat, self.area, self.held), region)
        self.gone = region
        army = b.army(self.area, self.seat)
        question = Detach(seat=self.seat, area=self.area, army=army, able=able, need=self.need)
        detach(g, question)

    def set_out(self, g: G) -> None:
        self.force = self.got
        march(g, self.force, self.area, self.gone)
        self.area, self.distance = self.gone, self.distance - 1
        b = g.board
        onward = self._next_regions(b) if self.distance else []
        may_stop = _may_end(b, self.area, self.force, self.ends)
        if onward:
            choose(g, self.seat, "region", onward, "march_on", optional=may_stop)

    def step(self, g: G) -> None:
        if not self.got:
            end_march(g, self.force, self.area)
            g.done(*also_held(self.held, self.area, self.force))
            return
        (self.gone,) = self.got
        self.got = self.force
        self.set_out(g)
        self.go_to("step")

    def first_regions(self, b: Board, army: Force) -> list[int]:
        """Where an army may set out to: somebody of it can end the journey from there."""
        near = [region for region in ADJACENT[self.area] if _passes(b, self.seat, region)]
        return [region for region in near if self._setting_out(b, army, region) != NO_FORCE]

    def can_set_out(self, b: Board, army: Force) -> bool:
        """Whether there is any region where an army may set out to."""
        return any(
            _passes(b, self.seat, region) and self._setting_out(b, army, region) != NO_FORCE
            for region in ADJACENT[self.area]
        )

    def _setting_out(self, b: Board, army: Force, region: int) -> Force:
        """The most of an army that may set out there: they end the journey together."""
        able = self._arriving(b, region, movable(b, army, region), self.distance - 1)
        return largest(b, b.army(self.area, self.seat), able, self.need)

    def _next_regions(self, b: Board) -> list[int]:
        """The regions that all of the force may enter next, and end the journey from there."""
        force = self.force
        return [
            region
            for region in ADJACENT[self.area]
            if _passes(b, self.seat, region)
            and movable(b, force, region) == force
            and self._arriving(b, region, force, self.distance - 1) == force
        ]

    def _arriving(self, b: Board, region: int, force: Force, steps: int) -> Force:
        """The most of a force entering a region who can all end there, or go on to where they can.

        Where the journey stands now it does not end: those who are there are the force itself.
        """
        there = region != self.area and b.units_at(region, b.settings.sides[self.seat])
        if self.ends == ANYWHERE or there or not units_in(force):
            return force
        best = NO_FORCE
        if not self._has_friends_near(b, region, steps):
            return best
        for near in ADJACENT[region] if steps else ():
            if _passes(b, self.seat, near):
                onward = self._arriving(b, near, movable(b, force, near), steps - 1)
                best = max(best, onward, key=units_in)
            if best == force:
                break
        return best

    def _has_friends_near(self, b: Board, region: int, steps: int) -> bool:
        """Whether another army of the side is at most `steps` regions off, whatever is between."""
        near = DISTANCE[region]
        return any(
            area < REGION_COUNT and area != self.area and near[area] <= steps
            for area in b.areas_with_units(b.settings.sides[self.seat])
        )


def _passes(b: Board, seat: int, region: int) -> bool:
    return may_enter(b, region, b.settings.sides[seat])


def _may_end(b: Board, region: int, force: Force, ends: int) -> bool:
    """Whether a journey may end where the force is, its own units not counting as others."""
    if ends == ANYWHERE:
        return True
    return any(units_in(without(b.group(region, side), force)) for side in (0, 1))


def setting_out(
    b: Board, seat: int, steps: int, need: int, ends: int, held: tuple[int, ...] = ()
) -> Iterator[int]:
    """The fields from which a seat may begin such a journey, found one by one."""
    plan = Journey(seat=seat, distance=steps, need=need, ends=ends)
    for area in b.areas_with_units(b.settings.sides[seat]):
        if area < REGION_COUNT and units_in(army := ready(b, seat, area, held)):
            plan.area = area
            if plan.can_set_out(b, army):
                yield area


def journey_areas(
    b: Board, seat: int, steps: int, need: int, ends: int, held: tuple[int, ...] = ()
) -> list[int]:
    """The fields from which a seat may begin such a journey."""
    return list(setting_out(b, seat, steps, need, ends, held))


def can_journey(b: Board, seat: int, steps: int, need: int, ends: int) -> bool:
    """Whether a seat may begin any such journey."""
    return next(setting_out(b, seat, steps, need, ends), NOWHERE) != NOWHERE


@dataclass(slots=True)
class Journeys(Procedure):
    """Up to `most` armies of a seat make such a journey; the first must, unless optional."""

    seat: int = 0
    most: int = 1
    distance: int = 2
    need: int = ANY_ARMY
    ends: int = ANYWHERE
    optional: int = 0
    held: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("go", "count")

    def go(self, g: G) -> None:
        made = forces_held(self.held)
        plan = Journey(seat=self.seat, distance=self.distance, need=self.need, ends=self.ends)
        plan.held, plan.optional = self.held, int(bool(made or self.optional))
        g.call(plan)

    def count(self, g: G) -> None:
        if len(self.got) > len(self.held):
            self.held = self.got
            if forces_held(self.held) < self.most:
                self.go_to("go")


def transfer(g: G, force: Force, start: int, region: int) -> None:
    """A force is put into a region without a route: only the region itself is entered."""
    march(g, force, start, region)
    end_march(g, force, region)
