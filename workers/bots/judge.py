"""What bots are told of a game: what positions are worth, which answers to think of, how strong.

Design. A game may have a module in `evals` under its own name, whose `JUDGE` says all that bots
know of it. A game that has none is judged by its scores, its answers are equally likely, and its
levels are the usual ones: so hosted bots play it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import exp
from typing import Any, ClassVar

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from workers.bots.budget import Budget

EVALS = "workers.bots.evals"
USUAL_SCALE, CERTAIN = 1.0, 40.0
USUAL_WORLDS = 8


def chance(steps: float) -> float:
    """How likely a seat is to win whose worth is this many times the scale, from 0 to 1."""
    return 1 / (1 + exp(-max(-CERTAIN, min(CERTAIN, steps))))


class Judge(ABC):
    """All that a game may tell its bots. What has a default may be left out."""

    scale: ClassVar[float | None] = None
    """The worth at which a seat wins nearly three games of four, as `bench.fitting.scale` finds it.

    Without one, searches go by differences between positions (see `calibration`).
    """

    told_scale: ClassVar[float] = USUAL_SCALE
    """The same where a worth is only told to people, for judges without a scale."""

    worlds: ClassVar[int] = USUAL_WORLDS
    """The number of imagined worlds that tell one action from another."""

    style: ClassVar[int] = 1
    """Raised whenever bots come to play this game otherwise with the same budgets."""

    budgets: ClassVar[Mapping[str, Budget]] = {}
    """By level, where other budgets suit the game better: it is long, or dear to judge."""

    @abstractmethod
    def value(self, game: Game[Any], seat: Seat) -> float:
        """What a position is worth to a seat: more is better, 0 is even."""

    @abstractmethod
    def is_settled(self, game: Game[Any], seat: Seat) -> bool:
        """Whether a position can be judged for a seat as it stands, nobody's move half made."""

    def foresee(self, game: Game[Any], seat: Seat) -> float:
        """What a position is worth as the turn will likely end: dearer, for searches only."""
        return self.value(game, seat)

    def likely(self, game: Game[Any], seat: Seat, actions: Sequence[Action], pick: Pick) -> Action:
        """How a seat usually goes on, where nobody thinks."""
        return actions[pick(len(actions))]

    def sensible(self, game: Game[Any], seat: Seat, actions: Sequence[Action]) -> Sequence[Action]:
        """The actions that are worth a thought, at least one.

        Where a seat may take back what it has begun, they do not lead in circles.
        """
        return actions

    def orders(self, actions: Sequence[Action], kinds: int) -> Sequence[Action]:
        """The standing orders among these that a seat gives first, whatever it holds."""
        return ()

    def priors(self, game: Game[Any], seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        """How likely each action is to be the best; together they are 1."""
        return [1 / len(actions)] * len(actions)

    # What follows from these.

    def candidates(
        self, game: Game[Any], seat: Seat, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """The actions among which a bot decides."""
        return actions if len(actions) == 1 else self.sensible(game, seat, actions)

    def chance(self, worth: float) -> float:
        """How likely a seat is to win to which a position is worth this much."""
        return chance(worth / (self.told_scale if self.scale is None else self.scale))


class ByScores(Judge):
    """Judges any game by its scores alone."""

    scale = USUAL_SCALE

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules

    def value(self, game: Game[Any], seat: Seat) -> float:
        scores = self.rules.scores(game)
        others = [score for other, score in enumerate(scores) if other != seat]
        return float(scores[seat] - max(others, default=0))

    def is_settled(self, game: Game[Any], seat: Seat) -> bool:
        return seat in self.rules.waiting(game)


def judge_of(rules: Rules[Any]) -> Judge:
    """The judge of this game's positions."""
    return own_judge(rules.name) or ByScores(rules)


@cache
def own_judge(game: str) -> Judge | None:
    """What a game's own module in `evals` says; nothing, if it has none."""
    module = f"{EVALS}.{game}"
    if not find_spec(module):
        return None
    judge = import_module(module).JUDGE
    assert isinstance(judge, Judge)
    return judge
