"""What is measured of each game."""

from __future__ import annotations

from bench.games import SAMPLES, Sample, long_game, sample_of, usual_game
from services import GAMES


def test_only_games_that_there_are_have_a_row():
    assert set() == {*SAMPLES} - {*GAMES}


def test_a_game_without_a_row_is_measured_all_the_same():
    assert Sample() == sample_of("skirmish")
    assert Sample().matches


def test_one_game_stands_for_all_and_one_makes_long_records():
    """A row says so."""
    assert [usual_game()] == [game for game, row in SAMPLES.items() if row.stands_for_all]
    assert sample_of(long_game()).moves_unfinished
