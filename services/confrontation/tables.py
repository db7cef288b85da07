"""The printed components: regions, characters and cards by small ids, read once from `data/`.

Order of reading: sides, the map, the characters and what their texts say, the combat cards, the
special cards. Everything is indexed by id; names are for text and views.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

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


# The characters. A text is what `abilities` says, in a form that the rules can ask.


@dataclass(frozen=True, slots=True)
class Character:
    """One face of a tile: printed facts, and its text taken apart by kind."""

    id: int
    key: str
    name: str
    side: int
    tag: str
    strength: int
    texts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    strengths: tuple[Mapping[str, Any], ...] = ()  # conditional ones

    def has(self, kind: str) -> bool:
        """Whether its text is, or has, one of this kind."""
        return kind in self.texts

    def names(self, kind: str, key: str) -> tuple[str, ...]:
        """What its text of this kind lists under `key`, nothing if it has no such text."""
        return tuple(self.texts[kind].get(key, ())) if kind in self.texts else ()


def _character(number: int, facts: Mapping[str, Any]) -> Character:
    texts = {text["kind"]: text["params"] for text in facts["abilities"]}
    strengths = [t for t in facts["abilities"] if t["kind"] == "conditional_strength"]
    return Character(
        id=number,
        key=facts["id"],
        name=facts["name"],
        side=SIDES.index(facts["side"]),
        tag=facts["tag"],
        strength=facts["strength"],
        texts=texts,
        strengths=tuple(text["params"] for text in strengths),
    )


CHARACTERS: tuple[Character, ...] = tuple(
    _character(number, facts) for number, facts in enumerate(_CAST["characters"].values())
)
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


def who(kind: str) -> frozenset[int]:
    """The characters whose text is of this kind."""
    return frozenset(c.id for c in CHARACTERS if c.has(kind))


SLAYS: Mapping[int, frozenset[int]] = {
    c.id: frozenset(o.id for o in CHARACTERS if o.tag in c.names("instant_defeat", "target_tags"))
    for c in CHARACTERS
}
ATTACK_RANGE: tuple[str, ...] = tuple(
    c.texts["attack_move"]["range"] if c.has("attack_move") else "" for c in CHARACTERS
)
ATTACK_ONLY_AT: tuple[int, ...] = tuple(
    REGION[c.texts["attack_move"]["region"]] if "region" in c.texts.get("attack_move", {}) else -1
    for c in CHARACTERS
)
EARLY_RETREAT: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
    (c.texts["early_retreat"]["when"], tuple(c.texts["early_retreat"]["directions"]))
    if c.has("early_retreat")
    else ("", ())
    for c in CHARACTERS
)
IS_RINGBEARER = who("ringbearer")
STAYS_SHOWN = who("stays_revealed_immobile")
MARCHES_SHOWN = who("revealed_move")
AMBUSHES = who("tunnel_ambush")
SUCCEEDED = who("ringbearer_succession")
SUPPORTS = who("support_bonus")
SUPPORT_BONUS = next(c.texts["support_bonus"]["bonus"] for c in CHARACTERS if c.id in SUPPORTS)
WINS_IN_SHIRE = frozenset(
    c.id for c in CHARACTERS if c.texts.get("instant_win_on_enter", {}).get("region") == "shire"
)
RETURNS_TO: Mapping[int, int] = {
    c.id: REGION[c.texts["return_after_kill"]["region"]]
    for c in CHARACTERS
    if c.has("return_after_kill")
}


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

EXCHANGES: Mapping[int, int] = {
    c.id: CARD[c.texts["replace_card_with"]["card"]]
    for c in CHARACTERS
    if c.has("replace_card_with")
}
IGNORES: Mapping[int, frozenset[int]] = {
    c.id: frozenset(CARD[key] for key in c.names("specific_cards_ignored", "cards"))
    | (frozenset(CARD[k] for k in CARD_KEYS[DARK] if IS_TEXT[CARD[k]])
       if c.has("enemy_text_card_ignored") else frozenset())
    for c in CHARACTERS
}  # fmt: skip
"""The opposing cards that do nothing in this character's battles."""


# The special cards.

SPECIALS: tuple[str, ...] = tuple(card["id"] for card in _DECK["special_cards"])
SPECIAL: Mapping[str, int] = {key: n for n, key in enumerate(SPECIALS)}
SPECIAL_NAMES: tuple[str, ...] = tuple(_CARD_FACTS[key]["name"] for key in SPECIALS)
SPECIAL_SETS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    name: tuple(tuple(SPECIAL[key] for key in _DECK["sets"][table][side]) for side in SIDES)
    for name, table in (("set_2002", "special_2002"), ("set_deluxe", "special_deluxe"))
}
