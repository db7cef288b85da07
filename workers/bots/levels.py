"""The levels of hosted bots: how much each may think, and how well it keeps to what it finds.

Design. Strength comes from the number of simulations, so it does not depend on the machine; the cap
on time is there for machines that are busy. What each level achieves against the others is measured
by `make ladder` and kept in `bench/ladder.jsonl`. Games with budgets of their own have them in
their judges.
"""

from __future__ import annotations

from collections.abc import Mapping

from workers.bots.budget import Budget
from workers.bots.judge import Judge, own_judge

USUAL: Mapping[str, Budget] = {
    "novice": Budget(simulations=20, seconds=1, temperature=0.5),
    "apprentice": Budget(simulations=50, seconds=2, temperature=0.2),
    "adept": Budget(simulations=150, seconds=4),
    "master": Budget(simulations=600, seconds=8),
}


def style_of(game: str) -> int:
    """The number of the way in which the bots of this game play."""
    return (own_judge(game) or Judge).style


def budget_of(game: str, level: str) -> Budget:
    """What a bot of this level may spend on a question of this game."""
    return (own_judge(game) or Judge).budgets.get(level, USUAL[level])
