"""The bots by name. Each plays any game, on imagined worlds only."""

from __future__ import annotations

from collections.abc import Mapping

from services.core.errors import Invalid
from workers.bots.contract import Bot
from workers.bots.greedy import Greedy
from workers.bots.uniform import Uniform

BOTS: Mapping[str, Bot] = {"uniform": Uniform(), "greedy": Greedy()}


def bot_of(name: str) -> Bot:
    """The bot with this name."""
    if name not in BOTS:
        raise Invalid(f"no such bot; there are {', '.join(BOTS)}", said=name)
    return BOTS[name]
