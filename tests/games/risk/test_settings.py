"""Options that do not go together are refused."""

from __future__ import annotations

import pytest

from services.core.errors import Invalid
from services.risk import RULES


@pytest.mark.parametrize("players", ["2", "3"])
def test_partners_are_four(players):
    with pytest.raises(Invalid, match="four at a table"):
        RULES.agree({"team_mode": "on", "players": players})


@pytest.mark.parametrize("mode", ["classic", "random", "random_battalions"])
def test_a_batch_is_for_setups_that_are_batched(mode):
    with pytest.raises(Invalid, match="batched"):
        RULES.agree({"setup_mode": mode, "setup_batch": "7"})


@pytest.mark.parametrize(
    ("players", "colours"),
    [("2", "green_red_black"), ("3", "yellow_black"), ("4", "green_red"), ("4", "green_red_black")],
)
def test_there_are_as_many_colours_as_players(players, colours):
    with pytest.raises(Invalid, match="as many colours"):
        RULES.agree({"players": players, "colours": colours})


@pytest.mark.parametrize("colours", ["red_yellow", "yellow_green", "red_black", "blue_red"])
def test_two_colours_are_one_good_and_one_evil(colours):
    with pytest.raises(Invalid, match="allows"):
        RULES.agree({"players": "2", "colours": colours})


@pytest.mark.parametrize(
    ("players", "colours"),
    [("2", "yellow_black"), ("2", "green_red"), ("2", "green_black"), ("3", "green_red_black")],
)
def test_two_and_three_choose_their_colours(players, colours):
    """RULINGS 26: each has the cards, the alignment and the name of its own colour."""
    options = RULES.agree({"players": players, "colours": colours})
    game = RULES.setup(options)
    seats = tuple(colours.split("_"))

    assert seats == RULES.seats(options)
    assert seats == tuple(player["seat"] for player in RULES.view(game, None)["players"])
    sides = [player["alignment"] for player in RULES.view(game, None)["players"]]
    assert ["good", *["evil"] * (int(players) - 1)] == sides


def test_seats_are_the_colours():
    names = {p: RULES.seats(RULES.agree({"players": p})) for p in "234"}

    assert ("yellow", "red") == names["2"]
    assert ("yellow", "red", "black") == names["3"]
    assert ("yellow", "red", "green", "black") == names["4"]
