"""The printed components by small ids: map, nations, figures, characters, cards, tiles and dice.

Order of reading: sides and nations, the map and its areas, the figures, the characters, the set-up,
the cards, the Hunt tiles, the dice, the seats. Everything is indexed by id; names are for text.

Design. Every figure of the game is one of `FIGURES` kinds, characters included: a character is a
kind of which there is one. Every place where a figure can be is one of `AREAS`, the map's first,
then the piles beside it. So one array of counts holds them all, and nothing can be lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

FREE, SHADOW = 0, 1
SIDES = ("free", "shadow")
SIDE_NAMES = ("the Free Peoples", "the Shadow")
TEAM_NAMES = ("free_peoples", "shadow")


def _read(name: str) -> Any:
    return json.loads((files("services.warofthering") / "data" / name).read_text("utf-8"))


_MAP, _SETUP, _CAST, _DECK, _POOL = (
    _read(f"{name}.json") for name in ("regions", "setup", "characters", "cards", "tiles")
)


def _number(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


# The nations. The five Free Peoples come first.

NATIONS: tuple[str, ...] = tuple(nation["id"] for nation in _SETUP["nations"])
NATION: Mapping[str, int] = _number(NATIONS)
NATION_NAMES: tuple[str, ...] = tuple(nation["name"] for nation in _SETUP["nations"])
NATION_COLOURS: tuple[str, ...] = tuple(nation["colour"] for nation in _SETUP["nations"])
DWARVES, ELVES, GONDOR, NORTH, ROHAN, ISENGARD, SAURON, SOUTHRONS = range(8)
NATIONS_OF = (range(5), range(5, 8))
"""By side."""
SIDE_OF_NATION: tuple[int, ...] = tuple(SIDES.index(n["side"]) for n in _SETUP["nations"])
NO_NATION = 255
AT_WAR = 4
"""The step after the third box of the Political Track."""
STARTING_BOX: Mapping[str, tuple[int, ...]] = {
    ruleset: tuple(nation["start"][ruleset] for nation in _SETUP["nations"])
    for ruleset in ("guide", "published")
}
STARTS_ACTIVE: int = sum(1 << n for n, nation in enumerate(_SETUP["nations"]) if nation["active"])


# The map.

REGIONS: tuple[str, ...] = tuple(region["id"] for region in _MAP["regions"])
REGION: Mapping[str, int] = _number(REGIONS)
REGION_NAMES: tuple[str, ...] = tuple(region["name"] for region in _MAP["regions"])
REGION_COUNT = len(REGIONS)
NOWHERE = 255

ADJACENT: tuple[tuple[int, ...], ...] = tuple(
    tuple(REGION[name] for name in region["adjacent"]) for region in _MAP["regions"]
)
"""Across passable borders, the only ones that count."""
IMPASSABLE: tuple[tuple[int, ...], ...] = tuple(
    tuple(REGION[name] for name in region["impassable"]) for region in _MAP["regions"]
)
COORDINATES: tuple[tuple[int, int], ...] = tuple((r["x"], r["y"]) for r in _MAP["regions"])
TRACK_COORDINATES: tuple[tuple[int, int], ...] = tuple(
    (s["x"], s["y"]) for s in _MAP["mordor_track"]
)

NATION_OF: tuple[int, ...] = tuple(
    NATION[region["nation"]] if region["nation"] else NO_NATION for region in _MAP["regions"]
)
"""The nation within whose border a region lies, or `NO_NATION`."""

NO_SETTLEMENT, TOWN, CITY, STRONGHOLD, FORTIFICATION = range(5)
SETTLEMENTS = ("none", "town", "city", "stronghold", "fortification")
SETTLEMENT: tuple[int, ...] = tuple(SETTLEMENTS.index(r["settlement"]) for r in _MAP["regions"])
IS_SETTLEMENT: tuple[bool, ...] = tuple(kind in (TOWN, CITY, STRONGHOLD) for kind in SETTLEMENT)
"""Towns, Cities and Strongholds can be controlled; Fortifications cannot (D32)."""
IS_GREAT: tuple[bool, ...] = tuple(kind in (CITY, STRONGHOLD) for kind in SETTLEMENT)
"""Cities and Strongholds."""
VICTORY_POINTS: tuple[int, ...] = tuple(region["vp"] for region in _MAP["regions"])
NOBODY = 2
"""In place of a side: who controls a region without a settlement."""
OWNER: tuple[int, ...] = tuple(
    SIDE_OF_NATION[nation] if settled else NOBODY
    for nation, settled in zip(NATION_OF, IS_SETTLEMENT, strict=True)
)
"""The side to which a region's settlement belongs, whoever controls it now; or `NOBODY`."""


