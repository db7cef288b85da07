"""The printed components: territories, locations, the Ring's path and both decks, by small ids.

Order of reading: sides, the map, locations, the path, the territory cards, the adventure cards. A
set of territories or of cards is a whole number with one bit for each; names are for text and
views.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

GOOD, EVIL = 0, 1
ALIGNMENTS = ("good", "evil")


def _read(name: str) -> Any:
    return json.loads((files("services.risk") / "data" / name).read_text("utf-8"))


_MAP, _TERRITORY_DECK = _read("map.json"), _read("territory_cards.json")
_TERRITORY_FACES = _TERRITORY_DECK["cards"]
_ADVENTURE_DECK = _read("adventure_cards.json")
_ADVENTURE_FACES = _ADVENTURE_DECK["cards"]


def mask(numbers: Iterable[int]) -> int:
    """The set of these numbers."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


_BYTES = 9
"""No set of territories or cards takes more."""
_IN_BYTE: tuple[tuple[int, ...], ...] = tuple(
    tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)
)
_AT_BYTE: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(8 * at + bit for bit in found) for found in _IN_BYTE) for at in range(_BYTES)
)
_AT_0, _AT_8, _AT_16, _AT_24, _AT_32, _AT_40, _AT_48, _AT_56, _AT_64 = _AT_BYTE


@lru_cache(maxsize=20_000)
def bits(numbers: int) -> tuple[int, ...]:
    """The numbers of a set, in rising order."""
    a, b, c, d, e, f, g, h, i = numbers.to_bytes(_BYTES, "little")
    low = (*_AT_0[a], *_AT_8[b], *_AT_16[c], *_AT_24[d])
    return (*low, *_AT_32[e], *_AT_40[f], *_AT_48[g], *_AT_56[h], *_AT_64[i])


def nth(numbers: int, index: int) -> int:
    """The number at this index of a set in rising order; made for draws."""
    first = 0
    for byte in numbers.to_bytes(_BYTES, "little"):
        found = _IN_BYTE[byte]
        if index < len(found):
            return first + found[index]
        index -= len(found)
        first += 8
    raise IndexError(index)


# Armies. A seat's colour is its name; the neutral army sits nowhere.

COLOURS: Mapping[int, tuple[str, ...]] = {
    2: ("yellow", "red"),
    3: ("yellow", "red", "black"),
    4: ("yellow", "red", "green", "black"),
}
TEAM_NAMES = ("good", "evil")
SIDE_OF: Mapping[str, int] = {"yellow": GOOD, "green": GOOD, "red": EVIL, "black": EVIL}
BATTALIONS: Mapping[int, int] = {2: 60, 3: 52, 4: 45}
MOST_SEATS = 4
NEUTRAL = MOST_SEATS
"""The army that belongs to nobody."""
NOBODY = NEUTRAL + 1
"""Whose a territory is before it has been claimed."""

# The map.

TERRITORIES: tuple[str, ...] = tuple(t["id"] for t in _MAP["territories"])
TERRITORY: Mapping[str, int] = {name: n for n, name in enumerate(TERRITORIES)}
TERRITORY_NAMES: tuple[str, ...] = tuple(t["name"] for t in _MAP["territories"])
LANDS = len(TERRITORIES)
ALL_LANDS = (1 << LANDS) - 1
POINT: tuple[tuple[int, int], ...] = tuple((t["x"], t["y"]) for t in _MAP["territories"])

REGIONS: tuple[str, ...] = tuple(r["id"] for r in _MAP["regions"])
REGION_NAMES: tuple[str, ...] = tuple(r["name"] for r in _MAP["regions"])
REGION: Mapping[str, int] = {name: n for n, name in enumerate(REGIONS)}
REGION_OF: tuple[int, ...] = tuple(REGION[t["region"]] for t in _MAP["territories"])
REGION_LANDS: tuple[int, ...] = tuple(
    mask(t for t in range(LANDS) if REGION_OF[t] == r) for r in range(len(REGIONS))
)
BONUS: tuple[int, ...] = tuple(r["bonus"] for r in _MAP["regions"])
REGION_COLOUR: tuple[str, ...] = tuple(r["color"] for r in _MAP["regions"])

EDGES: tuple[tuple[int, int, str], ...] = tuple(
    (TERRITORY[e["a"]], TERRITORY[e["b"]], e["via"]) for e in _MAP["edges"]
)


def _neighbours(kinds: tuple[str, ...]) -> tuple[int, ...]:
    near = [0] * LANDS
    for a, b, via in EDGES:
        if via in kinds:
            near[a] |= 1 << b
            near[b] |= 1 << a
    return tuple(near)


