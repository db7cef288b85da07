"""How much worth is how much chance to win: fits `SCALE` of each game's judge to games played.

`python -m bench.fit GAME [GAMES] [OPTION=VALUE...]` lets greedy bots play, notes what each
position was worth to each seat when it could be judged, and finds the scale at which worth
foretells best how those games ended. Where a judge also foresees, bots that search play as many
games more, and for each seat it is found how far what was foreseen lies from even, and its scale.
The result is printed; whoever likes it writes it into `workers/bots/evals/GAME.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from random import Random
from statistics import fmean
from typing import Any

from bench import newton
from services import rules_of
from services.core.contract import Rules
from services.core.decisions import CHANCE, Pick
from workers.bots import bot_of
from workers.bots.evals import SCALE, Worth, foresight_of, judge_of
from workers.bots.search import share

Sample = tuple[float, float]
"""What a position was worth to a seat, and what part of the others it beat in the end."""

USUAL_GAMES = 40
FORESEES = "adept"
STEPS = 60


def samples(
    rules: Rules[Any],
    pick: Pick,
    options: Mapping[str, str] | None = None,
    bot: str = "greedy",
    judged: Worth | None = None,
) -> Iterator[Sample]:
    """Of one game between such bots, each turn once for each seat."""
    judge, game = judge_of(rules), rules.setup(rules.agree(options or {}))
    seats = range(len(rules.scores(game)))
    bots, worth = [bot_of(bot, rules.name) for _ in seats], judged or judge.value
    worths: list[list[float]] = []
    while waiting := rules.waiting(game):
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(game, pick)
        else:
            if judge.is_settled(game, seat):
                worths.append([worth(game, other) for other in seats])
            action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        rules.apply(game, seat, action)
    shares = [share(rules.scores(game), seat) for seat in seats]
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


def calibrated(found: Sequence[Sample]) -> tuple[float, float]:
    """At which worth chances are even, and the scale from there."""
    rough = fmean(abs(worth) for worth, _ in found) or 1.0
    slope, shift = newton.fitted([([worth / rough, 1.0], part) for worth, part in found])
    return -rough * shift / slope, rough / slope


def main(game: str, games: int = USUAL_GAMES, options: Mapping[str, str] | None = None) -> None:
    """Play, fit and print."""
    rules, chance = rules_of(game), Random(f"fit {game}")
    found = [one for _ in range(games) for one in samples(rules, chance.randrange, options)]
    present = getattr(judge_of(rules), "SCALE", SCALE)
    best = fitted(found)
    print(f"{game}: {len(found)} samples of {games} games")
    print(f"SCALE = {present:g} is surprised by {surprise(found, present):.4f} nats")
    print(f"SCALE = {best:.3g} would be by {surprise(found, best):.4f}, no judge at all by 0.6931")
    if not hasattr(judge_of(rules), "foresee"):
        return
    seats = rules.seats(rules.agree(options or {}))
    foresee = foresight_of(judge_of(rules))
    whole = [samples(rules, chance.randrange, options, FORESEES, foresee) for _ in range(games)]
    found = [one for game in whole for one in game]
    for number, seat in enumerate(seats):
        even, scale = calibrated(found[number :: len(seats)])
        print(f"what {seat} foresees is even at {even:.4g}, with a scale of {scale:.4g}")


if __name__ == "__main__":
    chosen = dict(text.split("=", 1) for text in sys.argv[2:] if "=" in text)
    numbers = [int(text) for text in sys.argv[2:] if "=" not in text]
    main(sys.argv[1], numbers[0] if numbers else USUAL_GAMES, chosen)
