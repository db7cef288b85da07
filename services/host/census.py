"""How much is due, counted by one engine of a game for all of them.

Design. To count, a store reads all that is due soon, which costs it the time of many moves. So an
engine that wants to know says how old a count may be. If there is none as young, one of those who
ask is given the turn to count, for as long as its count will be good, and the others wait for
it. Who dies while it counts loses its turn when that time is over, by the clock of the store; no
two clocks are compared. Partitions are read a few at a time, so that moves go between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

AT_ONCE = 4
"""The partitions that are counted before the store is let go on with something else."""

LOOK_SECONDS = 0.05
"""How often whoever waits for another's count looks for it."""

OTHERS = "wait"
"""What is answered while another counts. A turn is the empty text."""


class Census(NamedTuple):
    """How much of one kind is due, and since when in ms the oldest of it is."""

    number: int
    oldest: int


Counts = Mapping[str, Census]
"""What is due, by kind."""


class Counted(Protocol):
    """A store in which one counts for all."""

    async def turn_to_count(self, now: int, may_be_old: int) -> str:
        """A count that is young enough; or nothing, with which it is the caller's turn; or to wait.

        A turn lasts for `may_be_old` ms, or until the count is told.
        """
        ...

    async def count(self, now: int) -> Counts:
        """What is due now, counted."""
        ...

    async def tell_count(self, words: str, may_be_old: int) -> None:
        """Let others have this count."""
        ...


async def counted_by_one(store: Counted, now: int, may_be_old: int) -> Counts:
    """What is due, as this engine or another counted it no longer than that many ms ago."""
    while (said := await store.turn_to_count(now, may_be_old)) == OTHERS:  # noqa: ASYNC110  # it may be elsewhere
        await asyncio.sleep(LOOK_SECONDS)
    if said:
        return told(said)
    found = await store.count(now)
    await store.tell_count(words_of(now, found), may_be_old)
    return found


def words_of(now: int, found: Counts) -> str:
    """A count as it is told: when it was made, and each kind with its number and the oldest."""
    rows = (f"{kind} {one.number} {one.oldest}" for kind, one in found.items())
    return " ".join((str(now), *rows))


def told(words: str) -> Counts:
    """The count that was told."""
    return summed([words.split()[1:]])


def summed(rows: Iterable[Sequence[str]]) -> Counts:
    """The sum of several counts, each a row of kinds with their numbers and the oldest."""
    found: dict[str, Census] = {}
    for row in rows:
        for kind, count, oldest in zip(row[::3], row[1::3], row[2::3], strict=True):
            before = found.get(kind, Census(0, int(oldest)))
            found[kind] = Census(before.number + int(count), min(before.oldest, int(oldest)))
    return found
