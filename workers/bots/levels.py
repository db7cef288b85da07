"""The levels of hosted bots: how much each may think, and how well it keeps to what it finds.

Design. Strength comes from the number of dives, so it does not depend on the machine; the cap on
time is there for machines that are busy. What each level achieves against the others is measured
by `make ladder` and kept in `bench/ladder.jsonl`.
"""

from __future__ import annotations

from collections.abc import Mapping

from workers.bots.search import Budget

USUAL: Mapping[str, Budget] = {
    "novice": Budget(nodes=20, seconds=1, whim=0.5),
    "apprentice": Budget(nodes=50, seconds=2, whim=0.2),
    "adept": Budget(nodes=150, seconds=4),
    "master": Budget(nodes=600, seconds=8),
}

OWN: Mapping[str, Mapping[str, Budget]] = {
    "duel": {
        "apprentice": Budget(nodes=40, seconds=2, whim=0.3),
        "adept": Budget(nodes=90, seconds=4, whim=0.15),
        "master": Budget(nodes=1200, seconds=8),
    },
    "risk": {
        "novice": Budget(nodes=4, seconds=1, whim=3.0, slip=0.22),
        "apprentice": Budget(nodes=12, seconds=2, whim=1.35),
        "adept": Budget(nodes=16, seconds=4, whim=0.7, care=1),
        "master": Budget(nodes=6, seconds=8, look=0.2, trust=2, depth=1, care=2),
    },
    "warofthering": {
        "novice": Budget(nodes=6, seconds=1, whim=1.8, look=0.6, slip=0.12, depth=1),
        "apprentice": Budget(nodes=8, seconds=2, whim=1.1, look=0.35, slip=0.05, depth=1),
        "adept": Budget(nodes=12, seconds=4, whim=0.75, look=0.2, slip=0.02, depth=1),
        "master": Budget(nodes=16, seconds=8, look=0.1, depth=1),
    },
}
"""By game, where other budgets suit it better: games of many decisions, and dear ones."""


STYLES: Mapping[str, int] = {"duel": 2, "risk": 8, "warofthering": 4}
"""Raised whenever the bots of a game come to play otherwise with the same budgets; at first 1."""


def style_of(game: str) -> int:
    """The number of the way in which the bots of this game play."""
    return STYLES.get(game, 1)


def budget_of(game: str, level: str) -> Budget:
    """What a bot of this level may spend on a question of this game."""
    return OWN.get(game, {}).get(level, USUAL[level])
