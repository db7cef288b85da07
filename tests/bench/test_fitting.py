"""What the fits find, from samples whose truth is known."""

from __future__ import annotations

import random
from math import exp

import pytest

from bench.fitting.scale import fitted, samples, surprise
from bench.fitting.search_constants import owner
from services import GAMES, rules_of


@pytest.mark.parametrize("scale", [0.5, 30.0, 800.0])
def test_the_scale_is_found_again(scale):
    """Games that are won as often as a scale says have that scale."""
    chance = random.Random(scale)
    worths = [chance.gauss(0, 2 * scale) for _ in range(4000)]
    found = [(worth, float(chance.random() < 1 / (1 + exp(-worth / scale)))) for worth in worths]

    assert scale == pytest.approx(fitted(found), rel=0.15)
    assert surprise(found, scale) < min(surprise(found, scale / 3), surprise(found, scale * 3))


@pytest.mark.parametrize("game", GAMES)
def test_samples_are_whole_games_seen_from_every_seat(game):
    """What one seat has won the others have lost."""
    rules = rules_of(game)
    seats = len(rules.seats(rules.agree({})))

    found = list(samples(rules, random.Random(1).randrange, worlds=1))

    assert found
    parts = [sum(part for _, part in found[n : n + seats]) for n in range(0, len(found), seats)]
    assert [pytest.approx(seats / 2)] * len(parts) == parts


def test_constants_are_looked_for_where_they_are():
    """Of the search and of a game's judge; one that is nowhere is refused."""
    assert hasattr(owner("duel", "EXPLORATION"), "Node")
    assert hasattr(owner("duel", "scale"), "value")
    assert hasattr(owner("risk", "TURN_OVER"), "standing")
    with pytest.raises(SystemExit, match="no constant COURAGE"):
        owner("duel", "COURAGE")
