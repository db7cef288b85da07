"""The language of positions: what it builds, and what it refuses."""

from __future__ import annotations

from math import factorial

import pytest

from services.confrontation import RULES
from services.confrontation.tables import DARK, GOOD
from services.confrontation.worlds import worlds
from services.core.frames import Game
from tests.games.confrontation.positions import given, options, then


def position(*lines: str) -> Game:
    return given(RULES, lines)


def test_a_position_holds_every_assignment_possible_and_the_truth_among_them() -> None:
    game = position("shire: frodo, sam, merry; rohan: legolas; moria: gimli", "mordor: orcs")

    assert len(worlds(game.board.trails[GOOD])) == 20
    assert len(worlds(game.board.trails[DARK])) == 1


def test_all_nine_may_stand_anywhere() -> None:
    game = position(
        "shire: sam, merry, pippin, gandalf; cardolan: aragorn, legolas; rohan: gimli, boromir",
        "moria: frodo; mordor: orcs",
    )

    assert len(worlds(game.board.trails[GOOD])) == factorial(9) // (factorial(4) * 2 * 2)


def test_a_known_character_has_one_place() -> None:
    game = position("shire: frodo, sam; rohan: legolas; mordor: orcs; known legolas")

    then(RULES, game, "could_be legolas rohan")
    then(RULES, game, "worlds good 1")


def test_faces_that_were_not_announced_stay_open() -> None:
    game = position(
        "preset deluxe_draft; option announce_draft off",
        "shire: frodo, sam_variant; mordor: orcs; fallen elrond",
    )
    view = RULES.view(game, DARK)

    assert view["rosters"]["good"] is None
    assert "elrond" in view["fallen"]["good"]


def test_options_go_without_saying_where_a_line_needs_them() -> None:
    assert options([]) == {"preset": "deluxe_classic"}
    assert options(["special sp_recall"])["special_cards"] == "set_deluxe"
    assert options(["special sp_recall; option special_cards off"])["special_cards"] == "off"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("shire: frodo; bree: gimli", "there is no 'bree'"),
        ("shire: frodo, bilbo", "there is no 'bilbo'"),
        ("shire: frodo; rohan: frodo", "frodo is placed twice"),
        ("shire: frodo, elrond", "elrond does not play here"),
        ("shire: frodo; moria: gimli, sam", "moria has no room"),
        ("shire: frodo; rohan: gimli, orcs", "both sides stand in rohan"),
        ("shire: sam; mordor: orcs", "the Ring-bearer, frodo, is not placed"),
        ("shire: frodo; mordor: orcs; used good_1", "Good has spent 1 cards and Dark 0"),
        ("shire: frodo; mordor: orcs; used good_1 dark_9", "there is no 'dark_9'"),
        ("shire: frodo; mordor: orcs; hand good_9", "there is no 'good_9'"),
        ("shire: frodo; mordor: orcs; special sp_ring", "there is no 'sp_ring'"),
        ("shire: frodo; mordor: orcs; shown orcs", "orcs is never shown between turns"),
        ("shire: frodo; nobody moves", "'nobody moves' is no line of a position"),
        ("shire: frodo; used", "'used' is no line of a position"),
        ("preset deluxe_draft; shire: frodo, frodo_variant", "frodo and frodo_variant share"),
    ],
)
def test_what_cannot_be_is_refused(lines: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position(*lines.split("|"))


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("rohan: empty", "rohan: gimli"),
        ("rohan: gimli, sam", "rohan: gimli"),
        ("bree: empty", "there is no 'bree'"),
        ("rohan: bilbo", "there is no 'bilbo'"),
        ("fallen gimli", "gimli is in rohan"),
        ("fallen elrond", "elrond does not play here"),
        ("good hand good_1", "hand: .*good_2"),
        ("good used good_1", "used: none"),
        ("shown gimli", "gimli is hidden"),
        ("hidden sam", "sam is shown"),
        ("shown merry", "merry is not on the board"),
        ("turn good", "turn: dark"),
        ("asked good turn.move", "asked: dark turn.move"),
        ("asked both battle.card", "asked: dark turn.move"),
        ("asked nobody", "asked: dark turn.move"),
        ("worlds good 9", "2 worlds"),
        ("could_be gimli rohan", "gimli: rohan, shire"),
        ("result dark no_move_left", "result: none"),
        ("bearer sam", "bearer: frodo"),
        ("special sp_recall", "special cards: none"),
        ("obliged orcs", "obliged: nobody"),
        ("tunnel gimli", "tunnel: none"),
        ("ply 3", "ply: 0"),
        ("gimli is tired", "is no fact of a position"),
        ("worlds", "is no fact of a position"),
    ],
)
def test_a_fact_that_does_not_hold_says_what_does(fact: str, message: str) -> None:
    game = position("shire: frodo; rohan: gimli; cardolan: sam; shown sam; mordor: orcs")

    with pytest.raises(AssertionError, match=message):
        then(RULES, game, fact)
