"""How much each part of what War of the Ring's judge says counts: moves weights by what wins games.

`python -m bench.heft MINUTES` plays games for so long, each between bots that look one decision
ahead into one world. Both draw their weights around those that were found before, so that every
game says a little about each of them. From who won, a logistic regression tells which weights
should have been larger, and they are moved so. The games are kept in `bench/heft.jsonl`, round by
round, and without minutes the weights are found again from there. Those in use are `WEIGHTS` in
`workers/bots/evals/warofthering.py`, in the same order.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.newton import fitted
from services import rules_of
from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game
from services.warofthering.board import DRAWN_GAME, UNDECIDED
from services.warofthering.tables import FREE, SHADOW
from workers.bots.evals.warofthering import WEIGHTS, parts, value
from workers.bots.looks import look

RESULTS = Path(__file__).with_name("heft.jsonl")
BEGINNING = (
    *(2.6, 2, 1.5, 1.2, 1, 1.2, 1.2, 1.2),
    *(0.9, 1, 0.9, 0.7, 0.6, 0.7, 1.2, 1),
    *(1.2, 1.2, 1.3, 1.3, 1.3),
)
"""For both sides: from an earlier fit to who won from which positions, and from judgement."""
SPREAD = 0.7
"""Two of three weights are drawn within a factor of e to this."""
STEP, HELD_BACK = 0.8, 0.04
LONGEST = 5000  # a game of more decisions counts as drawn

Weights = tuple[float, ...]


class Played(NamedTuple):
    """One game: by side the weights, and what the Free Peoples have won."""

    round: int
    weights: tuple[Weights, Weights]
    won: float


class Weighing:
    """Takes what its weights like best in one world."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def worth(self, game: Game[Any], seat: Seat) -> float:
        """What a position is worth to a seat."""
        b = game.board
        if b.result != UNDECIDED:
            return value(game, seat)
        worth = sum([weight * part for weight, part in zip(self.weights, parts(b), strict=True)])
        return worth if b.charter.sides[seat] == FREE else -worth

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        """The best action, as far as one world can tell."""
        actions = rules.ask(world, seat).actions
        if len(actions) == 1:
            return actions[0]
        worlds = [rules.guess(world, seat, pick)]
        worths = look(rules, worlds, seat, actions, pick, self.worth)
        return max(actions, key=lambda action: worths[action][0])


def play(weights: Sequence[Weights], pick: Pick) -> float:
    """What the Free Peoples win with these."""
    rules = rules_of("warofthering")
    game, bots = rules.setup(rules.agree({})), [Weighing(own) for own in weights]
    for _ in range(LONGEST):
        if not (waiting := rules.waiting(game)):
            break
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(game, pick)
        else:
            action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        rules.apply(game, seat, action)
    result = game.board.result
    return 0.5 if result in (UNDECIDED, DRAWN_GAME) else float(result == FREE)


def kept(results: Path = RESULTS) -> list[list[Played]]:
    """The games so far, by round."""
    rounds: dict[int, list[Played]] = {}
    for line in results.read_text().splitlines():
        number, free, shadow, won = json.loads(line)
        rounds.setdefault(number, []).append(Played(number, (tuple(free), tuple(shadow)), won))
    return list(rounds.values())


def found(rounds: Sequence[Sequence[Played]]) -> tuple[Weights, Weights]:
    """By side, where these rounds lead to."""
    weights: tuple[Weights, Weights] = (BEGINNING, BEGINNING)
    for games in rounds:
        weights = moved(weights, games)
    return weights


def moved(around: tuple[Weights, Weights], games: Sequence[Played]) -> tuple[Weights, Weights]:
    """Weights moved towards those of the sides that have won."""
    centre = [*around[FREE], *around[SHADOW]]
    samples = []
    for game in games:
        drawn = [*game.weights[FREE], *game.weights[SHADOW]]
        row = [log(one / middle) for one, middle in zip(drawn, centre, strict=True)]
        samples.append(([*row, 1.0], game.won))
    slopes, size = fitted(samples, held_back=HELD_BACK), len(around[FREE])
    signs = [1.0] * size + [-1.0] * size
    new = [
        middle * exp(STEP * sign * slope)
        for middle, sign, slope in zip(centre, signs, slopes[:-1], strict=True)
    ]
    return tuple(new[:size]), tuple(new[size:])


def rounds_of_play(number: int, minutes: float) -> Iterator[Played]:
    """Games of another round, for so long."""
    around, until = found(kept()), time.monotonic() + 60 * minutes
    chance = Random(time.time_ns())
    while time.monotonic() < until:
        free, shadow = (
            tuple(round(middle * exp(chance.gauss(0, SPREAD)), 3) for middle in own)
            for own in around
        )
        yield Played(number, (free, shadow), play((free, shadow), chance.randrange))


def main(minutes: float) -> None:
    """Play, if that is wanted; fit, and print."""
    if minutes:
        number = len(kept()) + 1
        with RESULTS.open("a") as out:
            for game in rounds_of_play(number, minutes):
                out.write(json.dumps([game.round, *game.weights, game.won]) + "\n")
                out.flush()
    rounds = kept()
    print(f"{sum(map(len, rounds))} games in {len(rounds)} rounds")
    for name, free, shadow in zip(WEIGHTS, *found(rounds), strict=True):
        print(f'    "{name}": ({free:.2f}, {shadow:.2f}),')


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
