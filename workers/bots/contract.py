"""What every bot is to those who ask it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game

TAKEN_BACK = "back"
"""The verb by which a seat takes back what it has begun, in games that have it."""


def onward(actions: Sequence[Action]) -> Sequence[Action]:
    """What a bot chooses from: it never takes back what it has begun, lest it go in circles."""
    return [action for action in actions if action.verb != TAKEN_BACK] or actions


class Weighed(NamedTuple):
    """One action that a bot has considered."""

    action: Action
    visits: int  # how often it was tried, in one imagined world or another
    value: float  # what came of it on average: from 0, all lost, to 1


class Thought(NamedTuple):
    """What a bot does, and what it thinks of all that it could do."""

    action: Action
    weighed: Sequence[Weighed] = ()  # the favourite first; nothing, if it did not think


class Bot(Protocol):
    """A way of choosing. All it needs is in the world it is given.

    `world` is one that the caller has imagined with `Rules.guess` for this seat, never the true
    game: so no bot can see what its seat may not. The bot may change it as it likes. One bot plays
    one seat of one match; what it remembers of its own thoughts can only save it time.
    """

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        """One of the actions that `seat` is offered."""
        ...

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        """The same choice, and what is behind it."""
        ...
