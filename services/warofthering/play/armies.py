"""Moving armies (RULES 7): where an army may go, and one step of it. Who moves is in `marches`.

Order of reading: where an army may go, one march.

Design. A march is: from which area, to which region, who. What has marched is held apart until the
action ends, so that nothing moves twice (7.2): `held` lists areas and the forces that must stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.cards import kept
from services.warofthering.play import control, politics
from services.warofthering.play.asking import YES, choose_word, say
from services.warofthering.play.forces import (
    ANY_ARMY,
    BY_DIE,
    LED,
    Force,
    largest,
    may_be_led,
    meets,
    movable,
    units_in,
    without,
)
from services.warofthering.tables import (
    ADJACENT,
    AREAS,
    AT_WAR,
    COMPANIONS,
    ELITE,
    FIGURE_COUNT,
    NATION_OF,
    NO_NATION,
    NOWHERE,
    REGION_COUNT,
    REGIONS,
    REGULAR,
    SARUMAN,
    UNITS,
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


def parties(
    b: Board, seat: int, area: int, need: int, held: tuple[int, ...] = ()
) -> Iterator[tuple[int, Force]]:
    """Where a seat's army in a field may march, each with the most of it that may go there."""
    army = ready(b, seat, area, held)
    if not units_in(army) or not meets(b, army, need):
        return
    side = b.charter.sides[seat]
    closed = b.armies[1 - side] | kept.barred(b, side)
    whole = b.army(area, seat) if area in held[::HELD] else army
    able: dict[int, Force] = {}  # by the border that is crossed, all that matters for who may go
    for region in ADJACENT[area]:
        if closed >> region & 1:
            continue
        border = NATION_OF[region]
        if border not in able:
            force = movable(b, army, region)
            able[border] = force if force == whole else largest(b, whole, force, need)
        if able[border] != NO_FORCE:
            yield region, able[border]


Parties = tuple[tuple[int, Force], ...]
KEPT = 20_000
_KNOWN: dict[tuple[int, Force, int, int, bytes], Parties] = {}
"""What was found for armies that march plainly: most stand still from question to question."""


def all_parties(
    b: Board, seat: int, areas: Iterable[int], need: int, held: tuple[int, ...] = ()
) -> list[tuple[int, Parties]]:
    """The same for several fields from which a seat may march."""
    moved, side = held[::HELD], b.charter.sides[seat]
    is_plain = not b.charter.has_teams and _is_plain(b, need)
    closed, politics = b.armies[1 - side] | kept.barred(b, side), bytes(b.politics)
    found = []
    for area in areas:
        known: Parties | None = None
        key = (area, b.army(area, seat), closed & _NEAR[area], need & ~BY_DIE, politics)
        if is_plain and area not in moved:
            known = _KNOWN.get(key)
        if known is None:
            known = tuple(parties(b, seat, area, need, held))
        if is_plain and area not in moved:
            _remember(key, known)
        found.append((area, known))
    return found


def _remember(key: tuple[int, Force, int, int, bytes], found: Parties) -> None:
    if len(_KNOWN) >= KEPT:
        _KNOWN.clear()
    _KNOWN[key] = found


def march_regions(
    b: Board, seat: int, area: int, need: int, held: tuple[int, ...] = ()
) -> list[int]:
    """Where a seat's army in a field may march in one step."""
    return [region for region, _ in parties(b, seat, area, need, held)]


def departures(b: Board, seat: int, need: int, held: tuple[int, ...] = ()) -> Iterator[int]:
    """The fields from which a seat may march an army, found one by one."""
    side = b.charter.sides[seat]
    others = ~(b.armies[1 - side] | kept.barred(b, side))
    plain = _is_plain(b, need)
    at_war = _units_at_war(bytes(b.politics), b.charter.owned[seat]) if plain else ()
    resting = b.resting[1] if need & BY_DIE else 0
    in_team = b.charter.has_teams
    moved, any_army = held[::HELD], need & ~BY_DIE == ANY_ARMY
    for area in b.areas_with_units(side):
        if area >= REGION_COUNT or not _NEAR[area] & others or resting >> area & 1:
            continue
        if (in_team and not b.has_units(area, seat)) or not may_be_led(b, area, need):
            continue
        is_plain = plain and not b.mixed[area] and area not in moved
        is_easy = is_plain and _is_easy(b, seat, area, others, at_war)
        is_easy = is_easy and (any_army or meets(b, b.army(area, seat), need))
        if is_easy or _has_way(b, seat, area, need, held):
            yield area


