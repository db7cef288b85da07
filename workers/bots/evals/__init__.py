"""What positions are worth: one module a game, or its scores where it has none."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Seat
from services.core.frames import Game

Value = Callable[[Game[Any], Seat], float]


def value_of(rules: Rules[Any]) -> Value:
    """What a position of this game is worth to a seat: more is better, 0 is even."""
    own = f"{__name__}.{rules.name}"
    if find_spec(own):
        value: Value = import_module(own).value
        return value
    return lambda game, seat: _lead(rules.scores(game), seat)


def _lead(scores: tuple[int, ...], seat: Seat) -> float:
    others = [score for other, score in enumerate(scores) if other != seat]
    return float(scores[seat] - max(others, default=0))