NEAR = _neighbours(("land", "bridge", "sea"))
"""By territory: the adjacent ones."""
BY_SEA = _neighbours(("sea",))
BRIDGES: tuple[str, ...] = tuple(b["id"] for b in _MAP["bridges"])
BRIDGE_ENDS: tuple[tuple[int, int], ...] = tuple(
    (TERRITORY[b["a"]], TERRITORY[b["b"]]) for b in _MAP["bridges"]
)
PORTS = mask(TERRITORY[p["territory"]] for p in _MAP["ports"])
PORT_POINTS: Mapping[int, tuple[int, int]] = {
    TERRITORY[p["territory"]]: (p["x"], p["y"]) for p in _MAP["ports"]
}
SEA_ROUTES: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = tuple(
    (TERRITORY[r["a"]], TERRITORY[r["b"]], tuple((x, y) for x, y in r["waypoints"]))
    for r in _MAP["sea_routes"]
)
RANGES: tuple[str, ...] = tuple(r["id"] for r in _MAP["mountain_ranges"])
RANGE_NAMES: tuple[str, ...] = tuple(r["name"] for r in _MAP["mountain_ranges"])
RANGE_LANDS: tuple[int, ...] = tuple(
    mask(TERRITORY[name] for name in r["territories"]) for r in _MAP["mountain_ranges"]
)


def _below_mountains(land: int) -> int:
    shared = 0
    for lands in RANGE_LANDS:
        if lands >> land & 1:
            shared |= lands
    return shared & ~(1 << land)


UNDER_MOUNTAINS: tuple[int, ...] = tuple(_below_mountains(t) for t in range(LANDS))
"""By territory: those that touch a mountain range which it touches too."""

# Locations: strongholds and sites of power. One of them is either, by option (RULES R28, R29).

LOCATION_NAMES: Mapping[str, str] = {p["id"]: p["name"] for p in _MAP["locations"]}
LOCATION_AT: Mapping[int, str] = {TERRITORY[p["territory"]]: p["id"] for p in _MAP["locations"]}
_PROFILE_KEYS = {"reference_manual_counts": "kind", "published_board": "kind_on_published_board"}
PROFILES = tuple(_PROFILE_KEYS)


def _located(kind: str) -> Mapping[str, int]:
    return {
        profile: mask(TERRITORY[p["territory"]] for p in _MAP["locations"] if p[key] == kind)
        for profile, key in _PROFILE_KEYS.items()
    }


STRONGHOLDS, SITES = _located("stronghold"), _located("site_of_power")
"""By profile: the territories that hold one."""

# The Fellowship's path.

PATH: tuple[int, ...] = tuple(TERRITORY[s["territory"]] for s in _MAP["fellowship_path"])
HAS_DIE: tuple[bool, ...] = tuple(s["die_symbol"] for s in _MAP["fellowship_path"])
MOUNT_DOOM = len(PATH) - 1

# Territory cards: one for each territory under its number, and the wild cards.

TERRITORY_CARDS: tuple[str, ...] = tuple(
    card["territory"] or f"wild_{number - LANDS + 1}"
    for number, card in enumerate(_TERRITORY_FACES)
)
assert TERRITORY_CARDS[:LANDS] == TERRITORIES
WILD = 3
SYMBOLS: tuple[str, ...] = ("elven_archer", "dark_rider", "eagle", "wild")
SYMBOL_NAMES: Mapping[str, str] = _TERRITORY_DECK["symbols"]
SYMBOL: tuple[int, ...] = tuple(SYMBOLS.index(card["symbol"]) for card in _TERRITORY_FACES)
ALL_TERRITORY_CARDS = (1 << len(TERRITORY_CARDS)) - 1
WILDS = mask(n for n, symbol in enumerate(SYMBOL) if symbol == WILD)
SHIELD: Mapping[str, int] = {
    shield: mask(n for n, card in enumerate(_TERRITORY_FACES) if card["alignment"] == shield)
    for shield in ("good", "evil", "neutral")
}
SET_VALUES: tuple[int, ...] = (
    *(_TERRITORY_DECK["set_values"][f"three_{name}"] for name in SYMBOLS[:WILD]),
    _TERRITORY_DECK["set_values"]["one_of_each"],
)
"""What three of each symbol are worth, and last one of each."""
SET = 3
MOST_TERRITORY_CARDS = 5
"""Territory cards in a hand at the end of a turn."""


def set_value(cards: Sequence[int]) -> int:
    """What three cards are worth by their best reading; 0 if they are no set (RULES R7)."""
    symbols = {SYMBOL[card] for card in cards} - {WILD}
    wilds = sum(SYMBOL[card] == WILD for card in cards)
    if len(symbols) + wilds >= SET:
        return SET_VALUES[-1]  # one of each
    return SET_VALUES[symbols.pop()] if len(symbols) == 1 else 0


# Adventure cards.

