"""What each thing that a seat may have is worth in Risk: fits weights to games that were played.

`python -m bench.fitting.risk_holdings [GAMES] [OPTION=VALUE...]` lets habits play (see
`workers/bots/habits`), some moves at random so that positions differ, notes at the end of each turn
what its seat has beyond the others, and fits by logistic regression how likely that seat was to
win. The weights are printed as `workers/bots/evals/risk/prospects.py` has them: at the beginning of
the Ring's way, and what its end adds. Those in use are in `risk_holdings.txt`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from bench.fitting.regression import Sample, fitted, surprise
from services import rules_of
from services.core.decisions import CHANCE
from workers.bots.evals.risk.prospects import HELD, lead
from workers.bots.habits.risk import likely
from workers.bots.habits.risk.invasions import late
from workers.bots.search import beaten_share

USUAL_GAMES = 400
DECISIONS_A_BLUNDER = (15, 1000)
"""Decisions of which one is taken at random; each seat draws which of these numbers it has."""


def samples(games: int, options: Mapping[str, str]) -> Iterator[Sample]:
    """Of each turn, what its seat has beyond the others, and what part of them it beats."""
    rules = rules_of("risk")
    for number in range(games):
        pick = Random(f"weigh {number}").randrange
        game, ends, last = rules.setup(rules.agree(options)), [], (0, 0)
        blunders = [DECISIONS_A_BLUNDER[pick(len(DECISIONS_A_BLUNDER))] for _ in rules.scores(game)]
        while waiting := rules.waiting(game):
            b, seat = game.board, waiting[0]
            if seat == CHANCE:
                rules.apply(game, CHANCE, rules.deal(game, pick))
                continue
            turn, before = last
            if 0 < turn < b.number and b.held[before]:
                ends.append((before, _features(b, before)))
            last = b.number, b.turn
            actions = rules.ask(game, seat).actions
            some = actions[pick(len(actions))]
            usual = likely(game, seat, actions, pick)
            rules.apply(game, seat, usual if pick(blunders[seat]) else some)
        for seat, found in ends:
            yield found, beaten_share(rules.scores(game), seat)


def _features(b: Any, seat: int) -> list[float]:
    leads, nearing = lead(b, seat), late(b)
    return [*leads, *[value * nearing for value in leads], 1.0, nearing]


def main(games: int, options: Mapping[str, str]) -> None:
    """Play, fit and print."""
    raw = list(samples(games, options))
    sizes = zip(*[row for row, _ in raw], strict=True)
    scale = [max(1e-6, sum(map(abs, size)) / len(raw)) for size in sizes]
    found = [([v / s for v, s in zip(row, scale, strict=True)], part) for row, part in raw]
    fifth = len(found) // 5
    scaled = fitted(found[fifth:])
    print(f"{len(found)} turns of {games} games, {dict(options)}")
    fit, rest = surprise(found[fifth:], scaled), surprise(found[:fifth], scaled)
    weights = [weight / s for weight, s in zip(scaled, scale, strict=True)]
    print(f"surprised by {fit:.4f} nats, by {rest:.4f} where it was not fitted")
    for n, name in enumerate(HELD):
        print(f"{name:20} {weights[n]:8.4f} {weights[n + len(HELD)]:8.4f}")
    print(f"{'just moved':20} {weights[-2]:8.4f} {weights[-1]:8.4f}")


if __name__ == "__main__":
    chosen = dict(text.split("=", 1) for text in sys.argv[1:] if "=" in text)
    numbers = [int(text) for text in sys.argv[1:] if "=" not in text]
    main(numbers[0] if numbers else USUAL_GAMES, chosen)
