"""How War of the Ring's map is read in a terminal: its regions by group, and short names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.warofthering import tables

View = Mapping[str, Any]

SIDES = tables.SIDES
TITLE = {"free": "Free Peoples", "shadow": "Shadow"}
COLOUR = {"free": "cyan", "shadow": "red"}


REGIONS: Mapping[str, str] = dict(zip(tables.REGIONS, tables.REGION_NAMES, strict=True))
CARDS: Mapping[str, str] = dict(zip(tables.CARDS, tables.CARD_NAMES, strict=True))
CAST: Mapping[str, Any] = tables.CAST

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Eriador", (
        "forlindon", "north_ered_luin", "ered_luin", "south_ered_luin", "grey_havens",
        "harlindon", "tower_hills", "evendim", "arnor", "angmar", "mount_gram", "ettenmoors",
        "north_downs", "bree", "weather_hills", "trollshaws", "rivendell", "fords_of_bruinen",
        "the_shire", "buckland", "old_forest", "south_downs", "cardolan", "minhiriath", "tharbad",
    )),
    ("Rhovanion", (
        "mount_gundabad", "eagles_eyrie", "carrock", "rhosgobel", "old_forest_road",
        "narrows_of_the_forest", "northern_mirkwood", "western_mirkwood", "woodland_realm",
        "withered_heath", "erebor", "dale", "iron_hills", "eastern_mirkwood",
        "southern_mirkwood", "dol_guldur", "northern_rhovanion", "southern_rhovanion",
        "vale_of_the_carnen", "vale_of_the_celduin", "northern_dorwinion", "southern_dorwinion",
    )),
    ("The Misty Mountains and the Anduin", (
        "high_pass", "goblins_gate", "old_ford", "gladden_fields", "north_anduin_vale", "hollin",
        "moria", "dimrill_dale", "lorien", "parth_celebrant", "south_anduin_vale",
        "western_brown_lands", "eastern_brown_lands", "western_emyn_muil", "eastern_emyn_muil",
        "dead_marshes", "noman_lands", "dagorlad",
    )),
    ("Isengard and Rohan", (
        "north_dunland", "south_dunland", "enedwaith", "druwaith_iaur", "gap_of_rohan", "orthanc",
        "fangorn", "fords_of_isen", "helms_deep", "westemnet", "edoras", "folde", "eastemnet",
    )),
    ("Gondor", (
        "andrast", "anfalas", "erech", "dol_amroth", "lamedon", "pelargir", "lossarnach",
        "druadan_forest", "minas_tirith", "osgiliath", "north_ithilien", "south_ithilien",
        "west_harondor", "east_harondor",
    )),
    ("Mordor", (
        "morannon", "minas_morgul", "gorgoroth", "barad_dur", "nurn", "ash_mountains",
    )),
    ("Rhûn and Harad", (
        "north_rhun", "east_rhun", "south_rhun", "khand", "near_harad", "umbar", "far_harad",
    )),
)  # fmt: skip
"""Every region, in the order in which a reader's eye goes over the map."""

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
