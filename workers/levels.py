"""The hosted opponents of each game by level, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping

from services import GAMES
from services.core.errors import Invalid
from workers.bots import BOTS
from workers.bots.contract import Bot

LEVELS: Mapping[str, Mapping[str, Bot]] = {
    game: {level: BOTS[level] for level in ("uniform", "greedy")} for game in GAMES
}


def bot_for(game: str, level: str) -> Bot:
    """The bot that plays a game at a level; `Invalid` if there is none."""
    levels = LEVELS.get(game, {})
    if level not in levels:
        raise Invalid(f"no such level of {game}; there are {', '.join(levels)}", said=level)
    return levels[level]
