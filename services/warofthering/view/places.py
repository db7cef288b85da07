"""The printed map, and what stands on it: armies, settlements, nations, characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.warofthering.board import Board
from services.warofthering.tables import (
    ADJACENT,
    ANY_SEAT,
    ASIDE,
    AT_WAR,
    CHARACTERS,
    COMPANY,
    COORDINATES,
    ELITE,
    FALLEN,
    FIGURE_COUNT,
    FIGURE_NAMES,
    FIGURES,
    FIRST_CHARACTER,
    FREE,
    IMPASSABLE,
    IS_SETTLEMENT,
    LEADER,
    LEADERSHIP,
    LEVEL,
    LOSSES,
    NATION_NAMES,
    NATION_OF,
    NATIONS,
    NAZGUL,
    NO_NATION,
    ON_MAP,
    OWNER,
    REGION_COUNT,
    REGION_NAMES,
    REGION_OF,
    REGIONS,
    REGULAR,
    RETURNING,
    SETTLEMENT,
    SETTLEMENTS,
    SHADOW,
    SIDE_OF,
    SIDE_OF_NATION,
    SIDES,
    TRACK_COORDINATES,
    VICTORY_POINTS,
)

Part = Mapping[str, object]


def _printed(region: int) -> Part:
    nation, (x, y) = NATION_OF[region], COORDINATES[region]
    return {
        "region": REGIONS[region],
        "name": REGION_NAMES[region],
        "nation": None if nation == NO_NATION else NATIONS[nation],
        "settlement": None if not SETTLEMENT[region] else SETTLEMENTS[SETTLEMENT[region]],
        "points": VICTORY_POINTS[region],
        "x": x,
        "y": y,
        "borders": list(ADJACENT[region]),
        "barriers": list(IMPASSABLE[region]),
    }


MAP: Part = {
    "regions": [_printed(region) for region in range(REGION_COUNT)],
    "mordor_track": [{"x": x, "y": y} for x, y in TRACK_COORDINATES],
}
"""The same for all: shared by all views, and changed by nobody."""


# Armies.


def armies(b: Board) -> list[Part]:
    """Whatever stands on the map, by area and side."""
    row, counts = FIGURE_COUNT, b.counts
    used = [a for a in ON_MAP if any(counts[a * row : a * row + row])]
    return [
        _army(b, area, side) for area in used for side in (FREE, SHADOW) if _is_at(b, area, side)
    ]


def _is_at(b: Board, area: int, side: int) -> bool:
    return bool(b.figures_at(area, side))


def _army(b: Board, area: int, side: int) -> Part:
    return {
        "region": REGIONS[REGION_OF[area]],
        "garrison": area >= REGION_COUNT,
        "side": SIDES[side],
        "commander": b.settings.seats[b.commander(area, side)],
        "mixed": bool(b.mixed[area]),
        "figures": figures(b.group(area, side)),
    }


def figures(group: Sequence[int]) -> Part:
    """Figures by nation and kind."""
    nations = [
        {
            "nation": NATIONS[n],
            "regulars": group[REGULAR + n],
            "elites": group[ELITE + n],
            "leaders": group[LEADER + n] if LEADER + n < NAZGUL else 0,
        }
        for n in range(len(NATIONS))
        if group[REGULAR + n] or group[ELITE + n] or (LEADER + n < NAZGUL and group[LEADER + n])
    ]
    return {
        "nations": nations,
        "nazgul": group[NAZGUL],
        "characters": [FIGURES[f] for f in range(FIRST_CHARACTER, FIGURE_COUNT) if group[f]],
    }


def pile(b: Board, area: int) -> Part:
    """The units and leaders in a pile beside the map; characters are told of one by one."""
    first = area * FIGURE_COUNT
    group = [*b.counts[first : first + FIRST_CHARACTER], *(0 for _ in CHARACTERS)]
    return figures(group)


# Settlements and nations.


def settlements(b: Board) -> list[Part]:
    """Who controls what, and which Strongholds are besieged."""
    return [_settlement(b, region) for region in range(REGION_COUNT) if IS_SETTLEMENT[region]]


def _settlement(b: Board, region: int) -> Part:
    captor = b.captors[region]
    return {
        "region": REGIONS[region],
        "owner": SIDES[OWNER[region]],
        "controller": SIDES[b.control[region]],
        "captor": None if captor == ANY_SEAT else b.settings.seats[captor],
        "besieged": b.is_besieged(region),
    }


def nations(b: Board) -> list[Part]:
    """The Political Track."""
    seats = b.settings.seat_of_nation
    return [
        {
            "nation": NATIONS[n],
            "name": NATION_NAMES[n],
            "side": SIDES[SIDE_OF_NATION[n]],
            "seat": b.settings.seats[seats[n]],
            "step": b.politics[n],
            "at_war": b.politics[n] == AT_WAR,
            "active": b.is_active(n),
        }
        for n in range(len(NATIONS))
    ]


# Characters.

_PLACES = {
    COMPANY: "fellowship",
    ASIDE: "aside",
    FALLEN: "fallen",
    RETURNING: "returning",
    LOSSES: "fallen",
}


def characters(b: Board) -> list[Part]:
    """Where every character is."""
    return [_character(b, who) for who in CHARACTERS]


def _character(b: Board, who: int) -> Part:
    place = b.place_of(who)
    on_map = place in ON_MAP
    return {
        "character": FIGURES[who],
        "name": FIGURE_NAMES[who],
        "side": SIDES[SIDE_OF[who]],
        "place": "map" if on_map else _PLACES[place],
        "region": REGIONS[REGION_OF[place]] if on_map else None,
        "level": LEVEL[who],
        "leadership": LEADERSHIP[who],
    }