def regions_with(flag: str) -> tuple[int, ...]:
    """The regions that carry a printed flag."""
    return tuple(n for n, region in enumerate(_MAP["regions"]) if flag in region["flags"])


COASTAL = regions_with("coastal")
GONDOR_COAST = regions_with("gondor_coastal")
EASTERN_EDGE = regions_with("eastern_edge")
MORDOR_ENTRANCES = regions_with("mordor_entrance")
ELVEN_STRONGHOLDS = regions_with("elven_stronghold")
SAURON_STRONGHOLDS = regions_with("sauron_stronghold")
STRONGHOLDS: tuple[int, ...] = tuple(r for r, kind in enumerate(SETTLEMENT) if kind == STRONGHOLD)
REGIONS_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(r for r, nation in enumerate(NATION_OF) if nation == n) for n in range(len(NATIONS))
)
SETTLEMENTS_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(r for r in regions if IS_SETTLEMENT[r]) for regions in REGIONS_OF
)
MORIA, ORTHANC, FANGORN = REGION["moria"], REGION["orthanc"], REGION["fangorn"]
MINAS_TIRITH, EREBOR = REGION["minas_tirith"], REGION["erebor"]


def _distances(start: int) -> tuple[int, ...]:
    steps = [NOWHERE] * REGION_COUNT
    steps[start], reached = 0, [start]
    for region in reached:
        for near in ADJACENT[region]:
            if steps[near] == NOWHERE:
                steps[near] = steps[region] + 1
                reached.append(near)
    return tuple(steps)


DISTANCE: tuple[tuple[int, ...], ...] = tuple(_distances(region) for region in range(REGION_COUNT))
"""Steps over passable borders, whatever stands on the way."""


# The areas: the field of each region, the garrison of each Stronghold, and the piles.

GARRISONS = range(REGION_COUNT, REGION_COUNT + len(STRONGHOLDS))
ON_MAP = range(GARRISONS.stop)
RESERVE, FALLEN, LOSSES, COMPANY, ASIDE, RETURNING = range(ON_MAP.stop, ON_MAP.stop + 6)
"""Reinforcements; out of the game; lost in the battle being fought; in the Fellowship; characters
who have not entered play; Hobbits who come back to the Fellowship at the end of the turn."""
AREA_COUNT = RETURNING + 1
AREAS: tuple[str, ...] = (
    *REGIONS,
    *(f"{REGIONS[r]}_garrison" for r in STRONGHOLDS),
    *("reserve", "fallen", "losses", "company", "aside", "returning"),
)
AREA: Mapping[str, int] = _number(AREAS)
GARRISON_OF: tuple[int, ...] = tuple(
    GARRISONS.start + STRONGHOLDS.index(r) if r in STRONGHOLDS else NOWHERE
    for r in range(REGION_COUNT)
)
"""By region; `NOWHERE` where there is no Stronghold."""
REGION_OF: tuple[int, ...] = (*range(REGION_COUNT), *STRONGHOLDS)
"""By area of the map."""
FIELD_LIMIT, GARRISON_LIMIT = 10, 5


# The figures: by nation Regulars, then Elites, then Free Peoples Leaders; Nazgûl; characters.

