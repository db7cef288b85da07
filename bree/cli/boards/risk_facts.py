"""What is printed in Risk as the terminal has it: how the map lies, colours, Adventure cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bree.cli.boards.atlas import read
from services.risk.atlas import LAYOUT
from services.risk.cards.texts import summary
from services.risk.tables import (
    ADVENTURES,
    EDGES,
    POINTS,
    RECONSTRUCTED,
    TERRITORIES,
    TERRITORY_NAMES,
    TITLES,
)

View = Mapping[str, Any]

# The map.

ATLAS = read(LAYOUT, dict(zip(TERRITORIES, TERRITORY_NAMES, strict=True)))
MOUNTAINS: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in LAYOUT["mountains"])
RIVERS: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in LAYOUT["rivers"])
"""Pairs that lie beside each other, and between which there is no way."""
ROADS: tuple[tuple[str, str, str], ...] = tuple(
    (TERRITORIES[one], TERRITORIES[other], via) for one, other, via in EDGES
)
"""All pairs of neighbours, and how one comes from one to the other."""

# Signs.

STYLE: Mapping[str | None, str] = {
    "yellow": "bold yellow",
    "red": "bold red",
    "green": "bold green",
    "black": "bold magenta",
    "neutral": "dim",
    None: "dim",
}
"""How an army is drawn; black would not be seen."""
MARKS: Mapping[str | None, str] = {"stronghold": "■", "site_of_power": "○", None: ""}
SYMBOLS: Mapping[str, str] = {"elven_archer": "archer", "dark_rider": "rider", "eagle": "eagle"}

# Adventure cards.


class Card(NamedTuple):
    """One Adventure card."""

    title: str
    text: str
    good: int
    evil: int
    reconstructed: bool = False  # what it scores is not known from the printed card


CARDS: Mapping[str, Card] = {
    card: Card(TITLES[number], summary(number), *POINTS[number], bool(RECONSTRUCTED >> number & 1))
    for number, card in enumerate(ADVENTURES)
}

_ATTACKED = " It is played when you are attacked; say on your turn that you want to be asked then."
_MOVES = " It is played when the Ring is to move; say on your turn that you want to be asked then."
WHEN: Mapping[str, str] = {
    **dict.fromkeys(
        ("Courage Alone Will Not Save You", "Strategic Withdrawal", "Violent Storms"), _ATTACKED
    ),
    **dict.fromkeys(
        (
            "A Balrog Is Come",
            "Boromir Tries to Seize the One Ring",
            "Knife in the Dark",
            "Dangerous Crossing",
            "Gollum",
            "Faramir Finds the Ringbearer",
            "Captured by Orcs",
            "Shelob's Lair",
            "Sméagol",
        ),
        _MOVES,
    ),
}
"""Of cards that are played on the turns of others: what their holder must do to be asked."""
