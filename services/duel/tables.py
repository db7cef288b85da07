"""The printed components (RULES 1): cards, tiles, tokens, map and so on, read from `data/`.

Order of reading: sides and words, the map, what an effect is, the cards, the landmark tiles, the
alliance tokens, the quest track, the layouts. Everything is indexed by id; names are for text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

FELLOWSHIP, SAURON = 0, 1
SIDES = ("fellowship", "sauron")


def _read(name: str) -> Any:
    return json.loads((files("services.duel") / "data" / name).read_text("utf-8"))


def _numbered(names: Iterable[str]) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(names)}


_CARDS, _TILES, _TOKENS = _read("cards.json"), _read("landmarks.json"), _read("tokens.json")
_MAP, _TRACK, _LAYOUTS = _read("map.json"), _read("track.json"), _read("layouts.json")

SKILLS: tuple[str, ...] = tuple(_CARDS["skills"])
SKILL = _numbered(SKILLS)
COLOURS: tuple[str, ...] = tuple(_CARDS["colours"])
GREY, GREEN, RED = (COLOURS.index(colour) for colour in ("grey", "green", "red"))
RACES: tuple[str, ...] = tuple(_CARDS["races"])
RACE = _numbered(RACES)
CHAINS: tuple[str, ...] = tuple(_CARDS["chains"])
CHAIN = _numbered(CHAINS)
NONE = 255
"""No card, no chain symbol, no race."""


# The map.

REGIONS: tuple[str, ...] = tuple(region["id"] for region in _MAP["regions"])
REGION = _numbered(REGIONS)
REGION_NAMES: tuple[str, ...] = tuple(region["name"] for region in _MAP["regions"])
_EDGES = [(REGION[one], REGION[other]) for one, other in _MAP["edges"]]
ADJACENT: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(sum(edge) - region for edge in _EDGES if region in edge))
    for region in range(len(REGIONS))
)
START_UNITS: tuple[tuple[int, ...], ...] = tuple(
    tuple(region["start_units"][side] for region in _MAP["regions"]) for side in SIDES
)
ALL_REGIONS = (1 << len(REGIONS)) - 1
"""Every region, as a set of bits."""
UNITS: int = _MAP["units"]
FORTRESSES: int = _MAP["fortresses"]
START_COINS: tuple[int, ...] = tuple(_MAP["start_coins"][side] for side in SIDES)
TOTAL_COINS: int = _MAP["total_coins"]


# What a card, tile, token or space of the track does.


class Effect(NamedTuple):
    """One printed effect: its kind, how much, where or of what, and on cards of which colour."""

    kind: str
    amount: int = 1
    what: int = NONE  # a set of regions, a region or a race
    colour: int = NONE  # of the card; tiles, tokens and spaces have none


AMOUNTS = ("amount", "steps", "count", "times", "reveal")


def _effect(facts: Mapping[str, Any], colour: int = NONE) -> Effect:
    amount = next((facts[key] for key in AMOUNTS if key in facts), 1)
    what = NONE
    if "regions" in facts:
        named = REGIONS if facts["regions"] == "any" else facts["regions"]
        what = sum(1 << REGION[name] for name in named)
    elif "region" in facts:
        what = REGION[facts["region"]]
    elif "race" in facts:
        what = RACE[facts["race"]]
    return Effect(facts["type"], amount, what, colour)


def _effects(facts: Mapping[str, Any], colour: int = NONE) -> tuple[Effect, ...]:
    return tuple(_effect(effect, colour) for effect in facts.get("effects", ()))


def _needs(skills: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    return tuple((SKILL[name], count) for name, count in skills.items())


# The cards.

_FACES = _CARDS["cards"]
CARDS: tuple[str, ...] = tuple(card["id"] for card in _FACES)
CARD = _numbered(CARDS)
CARD_NAMES: tuple[str, ...] = tuple(card["name"] for card in _FACES)
CHAPTER: tuple[int, ...] = tuple(card["chapter"] for card in _FACES)
COLOUR: tuple[int, ...] = tuple(COLOURS.index(card["colour"]) for card in _FACES)
COINS: tuple[int, ...] = tuple(card["cost"]["coins"] for card in _FACES)
NEEDS = tuple(_needs(card["cost"]["skills"]) for card in _FACES)
"""By card: the skills it costs, each with how many symbols of it."""
CHAIN_FROM: tuple[int, ...] = tuple(CHAIN.get(card["chain_from"], NONE) for card in _FACES)
CHAIN_TO: tuple[int, ...] = tuple(CHAIN.get(card["chain_to"], NONE) for card in _FACES)
CARD_EFFECTS = tuple(_effects(card, COLOUR[n]) for n, card in enumerate(_FACES))
CHAPTERS = (1, 2, 3)
DECKS: Mapping[int, bytes] = {
    chapter: bytes(n for n, of in enumerate(CHAPTER) if of == chapter) for chapter in CHAPTERS
}
"""By chapter: its cards."""
CARD_RACE: tuple[int, ...] = tuple(
    next((e.what for e in effects if e.kind == "race_symbol"), NONE) for effects in CARD_EFFECTS
)


def _produced(card: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    symbols = [e["skills"] for e in card["effects"] if e["type"] == "produce_skills"]
    return _needs(symbols[0]) if symbols else ()


PRODUCES = tuple(_produced(card) for card in _FACES)
"""By card: the skills it produces every turn, each with how many symbols."""
CHOICE_OF: Mapping[int, int] = {
    number: sum(1 << SKILL[name] for name in effect["options"])
    for number, card in enumerate(_FACES)
    for effect in card["effects"]
    if effect["type"] == "produce_skill_choice"
}
"""By card that offers a choice of skills: these, as a set of bits."""
CHOICES: tuple[int, ...] = tuple(CHOICE_OF)


# The landmark tiles, by id; each belongs to one region.

TILES: tuple[str, ...] = tuple(tile["id"] for tile in _TILES["landmarks"])
TILE = _numbered(TILES)
TILE_NAMES: tuple[str, ...] = tuple(tile["name"] for tile in _TILES["landmarks"])
TILE_NEEDS = tuple(_needs(tile["skills"]) for tile in _TILES["landmarks"])
TILE_EFFECTS = tuple(_effects(tile) for tile in _TILES["landmarks"])
TILE_AT: tuple[int, ...] = tuple(
    effect.what for effects in TILE_EFFECTS for effect in effects if effect.kind == "place_fortress"
)
FACE_UP_TILES: int = _TILES["face_up"]


# The alliance tokens, by id; each belongs to one race.

_FACTS = _TOKENS["tokens"]
TOKENS: tuple[str, ...] = tuple(token["id"] for token in _FACTS)
TOKEN = _numbered(TOKENS)
TOKEN_NAMES: tuple[str, ...] = tuple(token["name"] for token in _FACTS)
TOKEN_RACE: tuple[int, ...] = tuple(RACE[token["race"]] for token in _FACTS)
TOKEN_EFFECTS = tuple(_effects(token) for token in _FACTS)
TOKENS_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(n for n, of in enumerate(TOKEN_RACE) if of == race) for race in range(len(RACES))
)
IS_IMMEDIATE: tuple[bool, ...] = tuple(token["kind"] == "immediate" for token in _FACTS)
ANSWERS_TO: tuple[str, ...] = tuple(token.get("on", "") for token in _FACTS)
"""By token: a colour, or what else it answers to; empty where it answers to nothing."""
TRIGGERED: tuple[tuple[int, ...], ...] = tuple(
    tuple(n for n, on in enumerate(ANSWERS_TO) if on == colour) for colour in COLOURS
)
"""By colour: the tokens that answer when a card of it is played."""
MODIFIERS: tuple[Effect | None, ...] = tuple(
    _effect(token["modifier"]) if "modifier" in token else None for token in _FACTS
)
"""By token: the rule that it changes for as long as it is kept."""
MANEUVERS: tuple[Effect, ...] = tuple(
    _effect(option)
    for token in _FACTS
    for effect in token.get("effects", ())
    for option in effect.get("options", ())
)
"""What may be chosen where maneuvers are."""


def _only(kind: str) -> int:
    return next(n for n, modifier in enumerate(MODIFIERS) if modifier and modifier.kind == kind)


def _amount(token: int) -> int:
    modifier = MODIFIERS[token]
    assert modifier
    return modifier.amount


EAGLE = _only("extra_race_symbol")
WILD_SKILL = _only("wild_skill_per_turn")
RED_ANYWHERE = _only("red_units_any_region")
REINFORCEMENT = _only("red_extra_units")
NO_SURCHARGE = _only("ignore_landmark_fortress_surcharge")
DOUBLE_DISCARD = _only("discard_income_multiplier")
WILD_SKILLS, REINFORCEMENTS = _amount(WILD_SKILL), _amount(REINFORCEMENT)
DISCARD_FACTOR = _amount(DOUBLE_DISCARD)
CHAIN_COINS, LANDMARK_TURN = ANSWERS_TO.index("chain_used"), ANSWERS_TO.index("take_landmark")


PRINTED: Mapping[str, Mapping[str, Any]] = {
    facts["id"]: facts for facts in (*_FACES, *_TILES["landmarks"], *_FACTS)
}
"""What is printed on each card, tile and token, by its name."""


# The quest track. Both sides have the same bonuses on spaces of their own.

GOAL: int = _TRACK["goal"]
BONUS_AT: tuple[int, ...] = tuple(bonus["step"] for bonus in _TRACK["bonuses"])
BONUS_EFFECTS: tuple[Effect, ...] = tuple(_effect(bonus["effect"]) for bonus in _TRACK["bonuses"])


# The layouts. Sets of slots are sets of bits.

SLOTS: int = _LAYOUTS["cards_dealt"]
SET_ASIDE: int = _LAYOUTS["cards_set_aside"]
FULL_DISPLAY = (1 << SLOTS) - 1
_SLOTS = tuple(chapter["slots"] for chapter in _LAYOUTS["chapters"])
COVERED_BY: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(slot["covered_by"]) for slot in slots) for slots in _SLOTS
)
"""By chapter, counted from 0, and slot."""
FACE_UP: tuple[tuple[int, ...], ...] = tuple(
    tuple(n for n, slot in enumerate(slots) if slot["face_up"]) for slots in _SLOTS
)
SLOT_AT: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((slot["row"], slot["x"]) for slot in slots) for slots in _SLOTS
)
"""By chapter, counted from 0, and slot: its row, and its place in it in halves of a card."""


@cache
def available(chapter: int, left: int) -> tuple[int, ...]:
    """The slots that nothing covers, of those that are left in a chapter's display."""
    covers = COVERED_BY[chapter - 1]
    return tuple(
        slot
        for slot in range(SLOTS)
        if left >> slot & 1 and not any(left >> over & 1 for over in covers[slot])
    )
