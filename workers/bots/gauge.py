"""From what a position is worth to how likely a seat is to win.

Design. A judge whose `SCALE` was fitted is believed. Of any other only the differences mean
something: then the moves from the position in question say what is even and what is much. Where
each of them has been looked at anyway, that look says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from statistics import fmean, pstdev
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Pick, Seat
from services.core.frames import Game
from workers.bots.evals import Judge, chance, foresight_of, sensible
from workers.bots.greedy import play_on
from workers.bots.looks import Looked

TRIED = 12
"""So many moves are looked at to see how much positions differ."""

LEAST = 1e-9


class Gauge:
    """What a judge says, as chances from 0 to 1."""

    def __init__(self, judge: Judge, even: Sequence[float], scale: float) -> None:
        self.worth = foresight_of(judge)
        self.even = even  # by seat: the worth at which chances are even
        self.scale = scale

    def chance(self, game: Game[Any], seat: Seat) -> float:
        """How likely a seat is to win from here."""
        return self.chance_of(self.worth(game, seat), seat)

    def chance_of(self, worth: float, seat: Seat) -> float:
        """The same for a worth that is known."""
        return chance((worth - self.even[seat]) / self.scale)


def gauge_for(
    rules: Rules[Any],
    judge: Judge,
    world: Game[Any],
    seat: Seat,
    pick: Pick,
    looked: Looked | None = None,
) -> Gauge:
    """The gauge for a search from this question; a look at it is enough where it judges one seat.

    So it is if nobody else decides in the search, or if the chance of the other is what is left.
    """
    seats = range(len(rules.scores(world)))
    scale = getattr(judge, "SCALE", None)
    if scale is not None:
        return Gauge(judge, [0.0] * len(seats), scale)
    if looked:
        found = list(chain.from_iterable(looked.values()))
        return Gauge(judge, [fmean(found)] * len(seats), max(LEAST, 2 * pstdev(found)))
    return _gauge_by_trying(rules, judge, world, seat, pick)


def _gauge_by_trying(
    rules: Rules[Any], judge: Judge, world: Game[Any], seat: Seat, pick: Pick
) -> Gauge:
    """What some moves lead to says what is even and what is much."""
    seats = range(len(rules.scores(world)))
    worth, worths = foresight_of(judge), list[list[float]]()
    actions = sensible(judge, world, seat, rules.ask(world, seat).actions)
    for _ in range(TRIED):
        game = rules.guess(world, seat, pick)
        rules.apply(game, seat, actions[pick(len(actions))])
        play_on(rules, judge, game, seat, pick)
        worths.append([worth(game, other) for other in seats])
    even = [fmean(found[other] for found in worths) for other in seats]
    spread = pstdev(found[seat] for found in worths)
    return Gauge(judge, even, max(LEAST, 2 * spread))
