"""Fits weights to what became of games: logistic regression by Newton's method, held back."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

Sample = tuple[Sequence[float], float]
"""What was the case, in numbers, and what part of a game was won in the end: from 0 to 1."""
Matrix = list[list[float]]

ROUNDS = 12
HELD_BACK = 1e-3
"""How much weights are held back: things that go together would else get wild ones."""


def fitted(
    found: Sequence[Sample], towards: float = 0.0, held_back: float = HELD_BACK
) -> list[float]:
    """The weights that are surprised least, among those that are not far from `towards`."""
    weights = [towards] * len(found[0][0])
    for _ in range(ROUNDS):
        slope, bend = _slope(found, weights, towards, held_back * len(found))
        step = _solved(bend, slope)
        weights = [w - s for w, s in zip(weights, step, strict=True)]
    return weights


def _slope(
    found: Sequence[Sample], weights: Sequence[float], towards: float, back: float
) -> tuple[list[float], Matrix]:
    """How the surprise changes with each weight, and how that changes with each other."""
    size = len(weights)
    slope = [back * (weight - towards) for weight in weights]
    bend = [[back * (n == m) for m in range(size)] for n in range(size)]
    for row, part in found:
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


def _solved(matrix: Matrix, sums: Sequence[float]) -> list[float]:
    """What solves these equations, by elimination; as weights are held back, something does."""
    rows = [[*row, right] for row, right in zip(matrix, sums, strict=True)]
    size = len(rows)
    for n in range(size):
        first = rows[n] = [value / rows[n][n] for value in rows[n]]
        for m in range(size):
            if m != n:
                factor = rows[m][n]
                rows[m] = [a - factor * b for a, b in zip(rows[m], first, strict=True)]
    return [row[size] for row in rows]


def _chance(weights: Sequence[float], row: Sequence[float]) -> float:
    total = sum(w * v for w, v in zip(weights, row, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def surprise(found: Sequence[Sample], weights: Sequence[float]) -> float:
    """How badly the weights foretell the ends, on average, in nats."""
    total = 0.0
    for row, part in found:
        likely_to = min(1 - 1e-9, max(1e-9, _chance(weights, row)))
        total -= part * log(likely_to) + (1 - part) * log(1 - likely_to)
    return total / len(found)
