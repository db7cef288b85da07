"""What each action of a question leads to one decision deep, and the priors that follow from it.

Design. A search with few simulations cannot try a hundred actions, and what it tries once or twice
it knows worse than a judge does. So if its budget has a `prior_temperature`, every action is
evaluated one decision deep in the same few imagined worlds, as the greedy bot does it, and what
looks better is tried earlier and more often. How much worse is worse depends on the question: a
spread is how far the better half of its actions lie apart, and what is `prior_temperature` spreads
behind is less likely by a factor of e.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp
from statistics import fmean, pstdev
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from workers.bots.greedy import roll_out
from workers.bots.judge import judge_of

UNIFORM_SHARE = 0.1
"""The part of the priors that is shared out evenly, whatever the evaluations say."""

WORLDS = 4
"""The number of worlds that are looked into, unless a judge says that fewer tell as much."""

LEAST_SCALE = 1e-9

Worth = Callable[[Game[Any], Seat], float]
"""What a position is worth to a seat."""

Evaluations = Mapping[Action, Sequence[float]]
"""By action, what it led to: one worth for each world."""


def evaluated(
    rules: Rules[Any],
    worlds: Iterable[Game[Any]],
    seat: Seat,
    actions: Sequence[Action],
    pick: Pick,
    worth: Worth | None = None,
) -> Evaluations:
    """What each action leads to in each of these worlds, as the judge or another sees it."""
    judge, found = judge_of(rules), {action: list[float]() for action in actions}
    worth = worth or judge.foresee
    for world in worlds:
        for action in actions:
            game = world.copy()
            rules.apply(game, seat, action)
            roll_out(rules, judge, game, seat, pick)
            found[action].append(worth(game, seat))
    return found


def priors_from(evaluations: Evaluations, temperature: float) -> dict[Action, float]:
    """By action, how likely it is to be the best; together they are 1."""
    worths = {action: fmean(found) for action, found in evaluations.items()}
    better = sorted(worths.values(), reverse=True)[: max(2, len(worths) // 2)]
    best, scale = better[0], max(LEAST_SCALE, temperature * pstdev(better))
    likely = {action: exp((worth - best) / scale) for action, worth in worths.items()}
    whole, even = sum(likely.values()), UNIFORM_SHARE / len(worths)
    return {action: (1 - UNIFORM_SHARE) * part / whole + even for action, part in likely.items()}
