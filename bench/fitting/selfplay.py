"""Games between bots with weights that vary by chance, kept round by round, for those who fit them.

Design. Who fits weights to what became of positions learns what goes together, not what wins. So
here the weights themselves vary, and what follows from them is no coincidence. In the games of a
round they vary around the same middle, which the rounds before have found.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game
from workers.bots.contract import Bot, Thought
from workers.bots.judge import judge_of
from workers.bots.one_ply import Worth, evaluated

Row = list[Any]
"""One game as it is kept: the number of its round, and whatever its fit needs."""
LONGEST = 5000
"""A game of more decisions is broken off."""


class ByWorth:
    """Takes what is worth most in a world or a few, by its own judge."""

    def __init__(self, worth: Worth, worlds: int = 1) -> None:
        self.worth = worth
        self.worlds = worlds

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        """The best action, as far as these worlds can tell."""
        actions = judge_of(rules).candidates(world, seat, rules.ask(world, seat).actions)
        if len(actions) == 1:
            return actions[0]
        worlds = [rules.guess(world, seat, pick) for _ in range(self.worlds)]
        worths = evaluated(rules, worlds, seat, actions, pick, self.worth)
        return max(actions, key=lambda action: sum(worths[action]))

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        """The same; nobody asks what is behind it."""
        return Thought(self.choose(rules, world, seat, pick))


def played(rules: Rules[Any], game: Game[Any], bots: Sequence[Bot], pick: Pick) -> Game[Any]:
    """The game at its end, or where it is broken off."""
    for _ in range(LONGEST):
        if not (waiting := rules.waiting(game)):
            break
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(game, pick)
        else:
            action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        rules.apply(game, seat, action)
    return game


def rounds_in(results: Path) -> list[list[Row]]:
    """The games that are kept, by round."""
    rounds: dict[int, list[Row]] = {}
    for line in results.read_text("utf-8").splitlines() if results.exists() else ():
        row: Row = json.loads(line)
        rounds.setdefault(row[0], []).append(row)
    return list(rounds.values())


def play_round(results: Path, minutes: float, play: Callable[[Random], Row]) -> None:
    """Play and keep another round for this time; several may do so at once."""
    number, chance = len(rounds_in(results)) + 1, Random(time.time_ns())
    until = time.monotonic() + 60 * minutes
    with results.open("a", encoding="utf-8") as out:
        while True:  # one game at least, or it would be no round
            out.write(json.dumps([number, *play(chance)]) + "\n")
            out.flush()
            if time.monotonic() >= until:
                break
