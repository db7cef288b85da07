"""What is printed on cards, tiles, tokens and the track, in a few words; what things are called.

Every number comes from the data: who changes a printed amount there changes its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from services.duel.board import REGION_COUNT
from services.duel.tables import (
    ALL_REGIONS,
    ANSWERS_TO,
    CARD_EFFECTS,
    CHOICE_OF,
    COLOURS,
    IS_IMMEDIATE,
    MODIFIERS,
    NEEDS,
    PRODUCES,
    RACES,
    REGION_NAMES,
    SKILLS,
    TILE_EFFECTS,
    TILE_NEEDS,
    TOKEN_EFFECTS,
    TOKEN_NAMES,
    TOKEN_RACE,
    TOKENS,
    Effect,
)

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
SIDE_NAMES = {"fellowship": "the Fellowship", "sauron": "Sauron"}


def many(count: int, thing: str) -> str:
    """A number and the thing that it counts, in the singular or the plural."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def listed(words: Iterable[str], last: str) -> str:
    """Words with commas between them, and another word before the last."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def race_name(race: int) -> str:
    """What a race is called."""
    return RACES[race].capitalize()


def token_name(token: int) -> str:
    """What a token is called in a sentence."""
    return f"the {race_name(TOKEN_RACE[token])} token “{TOKEN_NAMES[token]}”"


# Effects.


def _regions(chosen: int) -> str:
    if chosen == ALL_REGIONS:
        return "any region"
    return listed((REGION_NAMES[r] for r in range(REGION_COUNT) if chosen >> r & 1), "or")


_EFFECTS: Mapping[str, Callable[[Effect], str]] = {
    "race_symbol": lambda e: race_name(e.what),
    "gain_coins": lambda e: f"gain {many(e.amount, 'coin')}",
    "opponent_loses_coins": lambda e: f"the opponent loses {many(e.amount, 'coin')}",
    "advance_quest": lambda e: many(e.amount, "quest step"),
    "extra_turn": lambda e: "another turn",
    "place_units": lambda e: f"{many(e.amount, 'unit')} in {_regions(e.what)}",
    "place_units_separately": lambda e: f"{many(e.amount, 'unit')}, each in any region",
    "move_units": lambda e: many(e.amount, "movement"),
    "remove_enemy_units": lambda e: f"remove {many(e.amount, 'enemy unit')}",
    "remove_enemy_fortress": lambda e: "remove an enemy fortress",
    "choose_maneuvers": lambda e: f"{many(e.amount, 'maneuver')} of choice",
    "play_from_discard": lambda e: "play a card from the discard pile",
    "alliance_from_one_race": lambda e: (
        f"choose a race and keep one of its {NUMBERS[e.amount]} top tokens"
    ),
    "discard_opponent_card": lambda e: "the opponent loses a grey card of your choice",
    "place_fortress": lambda e: f"a fortress in {REGION_NAMES[e.what]}",
}


def effect_text(effect: Effect) -> str:
    """An effect in a few words."""
    return _EFFECTS[effect.kind](effect)


# Cards and tiles.


def _symbols(skills: Iterable[tuple[int, int]]) -> list[str]:
    return [SKILLS[skill] if count == 1 else f"{count} {SKILLS[skill]}" for skill, count in skills]


@cache
def card_text(card: int) -> str:
    """What is printed on a card, in a few words."""
    if card in CHOICE_OF:
        options = CHOICE_OF[card]
        return listed((s for n, s in enumerate(SKILLS) if options >> n & 1), "or")
    if PRODUCES[card]:
        return listed(_symbols(PRODUCES[card]), "and")
    return ", ".join(map(effect_text, CARD_EFFECTS[card]))


@cache
def card_needs(card: int) -> str:
    """The skills that a card asks for, in a few words; empty if it asks for none."""
    return ", ".join(_symbols(NEEDS[card]))


@cache
def tile_text(tile: int) -> str:
    """What is printed on a landmark tile, in a few words."""
    return ", ".join(map(effect_text, TILE_EFFECTS[tile]))


@cache
def tile_needs(tile: int) -> str:
    """The skills that a landmark tile asks for, in a few words."""
    return ", ".join(_symbols(TILE_NEEDS[tile]))


# Tokens.


def _times(factor: int) -> str:
    return "twice" if factor == 2 else f"{factor} times"


_MODIFIERS: Mapping[str, Callable[[Effect], str]] = {
    "red_units_any_region": lambda e: "the units of a red card may go to any region",
    "wild_skill_per_turn": lambda e: (
        f"covers {many(e.amount, 'missing skill symbol')} of any kind every turn"
    ),
    "ignore_landmark_fortress_surcharge": lambda e: (
        "landmarks cost nothing more for your fortresses"
    ),
    "extra_race_symbol": lambda e: "the Eagle, which supports you like one more race",
    "red_extra_units": lambda e: f"{many(e.amount, 'more unit')} with each red card you play",
    "discard_income_multiplier": lambda e: (
        f"{_times(e.amount)} the coins for each card you discard"
    ),
}
_OCCASIONS: Mapping[str, str] = {
    **{colour: f"{colour} card you play" for colour in COLOURS},
    "take_landmark": "landmark you take",
    "chain_used": "card you play through its chain",
}


@cache
def token_text(token: int) -> str:
    """What is printed on an alliance token, in a few words."""
    modifier = MODIFIERS[token]
    if modifier is not None:
        return _MODIFIERS[modifier.kind](modifier)
    effects = ", ".join(map(effect_text, TOKEN_EFFECTS[token]))
    if IS_IMMEDIATE[token]:
        return f"at once, {effects}"
    return f"{effects} for each {_OCCASIONS[ANSWERS_TO[token]]}"


assert all(map(token_text, range(len(TOKENS))))
