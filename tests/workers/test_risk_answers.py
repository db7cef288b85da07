"""How often a seat of Risk is asked in a whole game, as the novice plays it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from math import inf

from services import rules_of
from services.core.decisions import CHANCE
from workers.bots.levels import budget_of
from workers.bots.search import Search

RULES = rules_of("risk")
SEEDS = (1,)


@cache
def answers() -> Counter[str]:
    """Answers by prompt, a seat and a game, of games of four with the published setup."""
    novice, count = Search(replace(budget_of("risk", "novice"), seconds=inf)), Counter[str]()
    for seed in SEEDS:
        pick = random.Random(f"answers {seed}").randrange
        game = RULES.setup(RULES.agree({"players": "4"}))
        while waiting := RULES.waiting(game):
            seat = waiting[0]
            if seat == CHANCE:
                action = RULES.deal(game, pick)
            else:
                count[RULES.ask(game, seat).prompt] += 1
                world = RULES.guess(game, seat, pick)
                action = novice.choose(RULES, world, seat, pick)
            RULES.apply(game, seat, action)
    return Counter({prompt: number / 4 / len(SEEDS) for prompt, number in count.items()})


def test_a_seat_is_asked_little_more_than_a_hundred_times() -> None:
    """Windows are among it: with the usual standing orders nobody is asked in one (RULINGS 28)."""
    assert sum(answers().values()) <= 110
    assert answers()["window.play"] < 10  # a novice blunders, and now and then wants to be asked


def test_the_setup_takes_few_of_these() -> None:
    setup = [number for prompt, number in answers().items() if prompt.startswith("setup.")]

    assert 10 < sum(setup) <= 20


def test_a_battle_and_its_defence_are_asked_for_where_something_is_to_be_decided() -> None:
    """Source and target are one answer, and most invasions are fought to the end with it."""
    assert answers()["combat.battle"] + answers()["combat.defence"] < answers()["combat.invade"] / 2
