"""The first part of the board: where every figure is, and who controls what.

Order of reading: areas and counts, armies and who commands them, sieges and control.

Design. One array holds how many of each figure are in each area, the piles beside the map included;
`move` is the only way from one area to another, so no figure is ever lost or made. The numbers of
units by area and side, and the place of each character, follow from it and are kept beside it
because they are asked for all the time. A garrison has figures only while it is besieged.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from operator import mul

from services.warofthering.settings import Settings
from services.warofthering.tables import (
    ANY_SEAT,
    AREA_COUNT,
    CHARACTERS,
    ELITE,
    FIGURE_COUNT,
    FIGURE_NATION,
    FIGURES_OF,
    FIRST_CHARACTER,
    FREE,
    GARRISON_OF,
    GARRISONS,
    LEADERS,
    NAZGUL,
    NOBODY,
    NOWHERE,
    ON_MAP,
    OWNER,
    REGION_COUNT,
    REGION_OF,
    SETUP_FIGURES,
    SIDE_OF,
    UNITS,
    UNITS_OF,
    VICTORY_POINTS,
)

NO_FORCE: tuple[int, ...] = (0,) * FIGURE_COUNT

_IS_OF = tuple(tuple(int(SIDE_OF[f] == side) for f in range(FIGURE_COUNT)) for side in (0, 1))
_VALUED = tuple(r for r in range(REGION_COUNT) if VICTORY_POINTS[r])


@lru_cache(maxsize=4096)
def areas_in(mask: int) -> tuple[int, ...]:
    """The areas of the map in a set of bits; kept: armies stand still most of the time."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)


