"""The bots by name. Each plays any game, on imagined worlds only."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from services.core.errors import Invalid
from workers.bots.contract import Bot
from workers.bots.greedy import Greedy
from workers.bots.levels import USUAL, budget_of, style_of
from workers.bots.search import Search
from workers.bots.uniform import Uniform

PLAIN = {"uniform": Uniform, "greedy": Greedy}
BOTS = ("uniform", "novice", "apprentice", "greedy", "adept", "master")
"""The weakest first."""


def bot_of(name: str, game: str, seconds: float = inf) -> Bot:
    """A bot with this name for a seat of this game, which answers within this time."""
    if name in PLAIN:
        bot: Bot = PLAIN[name]()
        return bot
    if name not in USUAL:
        raise Invalid(f"no such bot; there are {', '.join(BOTS)}", said=name)
    budget = budget_of(game, name)
    return Search(replace(budget, seconds=min(seconds, budget.seconds)))


def made_of(name: str, game: str) -> str:
    """What a bot is, in a word that changes when the bot does: so results of others are told.

    Kept results are found by this text, so its words stay as they were when those were played.
    """
    style = style_of(game)
    if name in PLAIN:
        return f"{name} {style}"
    budget = budget_of(game, name)
    more = f", {budget.worlds} worlds" if budget.worlds else ""
    more += f", look {budget.prior_temperature:g}" if budget.prior_temperature else ""
    more += f", trust {budget.prior_visits}" if budget.prior_visits else ""
    more += f", depth {budget.depth}" if budget.depth else ""
    more += f", slip {budget.blunder_rate:g}" if budget.blunder_rate else ""
    more += f", care {budget.standing_orders}" if budget.standing_orders else ""
    return f"search {style}: {budget.simulations} nodes, whim {budget.temperature:g}{more}"
