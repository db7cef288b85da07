"""The bot that looks one decision ahead: what each action leads to in a few imagined worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game
from workers.bots.contract import Thought, Weighed
from workers.bots.evals import Judge, chance_of, judge_of, sensible

Habit = Callable[[Game[Any], Seat, Sequence[Action], Pick], Action]

FAR = 200
"""No look ahead goes on for more decisions than this."""


class Greedy:
    """Tries every action in the same redrawn worlds, and takes what is worth most on average."""

    def __init__(self, worlds: int = 8) -> None:
        self.worlds = worlds

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        return self.think(rules, world, seat, pick).action

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        actions = sensible(judge_of(rules), world, seat, rules.ask(world, seat).actions)
        if len(actions) == 1:
            return Thought(actions[0])
        enough = min(self.worlds, getattr(judge_of(rules), "WORLDS", self.worlds))
        worlds = [rules.guess(world, seat, pick) for _ in range(enough)]
        worths = [sum(_worths(rules, worlds, seat, action, pick)) for action in actions]
        best = max(worths)
        equals = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
        chosen = equals[pick(len(equals))]
        judge = judge_of(rules)
        weighed = [
            Weighed(action, len(worlds), chance_of(judge, worth / len(worlds)))
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
        play_on(rules, judge, game, seat, pick)
        yield judge.value(game, seat)


def _at_random(game: Game[Any], seat: Seat, actions: Sequence[Action], pick: Pick) -> Action:
    return actions[pick(len(actions))]


def play_on(rules: Rules[Any], judge: Judge, game: Game[Any], seat: Seat, pick: Pick) -> None:
    """Let everyone play on until the position can be judged: by habit, or at random."""
    likely: Habit | None = getattr(judge, "likely", None)
    for _ in range(FAR):
        waiting = rules.waiting(game)
        if not waiting or judge.is_settled(game, seat):
            return
        other = waiting[0]
        if other == CHANCE:
            action = rules.deal(game, pick)
        else:
            actions = rules.ask(game, other).actions
            action = (likely or _at_random)(game, other, actions, pick)
        rules.apply(game, other, action)
