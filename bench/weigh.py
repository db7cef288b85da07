"""What each thing that a seat may have is worth in Risk: fits weights to games that were played.

`python -m bench.weigh [GAMES] [OPTION=VALUE...]` lets habits play (see `workers/bots/habits`), some
moves at random so that positions differ, notes at the end of each turn what its seat has beyond the
others, and fits by logistic regression how likely that seat was to win. The weights are printed as
`workers/bots/evals/risk.py` has them: at the beginning of the Ring's way, and what its end adds.
Those in use are in `bench/weights-risk.txt`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from random import Random
from typing import Any

from services import rules_of
from services.core.decisions import CHANCE
from workers.bots.evals.risk import HELD, lead
from workers.bots.habits.risk import likely
from workers.bots.habits.risk.invasions import late
from workers.bots.search import share

Sample = tuple[list[float], float]
Table = list[list[float]]

USUAL_GAMES = 400
WHIMS = (15, 1000)
"""One decision of so many is taken at random; each seat draws which of these it is."""
ROUNDS = 8
HELD_BACK = 1e-3
"""How much a weight is held back: things that go together would else get wild ones."""


def samples(games: int, options: Mapping[str, str]) -> Iterator[Sample]:
    """Of each turn, what its seat has beyond the others, and what part of them it beats."""
    rules = rules_of("risk")
    for number in range(games):
        pick = Random(f"weigh {number}").randrange
        game, ends, last = rules.setup(rules.agree(options)), [], (0, 0)
        whims = [WHIMS[pick(len(WHIMS))] for _ in rules.scores(game)]
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
            rules.apply(game, seat, usual if pick(whims[seat]) else some)
        for seat, found in ends:
            yield found, share(rules.scores(game), seat)


def _features(b: Any, seat: int) -> list[float]:
    leads, nearing = lead(b, seat), late(b)
    return [*leads, *[value * nearing for value in leads], 1.0, nearing]


def fitted(found: Sequence[Sample]) -> list[float]:
    """The weights that are surprised least, by Newton's method."""
    size = len(found[0][0])
    scale = [max(1e-6, sum(abs(f[n]) for f, _ in found) / len(found)) for n in range(size)]
    rows = [([v / s for v, s in zip(f, scale, strict=True)], part) for f, part in found]
    weights = [0.0] * size
    for _ in range(ROUNDS):
        slope, bend = _slope(rows, weights)
        step = _solved(bend, slope)
        weights = [w - s for w, s in zip(weights, step, strict=True)]
    return [weight / s for weight, s in zip(weights, scale, strict=True)]


def _slope(
    rows: Sequence[Sample], weights: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """How the surprise changes with each weight, and how that changes with each other."""
    back, size = HELD_BACK * len(rows), len(weights)
    slope = [back * weight for weight in weights]
    bend = [[back * (n == m) for m in range(size)] for n in range(size)]
    for row, part in rows:
        likely_to = _chance(weights, row)
        error, spread = likely_to - part, likely_to * (1 - likely_to)
        for n, value in enumerate(row):
            slope[n] += error * value
            line, share_of = bend[n], spread * value
            for m in range(n + 1):
                line[m] += share_of * row[m]
    for n in range(size):
        for m in range(n):
            bend[m][n] = bend[n][m]
    return slope, bend


def _solved(table: Table, sums: Sequence[float]) -> list[float]:
    """What solves these equations, by elimination; `HELD_BACK` sees to it that something does."""
    rows = [[*row, right] for row, right in zip(table, sums, strict=True)]
    size = len(rows)
    for n in range(size):
        first = rows[n] = [value / rows[n][n] for value in rows[n]]
        for m in range(size):
            if m != n:
                factor = rows[m][n]
                rows[m] = [a - factor * b for a, b in zip(rows[m], first, strict=True)]
    return [row[size] for row in rows]


def _chance(weights: Sequence[float], features: Sequence[float]) -> float:
    total = sum(w * v for w, v in zip(weights, features, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def surprise(found: Sequence[Sample], weights: Sequence[float]) -> float:
    """How badly the weights foretell the ends, on average, in nats."""
    total = 0.0
    for features, part in found:
        likely_to = min(1 - 1e-9, max(1e-9, _chance(weights, features)))
        total -= part * log(likely_to) + (1 - part) * log(1 - likely_to)
    return total / len(found)


def main(games: int, options: Mapping[str, str]) -> None:
    """Play, fit and print."""
    found = list(samples(games, options))
    fifth = len(found) // 5
    weights = fitted(found[fifth:])
    print(f"{len(found)} turns of {games} games, {dict(options)}")
    fit, rest = surprise(found[fifth:], weights), surprise(found[:fifth], weights)
    print(f"surprised by {fit:.4f} nats, by {rest:.4f} where it was not fitted")
    for n, name in enumerate(HELD):
        print(f"{name:20} {weights[n]:8.4f} {weights[n + len(HELD)]:8.4f}")
    print(f"{'just moved':20} {weights[-2]:8.4f} {weights[-1]:8.4f}")


if __name__ == "__main__":
    chosen = dict(text.split("=", 1) for text in sys.argv[1:] if "=" in text)
    numbers = [int(text) for text in sys.argv[1:] if "=" not in text]
    main(numbers[0] if numbers else USUAL_GAMES, chosen)
