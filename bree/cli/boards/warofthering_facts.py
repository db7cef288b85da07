"""How War of the Ring's map is read in a terminal: its regions by group, and short names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bree.cli.boards.atlas import read
from services.warofthering import tables
from services.warofthering.atlas import LAYOUT

View = Mapping[str, Any]

SIDES = tables.SIDES
TITLE = {"free": "Free Peoples", "shadow": "Shadow"}
COLOUR = {"free": "cyan", "shadow": "red"}


REGIONS: Mapping[str, str] = dict(zip(tables.REGIONS, tables.REGION_NAMES, strict=True))
CARDS: Mapping[str, str] = dict(zip(tables.CARDS, tables.CARD_NAMES, strict=True))
CAST: Mapping[str, Any] = tables.CAST

ATLAS = read(LAYOUT, REGIONS)
GROUPS: tuple[tuple[str, Sequence[str]], ...] = tuple((p.name, p.own) for p in ATLAS.parts)
"""Every region, by the page that it is on, in the order in which a reader's eye goes over it."""
ROADS: tuple[tuple[str, str], ...] = tuple(
    (tables.REGIONS[one], tables.REGIONS[other])
    for one, near in enumerate(tables.ADJACENT)
    for other in near
    if one < other
)
"""All pairs of neighbours, each once."""
BARRIERS: tuple[tuple[str, str], ...] = tuple(
    (tables.REGIONS[one], tables.REGIONS[other])
    for one, near in enumerate(tables.IMPASSABLE)
    for other in near
    if one < other
)
"""All pairs with an impassable border between them."""

NATION_SHORT: Mapping[str, str] = {
    "dwarves": "Dwarves",
    "elves": "Elves",
    "gondor": "Gondor",
    "north": "North",
    "rohan": "Rohan",
    "isengard": "Isengard",
    "sauron": "Sauron",
    "southrons": "Southrons",
}
CODE: Mapping[str, str] = {
    "dwarves": "Dw",
    "elves": "El",
    "gondor": "Go",
    "north": "No",
    "rohan": "Ro",
    "isengard": "Is",
    "sauron": "Sa",
    "southrons": "So",
}
NATION_COLOUR: Mapping[str, str] = {
    "dwarves": "bright_black",
    "elves": "bright_green",
    "gondor": "bright_blue",
    "north": "bright_cyan",
    "rohan": "green",
    "isengard": "yellow",
    "sauron": "red",
    "southrons": "magenta",
}
WHO: Mapping[str, str] = {
    "gandalf_the_grey": "Gandalf",
    "strider": "Strider",
    "boromir": "Boromir",
    "legolas": "Legolas",
    "gimli": "Gimli",
    "meriadoc": "Merry",
    "peregrin": "Pippin",
    "aragorn": "Aragorn",
    "gandalf_the_white": "White Gandalf",
    "saruman": "Saruman",
    "witch_king": "Witch-king",
    "mouth_of_sauron": "Mouth",
    "gollum": "Gollum",
}
MARK: Mapping[str | None, str] = {
    "stronghold": "■",
    "city": "▲",
    "town": "●",
    "fortification": "‡",
    None: " ",
}
STEPS = ("0", "1", "2", "3", "4", "Doom")
"""Of the Mordor Track."""
FACE: Mapping[str, str] = {
    "character": "Character",
    "army": "Army",
    "muster": "Muster",
    "muster_army": "Muster/Army",
    "event": "Event",
    "will_of_the_west": "Will of the West",
}
PHASE: Mapping[str | None, str] = {
    "draw": "drawing cards",
    "fellowship": "Fellowship phase",
    "hunt_allocation": "Hunt allocation",
    "action_roll": "Action roll",
    "action_resolution": "Action resolution",
    "victory_check": "Victory check",
    None: "",
}
SEAT: Mapping[str, str] = {
    "free_peoples": "Free Peoples",
    "shadow": "Shadow",
    "gondor": "Gondor",
    "rohan": "Rohan",
    "witch_king": "Witch-king",
    "saruman": "Saruman",
}
