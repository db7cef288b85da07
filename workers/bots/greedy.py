"""The bot that looks one decision ahead: what each action leads to in a few imagined worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game
from workers.bots.evals import value_of

FAR = 200
"""No look ahead goes on for more decisions than this."""


class Greedy:
    """Tries every action in the same redrawn worlds, and takes what is worth most on average."""

    def __init__(self, worlds: int = 8) -> None:
        self.worlds = worlds

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        actions = rules.ask(world, seat).actions
        if len(actions) == 1:
            return actions[0]
        worlds = [rules.guess(world, seat, pick) for _ in range(self.worlds)]
        worths = [self._worth(rules, worlds, seat, action, pick) for action in actions]
        best = max(worths)
        equals = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
        return equals[pick(len(equals))]

    def _worth(
        self, rules: Rules[Any], worlds: Sequence[Game[Any]], seat: Seat, action: Action, pick: Pick
    ) -> float:
        value = value_of(rules)
        worth = 0.0
        for world in worlds:
            game = world.copy()
            rules.apply(game, seat, action)
            play_on(rules, game, seat, pick)
            worth += value(game, seat)
        return worth


def play_on(rules: Rules[Any], game: Game[Any], seat: Seat, pick: Pick) -> None:
    """Let everyone else play at random until `seat` is asked again, or the game is over."""
    for _ in range(FAR):
        waiting = rules.waiting(game)
        if not waiting or seat in waiting:
            return
        other = waiting[0]
        if other == CHANCE:
            action = rules.deal(game, pick)
        else:
            actions = rules.ask(game, other).actions
            action = actions[pick(len(actions))]
        rules.apply(game, other, action)
