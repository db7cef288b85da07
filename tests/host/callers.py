"""Callers who append to matches of a store, and what of that they were acknowledged.

Each has a match of his own and adds one line after the other. One that nobody is sure of he looks
for, as an engine does: what he finds he has been acknowledged.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import NamedTuple

from services.host.store import NOT_STORED, Away, Change, Position, RedisStore, Unsure

REST_SECONDS = 0.02


class Count(NamedTuple):
    """What came of it."""

    acknowledged: int
    lost: int
    doubled: int
    mixed: int  # matches whose lines are not those of one history


class Caller:
    """One of them."""

    def __init__(self, store: RedisStore, match: str) -> None:
        self.store, self.match = store, match
        self.lines: list[str] = []  # that are acknowledged
        self.at: Position = NOT_STORED
        self.tried = 0
        self.has_lost = False

    async def run(self, until: asyncio.Event) -> None:
        """Add lines until it is over, or he was told that what he knew is gone."""
        while not until.is_set() and not self.has_lost:
            line = f"{self.match} {len(self.lines)}"
            head = hashlib.sha256(f"{self.at.head} {line}".encode()).hexdigest()
            self.tried += 1
            try:
                is_done = await self._add(line, head)
            except (Away, Unsure):
                await asyncio.sleep(REST_SECONDS)
                continue
            if is_done:
                self.lines.append(line)
                self.at = Position(self.at.version + 1, head)
            else:
                self.has_lost = True

    async def _add(self, line: str, head: str) -> bool:
        change = Change((line,), {"due": "x"}, head=head)
        if await self.store.append(self.match, self.at.version, change, self.at.head):
            return True
        found = await self.store.load(self.match)
        return found is not None and found.head == head


async def crowd(store: RedisStore, callers: int) -> list[Caller]:
    """So many of them, none of whom has begun."""
    return [Caller(store, f"match-{n}") for n in range(callers)]


def acknowledged(callers: list[Caller]) -> int:
    return sum(len(caller.lines) for caller in callers)


def tried(callers: list[Caller]) -> int:
    return sum(caller.tried for caller in callers)


async def count(store: RedisStore, callers: list[Caller]) -> Count:
    """Compare what is kept with what was acknowledged."""
    lost = doubled = mixed = 0
    for caller in callers:
        found = await store.load(caller.match)
        lines = list(found.lines) if found else []
        lost += len(set(caller.lines) - set(lines))
        doubled += len(lines) - len(set(lines))
        mixed += lines != [f"{caller.match} {n}" for n in range(len(lines))]
    return Count(acknowledged(callers), lost, doubled, mixed)
