"""Every weight of every judge counts for whom it should: what is better is judged to be better."""

from __future__ import annotations

from importlib import import_module

import pytest

from services import GAMES
from tests.workers.weights import climbs, negations, numbers_in
from workers.bots.judge import own_judge

JUDGED = [game for game in GAMES if own_judge(game)]
WEIGHTS = [
    (game, weight)
    for game in JUDGED
    for weight in import_module(f"tests.workers.weights.{game}").LADDERS
]


@pytest.mark.parametrize("game", JUDGED)
def test_every_weight_has_positions_that_it_tells_apart(game):
    """A number that a judge's modules define is a weight, unless it is said to be none."""
    told = import_module(f"tests.workers.weights.{game}")
    numbers = {name for module in told.MODULES for name in numbers_in(module)}

    assert numbers == {*told.LADDERS} | told.NO_WEIGHTS
    assert not {*told.LADDERS} & told.NO_WEIGHTS


@pytest.mark.parametrize(("game", "weight"), WEIGHTS)
def test_what_is_better_is_judged_to_be_better(game, weight):
    told = import_module(f"tests.workers.weights.{game}")

    for ladder in told.LADDERS[weight]:
        assert climbs(game, ladder), ladder


@pytest.mark.parametrize(("game", "weight"), WEIGHTS)
def test_a_negated_weight_is_seen(game, weight, monkeypatch):
    """Each number of a table by itself: some position is judged to be no better then."""
    told = import_module(f"tests.workers.weights.{game}")
    homes = [module for module in told.MODULES if hasattr(module, weight)]
    unseen = []
    for where, negated in negations(getattr(homes[0], weight)):
        for module in homes:
            monkeypatch.setattr(module, weight, negated)
        forget(told.MODULES)
        if all(climbs(game, ladder) for ladder in told.LADDERS[weight]):
            unseen.append(where or weight)
    forget(told.MODULES)

    assert [] == unseen


def forget(modules):
    """What was worked out with other weights."""
    for module in modules:
        for one in vars(module).values():
            if hasattr(one, "cache_clear"):
                one.cache_clear()