ADVENTURES: tuple[str, ...] = tuple(card["id"] for card in _ADVENTURE_FACES)
ADVENTURE: Mapping[str, int] = {name: n for n, name in enumerate(ADVENTURES)}
TITLES: tuple[str, ...] = tuple(card["title"] for card in _ADVENTURE_FACES)
ALL_ADVENTURES = (1 << len(ADVENTURES)) - 1
MOST_ADVENTURES = 4
"""Adventure cards in a hand."""


def _of_type(kind: str) -> int:
    return mask(n for n, card in enumerate(_ADVENTURE_FACES) if card["type"] == kind)


MISSIONS, EVENTS, POWERS = _of_type("mission"), _of_type("event"), _of_type("power")
POINTS: tuple[tuple[int, int], ...] = tuple(
    tuple(card.get("points", (0, 0))) for card in _ADVENTURE_FACES
)
"""By card and alignment."""
RECONSTRUCTED = mask(n for n, card in enumerate(_ADVENTURE_FACES) if card.get("reconstructed"))
"""Cards of which nobody could be found who had read what they score (RULINGS 25)."""
STEM: tuple[str, ...] = tuple(
    card["id"].partition("_")[2].rstrip("_1234") for card in _ADVENTURE_FACES
)
"""What copies of one card share: the name without kind and number."""
MEANINGS: Mapping[str, str] = _ADVENTURE_DECK["meanings"]
"""What events and power cards do, by that name."""
IN_WINDOW: Mapping[str, int] = {
    window: mask(n for n, card in enumerate(_ADVENTURE_FACES) if card.get("window") == window)
    for window in sorted({card["window"] for card in _ADVENTURE_FACES if "window" in card})
}


def named(stem: str) -> int:
    """All copies of the card with this name."""
    found = mask(n for n, name in enumerate(STEM) if name == stem)
    assert found, stem
    return found


MISSION_LAND: Mapping[int, int] = {
    n: TERRITORY[card["territory"]]
    for n, card in enumerate(_ADVENTURE_FACES)
    if card["type"] == "mission"
}
MISSION_AT: Mapping[int, int] = {land: card for card, land in MISSION_LAND.items()}
REWARD: Mapping[int, tuple[int, int]] = {
    n: tuple(_ADVENTURE_FACES[n].get("battalions", (0, 0))) for n in MISSION_LAND
}
"""By mission and alignment: battalions; none where the reward is a territory card."""


def _reward_lands(card: Mapping[str, Any]) -> int:
    where = card.get("where", "anywhere")
    if where == "here":
        return 1 << TERRITORY[card["territory"]]
    return ALL_LANDS if where == "anywhere" else REGION_LANDS[REGION[where]]


REWARD_LANDS: Mapping[int, int] = {n: _reward_lands(_ADVENTURE_FACES[n]) for n in MISSION_LAND}
REWARD_TEXT: Mapping[int, str] = {
    n: {
        "anywhere": "anywhere",
        "here": f"in {TERRITORY_NAMES[land]}",
        **{region: f"in {REGION_NAMES[r]}" for r, region in enumerate(REGIONS)},
    }[_ADVENTURE_FACES[n].get("where", "anywhere")]
    for n, land in MISSION_LAND.items()
}


class GarrisonEvent(NamedTuple):
    """An event: a territory gains battalions if one alignment holds it, and else loses some."""

    land: int
    friend: int  # the alignment
    gain: int  # battalions
    loss: int


GARRISON_EVENTS: Mapping[str, GarrisonEvent] = {
    STEM[n]: GarrisonEvent(
        land=TERRITORY[card["territory"]],
        friend=ALIGNMENTS.index(card["friend"]),
        gain=card["gain"],
        loss=card["loss"],
    )
    for n, card in enumerate(_ADVENTURE_FACES)
    if "friend" in card
}

# Dice: every throw of one to four dice has a number; its name is its digits, in the order thrown.

_THROWS = [""]
DICE_FROM: list[int] = [0]
"""By how many dice: the number of their first throw."""
for _size in range(1, MOST_SEATS + 1):
    DICE_FROM.append(len(_THROWS) - 1)
    _longest = [throw for throw in _THROWS if len(throw) == _size - 1]
    _THROWS += [throw + face for throw in _longest for face in "123456"]
THROWS: tuple[str, ...] = tuple(_THROWS[1:])
FACES: tuple[tuple[int, ...], ...] = tuple(tuple(map(int, throw)) for throw in THROWS)

NUMBERS: tuple[str, ...] = tuple(str(n) for n in range(201))
"""Counts as actions name them."""
MOMENTS: tuple[str, ...] = ("attacked", "fellowship")
"""When a seat may want to be asked for cards, as its orders name it; the first is of number 0."""
