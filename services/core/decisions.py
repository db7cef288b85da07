"""What decisions are made of: who decides, what may be chosen, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Seat = int
"""Whoever plays in a match, counted from 0."""

CHANCE: Seat = -1
"""The decider of dice and draws. It is asked and it answers, like any seat."""

Pick = Callable[[int], int]
"""`pick(n)` is one of 0 … n-1, each as likely as the next."""


class Action(NamedTuple):
    """One decision, by a seat or by chance: a verb and the ids it concerns."""

    verb: str
    nouns: tuple[int, ...] = ()


class Ask(NamedTuple):
    """What one seat must decide now."""

    prompt: str  # stable id, e.g. "battle.card"; clients translate it
    actions: Sequence[Action]  # every legal action, never empty, in a fixed order
    neutral: bool = False  # see `Question.neutral`


class Event(NamedTuple):
    """Something that happened, and who may know it."""

    kind: str
    facts: Mapping[str, object]
    # Nobody, unless a rule says who; None is everyone. A member None stands for spectators.
    seen_by: frozenset[Seat | None] | None = frozenset()

    def is_seen_by(self, seat: Seat | None) -> bool:
        """Whether a seat may know of this; `None` is a spectator."""
        return self.seen_by is None or seat in self.seen_by
