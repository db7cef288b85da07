"""What a search has found out: a node for all that a seat cannot tell apart, an edge an action.

Design. Worlds differ in what they offer, so an action is weighed against how often it was offered
and not against how often its node was met. Long lists are widened progressively, the likeliest
actions first: the more often a node is met, the more of its actions are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

from services.core.decisions import Action, Pick

EXPLORATION = 0.6
"""How much the search prefers what it has tried little to what has done well: PUCT's constant."""

SEALED_SHADES = 64
"""Where picks are sealed, exploration is up to twice its size by chance, lest two fall in step."""

WIDENING = 2.0
"""After n visits some `WIDENING` times the root of n actions are being tried."""


class Edge:
    """What is known of one action."""

    __slots__ = ("offered", "prior", "total", "visits")

    def __init__(self, prior: float) -> None:
        self.prior = prior
        self.visits = 0
        self.offered = 0
        self.total = 0.0

    @property
    def value(self) -> float:
        """What it has led to on average: from 0, all lost, to 1."""
        return self.total / self.visits if self.visits else 0.0


Child = tuple[Action, Edge]
Priors = Callable[[Sequence[Action]], Sequence[float]]
"""How likely each of these actions is to be the best; together they are 1."""


class Node:
    """One question of one seat, in all the worlds that it cannot tell apart."""

    __slots__ = ("edges", "sealed", "visits")

    def __init__(self, *, sealed: bool = False) -> None:
        self.sealed = sealed  # others choose at the same time, unseen
        self.edges: dict[Action, Edge] = {}
        self.visits = 0

    def choose(self, actions: Sequence[Action], priors: Priors, pick: Pick) -> Child:
        """The action to follow in a world that offers these, and its edge.

        `priors` are asked for only where an action is tried that has not been tried yet.
        """
        edges = self.edges
        known: list[Child] = []
        for action in actions:
            edge = edges.get(action)
            if edge is not None:
                edge.offered += 1
                known.append((action, edge))
        if len(known) < len(actions) and len(known) < 1 + WIDENING * sqrt(self.visits):
            return self._expand(actions, priors(actions), pick)
        best, most = known[0], -1.0
        for found in known:
            edge = found[1]
            bonus = EXPLORATION * edge.prior * sqrt(edge.offered) / (1 + edge.visits)
            if self.sealed:
                bonus *= pick(SEALED_SHADES) * 2 / SEALED_SHADES
            worth = edge.total / edge.visits + bonus if edge.visits else 2.0
            if worth > most:
                best, most = found, worth
        return best

    def _expand(self, actions: Sequence[Action], priors: Sequence[float], pick: Pick) -> Child:
        """Try one more action: one of the likeliest of those that have not been tried."""
        new = [(a, p) for a, p in zip(actions, priors, strict=True) if a not in self.edges]
        most = max(prior for _, prior in new)
        likeliest = [action for action, prior in new if prior == most]
        action = likeliest[pick(len(likeliest))]
        edge = self.edges[action] = Edge(most)
        edge.offered = 1
        return action, edge

    def add_visits(self, action: Action, prior: float, visits: int, value: float) -> None:
        """Know an action as if it had been followed `visits` times, and had this value."""
        edge = self.edges.setdefault(action, Edge(prior))
        edge.visits += visits
        edge.offered += visits
        edge.total += visits * value

    def limit_visits(self, visits: int) -> None:
        """Believe what is known as if it came from `visits` visits at most."""
        if self.visits <= visits:
            return
        share = visits / self.visits
        self.visits = visits
        for edge in self.edges.values():
            kept = int(edge.visits * share)
            edge.total = edge.value * kept
            edge.visits, edge.offered = kept, max(kept, int(edge.offered * share))
