"""Seats as people name them, in sentences about who has won or given up."""

from __future__ import annotations

from collections.abc import Sequence

_TITLES = {
    "free_peoples": "the Free Peoples",
    "shadow": "the Shadow",
    "witch_king": "the Witch-king",
}
"""Seats whose ids are not just their names in small letters."""


def title(seat: str) -> str:
    """A seat's name within a sentence."""
    return _TITLES.get(seat) or seat.replace("_", " ").capitalize()


def does(seats: Sequence[str], one: str, more: str) -> str:
    """Seats and what they do, such as "Good wins" and "The Free Peoples win"."""
    *before, last = [title(seat) for seat in seats]
    names = f"{', '.join(before)} and {last}" if before else last
    verb = more if before or last.endswith("Peoples") else one
    return f"{names[0].upper()}{names[1:]} {verb}"
