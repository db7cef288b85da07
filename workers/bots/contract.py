"""What every bot is to those who ask it."""

from __future__ import annotations

from typing import Any, Protocol

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game


class Bot(Protocol):
    """A way of choosing. It has no memory: all it needs is in the world it is given."""

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        """One of the actions that `seat` is offered.

        `world` is one that the caller has imagined with `Rules.guess` for this seat, never the true
        game: so no bot can see what its seat may not. The bot may change it as it likes.
        """
        ...