CAST: Mapping[str, Mapping[str, Any]] = {c["id"]: c for c in _CAST["characters"]}
"""What is printed of each character by name, the Ring-bearers and Gollum among them."""
_PERSONS = [c for c in _CAST["characters"] if c["kind"] in ("companion", "minion")]
REGULAR, ELITE, LEADER = 0, 8, 16
"""`REGULAR + nation` is that nation's Regular, and so on."""
NAZGUL = 21
FIRST_CHARACTER = 22
FIGURES: tuple[str, ...] = (
    *(f"{nation}_regular" for nation in NATIONS),
    *(f"{nation}_elite" for nation in NATIONS),
    *(f"{nation}_leader" for nation in NATIONS[:5]),
    "nazgul",
    *(person["id"] for person in _PERSONS),
)
FIGURE: Mapping[str, int] = _number(FIGURES)
FIGURE_COUNT = len(FIGURES)
UNITS = range(16)
LEADERS = range(LEADER, LEADER + 5)
CHARACTERS = range(FIRST_CHARACTER, FIGURE_COUNT)
GANDALF_THE_GREY, STRIDER, BOROMIR, LEGOLAS, GIMLI, MERIADOC, PEREGRIN = range(22, 29)
ARAGORN, GANDALF_THE_WHITE, SARUMAN, WITCH_KING, MOUTH_OF_SAURON = range(29, 34)
COMPANIONS = range(GANDALF_THE_GREY, SARUMAN)
MINIONS = range(SARUMAN, FIGURE_COUNT)
HOBBITS = (MERIADOC, PEREGRIN)
GOLLUM = FIGURE_COUNT
"""The Guide when no Companion is left; never a figure in an area."""
GUIDES: tuple[str, ...] = (*FIGURES, "gollum")
NO_FIGURE = 255


def _side_of(figure: int) -> int:
    if figure in UNITS:
        return SIDE_OF_NATION[figure % len(NATIONS)]
    return FREE if figure in LEADERS or figure in COMPANIONS else SHADOW


SIDE_OF: tuple[int, ...] = tuple(_side_of(figure) for figure in range(FIGURE_COUNT))
FIGURES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(f for f in range(FIGURE_COUNT) if SIDE_OF[f] == side) for side in (FREE, SHADOW)
)
UNITS_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(f for f in UNITS if SIDE_OF[f] == side) for side in (FREE, SHADOW)
)
FIGURE_NATION: tuple[int, ...] = tuple(
    f % len(NATIONS) if f < NAZGUL else NO_NATION for f in range(FIGURE_COUNT)
)
"""Of units and Free Peoples Leaders; Nazgûl and characters always count as At War."""
FIGURE_NAMES: tuple[str, ...] = (
    *(f"{name} Regular" for name in NATION_NAMES),
    *(f"{name} Elite" for name in NATION_NAMES),
    *(f"{name} Leader" for name in NATION_NAMES[:5]),
    "Nazgûl",
    *(person["name"] for person in _PERSONS),
)


# The characters.

_NO_CHARACTER = (0,) * FIRST_CHARACTER
LEVEL: tuple[int, ...] = (*_NO_CHARACTER, *(person["level"] for person in _PERSONS))
LEADERSHIP: tuple[int, ...] = (*(0,) * 16, *(1,) * 6, *(p["leadership"] for p in _PERSONS))
"""By figure: one a Leader and a Nazgûl, and each character's own."""
BONUS_DIE: tuple[int, ...] = (*_NO_CHARACTER, *(person["die"] for person in _PERSONS))
CAPTAINS = (GANDALF_THE_GREY, STRIDER, BOROMIR, LEGOLAS, GIMLI, ARAGORN)
"""Captains of the West: one die more in a battle."""


def _roused(person: Mapping[str, Any]) -> tuple[int, ...]:
    icon = person["rouses"]
    return () if icon is None else (NATION[icon],) if icon in NATION else tuple(NATIONS_OF[FREE])


ROUSES: tuple[tuple[int, ...], ...] = (*((),) * FIRST_CHARACTER, *map(_roused, _PERSONS))
"""By character: the nations that he can activate."""
GUIDE_NAMES: tuple[str, ...] = (*FIGURE_NAMES, "Gollum")


# The set-up.

LARGEST_CORRUPTION, LARGEST_PROGRESS, CRACK_OF_DOOM = 12, 12, 5
OFF_TRACK = 255
"""The Fellowship is not on the Mordor Track."""
START_REGION = REGION[_SETUP["fellowship"]["region"]]
START_RINGS: tuple[int, int] = (_SETUP["rings"]["free"], _SETUP["rings"]["shadow"])
VICTORY_AT: tuple[int, ...] = tuple(_SETUP["victory"][side] for side in SIDES)


