"""What a bot thinks, in words: its favourites, what it expects of them, how often it tried each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services.core.decisions import Action
from workers.bots.contract import Thought, Weighed

FAVOURITES = 3
"""Answers that are told, the best first; the one that was chosen is told besides."""


def told(name: str, thought: Thought, sentence: Callable[[Action], str]) -> Iterator[str]:
    """The lines that say what is behind a choice; none, where nothing is."""
    if not thought.weighed:
        return
    visits = sum(weighed.visits for weighed in thought.weighed)
    number = len(thought.weighed)
    yield f"{name} looked {_times(visits)} ahead, at {number} answer{'s' * (number > 1)}:"
    favourites = list(thought.weighed[:FAVOURITES])
    chosen = next(w for w in thought.weighed if w.action == thought.action)
    if chosen not in favourites:
        favourites.append(chosen)
    for weighed in favourites:
        mark = "→" if weighed is chosen else " "
        yield f"  {mark} {_judged(weighed, sentence(weighed.action))}"


def _judged(weighed: Weighed, sentence: str) -> str:
    expected = round(100 * weighed.value)
    return f"{sentence.rstrip('.')}: wins {expected} in 100, tried {_times(weighed.visits)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"
