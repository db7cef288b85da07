"""How the weights of Risk's judge sway its games against the greedy bot, with four seats.

`python -m bench.fitting.risk_against_greedy MINUTES` plays games for this time: two bots that look
one decision ahead into two worlds, with weights drawn around those that `risk_holdings` found,
against two greedy ones; in every eighth game against `uniform`. They are kept in
`risk_against_greedy.jsonl`, and without minutes a logistic regression tells from there which
weights should have been larger. In the first round ten other things varied besides, from what a
fallen battalion counts to how the seats set up; none of them showed, and leads were added up
without being levelled off. `TAKEN` is the step that was taken from there, by judgement and not as
far as it leads: twice as far took less (69 points of a hundred against 75, where `BEGINNING` took
71; 80 games each with the same chance). What came of it is in `WEIGHTS` of
`workers/bots/evals/risk/prospects.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from bench.fitting import selfplay
from bench.fitting.regression import fitted
from services import rules_of
from services.core.decisions import Seat
from services.core.frames import Game
from workers.bots import bot_of
from workers.bots.evals.risk import JUDGE
from workers.bots.evals.risk.prospects import HELD, foreseen, weighted
from workers.bots.search import beaten_share

RESULTS = Path(__file__).with_name("risk_against_greedy.jsonl")
SEATS = 4
OTHERWISE = 8
"""The number of games of which one is played against `uniform`."""
HELD_BACK = 0.04

Ends = tuple[float, float]
"""What one more counts at the beginning of the Ring's way, and at its end."""

BEGINNING: Mapping[str, Ends] = {
    "territories": (0.000, 0.090),
    "strongholds": (0.041, 0.107),
    "regions": (0.044, -0.049),
    "parts of regions": (-0.034, -0.051),
    "battalions": (0.049, 0.033),
    "largest army": (0.080, 0.031),
    "Leaders": (0.003, 0.123),
    "territory cards": (0.292, 0.083),
    "adventure cards": (0.064, 0.047),
    "points of cards": (0.068, 0.108),
}
POINT = 0.15


class Varied(NamedTuple):
    """What a step changes: of which part, by how much at each end of the way."""

    part: str  # empty: the point at the very end
    early: float
    late: float
    is_factor: bool = False  # then the weight is multiplied by e to that, else it is added

    def moved(self, ends: Ends, steps: float) -> Ends:
        """The two ends of a weight after this number of steps."""
        first, last = ends
        if self.is_factor:
            return first * exp(steps * self.early), last * exp(steps * self.late)
        return first + steps * self.early, last + steps * self.late


VARIED: Mapping[str, Varied] = {
    "territories, early": Varied("territories", 0.03, 0),
    "territories, late": Varied("territories", 0, 0.04),
    "strongholds": Varied("strongholds", 0.6, 0.6, is_factor=True),
    "regions, early": Varied("regions", 0.06, 0),
    "regions, late": Varied("regions", 0, 0.08),
    "parts of regions": Varied("parts of regions", 0.04, 0.04),
    "battalions, early": Varied("battalions", 0.5, 0, is_factor=True),
    "battalions, late": Varied("battalions", 0, 0.5, is_factor=True),
    "largest army": Varied("largest army", 0.7, 0.7, is_factor=True),
    "territory cards": Varied("territory cards", 0.6, 0.6, is_factor=True),
    "adventure cards": Varied("adventure cards", 0.6, 0.6, is_factor=True),
    "a point": Varied("", 0.5, 0.5, is_factor=True),
}
"""In the order of the results; within a step of the middle are two of three games."""

TAKEN: Mapping[str, float] = {
    "territories, early": 0.4,
    "territories, late": 0.6,
    "strongholds": 0.3,
    "battalions, late": -1.2,
    "largest army": 0.4,
    "territory cards": 0.8,
    "adventure cards": -0.6,
    "a point": 1.0,
}


class Weights(NamedTuple):
    """What a judge goes by: each part at the beginning and what the end adds, and a point."""

    held: Sequence[Ends]
    point: float

    def worth(self, game: Game[Any], seat: Seat) -> float:
        """What a position is worth by these."""
        return foreseen(game, seat, partial(weighted, weights=self.held, point=self.point))


def stepped(steps: Mapping[str, float]) -> Weights:
    """The weights after these steps from the beginning, by the name of what varies."""
    ends, point = dict(BEGINNING), (POINT, POINT)
    for name, far in steps.items():
        varied = VARIED[name]
        if varied.part:
            ends[varied.part] = varied.moved(ends[varied.part], far)
        else:
            point = varied.moved(point, far)
    held = [(first, last - first) for first, last in (ends[part] for part in HELD)]
    return Weights(held, point[0])


def trial(chance: Random) -> selfplay.Row:
    """A game with weights that are drawn around the beginning, and what they won of it."""
    steps = {name: round(chance.gauss(0, 1), 2) for name in VARIED}
    against = "greedy" if chance.randrange(OTHERWISE) else "uniform"
    seating = chance.sample([0, 1] * (SEATS // 2), SEATS)
    bots = [
        bot_of(against, "risk") if bot else selfplay.ByWorth(stepped(steps).worth, JUDGE.worlds)
        for bot in seating
    ]
    rules = rules_of("risk")
    game = selfplay.played(rules, rules.setup(rules.agree({})), bots, chance.randrange)
    return [against, [*steps.values()], points(rules.scores(game), seating)]


def points(scores: Sequence[int], seating: Sequence[int]) -> float:
    """What part of the others' seats ours have beaten, and half of those they have tied with."""
    ours, theirs = ([s for s, bot in zip(scores, seating, strict=True) if bot == n] for n in (0, 1))
    return fmean(beaten_share((score, *theirs), 0) for score in ours)


def slopes(rows: Sequence[selfplay.Row]) -> dict[str, float]:
    """How a step of each changes the log odds of a point against the greedy bot."""
    games = [(steps, won) for _, against, steps, won in rows if against == "greedy"]
    samples = [([*steps[: len(VARIED)], 1.0], won) for steps, won in games]
    return dict(zip(VARIED, fitted(samples, held_back=HELD_BACK), strict=False))


def main(minutes: float) -> None:
    """Play, if that is wanted; fit, and print."""
    if minutes:
        selfplay.play_round(RESULTS, minutes, trial)
    rows = [row for rows in selfplay.rounds_in(RESULTS) for row in rows]
    print(f"{len(rows)} games")
    for name, slope in slopes(rows).items():
        print(f"{name:20} {slope:+.3f}  taken {TAKEN.get(name, 0):+.1f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