def _setup_figures() -> dict[tuple[int, int], int]:
    """How many of each figure begin in each area (RULES 3)."""
    counts: dict[tuple[int, int], int] = {}
    for n, nation in enumerate(_SETUP["nations"]):
        kinds = {"regular": REGULAR + n, "elite": ELITE + n, "leader": LEADER + n, "nazgul": NAZGUL}
        for place, units in [*nation["setup"].items(), ("reserve", nation["reinforcements"])]:
            for kind, number in units.items():
                counts[AREA[place], kinds[kind]] = number
    for figure, person in enumerate(_PERSONS, FIRST_CHARACTER):
        counts[COMPANY if person["start"] == "fellowship" else ASIDE, figure] = 1
    return counts


SETUP_FIGURES: Mapping[tuple[int, int], int] = _setup_figures()
TOTALS: tuple[int, ...] = tuple(
    sum(number for (_, kind), number in SETUP_FIGURES.items() if kind == figure)
    for figure in range(FIGURE_COUNT)
)


# The event cards. Character cards of a side are numbered before its Strategy cards.

CARDS: tuple[str, ...] = tuple(card["id"] for card in _DECK["cards"])
CARD: Mapping[str, int] = _number(CARDS)
CARD_COUNT = len(CARDS)
CARD_NAMES: tuple[str, ...] = tuple(card["name"] for card in _DECK["cards"])
NO_CARD = 255
CHARACTER_DECK, STRATEGY_DECK = 0, 1
DECKS = ("character", "strategy")
SIDE_OF_CARD: tuple[int, ...] = tuple(SIDES.index(card["side"]) for card in _DECK["cards"])
DECK_OF_CARD: tuple[int, ...] = tuple(DECKS.index(card["deck"]) for card in _DECK["cards"])
CARDS_IN: tuple[tuple[range, range], ...] = (
    (range(24), range(24, 48)),
    (range(48, 72), range(72, 96)),
)
"""By side and deck."""
IS_KEPT: tuple[bool, ...] = tuple(card["table"] for card in _DECK["cards"])
"""Whether a card stays on the table when it is played."""
ICON: tuple[str, ...] = tuple(card["icon"] for card in _DECK["cards"])
CARD_SEATS: tuple[tuple[str, ...] | None, ...] = tuple(
    tuple(card["seats"]) if card["seats"] else None for card in _DECK["cards"]
)
"""Which seats of a team may play it; None is any, and it works on what is theirs (Ruling 36)."""
CARD_NEEDS: tuple[str, ...] = tuple(card["needs"] or "" for card in _DECK["cards"])
CARD_TEXTS: tuple[str, ...] = tuple(card["text"] for card in _DECK["cards"])

COMBATS: tuple[str, ...] = tuple(combat["id"] for combat in _DECK["combats"])
COMBAT: Mapping[str, int] = _number(COMBATS)
COMBAT_NAMES: tuple[str, ...] = tuple(combat["name"] for combat in _DECK["combats"])
COMBAT_NEEDS: tuple[str, ...] = tuple(combat["needs"] or "" for combat in _DECK["combats"])
COMBAT_TEXTS: tuple[str, ...] = tuple(combat["text"] for combat in _DECK["combats"])
COMBAT_OF: tuple[int, ...] = tuple(COMBAT[card["combat"]] for card in _DECK["cards"])
"""By card: the title of its Combat half."""
INITIATIVE: tuple[tuple[int, ...], ...] = tuple(tuple(c["initiative"]) for c in _DECK["combats"])
"""By title: when each of its effects is resolved, 0 at the reveal to 7 after the losses."""


# The Hunt tiles, by kind.