def _has_way(b: Board, seat: int, area: int, need: int, held: tuple[int, ...]) -> bool:
    return next(parties(b, seat, area, need, held), None) is not None


def _is_plain(b: Board, need: int) -> bool:
    """Whether all may march who are At War, and all of an army where there is no border."""
    if b.resting[0]:
        return False
    kind = need & ~BY_DIE
    return kind == ANY_ARMY or (
        kind == LED and not b.charter.has_teams and not b.is_on_map(SARUMAN)
    )


def _is_easy(b: Board, seat: int, area: int, others: int, at_war: tuple[int, ...]) -> bool:
    """Whether some of a seat's units there may plainly march into one of these regions.

    All may into the wilds; without Leaders, who might have to stay, those At War or at home.
    """
    if _WILDS[area] & others:
        return True
    if b.leaders[area]:
        army = b.army(area, seat)
        return bool(_HOME[area] & others) and movable(b, army, area) == army
    counts, first = b.counts, area * FIGURE_COUNT
    if _HOME[area] & others and not b.charter.has_teams:
        nation = first + NATION_OF[area]
        if counts[nation + REGULAR] or counts[nation + ELITE]:
            return True
    return any(counts[first + unit] for unit in at_war)


@cache
def _units_at_war(politics: bytes, owned: Force) -> tuple[int, ...]:
    """The units of a seat's nations that are At War."""
    return tuple(unit for unit in UNITS if owned[unit] and politics[unit % 8] == AT_WAR)


def _beside(area: int, nation: int) -> int:
    return sum(1 << near for near in ADJACENT[area] if NATION_OF[near] == nation)


_WILDS = tuple(_beside(area, NO_NATION) for area in range(REGION_COUNT))
"""By field: the regions beside it that belong to no nation, as bits."""
_HOME = tuple(_beside(area, NATION_OF[area]) for area in range(REGION_COUNT))
"""By field: the regions beside it that belong to the same nation, as bits."""
_NEAR = tuple(sum(1 << near for near in ADJACENT[area]) for area in range(REGION_COUNT))
"""By field: the regions beside it, as bits."""


def march_areas(b: Board, seat: int, need: int, held: tuple[int, ...] = ()) -> list[int]:
    """The fields from which a seat may march an army."""
    return list(departures(b, seat, need, held))


def can_march(b: Board, seat: int, need: int = ANY_ARMY, held: tuple[int, ...] = ()) -> bool:
    """Whether a seat may march any army at all."""
    return next(departures(b, seat, need, held), NOWHERE) != NOWHERE


# One march.


def march(g: G, force: Force, start: int, to: int) -> None:
    """Put a force into a region, on foot: politics react and settlements fall."""
    b = g.board
    side = 0 if any(b.group(start, 0)[f] for f, n in enumerate(force) if n) else 1
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
        team = b.charter.teams[b.charter.sides[self.seat]]
        if len(team) == 1 or b.mixed[self.area] or not b.is_shared(self._group(b)):
            g.done()
        else:
            choose_word(g, self.seat, ("no", "yes"), "combine")

    def ask_mate(self, g: G) -> None:
        if self.got != (YES,):
            g.done()
            return
        b = g.board
        team = b.charter.teams[b.charter.sides[self.seat]]
        mate = next(seat for seat in team if seat != self.seat)
        choose_word(g, mate, ("no", "yes"), "agree_to_combine")

    def agree(self, g: G) -> None:
        if self.got == (YES,):
            g.board.mixed[self.area] = 1
            say(g, "armies_combined", place=AREAS[self.area])

    def _group(self, b: Board) -> Force:
        return b.group(self.area, b.charter.sides[self.seat])
