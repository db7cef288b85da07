"""What is measured anew for the plan, because nothing else in the bench has it. Under a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from random import Random
from statistics import mean

from bench.measure import Measure
from bench.plan import pair_costs, redis_costs, town_costs
from bench.thoughts import somewhere
from bench.town import platform
from services import GAMES, rules_of
from services.core.decisions import CHANCE
from services.manifests import usual_game
from workers.bots import bot_of
from workers.bots.levels import USUAL

SECONDS, FEWEST = 0.5, 4
"""How long bots of a level think about each game, and how many thoughts there are at least."""


def measures() -> Iterator[Measure]:
    """Every figure, in processor time."""
    game = usual_game()
    with platform(BREE_GAMES=game) as town:
        yield from asyncio.run(redis_costs.measures(town))
        yield from asyncio.run(town_costs.measures(town, game))
        program = town.program("redis")
    yield from asyncio.run(pair_costs.measures(program))
    for level in USUAL:
        each = [_thought(name, level) for name in GAMES]
        yield Measure(f"plan: worker, a thought of {level}", round(mean(each), 1), "ms")


def _thought(game: str, level: str) -> float:
    """Milliseconds of processor time for one thought, alone, where there is a choice."""
    rules, pick = rules_of(game), Random(f"{game} {level}").randrange
    bot, took = bot_of(level, game), 0.0
    number = 0
    while took < SECONDS or number < FEWEST:
        position = somewhere(rules, pick)
        seat = rules.waiting(position)[0]
        if seat == CHANCE or len(rules.ask(position, seat).actions) < 2:
            continue
        world, began = rules.guess(position, seat, pick), time.process_time()
        bot.choose(rules, world, seat, pick)
        took, number = took + time.process_time() - began, number + 1
    return 1000 * took / number