TILES: tuple[str, ...] = tuple(tile["id"] for tile in _POOL["tiles"])
TILE: Mapping[str, int] = _number(TILES)
TILE_COUNT = len(TILES)
NO_TILE = 255
TILE_NUMBERS: tuple[int, ...] = tuple(tile["count"] for tile in _POOL["tiles"])
EYE_VALUE, DIE_VALUE = 100, 101
"""What is printed in place of a number: damage is the successes of the roll, or that of a die."""
TILE_VALUE: tuple[int, ...] = tuple(
    {"eye": EYE_VALUE, "die": DIE_VALUE}.get(tile["value"], tile["value"])
    for tile in _POOL["tiles"]
)
TILE_REVEALS: tuple[bool, ...] = tuple(tile["reveal"] for tile in _POOL["tiles"])
TILE_STOPS: tuple[bool, ...] = tuple(tile["stop"] for tile in _POOL["tiles"])
STANDARD_TILES: tuple[int, ...] = tuple(
    n for n, tile in enumerate(_POOL["tiles"]) if tile["kind"] == "standard"
)
FELLOWSHIP_TILES: tuple[int, ...] = tuple(
    n for n, tile in enumerate(_POOL["tiles"]) if tile["kind"] == "fellowship"
)
EYE_TILES: tuple[int, ...] = tuple(n for n, value in enumerate(TILE_VALUE) if value == EYE_VALUE)
TILE_OF_CARD: Mapping[int, int] = {
    CARD[tile["card"]]: n for n, tile in enumerate(_POOL["tiles"]) if tile["card"]
}
POOL, DRAWN, WAITING, SET_ASIDE, REMOVED = range(5)
"""Where a tile may be: in the Hunt Pool, drawn, in play and waiting for Mordor, not yet in play,
out of the game."""
TILE_PILES = 5


# The dice.

FACES = ("character", "army", "muster", "muster_army", "event", "will_of_the_west", "eye")
FACE: Mapping[str, int] = _number(FACES)
CHARACTER, ARMY, MUSTER, MUSTER_ARMY, EVENT, WILL, EYE = range(7)
FACE_NAMES = ("Character", "Army", "Muster", "Muster/Army", "Event", "Will of the West", "Eye")
FACES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(FACE[face] for face in _SETUP["faces"][side]) for side in SIDES
)
"""By side: the six faces of its Action dice."""
DICE_BASE: tuple[int, ...] = tuple(_SETUP["dice"][side]["base"] for side in SIDES)
DICE_MOST: tuple[int, ...] = tuple(_SETUP["dice"][side]["most"] for side in SIDES)


# The seats.

SEATS: Mapping[int, tuple[str, ...]] = {
    1: ("free_peoples", "shadow"),
    2: ("free_peoples", "shadow"),
    3: ("free_peoples", "witch_king", "saruman"),
    4: ("gondor", "rohan", "witch_king", "saruman"),
}
"""By number of players. One player sits at a table for two, with a bot in the other seat."""
_SEAT_NATIONS: Mapping[str, tuple[int, ...]] = {
    "free_peoples": (DWARVES, ELVES, GONDOR, NORTH, ROHAN),
    "shadow": (ISENGARD, SAURON, SOUTHRONS),
    "gondor": (GONDOR, ELVES),
    "rohan": (ROHAN, NORTH, DWARVES),
    "witch_king": (SAURON,),
    "saruman": (ISENGARD, SOUTHRONS),
}
SEAT_OF_NATION: Mapping[int, tuple[int, ...]] = {
    players: tuple(
        next(s for s, name in enumerate(seats) if nation in _SEAT_NATIONS[name])
        for nation in range(len(NATIONS))
    )
    for players, seats in SEATS.items()
}
ANY_SEAT = 255


def _seats_of_characters(seats: tuple[str, ...]) -> tuple[int, ...]:
    sits = tuple(seats.index(p["seat"]) if p["seat"] in seats else ANY_SEAT for p in _PERSONS)
    return (*(ANY_SEAT,) * FIRST_CHARACTER, *sits)


SEAT_OF_CHARACTER: Mapping[int, tuple[int, ...]] = {
    players: _seats_of_characters(seats) for players, seats in SEATS.items()
}
"""By players and character; `ANY_SEAT` is any seat of the character's side."""
HAND_LIMITS: Mapping[int, tuple[int, ...]] = {
    int(players): tuple(limits) for players, limits in _SETUP["hand_limits"].items()
}
TRACKED: tuple[tuple[int, ...], ...] = (
    tuple(who for who in COMPANIONS if BONUS_DIE[who]),
    tuple(who for who in MINIONS if BONUS_DIE[who]),
)
"""By side: the characters who bring an Action die."""
