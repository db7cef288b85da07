"""The hosted opponents of each game by level, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from services import GAMES
from services.core.errors import Invalid
from workers.bots import BOTS, bot_of
from workers.bots.contract import Bot

LEVELS: Mapping[str, Sequence[str]] = dict.fromkeys(GAMES, BOTS)


def bot_for(game: str, level: str, seconds: float = inf) -> Bot:
    """A bot that plays a game at a level, within a time a question; `Invalid` if there is none."""
    levels = LEVELS.get(game, ())
    if level not in levels:
        raise Invalid(f"no such level of {game}; there are {', '.join(levels)}", said=level)
    return bot_of(level, game, seconds)
