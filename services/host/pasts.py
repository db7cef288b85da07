"""Positions of the past: where a match stood after any of its entries.

Design. Whoever looks through a match goes from one position to the next, forwards and backwards. So
the first look follows the whole log once, and keeps the state at every so many entries; each later
one follows the few entries from the state before it. What is kept of all matches has a bound in
bytes, and those that were looked at longest ago are forgotten. A running match is followed on as it
goes on. Nothing here is newer than the store, or of another history: the head is compared.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Protocol

from services.host import refusals
from services.host.following import check_head, follow, goes_back_before, keep_what_is_wanted
from services.host.match_cache import size_of_parts
from services.host.match_state import MatchState
from services.host.serialization import HANDOVERS, LogEntry, handovers_of
from services.host.steps import Diverged, MatchStep
from services.host.store import NOT_STORED, Position, Stored

SPACING = 24
"""About so many entries lie between the states that are kept."""

LINE_BYTES = 80
"""What a line of a log takes in memory besides its characters."""


class Source(Protocol):
    """Where logs are read."""

    async def read(self, name: str, version: int = 0, after: int = 0, head: str = "") -> Stored:
        """What the store has that is newer than this."""

    def beginning(self, name: str, fields: Mapping[str, str]) -> MatchState:
        """The beginning of a match; refuses one that cannot be played here."""

    def replay(
        self, name: str, stored: Stored, state: MatchState
    ) -> AsyncGenerator[MatchStep, None]:
        """Every step of a log; a match that does not replay is frozen."""


class Past:
    """One match as it has come to be."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.position: Position = NOT_STORED
        self.lines: list[str] = []
        self.handovers = ""
        self.marks: list[MatchState] = []  # never changed; the first is the beginning
        self.ends: list[int] = []  # the revision after each step
        self.size = 0  # in bytes
        self._mark_size = 0

    def note(self, state: MatchState) -> None:
        """Note where a step has ended, and keep the state there if none near it is kept."""
        self.ends.append(state.revision)
        if not self.marks or state.revision >= self.marks[-1].revision + SPACING:
            self.marks.append(state.copy())

    def stand(self, stored: Stored) -> None:
        """This is all that the store has."""
        self.lines += stored.lines
        self.position = stored.position
        self.handovers = stored.fields.get(HANDOVERS, "")

    def forget(self) -> None:
        """Begin anew."""
        self.lines, self.marks, self.ends = [], [], []
        self.position = NOT_STORED

    def weigh(self) -> None:
        """Note how much all this takes."""
        if not self._mark_size:
            mark = self.marks[-1]
            self._mark_size = size_of_parts([mark], mark.table.rules, mark.setup)
        lines = sum(map(len, self.lines)) + LINE_BYTES * len(self.lines)
        self.size = lines + self._mark_size * len(self.marks)

    def at(self, revision: int) -> MatchState:
        """The state after so many entries: a new one, which is nobody else's."""
        first = bisect_right(self.marks, revision, key=lambda mark: mark.revision) - 1
        state = self.marks[first].copy()
        start = state.revision
        until = max(0, bisect_right(self.ends, revision) - 1)
        entries = [LogEntry.of(line) for line in self.lines[start:revision]]
        handovers = handovers_of(self.handovers)
        keep_what_is_wanted(state, entries)
        while state.revision < self.ends[until]:
            state.take_over(handovers)
            state.follow(entries, state.revision - start)
        state.take_over(handovers)
        if state.revision < revision:
            at = state.revision - start
            state.look_into(entries, at, revision - state.revision)
        return state


class Pasts:
    """The pasts of matches that were looked through of late."""

    def __init__(self, source: Source, capacity: int) -> None:
        self.source = source
        self.capacity = capacity  # in bytes
        self._kept: OrderedDict[str, Past] = OrderedDict()

    @property
    def size(self) -> int:
        """What is kept of all matches, in bytes."""
        return sum(past.size for past in self._kept.values())

    async def at(self, name: str, revision: int) -> MatchState:
        """A match after so many entries; `Denied` if it has not come so far."""
        past = self._kept.setdefault(name, Past())
        self._kept.move_to_end(name)
        try:
            async with past.lock:
                await self._refresh(name, past)
                if not 0 <= revision <= len(past.lines):
                    raise refusals.unknown_revision(name, revision, len(past.lines))
                return past.at(revision)
        finally:
            self._trim(name, past)

    def _trim(self, name: str, past: Past) -> None:
        """Forget what has no room, and what could not be read."""
        if not past.marks and not past.lock.locked() and self._kept.get(name) is past:
            del self._kept[name]
        while self.size > self.capacity and len(self._kept) > 1:
            self._kept.popitem(last=False)

    async def _refresh(self, name: str, past: Past) -> None:
        """Know all that the store has."""
        known = past.position
        stored = await self.source.read(name, known.version, len(past.lines), known.head)
        if past.marks and stored.position == known:
            return
        if not (past.marks and await _goes_on(past, stored)):
            await self._reread(name, past)
        past.weigh()

    async def _reread(self, name: str, past: Past) -> None:
        past.forget()
        stored = await self.source.read(name)
        state = self.source.beginning(name, stored.fields)
        past.note(state)
        async with aclosing(self.source.replay(name, stored, state)) as steps:
            async for _ in steps:
                past.note(state)
        past.stand(stored)


async def _goes_on(past: Past, stored: Stored) -> bool:
    """Follow what is new; whether it goes on from what was known, and not from before it."""
    known = len(past.lines)
    if stored.version < past.position.version or stored.revision < known:
        return False
    if goes_back_before(map(LogEntry.of, stored.lines), known):
        return False
    state = past.at(known)
    try:
        async with aclosing(follow(state, stored)) as steps:
            async for _ in steps:
                past.note(state)
        check_head(state, stored)
    except Diverged:
        return False
    past.stand(stored)
    return True
