"""What games between bots say of their strength, and how sure it is.

Design. Points have Wilson's interval, which holds for few games and for none lost. Ratings are
those of Elo's scale under which what happened was likeliest, each pairing counted with one drawn
game more, so that who never lost has one too. Their intervals come from playing the same games
again and again between players of those ratings, and rating what happens then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log10, sqrt
from random import Random
from typing import NamedTuple

Z = 1.96
"""The deviations within which 95 % of a normal distribution lie."""

PLAYED_AGAIN = 200
ROUNDS = 200


class Span(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


class Score(NamedTuple):
    """What a bot has won of the games with the same chance against another."""

    bots: tuple[str, str]
    won: float  # by the first
    games: int


def points(won: float, games: int) -> Span:
    """The part of the points that was won."""
    part, spread = won / games, Z * Z / games
    middle = (part + spread / 2) / (1 + spread)
    reach = Z * sqrt(part * (1 - part) / games + spread / (4 * games)) / (1 + spread)
    return Span(part, max(0.0, middle - reach), min(1.0, middle + reach))


def elo(scores: Sequence[Score], anchor: str) -> Mapping[str, Span]:
    """The rating of every bot; the anchor has 0."""
    best = _fitted(scores, anchor)
    chance = Random("bree elo")
    again = [_fitted(_replayed(scores, best, chance), anchor) for _ in range(PLAYED_AGAIN)]
    spans = {}
    for bot, rating in best.items():
        found = sorted(fit[bot] for fit in again)
        edge = len(found) // 40
        spans[bot] = Span(rating, found[edge], found[-1 - edge])
    return spans


def _replayed(
    scores: Iterable[Score], ratings: Mapping[str, float], chance: Random
) -> Iterator[Score]:
    """The same games once more, between players of these ratings."""
    for bots, _, games in scores:
        likely = 1 / (1 + 10 ** ((ratings[bots[1]] - ratings[bots[0]]) / 400))
        yield Score(bots, sum(chance.random() < likely for _ in range(games)), games)


def _fitted(scores: Iterable[Score], anchor: str) -> dict[str, float]:
    """The likeliest ratings, found by letting each strength explain its points in turn."""
    won: dict[tuple[str, str], float] = {}
    for (a, b), points_won, games in scores:
        for pair, got in (((a, b), points_won), ((b, a), games - points_won)):
            won[pair] = won.get(pair, 0.5) + got
    strength = dict.fromkeys((bot for bot, _ in won), 1.0)
    for _ in range(ROUNDS):
        for bot in strength:
            met = [(other, won[bot, other] + won[other, bot]) for a, other in won if a == bot]
            total = sum(won[bot, other] for other, _ in met)
            faced = sum(games / (strength[bot] + strength[other]) for other, games in met)
            strength[bot] = total / faced
    base = strength.get(anchor, 1.0)
    return {bot: 400 * log10(s / base) for bot, s in strength.items()}
