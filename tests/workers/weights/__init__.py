"""Of each game the weights of its judge, each with positions of which the next is always better.

A module here is named like the game and offers `MODULES`, where its weights stand; `LADDERS`, by
the name of a weight, and `NO_WEIGHTS`, the names of other numbers there.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from workers.bots.judge import own_judge

Position = Callable[[], Any]
"""Makes a game that stands there."""


@dataclass(frozen=True)
class Ladder:
    """Positions, the worst first, as a seat judges them."""

    positions: Sequence[Position]
    seat: int = 0
    worth: Callable[[Any, int], float] | None = None  # without one, the value


def climbs(game: str, ladder: Ladder) -> bool:
    """Whether each position is judged to be better than the one before."""
    worth = ladder.worth or own_judge(game).value
    worths = [worth(position(), ladder.seat) for position in ladder.positions]
    return all(low < high for low, high in pairwise(worths))


def numbers_in(module: Any) -> set[str]:
    """The names of numbers, and of tables of numbers, that a module itself defines."""
    body = ast.parse(inspect.getsource(module)).body
    nodes = [node for part in body if isinstance(part, (ast.Assign, ast.AnnAssign))
             for node in ast.walk(part)]  # fmt: skip
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return {n for n in stored if n.isupper() and n[0] != "_" and _is_numeric(vars(module)[n])}


def _is_numeric(value: Any) -> bool:
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple):
        return bool(value) and all(map(_is_numeric, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def negations(value: Any) -> Iterator[tuple[str, Any]]:
    """The value with one number in it negated, for each that is not 0; and where that is."""
    if isinstance(value, tuple):
        for n, part in enumerate(value):
            for where, negated in negations(part):
                yield f"[{n}]{where}", (*value[:n], negated, *value[n + 1 :])
    elif value:
        yield "", -value
