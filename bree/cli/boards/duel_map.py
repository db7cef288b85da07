"""Duel's map in a terminal: seven regions with their borders, units, fortresses and landmarks."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards.atlas import Part, read
from bree.cli.boards.cells import Border
from bree.cli.boards.duel_facts import (
    COLOUR,
    FORT,
    LETTER,
    REGIONS,
    ROADS,
    SIDES,
    TILES,
    TITLE,
    View,
    many,
)
from bree.cli.boards.pages import Entry, Land, Told, key_to, page, pages, ways
from services.duel.atlas import LAYOUT

OFFERED, BUILT = "◇", "◆"
LAND = Land(read(LAYOUT, REGIONS), {frozenset(road): Border.OPEN for road in ROADS}, barriers={})
_TILE_IN: Mapping[str, str] = {TILES[tile]["effects"][0]["region"]: tile for tile in TILES}


def drawn(view: View, words: str) -> list[RenderableType]:
    """The map, whatever it is called by."""
    return pages(LAND, words, lambda part: _page(view, part))


def _page(view: View, part: Part) -> Group:
    return page(LAND, part, lambda key: _entry(view, key))


def _entry(view: View, key: str) -> Entry:
    region = _region(view, key)
    words = [*_present(region), *_landmark(view, key)]
    return Entry(Text(REGIONS[key], "bold"), words or [Text("·", "dim")])


def _region(view: View, key: str) -> View:
    found: View = next(region for region in view["regions"] if region["region"] == key)
    return found


def _present(region: View) -> list[Text]:
    words = [
        Text(f"{LETTER[side]}{region['units'][side]}", f"bold {COLOUR[side]}")
        for side in SIDES
        if region["units"][side]
    ]
    fort = region["fortress"]
    return [*words, Text(f"{FORT}{LETTER[fort]}", f"bold {COLOUR[fort]}")] if fort else words


def _owner(view: View, tile: str) -> str | None:
    return next((side for side in SIDES if tile in view["players"][side]["landmarks"]), None)


def _landmark(view: View, key: str) -> list[Text]:
    """The region's landmark, if it lies face up or was built."""
    tile = _TILE_IN[key]
    name = TILES[tile]["name"]
    owner = _owner(view, tile)
    if owner:
        return [Text(f"{BUILT}{LETTER[owner]} {name}", COLOUR[owner])]
    offered = any(one["landmark"] == tile for one in view["landmarks"])
    return [Text(f"{OFFERED} {name}", "yellow")] if offered else []


# In words.


def about(view: View, words: str) -> list[Told]:
    """The regions that these words name: neighbours, who is there, and the landmark."""
    return [_told(view, key) for key in LAND.atlas.regions(words)]


def _told(view: View, key: str) -> Told:
    region, tile = _region(view, key), _TILE_IN[key]
    here = [
        f"{TITLE[side]} has {many(region['units'][side], 'unit')}"
        for side in SIDES
        if region["units"][side]
    ]
    if region["fortress"]:
        here.append(f"{TITLE[region['fortress']]} has a fortress")
    who = ", ".join(here) or "Nobody is there"
    owner = _owner(view, tile)
    name = TILES[tile]["name"]
    mark = f"{TITLE[owner]} has built {name}" if owner else f"Its landmark is {name}"
    return f"{REGIONS[key]} (region)", f"{who}. {mark}. {ways(LAND, key)}"


def legend() -> list[Told]:
    """The signs of the map alone."""
    return [
        *key_to(LAND),
        (f"F2 S2 {FORT}F", "units of the Fellowship, units of Sauron, a fortress of that side"),
        (f"{OFFERED} Bree", "a landmark that may be built there now"),
        (f"{BUILT}F Bree", "a landmark that the Fellowship has built; S, Sauron"),
    ]
