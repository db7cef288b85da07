"""The printed components: regions, characters and cards by small ids, read once from `data/`.

Order of reading: sides, the map, the characters, the combat cards, what texts do to all of these,
the special cards. Everything is indexed by id; names are for text and views.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from services.confrontation.characters import TEXTS, Text

GOOD, DARK = 0, 1
SIDES = ("good", "dark")


def _read(name: str) -> Any:
    return json.loads((files("services.confrontation") / "data" / name).read_text("utf-8"))


_MAP, _CAST, _DECK = _read("board.json"), _read("characters.json"), _read("cards.json")


# The map.

REGIONS: tuple[str, ...] = tuple(region["id"] for region in _MAP["regions"])
REGION: Mapping[str, int] = {name: n for n, name in enumerate(REGIONS)}
REGION_NAMES: tuple[str, ...] = tuple(region["name"] for region in _MAP["regions"])
SHIRE, MORDOR, MORIA = REGION["shire"], REGION["mordor"], REGION["moria"]
HOME = (SHIRE, MORDOR)

TUNNEL = len(REGIONS)
"""Where a character is between announcing the tunnel and leaving it; a place of its own, so that
who travels is a fact of the board like any other."""
NOWHERE = TUNNEL + 1
"""Defeated, not yet placed, or not in this roster."""
PLACES = NOWHERE + 1

CAPACITY: tuple[int, ...] = tuple(r["capacity_per_side"] for r in _MAP["regions"])


def _links(key: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(REGION[name] for name in region[key]) for region in _MAP["regions"])


FORWARD = (_links("good_forward"), _links("dark_forward"))
"""By side and region; backward is the other side's forward."""
NEIGHBOURS = _links("sideways_neighbours")
"""Neighbours in the row, as drawn: mountains have some, though nobody steps there."""
SIDEWAYS: tuple[tuple[int, ...], ...] = tuple(
    near if region["sideways_movement_allowed"] else ()
    for near, region in zip(NEIGHBOURS, _MAP["regions"], strict=True)
)
ADJACENT: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted({*FORWARD[GOOD][r], *FORWARD[DARK][r], *SIDEWAYS[r]})) for r in range(TUNNEL)
)
_ARCS = {(REGION[arc["from"]], REGION[arc["to"]]): arc["kind"] for arc in _MAP["special_arcs"]}
(TUNNEL_FROM, TUNNEL_TO) = next(ends for ends, kind in _ARCS.items() if kind == "tunnel")

STEPS: tuple[tuple[tuple[int, ...], ...], ...] = (
    tuple((*FORWARD[GOOD][r], *(to for (start, to) in _ARCS if start == r)) for r in range(TUNNEL)),
    FORWARD[DARK],
)
"""Where a plain move may lead, by side and region: forward, and for Good the river and tunnel."""

START_HOME = tuple(REGION[_MAP["start_zones"][f"{side}_home"][0]] for side in SIDES)
START_FORWARD: tuple[tuple[int, ...], ...] = tuple(
    tuple(REGION[name] for name in _MAP["start_zones"][f"{side}_forward"]) for side in SIDES
)


# The characters. What their texts do is said in `characters`, name by name.


@dataclass(frozen=True, slots=True)
class Character:
    """One face of a tile."""

    id: int
    key: str
    name: str
    side: int
    tag: str
    strength: int
    text: Text


CHARACTERS: tuple[Character, ...] = tuple(
    Character(
        id=number,
        key=key,
        name=facts["name"],
        side=SIDES.index(facts["side"]),
        tag=facts["tag"],
        strength=facts["strength"],
        text=TEXTS[key],
    )
    for number, (key, facts) in enumerate(_CAST["characters"].items())
)
assert {character.key for character in CHARACTERS} == TEXTS.keys()
CHARACTER_KEYS: tuple[str, ...] = tuple(character.key for character in CHARACTERS)
CHARACTER: Mapping[str, int] = {key: n for n, key in enumerate(CHARACTER_KEYS)}
NOBODY = 255
"""No character and no piece."""


def _ids(keys: Iterable[str]) -> tuple[int, ...]:
    return tuple(CHARACTER[key] for key in keys)


ROSTERS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    name: (_ids(roster["good"]), _ids(roster["dark"])) for name, roster in _CAST["rosters"].items()
}
DARK_EIGHTHS: tuple[str, ...] = tuple(_CAST["rosters"]["manual"]["dark_eighth_alternatives"])
_PAIRS = tuple(_ids(pair) for pair in _CAST["draft"]["pairs"])
TILES: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((a, b) for a, b in _PAIRS if CHARACTERS[a].side == side) for side in (GOOD, DARK)
)
"""The tiles of the draft by side, each with its two faces."""

TAG = tuple(character.tag for character in CHARACTERS)
STRENGTH = tuple(character.strength for character in CHARACTERS)


# The combat cards: nine a side, known by their place in the side's own list.

