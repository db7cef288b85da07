"""What a look at each action of a question says, before any of them is searched.

Design. A search with few dives cannot try a hundred actions, and what it tries once or twice it
knows worse than a judge does. So if its budget has a `look`, every action is judged one decision
deep in one imagined world, and what looks better is tried earlier and more often: an action that is
worth so much less is less likely by a factor of e.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from workers.bots.evals import foresight_of, judge_of
from workers.bots.greedy import play_on

OPEN_MIND = 0.1
"""So much of the priors is shared out evenly, whatever the looks say."""


def worths_of(
    rules: Rules[Any], world: Game[Any], seat: Seat, actions: Sequence[Action], pick: Pick
) -> dict[Action, float]:
    """What each action leads to in this world."""
    judge = judge_of(rules)
    worth, found = foresight_of(judge), dict[Action, float]()
    for action in actions:
        game = world.copy()
        rules.apply(game, seat, action)
        play_on(rules, judge, game, seat, pick)
        found[action] = worth(game, seat)
    return found


def priors_from(worths: dict[Action, float], look: float) -> dict[Action, float]:
    """By action, how likely it is to be the best; together they are 1."""
    best, even = max(worths.values()), OPEN_MIND / len(worths)
    likely = {action: exp((worth - best) / look) for action, worth in worths.items()}
    whole = sum(likely.values())
    return {action: (1 - OPEN_MIND) * part / whole + even for action, part in likely.items()}
