"""Following the log of a match, a little at a time, so that others can go on meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Sequence

from services.core.course import wanted_again
from services.core.entries import HOST_NAME
from services.core.offers import TAKE_BACK
from services.host.lean_table import MOST_UNDONE
from services.host.match_state import MatchState
from services.host.serialization import HANDOVERS, LogEntry, handovers_of
from services.host.steps import Diverged, MatchStep
from services.host.store import Stored

SLICE_SECONDS = 0.004
"""How long a replay keeps the loop to itself."""


async def follow(state: MatchState, stored: Stored) -> AsyncGenerator[MatchStep, None]:
    """Follow all entries that were read, letting others go on from time to time."""
    entries = [LogEntry.of(text) for text in stored.lines]
    handovers = handovers_of(stored.fields.get(HANDOVERS, ""))
    keep_what_is_wanted(state, entries)
    at, until = 0, time.perf_counter() + SLICE_SECONDS
    while at < len(entries):
        state.take_over(handovers)
        step = state.follow(entries, at)
        at += len(step.entries)
        yield step
        if time.perf_counter() > until:
            await asyncio.sleep(0)
            until = time.perf_counter() + SLICE_SECONDS
    state.check_chance_answered()
    state.take_over(handovers)
    state.table.keep_no_more()


def keep_what_is_wanted(state: MatchState, entries: Sequence[LogEntry]) -> None:
    """Have a state keep the games that it will go back to, and those that it might in the end."""
    table = state.table
    wanted = wanted_again(entries, table.seats, table.course, MOST_UNDONE)
    table.keeps, table.keeps_agreed = wanted


def goes_back_before(entries: Iterable[LogEntry], revision: int) -> bool:
    """Whether something is taken back that was decided before a revision, with all since."""
    agreed = (x.what.split(" ") for x in entries if x.who == HOST_NAME and not x.is_note)
    return any(words[0] == TAKE_BACK and int(words[2]) < revision for words in agreed)


def check_head(state: MatchState, stored: Stored) -> None:
    """`Diverged` if a log led to another history than the store has."""
    if state.head != stored.head:
        raise Diverged(state.revision, "the head of its history is another")
