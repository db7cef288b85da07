"""What is printed on Duel's cards, tiles and tokens, and the short words that fit a small box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from services.duel import tables

View = Mapping[str, Any]

SIDES, SKILLS, RACES = tables.SIDES, tables.SKILLS, tables.RACES
TITLE = {"fellowship": "Fellowship", "sauron": "Sauron"}
LETTER = {"fellowship": "F", "sauron": "S"}
COLOUR = {"fellowship": "cyan", "sauron": "red"}
COIN, FORT, DOOM = "●", "♜", "▲"

CARD_COLOUR = {
    "grey": "white",
    "yellow": "yellow",
    "blue": "bright_blue",
    "green": "green",
    "red": "red",
    "purple": "magenta",
}

CARDS: Mapping[str, Any] = {card: tables.PRINTED[card] for card in tables.CARDS}
TILES: Mapping[str, Any] = {tile: tables.PRINTED[tile] for tile in tables.TILES}
TOKENS: Mapping[str, Any] = {token: tables.PRINTED[token] for token in tables.TOKENS}
REGIONS: Mapping[str, str] = dict(zip(tables.REGIONS, tables.REGION_NAMES, strict=True))
ROADS: tuple[tuple[str, str], ...] = tuple(
    (tables.REGIONS[one], tables.REGIONS[other])
    for one, near in enumerate(tables.ADJACENT)
    for other in near
    if one < other
)
"""All pairs of neighbours, each once."""
BONUSES: tuple[str, ...] = tuple(effect.kind for effect in tables.BONUS_EFFECTS)
"""What the spaces of the track bring, in their order."""

REASONS = {
    "quest_of_the_ring": "Quest of the Ring",
    "support_of_the_races": "Support of the Races",
    "conquest": "Conquest",
    "most_regions": "present in more regions",
    "equal_regions": "present in as many regions",
    "forfeit": "the other side has given up",
}
"""How a game ended."""


@dataclass(frozen=True, slots=True)
class Short:
    """A card in the few letters that a box of the display has room for."""

    effect: str
    chain: str  # the symbol it gives


def many(count: int, thing: str) -> str:
    """A number and a thing, in the plural where there is not just one."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def letter(skill: str) -> str:
    """A skill in one letter; no two skills have the same."""
    return skill[0].upper()


def _units(effect: Any) -> str:
    first, second = (REGIONS[name][:3] for name in effect["regions"])
    return f"{effect['count']} {first}/{second}"


_EFFECTS: Mapping[str, Callable[[Any], str]] = {
    "produce_skills": lambda e: " ".join(_symbols(e["skills"])),
    "produce_skill_choice": lambda e: "/".join(skill[:4] for skill in e["options"])[:11],
    "gain_coins": lambda e: f"+{e['amount']}{COIN}",
    "opponent_loses_coins": lambda e: f"-{e['amount']}{COIN}",
    "advance_quest": lambda e: f"quest {e['steps']}",
    "race_symbol": lambda e: e["race"].capitalize(),
    "place_units": _units,
    "move_units": lambda e: f"{e['count']}→",
    "remove_enemy_units": lambda e: f"{e['count']}×",
}


def _symbols(skills: Mapping[str, int]) -> list[str]:
    return [f"{count} {name}" if count > 1 else name for name, count in skills.items()]


def _short(card: Any) -> Short:
    effect = "  ".join(_EFFECTS[e["type"]](e) for e in card["effects"])
    return Short(effect, card["chain_to"] or "")


SHORT: Mapping[str, Short] = {key: _short(card) for key, card in CARDS.items()}


def cost_words(coins: int, skills: Mapping[str, int]) -> str:
    """What is printed as a cost."""
    words = [f"{coins}{COIN}"] if coins else []
    return ", ".join([*words, *_symbols(skills)]) or "nothing"
