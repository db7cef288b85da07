"""From what a position is worth to how likely a seat is to win.

Design. A judge whose `scale` was fitted is believed. Of any other only the differences mean
something: then the moves from the position in question say what is even and what is much. Where
each of them has been evaluated anyway, those evaluations say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from statistics import fmean, pstdev
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Pick, Seat
from services.core.frames import Game
from workers.bots.greedy import roll_out
from workers.bots.judge import Judge, chance
from workers.bots.one_ply import Evaluations

SAMPLES = 12
"""The number of random moves that show how much positions differ."""

LEAST_SCALE = 1e-9


class Calibration:
    """What a judge says, as chances from 0 to 1."""

    def __init__(self, judge: Judge, even: Sequence[float], scale: float) -> None:
        self.judge = judge
        self.even = even  # by seat: the worth at which chances are even
        self.scale = scale

    def chance(self, game: Game[Any], seat: Seat) -> float:
        """How likely a seat is to win from here."""
        return self.chance_of(self.judge.foresee(game, seat), seat)

    def chance_of(self, worth: float, seat: Seat) -> float:
        """The same for a worth that is known."""
        return chance((worth - self.even[seat]) / self.scale)


def calibrated(
    rules: Rules[Any],
    judge: Judge,
    world: Game[Any],
    seat: Seat,
    pick: Pick,
    evaluations: Evaluations | None = None,
) -> Calibration:
    """The calibration for a search from this question.

    Evaluations for `seat` are enough if nobody else decides in the search, or if the chance of the
    other is what is left.
    """
    seats = range(len(rules.scores(world)))
    if judge.scale is not None:
        return Calibration(judge, [0.0] * len(seats), judge.scale)
    if evaluations:
        found = list(chain.from_iterable(evaluations.values()))
        return Calibration(judge, [fmean(found)] * len(seats), max(LEAST_SCALE, 2 * pstdev(found)))
    return _by_sampling(rules, judge, world, seat, pick)


def _by_sampling(
    rules: Rules[Any], judge: Judge, world: Game[Any], seat: Seat, pick: Pick
) -> Calibration:
    """What some moves lead to says what is even and what is much."""
    seats, worths = range(len(rules.scores(world))), list[list[float]]()
    actions = judge.candidates(world, seat, rules.ask(world, seat).actions)
    for _ in range(SAMPLES):
        game = rules.guess(world, seat, pick)
        rules.apply(game, seat, actions[pick(len(actions))])
        roll_out(rules, judge, game, seat, pick)
        worths.append([judge.foresee(game, other) for other in seats])
    even = [fmean(found[other] for found in worths) for other in seats]
    spread = pstdev(found[seat] for found in worths)
    return Calibration(judge, even, max(LEAST_SCALE, 2 * spread))
