"""Every event as a sentence.

Sentences are made of what the facts of an event say and of nothing else, for a fact left out is a
secret kept. What a fact is called says what it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.core.decisions import Event
from services.duel.cards.effects import MANEUVER_WORDS
from services.duel.tables import (
    CARD,
    CARD_NAMES,
    MANEUVERS,
    RACE,
    RACES,
    REGION,
    REGION_NAMES,
    TILE,
    TILE_NAMES,
    TOKEN,
)
from services.duel.words.printed import (
    NUMBERS,
    SIDE_NAMES,
    effect_text,
    listed,
    many,
    race_name,
    token_name,
)

Facts = Mapping[str, str]


def report(event: Event) -> str:
    """An event as a sentence."""
    facts = {key: FACTS[key](value) for key, value in event.facts.items()}
    text = REPORTS[event.kind](facts)
    return text[0].upper() + text[1:]


# Facts in words.


def _region(name: Any) -> str:
    return REGION_NAMES[REGION[name]]


def _card(name: Any) -> str:
    return CARD_NAMES[CARD[name]]


def _token(name: Any) -> str:
    return token_name(TOKEN[name])


def _side(name: Any) -> str:
    return SIDE_NAMES.get(name, "")  # nobody's name, where a victory is shared


def _coins(count: Any) -> str:
    return many(count, "coin") if count else "nothing"


REASONS = {
    "quest_of_the_ring": "by the Quest of the Ring",
    "support_of_the_races": f"by the support of {NUMBERS[len(RACES)]} races",
    "conquest": "by conquest, present in every region",
    "most_regions": "by presence in more regions",
    "equal_regions": "because both are present in as many regions",
    "forfeit": "because the other side has given up",
}
_MODES = {"paid": "", "chained": " through its chain", "from_discard": " from the discard pile"}
_REFUSED = {
    "advance_quest": "made no steps of the quest",
    "place_units": "placed no units",
    "place_fortress": "built no fortress",
    "discard_opponent_card": "left the opponent every grey card",
    "alliance_from_one_race": "chose no race",
}

FACTS: Mapping[str, Callable[[Any], str]] = {
    "side": _side,
    "winner": _side,
    "region": _region,
    "from": _region,
    "to": _region,
    "card": _card,
    "cards": lambda names: listed(map(_card, names), "and"),
    "landmark": lambda name: TILE_NAMES[TILE[name]],
    "token": _token,
    "tokens": lambda names: listed(map(_token, names), "or"),
    "races": lambda names: listed((race_name(RACE[name]) for name in names), "and"),
    "maneuver": lambda word: effect_text(MANEUVERS[MANEUVER_WORDS.index(word)]),
    "mode": lambda word: _MODES[word],
    "reason": lambda word: REASONS[word],
    "coins": _coins,
    "price": _coins,
    "units": lambda count: many(count, "unit"),
    "losses": lambda count: many(count, "unit"),
    "effect": lambda kind: _REFUSED[kind],
    "steps": lambda count: many(count, "quest step"),
    "count": lambda count: many(count, "card"),
    "step": str,
    "slot": str,
    "chapter": str,
}
"""By the name of a fact, its words."""


# Events.


def _played(f: Facts) -> str:
    paid = "" if f["mode"] else f" for {f['price']}"
    return f"{f['side']} played {f['card']}{f['mode']}{paid}."


def _ended(f: Facts) -> str:
    if f["winner"]:
        return f"{f['winner']} wins {f['reason']}."
    return f"Both share the victory {f['reason']}."


REPORTS: Mapping[str, Callable[[Facts], str]] = {
    "chapter_began": lambda f: f"Chapter {f['chapter']} begins.",
    "card_revealed": lambda f: f"The card {f['card']} was turned up.",
    "card_set_aside": lambda f: f"The card {f['card']} was set aside.",
    "landmark_revealed": lambda f: f"The landmark {f['landmark']} was turned up.",
    "card_played": _played,
    "card_discarded": lambda f: f"{f['side']} discarded {f['card']} for {f['coins']}.",
    "landmark_taken": lambda f: f"{f['side']} took {f['landmark']} for {f['price']}.",
    "coins_gained": lambda f: f"{f['side']} gained {f['coins']}.",
    "coins_lost": lambda f: f"{f['side']} lost {f['coins']}.",
    "quest_advanced": lambda f: f"{f['side']} advanced {f['steps']}, to step {f['step']}.",
    "extra_turn_earned": lambda f: f"{f['side']} earned another turn.",
    "extra_turn_refused": lambda f: f"{f['side']} did not take another turn.",
    "effect_refused": lambda f: f"{f['side']} {f['effect']}.",
    "units_placed": lambda f: f"{f['side']} placed {f['units']} in {f['region']}.",
    "unit_moved": lambda f: f"{f['side']} moved a unit from {f['from']} to {f['to']}.",
    "conflict_fought": lambda f: f"Conflict in {f['region']}: each side lost {f['losses']}.",
    "unit_removed": lambda f: f"{f['side']} lost a unit in {f['region']}.",
    "fortress_built": lambda f: f"{f['side']} built a fortress in {f['region']}.",
    "fortress_removed": lambda f: f"{f['side']} lost the fortress in {f['region']}.",
    "alliance_sought": lambda f: f"{f['side']} seeks an alliance with the {f['races']}.",
    "maneuver_chosen": lambda f: f"{f['side']} chose a maneuver: {f['maneuver']}.",
    "tokens_revealed": lambda f: f"{f['side']} is offered {f['tokens']}.",
    "token_kept": lambda f: f"{f['side']} kept {f['token']}.",
    "discard_searched": lambda f: f"{f['side']} looked through the discard pile: {f['count']}.",
    "set_aside_seen": lambda f: f"Set aside in this chapter: {f['cards']}.",
    "card_lost": lambda f: f"{f['side']} lost {f['card']}.",
    "game_ended": _ended,
}
