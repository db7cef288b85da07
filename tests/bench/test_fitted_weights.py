"""What the weights of Risk and War of the Ring are fitted to, and how."""

from __future__ import annotations

import random
from itertools import count
from math import exp, log
from pathlib import Path

import pytest

from bench.fitting import risk_against_greedy, risk_holdings, selfplay, warofthering
from bench.fitting.regression import fitted, surprise
from services import rules_of
from services.core.decisions import CHANCE
from workers.bots.evals.risk import JUDGE
from workers.bots.evals.risk.prospects import HELD, POINT
from workers.bots.evals.risk.prospects import WEIGHTS as RISK_WEIGHTS
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
    found = list(risk_holdings.samples(2, {"players": seats, "setup_mode": "random"}))

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
        games.append(warofthering.Trial((free, shadow), float(chance.random() < won)))

    free, shadow = warofthering.moved(around, games)

    assert max(free) == free[3] > 2
    assert min(shadow) == shadow[5] < 1
    assert all(0.7 < weight < 1.4 for weight in free[:3] + free[4:])


def test_the_weights_in_use_are_those_that_were_found():
    sides = zip(*warofthering.found(warofthering.kept()), strict=True)
    assert [pytest.approx(pair, abs=0.005) for pair in sides] == list(WEIGHTS.values())


def test_a_game_for_weights_is_played_to_its_end(monkeypatch):
    """Or broken off and counted as drawn, if it is too long."""
    pick = random.Random("heft play").randrange
    assert warofthering.play(warofthering.found(warofthering.kept()), pick) in (0, 1)
    monkeypatch.setattr(selfplay, "LONGEST", 20)
    assert warofthering.play(warofthering.found(warofthering.kept()), pick) == 0.5


def test_rounds_are_kept_one_after_the_other(tmp_path):
    """A round goes on as long as it may, and what is kept is read again."""
    results, rows = tmp_path / "rounds.jsonl", count()
    for _ in range(2):
        selfplay.play_round(results, 1e-5, lambda chance: [next(rows), "game"])

    rounds = selfplay.rounds_in(results)
    assert [1, 2] == [first[0] for first, *_ in rounds]
    assert list(range(sum(map(len, rounds)))) == [row[1] for games in rounds for row in games]


def test_the_weights_in_use_are_a_step_towards_those_that_win():
    """Nothing was moved against what the games that are kept say."""
    rows = [row for rows in selfplay.rounds_in(risk_against_greedy.RESULTS) for row in rows]
    slopes, moved = (
        risk_against_greedy.slopes(rows),
        risk_against_greedy.stepped(risk_against_greedy.TAKEN),
    )

    assert [pytest.approx(pair, abs=0.001) for pair in moved.held] == list(RISK_WEIGHTS[4])
    assert moved.point == pytest.approx(POINT, abs=0.005)
    assert all(slopes[name] * far > 0 for name, far in risk_against_greedy.TAKEN.items())
    assert max(slopes, key=lambda name: abs(slopes[name])) in risk_against_greedy.TAKEN


@pytest.mark.parametrize("seats", [2, 3])
def test_the_weights_in_use_are_those_that_were_fitted_to_turns(seats):
    """Those for four seats have been moved since, see above."""
    kept = Path(risk_holdings.__file__).with_suffix(".txt").read_text("utf-8")
    fit = next(part for part in kept.split("\n\n") if f"'players': '{seats}'" in part)
    rows = [line.rsplit(maxsplit=2) for line in fit.splitlines()[2:] if "just" not in line]

    assert [name for name, _, _ in rows] == list(HELD)
    found = [pytest.approx((float(first), float(more)), abs=0.0006) for _, first, more in rows]
    assert found == list(RISK_WEIGHTS[seats])


def test_slopes_say_what_wins_against_the_greedy_bot():
    """Games against others say nothing of it."""
    chance, rows = random.Random("sway"), []
    for _ in range(400):
        steps = [chance.gauss(0, 1) for _ in risk_against_greedy.VARIED]
        won = float(chance.random() < 1 / (1 + exp(-steps[3])))
        rows += [[1, "greedy", steps, won], [1, "uniform", steps, 1.0 - won]]

    slopes = risk_against_greedy.slopes(rows)

    assert max(slopes, key=lambda name: slopes[name]) == [*risk_against_greedy.VARIED][3]


def test_steps_move_what_they_name():
    """And what they do not name stays."""
    held, point = risk_against_greedy.stepped({"battalions, late": -2.0, "a point": 1.0})
    before = risk_against_greedy.stepped({})

    changed = {part for part, new, old in zip(HELD, held, before.held, strict=True) if new != old}
    assert changed == {"battalions"}
    first, more = held[HELD.index("battalions")]
    assert (first, first + more) == pytest.approx((0.049, 0.033 / exp(1)))
    assert point == pytest.approx(risk_against_greedy.POINT * exp(0.5))


def test_a_judge_with_the_weights_in_use_judges_as_the_one_in_use():
    """Positions of a game that chance plays, for each seat."""
    rules, pick = rules_of("risk"), random.Random("sway worth").randrange
    game, judged = (
        rules.setup(rules.agree({"setup_mode": "random"})),
        risk_against_greedy.stepped(risk_against_greedy.TAKEN),
    )
    compared = 0
    for _ in range(300):
        if not (waiting := rules.waiting(game)):
            break
        seat = waiting[0]
        actions = [rules.deal(game, pick)] if seat == CHANCE else rules.ask(game, seat).actions
        rules.apply(game, seat, actions[pick(len(actions))])
        if game.board.number and seat != CHANCE and game.board.is_in(seat):
            assert judged.worth(game, seat) == pytest.approx(JUDGE.foresee(game, seat), abs=0.1)
            compared += 1
    assert compared > 50


def test_points_are_what_part_of_the_others_was_beaten():
    """Ties are half; partners of the same weights do not count."""
    assert risk_against_greedy.points((3, 2, 1, 0), (0, 0, 1, 1)) == 1
    assert risk_against_greedy.points((3, 0, 2, 1), (0, 0, 1, 1)) == 0.5
    assert risk_against_greedy.points((2, 2, 3, 1), (0, 1, 0, 1)) == 0.875


def test_a_trial_against_greedy_bots_is_played_to_its_end():
    """And kept with the steps it was played with, and the points it brought."""
    against, steps, points = risk_against_greedy.trial(random.Random("sway trial"))

    assert against in ("greedy", "uniform")
    assert len(steps) == len(risk_against_greedy.VARIED)
    assert points * 4 in range(5) or points * 8 in range(9)
