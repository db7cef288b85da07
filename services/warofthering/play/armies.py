"""Moving armies (RULES 7): where an army may go, and one step of it. Who moves is in `marches`.

Order of reading: where an army may go, one march.

Design. A march is: from which area, to which region, who. What has marched is held apart until the
action ends, so that nothing moves twice (7.2): `held` lists areas and the forces that must stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import NO_FORCE, Board, areas_in
from services.warofthering.play import control, kept, politics
from services.warofthering.play.asking import YES, choose_word, say
from services.warofthering.play.forces import (
    ANY_ARMY,
    BY_DIE,
    LED,
    Force,
    elite_leaders,
    largest,
    may_be_led,
    meets,
    movable,
    side_of,
    units_in,
    without,
)
from services.warofthering.tables import (
    ADJACENT,
    AREAS,
    AT_WAR,
    COMPANIONS,
    FIGURE_COUNT,
    GARRISONS,
    NATION_OF,
    NATIONS_OF,
    REGION_COUNT,
    REGIONS,
)

G = Game[Board]

HELD = 1 + FIGURE_COUNT  # an area and a force


# Where an army may go.


def may_enter(b: Board, region: int, side: int) -> bool:
    """Whether a side's army may move into a region: it is open, and no card bars it (7.3, 7.7)."""
    return not b.units[2 * region + 1 - side] and not kept.is_barred(b, region, side)


def held_in(held: tuple[int, ...], area: int) -> Force:
    """Those in an area who have moved in this action already."""
    total = NO_FORCE
    for first in range(0, len(held), HELD):
        if held[first] == area:
            force = held[first + 1 : first + HELD]
            total = tuple([n + m for n, m in zip(total, force, strict=True)])
    return total


def also_held(held: tuple[int, ...], area: int, force: Force) -> tuple[int, ...]:
    """Those who have moved in this action, with a force that has come to an area."""
    return (*held, area, *force)


def forces_held(held: tuple[int, ...]) -> int:
    """How many forces have moved in this action."""
    return len(held) // HELD


def ready(b: Board, seat: int, area: int, held: tuple[int, ...] = ()) -> Force:
    """Those of a seat's army in an area who have not moved in this action."""
    army = b.army(area, seat)
    return without(army, held_in(held, area)) if area in held[::HELD] else army


def marching(
    b: Board, seat: int, area: int, region: int, need: int, held: tuple[int, ...] = ()
) -> Force:
    """The largest force that may march from an area to a region; `NO_FORCE` if none may."""
    army = ready(b, seat, area, held)
    if not units_in(army):
        return NO_FORCE
    # What stays, and who controls it, is judged with those who have come there before.
    return largest(b, b.army(area, seat), movable(b, army, region), need)


Parties = tuple[tuple[int, Force], ...]


def parties(b: Board, seat: int, area: int, need: int, held: tuple[int, ...] = ()) -> Parties:
    """Where a seat's army in a field may march, each with the most of it that may go there."""
    army = ready(b, seat, area, held)
    if not units_in(army) or not meets(b, army, need):
        return ()
    side = b.settings.sides[seat]
    closed = b.armies[1 - side] | kept.barred(b, side)
    whole = b.army(area, seat) if area in held[::HELD] else army
    able: dict[int, Force] = {}  # by the border that is crossed, all that matters for who may go
    found = []
    for region in ADJACENT[area]:
        if closed >> region & 1:
            continue
        border = NATION_OF[region]
        if border not in able:
            able[border] = largest(b, whole, movable(b, army, region), need)
        if able[border] != NO_FORCE:
            found.append((region, able[border]))
    return tuple(found)


def march_regions(
    b: Board, seat: int, area: int, need: int, held: tuple[int, ...] = ()
) -> list[int]:
    """Where a seat's army in a field may march in one step."""
    return [region for region, _ in parties(b, seat, area, need, held)]


Departure = tuple[int, tuple[int, ...], bool]
"""A field; the ways from it, each the area times the number of regions, and the region; whether a
part of the army may go."""


def _departure(b: Board, seat: int, area: int, need: int, held: tuple[int, ...] = ()) -> Departure:
    found = parties(b, seat, area, need, held)
    ways = tuple([area * REGION_COUNT + region for region, _ in found])
    return area, ways, any(sum(force) > 1 for _, force in found)


