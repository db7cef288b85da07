"""What positions are worth: one module a game, or its scores where it has none."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from services.core.contract import Rules
from services.core.decisions import Seat
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


class ByScores:
    """Judges any game by its scores alone."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules

    def value(self, game: Game[Any], seat: Seat) -> float:
        scores = self.rules.scores(game)
        others = [score for other, score in enumerate(scores) if other != seat]
        return float(scores[seat] - max(others, default=0))

    def is_settled(self, game: Game[Any], seat: Seat) -> bool:
        return seat in self.rules.waiting(game)
