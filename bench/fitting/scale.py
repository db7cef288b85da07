"""How much worth is how much chance to win: fits `scale` of each game's judge to games played.

`python -m bench.fitting.scale GAME [GAMES] [OPTION=VALUE...]` lets greedy bots play, notes what
each position was worth to each seat when it could be judged, and finds the scale at which worth
foretells best how those games ended. The result is printed; whoever likes it writes it into the
judge in `workers/bots/evals`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from random import Random
from typing import Any

from services import rules_of
from services.core.contract import Rules
from services.core.decisions import CHANCE, Pick
from workers.bots.greedy import Greedy
from workers.bots.judge import USUAL_WORLDS, judge_of
from workers.bots.search import beaten_share

Sample = tuple[float, float]
"""What a position was worth to a seat, and what part of the others it beat in the end."""

USUAL_GAMES = 40
STEPS = 60


def samples(
    rules: Rules[Any],
    pick: Pick,
    options: Mapping[str, str] | None = None,
    worlds: int = USUAL_WORLDS,
) -> Iterator[Sample]:
    """Of one game between greedy bots that look into these worlds, each turn once for each seat."""
    judge, game = judge_of(rules), rules.setup(rules.agree(options or {}))
    seats = range(len(rules.scores(game)))
    bots = [Greedy(worlds) for _ in seats]
    worths: list[list[float]] = []
    while waiting := rules.waiting(game):
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(game, pick)
        else:
            if judge.is_settled(game, seat):
                worths.append([judge.value(game, seat) for seat in seats])
            action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        rules.apply(game, seat, action)
    shares = [beaten_share(rules.scores(game), seat) for seat in seats]
    for position in worths:
        yield from zip(position, shares, strict=True)


def surprise(found: Sequence[Sample], scale: float) -> float:
    """How badly worth foretold the ends, on average, in nats."""
    total = 0.0
    for worth, part in found:
        likely = 1 / (1 + exp(-max(-30.0, min(30.0, worth / scale))))
        total -= part * log(likely) + (1 - part) * log(1 - likely)
    return total / len(found)


def fitted(found: Sequence[Sample]) -> float:
    """The scale that surprises least, by golden section on its logarithm."""
    largest = max(abs(worth) for worth, _ in found) or 1.0
    low, high = log(largest) - 12, log(largest) + 2
    return exp(_least(lambda x: surprise(found, exp(x)), low, high))


def _least(figure: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(STEPS):
        third = (high - low) * 0.382
        if figure(low + third) < figure(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def main(game: str, games: int = USUAL_GAMES, options: Mapping[str, str] | None = None) -> None:
    """Play, fit and print."""
    rules, chance = rules_of(game), Random(f"fit {game}")
    found = [one for _ in range(games) for one in samples(rules, chance.randrange, options)]
    present = judge_of(rules).scale or judge_of(rules).told_scale
    best = fitted(found)
    print(f"{game}: {len(found)} samples of {games} games")
    print(f"scale = {present:g} is surprised by {surprise(found, present):.4f} nats")
    print(f"scale = {best:.3g} would be by {surprise(found, best):.4f}, no judge at all by 0.6931")


if __name__ == "__main__":
    chosen = dict(text.split("=", 1) for text in sys.argv[2:] if "=" in text)
    numbers = [int(text) for text in sys.argv[2:] if "=" not in text]
    main(sys.argv[1], numbers[0] if numbers else USUAL_GAMES, chosen)