CARD_KEYS: tuple[tuple[str, ...], ...] = tuple(tuple(_DECK["sets"]["combat"][s]) for s in SIDES)
CARDS: tuple[str, ...] = CARD_KEYS[GOOD] + CARD_KEYS[DARK]
CARD: Mapping[str, int] = {key: n for n, key in enumerate(CARDS)}
_CARD_FACTS = {card["id"]: card for card in [*_DECK["cards"], *_DECK["special_cards"]]}
CARD_NAMES: tuple[str, ...] = tuple(_CARD_FACTS[key]["name"] for key in CARDS)
NUMBER: tuple[int, ...] = tuple(_CARD_FACTS[key]["value"] or 0 for key in CARDS)
IS_TEXT: tuple[bool, ...] = tuple(_CARD_FACTS[key]["type"] == "text" for key in CARDS)
HAND_SIZE: int = _DECK["hand"]["hand_size"]
FULL_HAND = (sum(1 << CARD[k] for k in CARD_KEYS[GOOD]), sum(1 << CARD[k] for k in CARD_KEYS[DARK]))
NO_CARD = 255

GOOD_MAGIC, GOOD_RETREAT = CARD["good_magic"], CARD["good_retreat"]
CLOAK, SACRIFICE = CARD["good_cloak"], CARD["good_sacrifice"]
DARK_MAGIC, DARK_RETREAT, EYE = CARD["dark_magic"], CARD["dark_retreat"], CARD["dark_eye"]
MAGIC = (GOOD_MAGIC, DARK_MAGIC)
RETREAT = (GOOD_RETREAT, DARK_RETREAT)


# The texts by the ids of characters: each table is the field of `characters.Text` of its name.


def _who(field: str) -> frozenset[int]:
    """The characters whose text says this of them."""
    return frozenset(c.id for c in CHARACTERS if getattr(c.text, field))


def _regions(field: str) -> tuple[int, ...]:
    """The region that each text names, or `NOWHERE`."""
    return tuple(REGION.get(getattr(c.text, field), NOWHERE) for c in CHARACTERS)


BEARS_RING = _who("bears_ring")
HEIR = tuple(c.text.heir for c in CHARACTERS)
HEIRLESS_AGAINST = tuple(c.text.heirless_against for c in CHARACTERS)

REACH = tuple(c.text.reach for c in CHARACTERS)
REACH_TO = _regions("reach_to")
MARCHES = _who("marches")
AMBUSHES = _who("ambushes")
WINS_IN = _regions("wins_in")
STAYS_SHOWN = _who("stays_shown")

SILENCES = _who("silences")
SLAYS: tuple[frozenset[int], ...] = tuple(
    frozenset(other.id for other in CHARACTERS if other.tag == c.text.slays) for c in CHARACTERS
)
TAKES_BOTH = _who("takes_both")
STRIKES_FIRST = _who("strikes_first")
SLIPS_WHEN = tuple(c.text.slips_when for c in CHARACTERS)
SLIPS = tuple(c.text.slips for c in CHARACTERS)
STEPS_IN_FOR = tuple(c.text.steps_in_for for c in CHARACTERS)
STOOD_IN_FOR = frozenset(c.id for c in CHARACTERS if c.tag in STEPS_IN_FOR)
"""Those for whom somebody may step in."""
CHANGES_PLACES = _who("changes_places")
WAIVES_CARDS = _who("waives_cards")

ANSWERS = _who("answers")
IGNORES_OWN = _who("ignores_own")
_DARK_TEXTS = frozenset(CARD[key] for key in CARD_KEYS[DARK] if IS_TEXT[CARD[key]])
IGNORES: tuple[frozenset[int], ...] = tuple(
    frozenset(CARD[key] for key in c.text.ignores)
    | (_DARK_TEXTS if c.text.ignores_texts else frozenset())
    for c in CHARACTERS
)
EXCHANGES: tuple[int, ...] = tuple(CARD.get(c.text.exchanges, NO_CARD) for c in CHARACTERS)
REJECTS = _who("rejects")

STRONG_BESIDE = tuple(c.text.strong_beside for c in CHARACTERS)
STRONG_IN: tuple[Mapping[int, int], ...] = tuple(
    {REGION[key]: c.text.strong_in[1] for key in c.text.strong_in[0]} for c in CHARACTERS
)
STRONG_ATTACKING = tuple(c.text.strong_attacking or c.strength for c in CHARACTERS)
STRONG_AS_ATTACKER = _who("strong_as_attacker")
SUPPORTS = tuple(c.text.supports for c in CHARACTERS)

RETURNS_TO = _regions("returns_to")
ESCAPES = _who("escapes")


# The special cards.

SPECIALS: tuple[str, ...] = tuple(card["id"] for card in _DECK["special_cards"])
SPECIAL: Mapping[str, int] = {key: n for n, key in enumerate(SPECIALS)}
SPECIAL_NAMES: tuple[str, ...] = tuple(_CARD_FACTS[key]["name"] for key in SPECIALS)
SPECIAL_SETS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    name: tuple(tuple(SPECIAL[key] for key in _DECK["sets"][table][side]) for side in SIDES)
    for name, table in (("set_2002", "special_2002"), ("set_deluxe", "special_deluxe"))
}

PRINTED: Mapping[str, Mapping[str, Any]] = {**_CAST["characters"], **_CARD_FACTS}
"""What is printed of each character and card, by its name: side, text, exceptions."""
PRINTED_MAP: Mapping[str, Mapping[str, Any]] = {region["id"]: region for region in _MAP["regions"]}
"""What is printed of each region, by its name."""
