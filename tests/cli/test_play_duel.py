"""`bree play duel`: whole games from piped answers."""

from __future__ import annotations

import re

import pytest

from services.core.reading import parse_record
from tests.cli.conftest import answers


@pytest.mark.parametrize("bot", ["uniform", "greedy"])
@pytest.mark.parametrize("seat", ["fellowship", "sauron"])
def test_a_whole_game_is_played_recorded_and_verified(bree, tmp_path, seat, bot):
    """Either seat, against either bot: the game ends, fits the terminal, and its record holds."""
    path = tmp_path / "my.record"
    game = ("play", "duel", "--seat", seat, "--bot", bot, "--seed", "01", "--record", path)

    played = bree(*game, says=answers(1))

    assert (0, "") == (played.code, played.err)
    assert re.search(r"^(You win|You lose|It is a draw)\.$", played.out, re.MULTILINE)
    assert 80 >= max(map(len, played.out.splitlines()))
    assert parse_record(path.read_text()).scores is not None
    assert 0 == bree("verify", path).code


def test_the_generous_game_fits_the_terminal_too(bree):
    """Its own questions are asked, and its record holds."""
    game = ("play", "duel", "--preset", "generous", "--bot", "uniform", "--seed", "05")

    played = bree(*game, "--record", "a.record", says=answers(7))

    assert (0, "") == (played.code, played.err)
    assert 80 >= max(map(len, played.out.splitlines()))
    assert "no end of coins" in played.out
    assert 0 == bree("verify", "a.record").code


def test_one_may_ask_what_cards_do_and_read_back_what_happened(bree):
    """`about` tells of what may be taken, `log` of what was turned up."""
    played = bree("play", "duel", "--seat", "sauron", "--seed", "01", says="about\nlog\nquit\n")

    assert "(grey), cost " in played.out
    assert re.search(r"• The landmark [\w' -]+ was turned up\.", played.out)
    assert "set aside" not in played.out
