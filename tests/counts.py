"""Counts of decision paths: how many ways a game can go in its next decisions.

One number that changes points at one list that is wrong. Where several seats are waited for, the
first of them decides: whichever went first, the others would be offered the same. A path that
reaches the end of the game before the depth counts for nothing.
"""

from __future__ import annotations

from typing import Any

from services.core.contract import Rules
from services.core.frames import Game


class Unlisted(Exception):
    """Chance has more answers here than its question lists; such paths cannot be counted."""


def paths(rules: Rules[Any], game: Game[Any], depth: int) -> int:
    """The number of ways in which `depth` decisions can be made from here, chance's included."""
    waiting = rules.waiting(game)
    if depth == 0 or not waiting:
        return int(depth == 0)
    actions = rules.ask(game, waiting[0]).actions
    if not actions:
        raise Unlisted(f"{game.place()} does not list what chance may do")
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        twin = game.copy()
        rules.apply(twin, waiting[0], action)
        total += paths(rules, twin, depth - 1)
    return total
