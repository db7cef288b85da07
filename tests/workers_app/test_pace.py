"""When bots answer neutral questions: by a clock of the test's own, no time passes in these."""

from __future__ import annotations

import random

import pytest

from tests.workers_app.test_bot_turn import MATCH, turn_of
from workers import bot_turn, pace
from workers.bot_turn import play
from workers.bots import BOTS
from workers.pace import SPREAD, THINKING, Clock, release


class Watch:
    """A clock that goes when somebody thinks or sleeps."""

    def __init__(self, spread=0.0):
        self.at, self.slept = 1000.0, []
        self.clock = Clock(lambda: self.at, self.sleep, lambda: spread)

    def sleep(self, seconds):
        assert seconds > 0
        self.slept.append(seconds)
        self.at += seconds


class Thinker:
    """A bot that needs some time for its choice, and takes the last or the first."""

    def __init__(self, watch, seconds, place=-1):
        self.watch, self.seconds, self.place = watch, seconds, place

    def choose(self, rules, world, seat, pick):
        self.watch.at += self.seconds
        return rules.ask(world, seat).actions[self.place]


def come_to(engine, *, neutral, choices):
    """A match in which such a question stands."""
    for seed in range(500):
        table, pick = engine.begin(MATCH), random.Random(seed)
        while not table.is_over:
            ask = table.ask(table.waiting()[0])
            if ask.neutral == neutral and (len(ask.actions) > 1) == (choices > 1):
                return table
            table.act(table.waiting()[0], pick.choice(ask.actions))
    raise AssertionError("never asked")


@pytest.fixture
def taken(clients, engine, monkeypatch):
    """Says how long one question takes by a watch, and what was slept of it."""

    def taken(level, thinking, *, kind=Thinker, neutral=True, choices=2):
        watch = Watch()
        table = come_to(engine, neutral=neutral, choices=choices)
        monkeypatch.setattr(bot_turn, "bot_for", lambda *_: kind(watch, thinking))
        monkeypatch.setattr(bot_turn, "LONGEST_RUN", 1)
        answered, began = [], watch.at
        engine.before["Act"] = [lambda: answered.append(watch.at)]
        play(clients, turn_of(table, level=level), 60, lambda _: None, watch.clock)
        return round(answered[0] - began, 9), watch.slept

    return taken


@pytest.mark.parametrize("level", BOTS)
def test_what_is_held_does_not_show_in_the_time(taken, level):
    """One choice at once, or two after a thought: the answer is given at the same time."""
    forced, _ = taken(level, 0.0001, choices=1)
    thought = THINKING if level != "uniform" else 0.001
    chosen, _ = taken(level, thought, choices=2)

    assert forced == chosen == pace.PERIODS.get(level, pace.USUAL)


def test_a_bot_that_thought_too_long_waits_for_the_next_period(taken):
    """So that nothing is told but how many have passed."""
    took, _ = taken("greedy", 2.1 * pace.USUAL)

    assert round(3 * pace.USUAL, 9) == took


def test_other_questions_are_answered_at_once(taken):
    """Nobody is kept waiting for nothing."""
    assert (0.01, []) == taken("greedy", 0.01, neutral=False)


def test_a_little_is_drawn_on_top_that_no_question_has_a_part_in():
    """Within bounds, and from a source that knows nothing of the match."""
    first, last = (release("master", 5, 5.01, spread) for spread in (0, 1))

    assert (5 + pace.USUAL, SPREAD) == (first, round(last - first, 9))


def test_a_failing_bot_is_no_faster(taken):
    """Whatever goes wrong goes wrong at the usual time."""

    class Broken(Thinker):
        def choose(self, rules, world, seat, pick):
            raise ZeroDivisionError

    assert pace.USUAL == taken("greedy", 0, kind=Broken)[0]


def test_a_neutral_question_is_thought_about_for_less_than_a_period(clients, engine, monkeypatch):
    """Whoever heeds a limit is given one that leaves room for what else takes time."""
    limits = []
    real = bot_turn.bot_for
    monkeypatch.setattr(
        bot_turn, "bot_for", lambda *told: (limits.append(told[-1]), real(*told))[1]
    )
    table = come_to(engine, neutral=True, choices=2)
    play(clients, turn_of(table, level="master"), 60, lambda _: None, Watch().clock)

    assert {THINKING, 60} == set(limits)
    assert max(pace.PERIODS.get(level, pace.USUAL) for level in BOTS) < 0.5
    assert 2 * THINKING < pace.USUAL
