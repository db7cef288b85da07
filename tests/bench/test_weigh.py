"""What the weights of Risk and War of the Ring are fitted to, and how."""

from __future__ import annotations

import random
from math import exp

import pytest

from bench import heft, weigh
from bench.newton import fitted, surprise
from workers.bots.evals.risk import HELD
from workers.bots.evals.warofthering import PARTS


def games(weights, number):
    """Games that are won as often as weights say."""
    chance = random.Random("weigh")
    for _ in range(number):
        row = [chance.gauss(0, 2), chance.gauss(0, 1), 1.0]
        odds = sum(w * f for w, f in zip(weights, row, strict=True))
        yield row, float(chance.random() < 1 / (1 + exp(-odds)))


def test_the_weights_are_found_again():
    weights = (0.8, -0.4, 0.2)
    found = list(games(weights, 3000))

    fit = fitted(found)

    assert fit == pytest.approx(weights, abs=0.15)
    assert surprise(found, fit) < surprise(found, [0.0] * 3)


def test_weights_are_held_back_where_games_say_little():
    """The more so the fewer there are, towards what is given."""
    found = list(games((0.8, -0.4, 0.2), 300))

    near, far = (fitted(found, 1.0, back) for back in (0.001, 1.0))

    assert all(abs(f - 1) < abs(n - 1) for n, f in zip(near, far, strict=True))
    assert fitted(found, 1.0, 1000.0) == pytest.approx([1.0] * 3, abs=0.01)


@pytest.mark.parametrize("seats", ["2", "4"])
def test_samples_are_the_ends_of_turns(seats):
    """One for each, with what its seat leads by now and as the end nears, and how it ended."""
    found = list(weigh.samples(2, {"players": seats, "setup_mode": "random"}))

    assert len(found) > 10
    assert {len(row) for row, _ in found} == {2 * len(HELD) + 2}
    assert {0.0, 1.0} <= {part for _, part in found}
    assert len({part for _, part in found}) <= 2 * int(seats) - 1


def test_samples_of_a_long_game_are_what_each_part_says(monkeypatch):
    """All of one game were won by the same side; a game that is too long tells nothing."""
    monkeypatch.setattr(heft, "WHIMS", (1,))  # all at random: that is quick
    found = list(heft.samples(1))

    assert len(found) > 10
    assert {len(row) for row, _ in found} == {len(PARTS) + 1}
    assert len({part for _, part in found}) == 1
    monkeypatch.setattr(heft, "LONGEST", 20)
    assert [] == list(heft.samples(1))
