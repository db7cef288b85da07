"""What the weights of Risk and War of the Ring are fitted to, and how."""

from __future__ import annotations

import random
from itertools import count
from math import exp, log

import pytest

from bench import heft, trials, weigh
from bench.newton import fitted, surprise
from workers.bots.evals.risk import HELD
from workers.bots.evals.warofthering import WEIGHTS


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


def test_weights_move_towards_those_that_win():
    """Each side's own, and the others hardly."""
    chance = random.Random("heft")
    around = ((1.0,) * len(WEIGHTS), (2.0,) * len(WEIGHTS))
    games = []
    for _ in range(300):
        free, shadow = (tuple(w * exp(chance.gauss(0, 0.7)) for w in own) for own in around)
        won = 1 / (1 + exp(-2 * (log(free[3] / 1.0) + log(shadow[5] / 2.0))))
        games.append(heft.Played((free, shadow), float(chance.random() < won)))

    free, shadow = heft.moved(around, games)

    assert max(free) == free[3] > 2
    assert min(shadow) == shadow[5] < 1
    assert all(0.7 < weight < 1.4 for weight in free[:3] + free[4:])


def test_the_weights_in_use_are_those_that_were_found():
    sides = zip(*heft.found(heft.kept()), strict=True)
    assert [pytest.approx(pair, abs=0.005) for pair in sides] == list(WEIGHTS.values())


def test_a_game_for_weights_is_played_to_its_end(monkeypatch):
    """Or broken off and counted as drawn, if it is too long."""
    pick = random.Random("heft play").randrange
    assert heft.play(heft.found(heft.kept()), pick) in (0, 1)
    monkeypatch.setattr(trials, "LONGEST", 20)
    assert heft.play(heft.found(heft.kept()), pick) == 0.5


def test_rounds_are_kept_one_after_the_other(tmp_path):
    """A round goes on as long as it may, and what is kept is read again."""
    results, rows = tmp_path / "rounds.jsonl", count()
    for _ in range(2):
        trials.play_round(results, 1e-5, lambda chance: [next(rows), "game"])

    rounds = trials.rounds_in(results)
    assert [1, 2] == [first[0] for first, *_ in rounds]
    assert list(range(sum(map(len, rounds)))) == [row[1] for games in rounds for row in games]
