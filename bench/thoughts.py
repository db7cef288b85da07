"""How long hosted bots think under load, beside the longest that they may.

Design. Four times as many bots as there are cores think at once, each with a process of its own, as
workers do. What counts is the longest thought, from the question to the answer, by the clock on the
wall: that is what a player waits for. The cap is what the level's budget allows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median

from bench.measure import Measure
from services import GAMES, rules_of
from services.core.decisions import CHANCE
from workers.bots import bot_of
from workers.bots.levels import USUAL, budget_of

AT_ONCE = 4
"""So many bots for each core."""
SECONDS = 15.0
"""How long they are watched, for each game and level."""


def measures() -> Iterator[Measure]:
    """Each level of each game."""
    cores = os.cpu_count() or 1
    bots = AT_ONCE * cores
    with ProcessPoolExecutor(bots) as pool:
        for game in GAMES:
            for level in USUAL:
                each = [pool.submit(thoughts, game, level, number) for number in range(bots)]
                found = sorted(thought for one in each for thought in one.result())
                cap = budget_of(game, level).seconds
                usual = f"middle {1000 * median(found):.1f} ms of {len(found):,} thoughts"
                yield Measure(
                    f"{game}: longest thought of {level}, {bots} at once on {cores} cores",
                    round(found[-1], 3),
                    "s",
                    f"cap {cap:g} s; {usual}",
                    found[-1] / cap,
                    "<= 1",
                )


def thoughts(game: str, level: str, number: int) -> list[float]:
    """How long each question took that such bots were asked, in one game after another."""
    rules, pick = rules_of(game), Random(f"{game} {level} {number}").randrange
    found: list[float] = []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        position = rules.setup(rules.agree({}))
        bots = [bot_of(level, game) for _ in rules.scores(position)]
        while (waiting := rules.waiting(position)) and time.monotonic() < until:
            seat = waiting[0]
            if seat == CHANCE:
                rules.apply(position, CHANCE, rules.deal(position, pick))
                continue
            world, began = rules.guess(position, seat, pick), time.monotonic()
            action = bots[seat].choose(rules, world, seat, pick)
            if len(rules.ask(position, seat).actions) > 1:
                found.append(time.monotonic() - began)
            rules.apply(position, seat, action)
    return found
