"""The Adventure cards of Risk as the terminal prints them: titles, points, and texts in short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from services.risk.cards.texts import summary
from services.risk.tables import ADVENTURES, POINTS, RECONSTRUCTED, TITLES


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
