"""The bot that looks one decision ahead: what each action leads to in a few imagined worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game
from workers.bots.contract import Thought, Weighed
from workers.bots.judge import USUAL_WORLDS, Judge, judge_of

LONGEST_ROLLOUT = 200
"""The number of decisions after which no look ahead goes on."""


class Greedy:
    """Tries every action in the same redrawn worlds, and takes what is worth most on average."""

    def __init__(self, worlds: int = USUAL_WORLDS) -> None:
        self.worlds = worlds

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        return self.think(rules, world, seat, pick).action

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        judge = judge_of(rules)
        actions = judge.candidates(world, seat, rules.ask(world, seat).actions)
        if len(actions) == 1:
            return Thought(actions[0])
        worlds = [rules.guess(world, seat, pick) for _ in range(min(self.worlds, judge.worlds))]
        worths = [sum(_worths(rules, worlds, seat, action, pick)) for action in actions]
        best = max(worths)
        equals = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
        chosen = equals[pick(len(equals))]
        weighed = [
            Weighed(action, len(worlds), judge.chance(worth / len(worlds)))
            for action, worth in zip(actions, worths, strict=True)
        ]
        return Thought(chosen, sorted(weighed, key=lambda w: (w.action != chosen, -w.value)))


def _worths(
    rules: Rules[Any], worlds: Sequence[Game[Any]], seat: Seat, action: Action, pick: Pick
) -> Iterator[float]:
    """What an action leads to in each of these worlds."""
    judge = judge_of(rules)
    for world in worlds:
        game = world.copy()
        rules.apply(game, seat, action)
        roll_out(rules, judge, game, seat, pick)
        yield judge.value(game, seat)


def roll_out(rules: Rules[Any], judge: Judge, game: Game[Any], seat: Seat, pick: Pick) -> None:
    """Let everyone play on by habit until the position can be judged."""
    for _ in range(LONGEST_ROLLOUT):
        waiting = rules.waiting(game)
        if not waiting or judge.is_settled(game, seat):
            return
        other = waiting[0]
        if other == CHANCE:
            action = rules.deal(game, pick)
        else:
            action = judge.likely(game, other, rules.ask(game, other).actions, pick)
        rules.apply(game, other, action)
