"""Matches of two games (RULES 8): sides change, and winners count their characters."""

from __future__ import annotations

import pytest

from services.confrontation import RULES
from tests.games.confrontation.positions import given
from tests.play import Play

TWO_GAMES = {"preset": "deluxe_classic", "match": "two_games_swap_sides"}


def play(*lines: str) -> Play:
    """The first game of a match, from a position."""
    position = given(RULES, ["option match two_games_swap_sides", *lines])
    return Play(RULES, TWO_GAMES, position)


def won_by_good() -> Play:
    """A match whose first game Good has just won with three characters left."""
    match = play("good to move; gondor: frodo; shire: sam, gimli; mordor: orcs")
    match("first: move frodo mordor")
    return match


def test_the_winner_scores_a_point_for_each_of_his_characters() -> None:
    assert won_by_good().scores == {"first": 3, "second": 0}


def test_dark_scores_in_the_same_way() -> None:
    match = play("shire: orcs, warg; arthedain: balrog; cardolan: frodo; mordor: shelob")
    match("second: move balrog shire")

    assert match.scores == {"first": 0, "second": 4}


def test_a_draw_scores_nothing() -> None:
    match = play("option draw_ply_cap 1; shire: frodo; mordor: orcs")
    match("second: move orcs gondor")

    assert match.scores == {"first": 0, "second": 0}
    assert match.ask("first").prompt == "setup.place"


def test_the_second_game_begins_anew_with_the_sides_changed() -> None:
    match = won_by_good()

    assert match.waiting == ("first", "second")
    assert match.ask("first").prompt == "setup.place"
    assert "place orcs dagorlad" in match.offered("first")
    assert "place frodo arthedain" in match.offered("second")
    view = match.view("first")
    assert (view["side"], view["game"], view["games"]) == ("dark", 2, 2)
    assert view["result"] is None
    assert view["fallen"] == {"good": [], "dark": []}


def place_all(match: Play) -> None:
    while match.waiting and match.ask(match.waiting[0]).prompt == "setup.place":
        match(f"{match.waiting[0]}: {match.offered(match.waiting[0])[0]}")


def test_in_the_second_game_dark_moves_first_and_is_the_other_seat() -> None:
    match = won_by_good()
    place_all(match)

    assert match.waiting == ("first",)
    assert match.ask("first").prompt == "turn.move"
    assert match.view("second")["side"] == "good"


def test_the_match_is_over_after_its_second_game() -> None:
    match = won_by_good()
    place_all(match)
    match("host: resign first")

    assert match.is_over


@pytest.mark.parametrize(
    ("quitter", "scores"),
    [("first", {"first": 0, "second": 1}), ("second", {"first": 3, "second": 0})],
)
def test_who_gives_up_forfeits_his_points_and_the_other_has_at_least_one(
    quitter: str, scores: dict[str, int]
) -> None:
    match = won_by_good()
    match(f"host: resign {quitter}")

    assert match.is_over
    assert match.scores == scores


def test_giving_up_in_the_first_game_ends_the_match() -> None:
    match = play("shire: frodo; mordor: orcs")
    match("host: resign first")

    assert match.is_over
    assert match.scores == {"first": 0, "second": 1}


def test_points_add_up_over_both_games() -> None:
    """The second game ends by the limit of turns, and leaves the points of the first."""
    match = play("option draw_ply_cap 1; good to move; gondor: frodo; shire: sam; mordor: orcs")
    match("first: move frodo mordor")
    place_all(match)
    match(f"first: {match.offered('first')[0]}")

    assert match.is_over
    assert match.scores == {"first": 2, "second": 0}
    assert [e.facts["winner"] for e in match.events if e.kind == "game_ended"] == ["good", None]
