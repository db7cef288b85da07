"""How much each part of what War of the Ring's judge says counts: moves weights by what wins games.

`python -m bench.fitting.warofthering MINUTES` plays games for this time, each between bots that
look one decision ahead into one world. Both draw their weights around those that were found before,
so that every game says a little about each of them. From who won, a logistic regression tells which
weights should have been larger, and they are moved so. The games are kept in `warofthering.jsonl`,
round by round, and without minutes the weights are found again from there. Those in use are
`WEIGHTS` in `workers/bots/evals/warofthering`, in the same order.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from math import exp, log
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.fitting import selfplay
from bench.fitting.regression import fitted
from services import rules_of
from services.core.decisions import Pick
from workers.bots.evals.warofthering import WEIGHTS, weighted
from workers.bots.search import beaten_share

FREE, SHADOW = range(2)
RESULTS = Path(__file__).with_name("warofthering.jsonl")
BEGINNING = (
    *(2.6, 2, 1.5, 1.2, 1, 1.2, 1.2, 1.2),
    *(0.9, 1, 0.9, 0.7, 0.6, 0.7, 1.2, 1),
    *(1.2, 1.2, 1.3, 1.3, 1.3),
    *(1, 1, 1),
)
"""For both sides: from an earlier fit to who won from which positions, and from judgement.

Parts that came later have the last of these weights in the rounds before."""
SPREAD = 0.7
"""Two of three weights are drawn within a factor of e to this."""
STEP, HELD_BACK = 0.8, 0.04

Weights = tuple[float, ...]


class Trial(NamedTuple):
    """One game: by side the weights, and what the Free Peoples have won."""

    weights: tuple[Weights, Weights]
    won: float


def play(weights: Sequence[Weights], pick: Pick) -> float:
    """What the Free Peoples win with these; a game that is too long is drawn."""
    rules = rules_of("warofthering")
    bots = [selfplay.ByWorth(partial(weighted, weights=own)) for own in weights]
    game = selfplay.played(rules, rules.setup(rules.agree({})), bots, pick)
    return beaten_share(rules.scores(game), FREE)


def kept() -> list[list[Trial]]:
    """The games so far, by round."""
    return [[_read(*row) for row in rows] for rows in selfplay.rounds_in(RESULTS)]


def _read(number: int, free: Weights, shadow: Weights, won: float) -> Trial:
    whole = [(*own, *BEGINNING[len(own) :]) for own in (free, shadow)]
    return Trial((whole[FREE], whole[SHADOW]), won)


def found(rounds: Sequence[Sequence[Trial]]) -> tuple[Weights, Weights]:
    """By side, where these rounds lead to."""
    weights: tuple[Weights, Weights] = (BEGINNING, BEGINNING)
    for games in rounds:
        weights = moved(weights, games)
    return weights


def moved(around: tuple[Weights, Weights], games: Sequence[Trial]) -> tuple[Weights, Weights]:
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


def trial(around: tuple[Weights, Weights], chance: Random) -> selfplay.Row:
    """A game with weights that are drawn around these."""
    weights = [
        tuple(round(middle * exp(chance.gauss(0, SPREAD)), 3) for middle in own) for own in around
    ]
    return [*weights, play(weights, chance.randrange)]


def main(minutes: float) -> None:
    """Play, if that is wanted; fit, and print."""
    if minutes:
        selfplay.play_round(RESULTS, minutes, partial(trial, found(kept())))
    rounds = kept()
    print(f"{sum(map(len, rounds))} games in {len(rounds)} rounds")
    for name, free, shadow in zip(WEIGHTS, *found(rounds), strict=True):
        print(f'    "{name}": ({free:.2f}, {shadow:.2f}),')


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