class Figures:
    """Figures on the map and beside it, and the control of settlements."""

    __slots__ = (
        "armies",
        "captors",
        "control",
        "counts",
        "leaders",
        "leading",
        "led",
        "mixed",
        "places",
        "settings",
        "units",
        "winged",
    )

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.counts = bytearray(AREA_COUNT * FIGURE_COUNT)  # by area and figure
        self.units = bytearray(2 * AREA_COUNT)  # by area and side
        self.armies = [0, 0]  # by side: the areas of the map with units, as bits
        self.leaders = bytearray(AREA_COUNT)  # by area: Free Peoples Leaders
        self.led = 0  # the areas of the map with Free Peoples Leaders, as bits
        self.winged = 0  # the areas of the map with Nazgûl, as bits
        self.places = bytearray([NOWHERE]) * len(CHARACTERS)  # by character
        self.control = bytearray(OWNER)  # by region
        self.captors = bytearray([ANY_SEAT]) * REGION_COUNT  # by region: the seat that took it
        self.mixed = bytearray(AREA_COUNT)  # by area: team-mates' armies are one
        self.leading: tuple[int, ...] = tuple(team[0] for team in settings.teams)  # by side
        for (area, figure), number in SETUP_FIGURES.items():
            self.add(area, figure, number)

    # Areas and counts.

    def count(self, area: int, figure: int) -> int:
        """How many of a figure are there."""
        return self.counts[area * FIGURE_COUNT + figure]

    def units_at(self, area: int, side: int) -> int:
        """How many units, Regular and Elite, a side has there."""
        return self.units[2 * area + side]

    def has_units(self, area: int, seat: int) -> bool:
        """Whether units of a seat's own nations are there."""
        first = area * FIGURE_COUNT
        own = self.settings.owned[seat]
        return any(map(mul, self.counts[first : first + UNITS.stop], own))

    def place_of(self, character: int) -> int:
        """The area where a character is, on the map or beside it."""
        return self.places[character - FIRST_CHARACTER]

    def is_on_map(self, character: int) -> bool:
        """Whether a character is in play outside the Fellowship."""
        return self.places[character - FIRST_CHARACTER] < ON_MAP.stop

    def region_of(self, character: int) -> int:
        """The region of a character on the map; `NOWHERE` if he is not there."""
        area = self.places[character - FIRST_CHARACTER]
        return REGION_OF[area] if area < ON_MAP.stop else NOWHERE

    def characters_at(self, area: int, among: range = CHARACTERS) -> list[int]:
        """The characters in an area."""
        first = area * FIGURE_COUNT
        row = self.counts[first + among.start : first + among.stop]
        return [who for who, there in enumerate(row, among.start) if there]

    def figures_at(self, area: int, side: int) -> list[tuple[int, int]]:
        """The kinds of figures a side has there, each with its number."""
        first = area * FIGURE_COUNT
        row = self.counts[first : first + FIGURE_COUNT]
        return [(f, row[f]) for f in FIGURES_OF[side] if row[f]]

    def group(self, area: int, side: int) -> tuple[int, ...]:
        """All that a side has there, as a force: how many of each figure."""
        first = area * FIGURE_COUNT
        return tuple(map(mul, self.counts[first : first + FIGURE_COUNT], _IS_OF[side]))

    def figures_in(self, area: int) -> bytes:
        """How many of each figure of either side are there, to be remembered by."""
        first = area * FIGURE_COUNT
        return bytes(self.counts[first : first + FIGURE_COUNT])

    def nations_at(self, area: int, side: int) -> int:
        """The nations whose units a side has there, as a set of bits."""
        first = area * FIGURE_COUNT
        found = 0
        for unit in UNITS_OF[side]:
            if self.counts[first + unit]:
                found |= 1 << FIGURE_NATION[unit]
        return found

    def areas_with_units(self, side: int) -> tuple[int, ...]:
        """The areas of the map where a side has units: its armies, garrisons included."""
        return areas_in(self.armies[side])

    def areas_with_lone_leaders(self) -> list[int]:
        """The areas of the map with Free Peoples Leaders and none of their units."""
        lone = self.led & ~self.armies[FREE]
        return [area for area in ON_MAP if lone >> area & 1] if lone else []

    def has_sieges(self) -> bool:
        """Whether any figure is in a garrison."""
        first, end = GARRISONS.start * FIGURE_COUNT, GARRISONS.stop * FIGURE_COUNT
        return self.counts.count(0, first, end) < end - first

    def areas_with(self, figure: int) -> list[int]:
        """The areas of the map where there is any of a figure."""
        column = self.counts[figure : ON_MAP.stop * FIGURE_COUNT : FIGURE_COUNT]
        return [*compress(ON_MAP, column)]

    def add(self, area: int, figure: int, number: int) -> None:
        """Change a count. Only `move` and setting up may."""
        self.counts[area * FIGURE_COUNT + figure] += number
        if figure in UNITS:
            self._add_units(area, SIDE_OF[figure], number)
        elif figure in LEADERS:
            self.leaders[area] += number
            if area < ON_MAP.stop:
                self.led = self.led | 1 << area if self.leaders[area] else self.led & ~(1 << area)
        elif figure == NAZGUL:
            if area < ON_MAP.stop:
                there = self.counts[area * FIGURE_COUNT + NAZGUL]
                self.winged = self.winged | 1 << area if there else self.winged & ~(1 << area)
        elif number > 0:
            self.places[figure - FIRST_CHARACTER] = area

    def _add_units(self, area: int, side: int, number: int) -> None:
        at = 2 * area + side
        before = self.units[at]
        self.units[at] = before + number
        if area < ON_MAP.stop and (before == 0) != (before + number == 0):
            self.armies[side] ^= 1 << area

    def move(self, figure: int, start: int, to: int, number: int = 1) -> None:
        """Take figures from one area to another."""
        if number:
            self.add(start, figure, -number)
            self.add(to, figure, number)

    def move_force(self, force: tuple[int, ...], start: int, to: int) -> None:
        """Take a whole force from one area to another."""
        for figure, number in enumerate(force):
            if number:
                self.move(figure, start, to, number)

    # Armies and who commands them.

    def commander(self, area: int, side: int) -> int:
        """The seat that controls what a side has there, were it one army (RULES 19.5)."""
        team = self.settings.teams[side]
        return team[0] if len(team) == 1 else self.controller(self.group(area, side), side)

    def controller(self, force: tuple[int, ...], side: int) -> int:
        """The seat that controls a force as one army: most units, most Elites, the leader."""
        worth = {seat: (0, 0, seat == self.leading[side]) for seat in self.settings.teams[side]}
        for unit in UNITS:
            if number := force[unit]:
                seat = self.settings.seat_of_nation[FIGURE_NATION[unit]]
                units, elites, leads = worth[seat]
                worth[seat] = (units + number, elites + number * (unit >= ELITE), leads)
        return max(worth, key=worth.__getitem__)

    def is_shared(self, force: tuple[int, ...]) -> bool:
        """Whether units of more than one seat are in a force."""
        owner = self.settings.seat_of_nation
        return len({owner[FIGURE_NATION[unit]] for unit in UNITS if force[unit]}) > 1

    def owns(self, seat: int, figure: int) -> bool:
        """Whether a figure is of a seat's nations, or one that any seat of its side uses."""
        return bool(self.settings.owned[seat][figure])

    def army(self, area: int, seat: int) -> tuple[int, ...]:
        """The force that a seat commands there: its own, or all of a mixed army it controls."""
        if self.mixed[area]:
            side = self.settings.sides[seat]
            if self.commander(area, side) == seat:
                return self.group(area, side)
        first = area * FIGURE_COUNT
        own = self.settings.owned[seat]
        return tuple(map(mul, self.counts[first : first + FIGURE_COUNT], own))

    # Sieges and control.

    def is_besieged(self, region: int) -> bool:
        """Whether a garrison is shut up in the Stronghold there."""
        garrison = GARRISON_OF[region]
        return garrison != NOWHERE and bool(
            self.units[2 * garrison] or self.units[2 * garrison + 1]
        )

    def is_besieged_by(self, region: int, side: int) -> bool:
        """Whether a side besieges the Stronghold there."""
        garrison = GARRISON_OF[region]
        return garrison != NOWHERE and bool(self.units[2 * garrison + 1 - side])

    def home_area(self, region: int, side: int) -> int:
        """Where a side's figures are in a region: in the garrison if it is besieged there."""
        return GARRISON_OF[region] if self.is_besieged_by(region, 1 - side) else region

    def army_areas(self, region: int) -> tuple[int, ...]:
        """The areas of a region: its field, and its Stronghold if there is one."""
        garrison = GARRISON_OF[region]
        return (region,) if garrison == NOWHERE else (region, garrison)

    def has_army_in(self, region: int, side: int) -> bool:
        """Whether a side has units in the region, besieged or not."""
        garrison = GARRISON_OF[region]
        return bool(
            self.units[2 * region + side]
            or (garrison != NOWHERE and self.units[2 * garrison + side])
        )

    def is_controlled_by(self, region: int, side: int) -> bool:
        """Whether a side controls the settlement there; nobody controls other regions (D32)."""
        return self.control[region] == side

    def is_unconquered(self, region: int) -> bool:
        """Whether a settlement is controlled by the side to which it belongs (RULES 16.8)."""
        return self.control[region] == OWNER[region] != NOBODY

    def is_free(self, region: int, side: int) -> bool:
        """Strictly free: no enemy army or settlement, or one that this side besieges (7.3)."""
        if self.units[2 * region + 1 - side]:
            return False
        return self.control[region] != 1 - side or self.is_besieged_by(region, side)

    def is_open(self, region: int, side: int) -> bool:
        """Free for army movement: an empty settlement of the enemy may be entered (7.3)."""
        return not self.units[2 * region + 1 - side]

    def take_control(self, region: int, side: int, seat: int) -> None:
        """Put a control marker down, or take one up."""
        self.control[region] = side
        self.captors[region] = seat if OWNER[region] != side else ANY_SEAT

    def victory_points(self, side: int) -> int:
        """What a side's captured settlements are worth."""
        control = self.control
        return sum(VICTORY_POINTS[r] for r in _VALUED if control[r] == side != OWNER[r])

    def return_garrison(self, region: int) -> None:
        """The siege is over: the garrison is in the field again."""
        garrison = GARRISON_OF[region]
        for side in (0, 1):
            self.move_force(self.group(garrison, side), garrison, region)
        self.mixed[region], self.mixed[garrison] = self.mixed[garrison], 0

    def shut_in(self, region: int, side: int) -> None:
        """All figures of a side withdraw into the Stronghold."""
        garrison = GARRISON_OF[region]
        assert garrison in GARRISONS
        self.move_force(self.group(region, side), region, garrison)
        self.mixed[garrison], self.mixed[region] = self.mixed[region], 0
