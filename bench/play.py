"""Random play of the rules alone, beside python-chess; copies; replays of whole records."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess

from bench.measure import Measure, Work, rate, rates
from services import GAMES, rules_of
from services.core.contract import Rules
from services.core.decisions import CHANCE
from services.core.fair import Fate
from services.core.frames import Game
from services.core.reading import parse_record
from services.core.record import Fairness, Record, record_of
from services.core.replaying import replay
from services.core.table import Table
from services.manifests import manifests
from workers.bots import bot_of

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"

DECISIONS = 6000
"""In one round of random play."""


def measures() -> Iterator[Measure]:
    """Every measurement of the rules, game by game."""
    for name in GAMES:
        rules = rules_of(name)
        for preset, options in rules.presets.items():
            is_usual = rules.agree(options) == rules.agree({})
            wanted = f">= {manifests()[name].bench.speed:g}" if is_usual else ""
            yield _random_play(rules, preset, wanted)
        yield _copy(rules)
        yield _replay(rules)
        if len(rules.seats(rules.agree({}))) > 2 or rules.bound(rules.agree({})) is None:
            yield _bot_game(rules)


def _random_play(rules: Rules[Any], preset: str, wanted: str) -> Measure:
    ours, theirs, ratio = rates(plays(rules, preset), chess_plays())
    reference = f"python-chess {theirs:,.0f}/s"
    return Measure(
        f"{rules.name} {preset}: random play", round(ours), "decisions/s", reference, ratio, wanted
    )


def plays(rules: Rules[Any], preset: str) -> Work:
    """Plays whole games at random, chance's decisions counted like any other."""
    options = rules.agree(rules.presets[preset])
    chances = random.Random(1)

    def pick(choices: int) -> int:
        return int(chances.random() * choices)

    def work() -> int:
        done = 0
        while done < DECISIONS:
            g = rules.setup(options)
            while waiting := rules.waiting(g):
                seat = waiting[0]
                if seat == CHANCE:
                    action = rules.deal(g, pick)
                else:
                    actions = rules.ask(g, seat).actions
                    action = actions[pick(len(actions))]
                rules.apply(g, seat, action)
                done += 1
        return done

    return work


def chess_plays() -> Work:
    """The same for python-chess, in the loop that its documentation shows."""
    chances = random.Random(1)

    def work() -> int:
        done = 0
        while done < DECISIONS // 3:
            board = chess.Board()
            while not board.is_game_over():
                moves = list(board.legal_moves)
                board.push(moves[int(chances.random() * len(moves))])
                done += 1
        return done

    return work


def _copy(rules: Rules[Any]) -> Measure:
    """Copies of positions taken evenly from whole games, beside decisions of the same game."""
    positions = list(_positions(rules, 200))

    def copies() -> int:
        for g in positions:
            for _ in range(20):
                g.copy()
        return 20 * len(positions)

    preset = next(iter(rules.presets))
    copied, decided, ratio = rates(copies, plays(rules, preset))
    reference = f"one decision {1e6 / decided:.1f} us"
    return Measure(
        f"{rules.name}: copy of a game", 1e6 / copied, "us", reference, 1 / ratio, "< 0.5"
    )


def _positions(rules: Rules[Any], wanted: int) -> Iterator[Game[Any]]:
    chances, options = random.Random(2), rules.agree({})
    g = rules.setup(options)
    for number in range(4 * wanted):
        if not rules.waiting(g):
            g = rules.setup(options)
        if number % 4 == 0:
            yield g.copy()
        seat = rules.waiting(g)[0]
        chance = seat == CHANCE
        actions = () if chance else rules.ask(g, seat).actions
        rules.apply(
            g, seat, rules.deal(g, chances.randrange) if chance else chances.choice(actions)
        )


def _replay(rules: Rules[Any]) -> Measure:
    """The longest of many random records, replayed and checked in full.

    A game that random play may never bring to its end is measured by its golden records.
    """
    if rules.bound(rules.agree({})) is None:
        records = list(_golden(rules))
    else:
        records = [_record(rules, number) for number in range(40)]
    longest = max(records, key=lambda record: len(record.entries))

    def work() -> int:
        for _ in range(5):
            replay(longest, rules)
        return 5

    seconds = 1 / max(rate(work) for _ in range(5))
    name = f"{rules.name}: replay of {len(longest.entries)} entries"
    return Measure(name, round(1000 * seconds, 2), "ms", wanted="< 100")


def _bot_game(rules: Rules[Any]) -> Measure:
    """A whole game in which greedy bots sit at every seat of the default options."""
    bot, pick = bot_of("greedy", rules.name), random.Random(3).randrange
    g, done = rules.setup(rules.agree({})), 0
    began = time.process_time()
    while waiting := rules.waiting(g):
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(g, pick)
        else:
            action = bot.choose(rules, rules.guess(g, seat, pick), seat, pick)
        rules.apply(g, seat, action)
        done += 1
    seats = len(rules.seats(rules.agree({})))
    name = f"{rules.name}: a game of {seats} greedy bots, {done} decisions"
    return Measure(name, round(time.process_time() - began, 1), "s")


def _golden(rules: Rules[Any]) -> Iterator[Record]:
    for path in sorted((GOLDEN / rules.name).glob("*.record")):
        record = parse_record(path.read_text(encoding="utf-8"))
        if record.edition == rules.edition:
            yield record


def _record(rules: Rules[Any], number: int) -> Record:
    options = rules.agree({})
    seats = rules.seats(options)
    nonces = tuple(bytes([seat + 1]) for seat in range(len(seats)))
    fairness = Fairness.of(number.to_bytes(32, "big"), nonces)
    table, chances = Table(rules, options, fairness.fate()), Fate(bytes([number]))
    while not table.is_over:
        seat = table.waiting()[0]
        actions = table.ask(seat).actions
        table.act(seat, actions[chances.pick(len(actions))])
    return record_of(table, fairness)
