"""Every card does something, and some case shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.warofthering import RULES  # importing the rules registers the cards
from services.warofthering.play.combat_effects import COMBAT_HALVES
from services.warofthering.play.event_effects import EVENT_HALVES
from services.warofthering.tables import CARDS, CARDS_IN, COMBAT_OF, FREE, SHADOW, SIDES
from services.warofthering.tables import COMBATS as TITLES
from tests.cases.cases import cases_in

_DECISIONS = {
    line.text.partition(": ")[2]
    for case in cases_in(Path("tests/cases/warofthering"))
    for line in case.lines
    if line.word == "" and case.file.startswith("cards_")
}
_BY_SIDE = pytest.mark.parametrize("side", [FREE, SHADOW], ids=SIDES)


def _cards(side: int) -> list[int]:
    return [card for deck in CARDS_IN[side] for card in deck]


def _titles(cards: list[int]) -> list[str]:
    return [TITLES[title] for title in sorted({COMBAT_OF[card] for card in cards})]


@_BY_SIDE
def test_every_event_half_is_registered(side: int) -> None:
    assert RULES.name == "warofthering"
    assert [] == [CARDS[card] for card in _cards(side) if card not in EVENT_HALVES]


@_BY_SIDE
def test_every_combat_half_is_registered(side: int) -> None:
    assert [] == _titles([card for card in _cards(side) if COMBAT_OF[card] not in COMBAT_HALVES])


@_BY_SIDE
def test_every_event_is_played_in_a_case(side: int) -> None:
    assert [] == [CARDS[card] for card in _cards(side) if f"play {CARDS[card]}" not in _DECISIONS]


@_BY_SIDE
def test_every_combat_title_is_played_in_a_case(side: int) -> None:
    played = [card for card in _cards(side) if f"combat {CARDS[card]}" in _DECISIONS]

    assert _titles(_cards(side)) == _titles(played)
