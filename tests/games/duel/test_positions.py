"""The language of positions: what it builds, and what it refuses."""

from __future__ import annotations

import pytest

from services.core.frames import Game
from services.duel import RULES
from services.duel.tables import CARDS
from tests.games.duel.positions import given, options, then


def position(*lines: str) -> Game:
    return given(RULES, lines)


def test_without_a_line_it_is_saurons_turn_with_what_the_start_gives() -> None:
    game = position("display gimli")

    for fact in ("turn sauron", "chapter 1", "coins sauron 2", "arnor: fellowship 2", "extra 0"):
        then(RULES, game, fact)


def test_cards_that_no_line_names_are_set_aside_or_discarded() -> None:
    game = position("chapter 2; display archers; sauron: gimli")
    b = game.board

    assert ["archives_of_minas_tirith_ii", "imrahil_ii", "lothlorien_cloak"] == [
        CARDS[card] for card in b.aside
    ]
    assert 22 + 19 == len(b.discard)
    then(RULES, game, "pile legolas, ambush")


def test_face_down_cards_are_in_the_bag() -> None:
    game = position(
        "slot 9: face_down; slot 10: face_down; slot 14: orcs; slot 16: gimli; bag balrog"
    )

    assert ["nazgul_first", "balrog"] == [CARDS[card] for card in game.board.bag]


def test_options_are_those_that_are_named() -> None:
    assert options(["chapter 2"]) == {}
    assert options(["option coins unlimited"]) == {"coins": "unlimited"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("display bilbo", "there is no 'bilbo'"),
        ("display gimli; army sauron: bree 2", "there is no 'bree'"),
        ("display gimli; landmarks arnor", "there is no 'arnor'"),
        ("display gimli; token sauron: eagle", "there is no 'eagle'"),
        ("display gimli; fellowship: gimli", "a card is in two places"),
        ("chapter 3; display gandalf, saruman, treebeard, banners, oliphaunts", "no room"),
        ("display gimli; nobody moves", "'nobody moves' is no line"),
        ("chapter 4; display gimli", "'chapter 4' is no line"),
        ("display", "'display' is no line"),
    ],
)
def test_what_cannot_be_is_refused(lines: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position(lines)


@pytest.mark.parametrize(
    "lines",
    [
        "display gimli; army sauron: arnor 1",
        "display gandalf",
        "display gimli; coins sauron 30",
        "slot 9: face_down; slot 14: gimli; bag gandalf",
    ],
)
def test_what_the_rules_never_allow_is_refused(lines: str) -> None:
    with pytest.raises(AssertionError):
        position(lines)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("coins sauron 3", "coins: 2"),
        ("reserve 24", "reserve: 25"),
        ("price sauron gimli 2", "price: 1"),
        ("price sauron bree 5", "price: 6"),
        ("arnor: empty", "arnor: .*fellowship"),
        ("gondor: sauron 1", "gondor: {}"),
        ("supply sauron 12", "supply: 13"),
        ("quest sauron 1", "quest: 0"),
        ("plays sauron gimli", "in the play area: "),
        ("pile gimli", "discarded: "),
        ("aside gimli", "set aside: "),
        ("knows sauron gimli", "known: "),
        ("unaware sauron balrog", "known: "),
        ("owns sauron bree", "bree is not sauron's"),
        ("offered bree", "landmarks: "),
        ("token sauron hobbits_eagle", "hobbits_eagle is not sauron's"),
        ("top hobbits_eagle", "on top: none"),
        ("support sauron 1", "support: 0"),
        ("present sauron 2", "present: 1"),
        ("slot 14: orcs", "slot 14: gimli"),
        ("chapter 2", "chapter: 1"),
        ("turn fellowship", "turn: sauron"),
        ("extra 1", "extra turns: 0"),
        ("asked fellowship turn.choose", "asked: "),
        ("result sauron conquest", "result: "),
        ("result", "is no fact"),
        ("bree: empty", "is no fact"),
    ],
)
def test_a_fact_that_does_not_hold_says_what_does(fact: str, message: str) -> None:
    game = position("display gimli, orcs")

    with pytest.raises(AssertionError, match=message):
        then(RULES, game, fact)


def test_a_token_that_was_seen_is_not_unseen() -> None:
    game = position("display gimli; top hobbits_eagle")

    then(RULES, game, "unseen hobbits_blue_unit")
    with pytest.raises(AssertionError, match="hobbits_eagle was seen"):
        then(RULES, game, "unseen hobbits_eagle")
