"""What a search may spend on a question, and how well it keeps to what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class Budget:
    """The settings of a tree search; what is 0 is switched off."""

    simulations: int
    seconds: float = inf
    temperature: float = 0.0  # 0: always the best; 1: each action as often as it was visited
    prior_temperature: float = 0.0  # how far priors from one-ply evaluations tell actions apart
    prior_visits: int = 0  # simulations as which the evaluation of an action counts
    worlds: int = 0  # imagined for a question, and used again; 0: one for each simulation
    blunder_rate: float = 0.0  # how likely an answer is drawn at random
    depth: int = 0  # choices that are searched before a position is judged; 0: all
    standing_orders: int = 0  # kinds of them that are given, in games that have them
