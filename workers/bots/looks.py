"""What a look at each action of a question says, before any of them is searched.

Design. A search with few dives cannot try a hundred actions, and what it tries once or twice it
knows worse than a judge does. So where a judge has a `LOOK`, every action is judged one decision
deep in one imagined world, and what looks better is tried earlier and more often: an action that is
worth a `LOOK` less is less likely by a factor of e.
"""

from __future__ import annotations

from math import exp
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from workers.bots.evals import Judge, foresight_of
from workers.bots.greedy import play_on

OPEN_MIND = 0.1
"""So much of the priors is shared out evenly, whatever the looks say."""


def looks(
    rules: Rules[Any], judge: Judge, world: Game[Any], seat: Seat, pick: Pick
) -> dict[Action, float]:
    """By action, how likely it is to be the best; together they are 1."""
    imagined = rules.guess(world, seat, pick)
    worth, worths = foresight_of(judge), dict[Action, float]()
    for action in rules.ask(world, seat).actions:
        game = imagined.copy()
        rules.apply(game, seat, action)
        play_on(rules, judge, game, seat, pick)
        worths[action] = worth(game, seat)
    best, scale = max(worths.values()), getattr(judge, "LOOK", 1.0)
    likely = {action: exp((worth - best) / scale) for action, worth in worths.items()}
    whole, even = sum(likely.values()), OPEN_MIND / len(likely)
    return {action: (1 - OPEN_MIND) * part / whole + even for action, part in likely.items()}
