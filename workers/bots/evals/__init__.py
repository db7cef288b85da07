"""What positions are worth: one module a game, or its scores where it has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import exp
from typing import Any, Protocol, cast

from services.core.contract import Rules
from services.core.decisions import Action, Seat
from services.core.frames import Game


class Judge(Protocol):
    """What a module of this package offers."""

    def value(self, game: Game[Any], seat: Seat) -> float:
        """What a position is worth to a seat: more is better, 0 is even."""
        ...

    def is_settled(self, game: Game[Any], seat: Seat) -> bool:
        """Whether a position can be judged for a seat as it stands, nobody's move half made."""
        ...


def judge_of(rules: Rules[Any]) -> Judge:
    """The judge of this game's positions."""
    return _own_judge(rules.name) or ByScores(rules)


@cache
def _own_judge(game: str) -> Judge | None:
    module = f"{__name__}.{game}"
    return cast("Judge", import_module(module)) if find_spec(module) else None


# What a judge may offer besides:
#
# SCALE    the worth at which a seat wins nearly three games of four, as `bench.fit` finds it
# TOLD     the same for words only, where a search does better to go by differences (see gauge)
# WORLDS   how many imagined worlds are enough to tell actions apart by a look at what follows
# foresee  foresee(game, seat): `value`, but of how the turn will likely end; dearer, for searches
# likely   likely(game, seat, actions, pick): how a seat usually goes on, where nobody thinks
# sensible sensible(game, seat, actions): those that are worth a thought; where a seat may take back
#          what it has begun, they must not lead in circles
# orders   orders(actions, care): the standing orders among them that a seat of so much care gives
#          before it thinks, whatever it holds
# priors   priors(game, seat, actions): how likely each is to be the best; together they are 1

SCALE, CERTAIN = 1.0, 40.0


def chance(steps: float) -> float:
    """How likely a seat is to win that is ahead by so many times the scale, from 0 to 1."""
    return 1 / (1 + exp(-max(-CERTAIN, min(CERTAIN, steps))))


def chance_of(judge: Judge, worth: float) -> float:
    """The same for a worth, by the judge's own scale."""
    return chance(worth / getattr(judge, "SCALE", getattr(judge, "TOLD", SCALE)))


def priors_of(
    judge: Judge, game: Game[Any], seat: Seat, actions: Sequence[Action]
) -> Sequence[float]:
    """`priors` of its module: how likely each action is to be the best; together they are 1."""
    own = getattr(judge, "priors", None)
    if own is None:
        return [1 / len(actions)] * len(actions)
    priors: Sequence[float] = own(game, seat, actions)
    return priors


Worth = Callable[[Game[Any], Seat], float]
"""What a position is worth to a seat."""


def foresight_of(judge: Judge) -> Worth:
    """What a search judges by: `foresee` of its module, or `value`."""
    own: Worth = getattr(judge, "foresee", judge.value)
    return own


def sensible(
    judge: Judge, game: Game[Any], seat: Seat, actions: Sequence[Action]
) -> Sequence[Action]:
    """`sensible` of its module: those of the actions that are worth a thought."""
    own = getattr(judge, "sensible", None)
    if own is None or len(actions) == 1:
        return actions
    found: Sequence[Action] = own(game, seat, actions)
    return found


def orders_of(judge: Judge, actions: Sequence[Action], care: int) -> Sequence[Action]:
    """`orders` of its module: nothing, if it has none."""
    own = getattr(judge, "orders", None)
    found: Sequence[Action] = own(actions, care) if own else ()
    return found


class ByScores:
    """Judges any game by its scores alone."""

    SCALE = SCALE

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules

    def value(self, game: Game[Any], seat: Seat) -> float:
        scores = self.rules.scores(game)
        others = [score for other, score in enumerate(scores) if other != seat]
        return float(scores[seat] - max(others, default=0))

    def is_settled(self, game: Game[Any], seat: Seat) -> bool:
        return seat in self.rules.waiting(game)
