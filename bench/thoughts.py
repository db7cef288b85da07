"""How long hosted bots think under load, beside the longest that they may.

Design. Four times as many bots as there are cores think at once, each with a process of its own, as
workers do, from positions that chance has led to, early and late. What counts is the longest
thought, from the question to the answer, by the clock on the wall: that is what a player waits for.
The cap is what the level's budget allows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from statistics import median
from typing import Any

from bench.measure import Measure
from services import GAMES, rules_of
from services.core.contract import Rules
from services.core.decisions import CHANCE, Pick
from services.core.frames import Game
from workers.bots import bot_of
from workers.bots.contract import Bot
from workers.bots.levels import USUAL, budget_of

AT_ONCE = 4
"""Bots for each core."""
SECONDS = 5.0
"""How long they are watched, for each game and level."""
LATEST = 500
"""The most decisions after which they take a position over."""
IN_A_ROW = 10
"""The number of thoughts for which they play on from there."""


def measures() -> Iterator[Measure]:
    """Each level of each game."""
    cores = os.cpu_count() or 1
    bots = AT_ONCE * cores
    fresh = get_context("forkserver")  # what forks with threads inside may never come to life
    with ProcessPoolExecutor(bots, mp_context=fresh) as pool:
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
    """How long such a bot thought about each question that it was asked here and there."""
    rules, pick = rules_of(game), Random(f"{game} {level} {number}").randrange
    found: list[float] = []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        position = somewhere(rules, pick)
        bots = [bot_of(level, game) for _ in rules.scores(position)]
        found += run_of_thoughts(rules, position, bots, pick)
    return found


def somewhere(rules: Rules[Any], pick: Pick) -> Game[Any]:
    """A position that is not over, after some decisions that were all taken by chance."""
    while True:
        game = rules.setup(rules.agree({}))
        for _ in range(pick(LATEST)):
            if not (waiting := rules.waiting(game)):
                break
            seat = waiting[0]
            if seat == CHANCE:
                action = rules.deal(game, pick)
            else:
                actions = rules.ask(game, seat).actions
                action = actions[pick(len(actions))]
            rules.apply(game, seat, action)
        if rules.waiting(game):
            return game


def run_of_thoughts(
    rules: Rules[Any], game: Game[Any], bots: Sequence[Bot], pick: Pick
) -> list[float]:
    """How long the next questions take from here, but those with one answer only."""
    found: list[float] = []
    while len(found) < IN_A_ROW and (waiting := rules.waiting(game)):
        seat = waiting[0]
        if seat == CHANCE:
            rules.apply(game, CHANCE, rules.deal(game, pick))
            continue
        world, began = rules.guess(game, seat, pick), time.monotonic()
        action = bots[seat].choose(rules, world, seat, pick)
        took = time.monotonic() - began
        found += [took] if len(rules.ask(game, seat).actions) > 1 else []
        rules.apply(game, seat, action)
    return found
