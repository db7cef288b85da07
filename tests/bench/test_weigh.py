"""What the weights of Risk are fitted to."""

from __future__ import annotations

import random
from math import exp

import pytest

from bench.weigh import fitted, samples, surprise
from workers.bots.evals.risk import HELD, WEIGHTS


def test_the_weights_are_found_again():
    """Games that are won as often as weights say have these weights."""
    chance, weights = random.Random("weigh"), (0.8, -0.4, 0.2)
    found = []
    for _ in range(3000):
        features = [chance.gauss(0, 2), chance.gauss(0, 1), 1.0]
        odds = sum(w * f for w, f in zip(weights, features, strict=True))
        found.append((features, float(chance.random() < 1 / (1 + exp(-odds)))))

    fit = fitted(found, random.Random(1))

    assert fit == pytest.approx(weights, abs=0.15)
    assert surprise(found, fit) < surprise(found, [0.0] * 3)


def test_samples_are_the_ends_of_turns():
    """One for each, with what its seat leads by now and as the end nears, and how it ended."""
    found = list(samples(2, {"players": "2", "setup_mode": "random"}))

    assert len(found) > 10
    assert {len(features) for features, _ in found} == {2 * len(HELD) + 1}
    assert {part for _, part in found} == {0.0, 1.0}
    assert len(HELD) == len(WEIGHTS)