def departures(b: Board, seat: int, need: int, held: tuple[int, ...] = ()) -> Iterator[Departure]:
    """The armies in fields that a seat may march, found one by one.

    What was found is remembered: most armies stand still from question to question.
    """
    side = b.settings.sides[seat]
    free = ~(b.armies[1 - side] | kept.barred(b, side))
    resting = b.resting[1] if need & BY_DIE else 0
    moved, whence = held[::HELD], _circumstances(b, seat, need)
    for area in areas_in(b.armies[side] & may_be_led(b, side, need) & ~resting):
        near = _NEAR[area] & free
        if not near:
            continue
        if area in moved:
            found = _departure(b, seat, area, need, held)
        else:
            joint = b.leading if b.mixed[area] else ()
            key = (whence, area, near, b.figures_in(area), joint)
            known = _KNOWN.get(key)
            found = known or _remember(key, _departure(b, seat, area, need))
        if found[1]:
            yield found


Circumstances = tuple[object, ...]


def _circumstances(b: Board, seat: int, need: int) -> Circumstances:
    """All that matters for who may march, besides the army itself and what is beside it."""
    settings = b.settings
    wars = _wars(bytes(b.politics), settings.sides[seat])
    elites = elite_leaders(b) if need & ~BY_DIE == LED else ()
    return (need, seat, settings.players, settings.owned[seat], wars, elites, b.resting[0])


@cache
def _wars(politics: bytes, side: int) -> tuple[int, ...]:
    """The nations of a side that are At War."""
    return tuple([nation for nation in NATIONS_OF[side] if politics[nation] == AT_WAR])


KEPT = 20_000
_KNOWN: dict[Circumstances, Departure] = {}
"""By the circumstances, the field, who is in it, the open regions beside it and, of a joint army,
who leads."""


def _remember(key: Circumstances, found: Departure) -> Departure:
    if len(_KNOWN) >= KEPT:
        _KNOWN.clear()
    _KNOWN[key] = found
    return found


_NEAR = (*[sum(1 << near for near in ADJACENT[area]) for area in range(REGION_COUNT)],
         *[0 for _ in GARRISONS])  # fmt: skip
"""By area of the map: the regions into which an army may march from there, as bits."""


def march_areas(b: Board, seat: int, need: int, held: tuple[int, ...] = ()) -> list[int]:
    """The fields from which a seat may march an army."""
    return [area for area, _, _ in departures(b, seat, need, held)]


def can_march(b: Board, seat: int, need: int = ANY_ARMY, held: tuple[int, ...] = ()) -> bool:
    """Whether a seat may march any army at all."""
    return next(departures(b, seat, need, held), None) is not None


# One march.


def march(g: G, force: Force, start: int, to: int) -> None:
    """Put a force into a region, on foot: politics react and settlements fall."""
    b = g.board
    side = side_of(force)
    joins = b.units_at(to, side) > 0
    was_mixed = b.mixed[start]
    b.move_force(force, start, to)
    if was_mixed and not joins:
        b.mixed[to] = 1
    for area in (start, to):
        if b.mixed[area] and not b.is_shared(b.group(area, side)):
            b.mixed[area] = 0
    say(g, "army_moved", origin=AREAS[start], to=REGIONS[to], force=list(force))
    control.arrive(g, to, side)


def end_march(g: G, force: Force, region: int) -> None:
    """The movement of a force is over: its Companions activate what they can (7.5)."""
    for companion in COMPANIONS:
        if force[companion]:
            politics.rouse_by_companion(g, companion, region)


@dataclass(slots=True)
class Combine(Procedure):
    """A seat whose army has come to its mate's proposes to make one of them; both must agree."""

    seat: int = 0
    area: int = 0

    script: ClassVar[tuple[str, ...]] = ("propose", "ask_mate", "agree")

    def propose(self, g: G) -> None:
        b = g.board
        team = b.settings.teams[b.settings.sides[self.seat]]
        if len(team) == 1 or b.mixed[self.area] or not b.is_shared(self._group(b)):
            g.done()
        else:
            choose_word(g, self.seat, ("no", "yes"), "combine")

    def ask_mate(self, g: G) -> None:
        if self.got != (YES,):
            g.done()
            return
        b = g.board
        team = b.settings.teams[b.settings.sides[self.seat]]
        mate = next(seat for seat in team if seat != self.seat)
        choose_word(g, mate, ("no", "yes"), "agree_to_combine")

    def agree(self, g: G) -> None:
        if self.got == (YES,):
            g.board.mixed[self.area] = 1
            say(g, "armies_combined", place=AREAS[self.area])

    def _group(self, b: Board) -> Force:
        return b.group(self.area, b.settings.sides[self.seat])
