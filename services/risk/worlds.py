"""Worlds: cards laid into hidden slots so that they agree with everything that was seen.

Design. A slot admits a set of cards. A few random fillings are tried, the slots with the least
choice first; if none agrees, every filling is tried in order, and the truth is one of them. Only
what is public or the viewer's own decides what is drawn, never the truth.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.core.decisions import Pick
from services.risk.tables import bits, nth

TRIES = 30
_NO_CARD = -1


def fill(admits: Sequence[int], cards: int, pick: Pick) -> list[int]:
    """A card of `cards` for each slot, each card once."""
    for _ in range(TRIES):
        laid = _try(admits, cards, pick)
        if laid is not None:
            return laid
    laid = [_NO_CARD] * len(admits)
    found = _search(admits, cards, laid, 0)
    assert found, "the truth agrees with what was seen"
    return laid


def _try(admits: Sequence[int], cards: int, pick: Pick) -> list[int] | None:
    laid = [_NO_CARD] * len(admits)
    choices = [(admitted & cards).bit_count() for admitted in admits]
    for slot in sorted(range(len(admits)), key=choices.__getitem__):
        fitting = admits[slot] & cards
        if not fitting:
            return None
        laid[slot] = nth(fitting, pick(fitting.bit_count()))
        cards &= ~(1 << laid[slot])
    return laid


def _search(admits: Sequence[int], cards: int, laid: list[int], slot: int) -> bool:
    if slot == len(laid):
        return True
    for card in bits(admits[slot] & cards):
        laid[slot] = card
        if _search(admits, cards & ~(1 << card), laid, slot + 1):
            return True
    return False
