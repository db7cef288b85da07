"""What a look at each action of a question says, before any of them is searched.

Design. A search with few dives cannot try a hundred actions, and what it tries once or twice it
knows worse than a judge does. So if its budget has a `look`, every action is judged one decision
deep in the same few imagined worlds, as the greedy bot does it, and what looks better is tried
earlier and more often. How much worse is worse depends on the question: a spread is how far the
better half of its actions lie apart, and who is a `look` of it behind is less likely by a factor
of e.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp
from statistics import fmean, pstdev
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from workers.bots.evals import Worth, foresight_of, judge_of
from workers.bots.greedy import play_on

OPEN_MIND = 0.1
"""So much of the priors is shared out evenly, whatever the looks say."""

WORLDS = 4
"""So many worlds are looked at, unless a judge says that fewer tell as much."""

LEAST = 1e-9


Looked = Mapping[Action, Sequence[float]]
"""By action, what it led to: one worth for each world."""


def look(
    rules: Rules[Any],
    worlds: Iterable[Game[Any]],
    seat: Seat,
    actions: Sequence[Action],
    pick: Pick,
    worth: Worth | None = None,
) -> Looked:
    """What each action leads to in each of these worlds, as the judge or another sees it."""
    judge, found = judge_of(rules), {action: list[float]() for action in actions}
    worth = worth or foresight_of(judge)
    for world in worlds:
        for action in actions:
            game = world.copy()
            rules.apply(game, seat, action)
            play_on(rules, judge, game, seat, pick)
            found[action].append(worth(game, seat))
    return found


def priors_from(looked: Looked, look: float) -> dict[Action, float]:
    """By action, how likely it is to be the best; together they are 1."""
    worths = {action: fmean(found) for action, found in looked.items()}
    better = sorted(worths.values(), reverse=True)[: max(2, len(worths) // 2)]
    best, scale = better[0], max(LEAST, look * pstdev(better))
    likely = {action: exp((worth - best) / scale) for action, worth in worths.items()}
    whole, even = sum(likely.values()), OPEN_MIND / len(worths)
    return {action: (1 - OPEN_MIND) * part / whole + even for action, part in likely.items()}
