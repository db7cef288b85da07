"""Names for people: territories, numbers of battalions."""

from __future__ import annotations

from services.risk.board import Board
from services.risk.tables import NEUTRAL, TERRITORY_NAMES


def land_name(land: int) -> str:
    """The name of a territory."""
    return TERRITORY_NAMES[land]


def battalions(number: int) -> str:
    """A number of battalions, in words."""
    return "1 battalion" if number == 1 else f"{number or 'no'} battalions"


def dice(number: int) -> str:
    """A number of dice, in words."""
    return "1 die" if number == 1 else f"{number} dice"


def ended(sentence: str) -> str:
    """A sentence with its full stop, unless a title ends it with another sign."""
    return sentence if sentence.endswith("!") else f"{sentence}."


def listed(items: list[str]) -> str:
    """Several things as one part of a sentence."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def army_name(b: Board, army: int) -> str:
    """The name of an army: its colour, or that it belongs to nobody."""
    return "the neutral army" if army == NEUTRAL else b.name(army).capitalize()
