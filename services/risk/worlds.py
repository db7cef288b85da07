"""Worlds: cards laid into hidden places so that they agree with everything that was seen.

Design. A place admits a set of cards, and of some groups of places it is known that one holds one
of certain cards. A few random fillings are tried, the places with the least choice first; if none
agrees, every filling is tried in order, and the truth is one of them. Only what is public or the
viewer's own decides what is drawn, never the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.core.decisions import Pick
from services.risk.tables import bits, nth

TRIES = 30


@dataclass(frozen=True, slots=True)
class Hint:
    """One of the places from `first` up to, and without, `end` holds one of these cards."""

    first: int
    end: int
    cards: int

    def is_met(self, laid: Sequence[int]) -> bool:
        """Whether it does."""
        return any(card >= 0 and self.cards >> card & 1 for card in laid[self.first : self.end])


def fill(admits: Sequence[int], hints: Sequence[Hint], cards: int, pick: Pick) -> list[int]:
    """A card of `cards` for each place, each card once."""
    for _ in range(TRIES):
        laid = _try(admits, hints, cards, pick)
        if laid is not None:
            return laid
    laid = [-1] * len(admits)
    found = _search(admits, hints, cards, laid, 0)
    assert found, "the truth agrees with what was seen"
    return laid


def _try(admits: Sequence[int], hints: Sequence[Hint], cards: int, pick: Pick) -> list[int] | None:
    laid = [-1] * len(admits)
    for hint in sorted(hints, key=lambda hint: hint.cards.bit_count()):
        if hint.is_met(laid):
            continue
        free = [n for n in range(hint.first, hint.end) if laid[n] < 0]
        free = [n for n in free if admits[n] & hint.cards & cards]
        if not free:
            return None
        place = free[pick(len(free))]
        cards = _lay(laid, place, admits[place] & hint.cards & cards, cards, pick)
    left = [place for place, card in enumerate(laid) if card < 0]
    for place in sorted(left, key=[cards.bit_count() for cards in admits].__getitem__):
        fitting = admits[place] & cards
        if not fitting:
            return None
        cards = _lay(laid, place, fitting, cards, pick)
    return laid


def _lay(laid: list[int], place: int, fitting: int, cards: int, pick: Pick) -> int:
    laid[place] = nth(fitting, pick(fitting.bit_count()))
    return cards & ~(1 << laid[place])


def _search(
    admits: Sequence[int], hints: Sequence[Hint], cards: int, laid: list[int], place: int
) -> bool:
    if place == len(laid):
        return True
    for card in bits(admits[place] & cards):
        laid[place] = card
        if all(hint.end != place + 1 or hint.is_met(laid) for hint in hints) and _search(
            admits, hints, cards & ~(1 << card), laid, place + 1
        ):
            return True
    laid[place] = -1
    return False
