"""A store whose matches are found in the ledger once they have left it. Nothing is written there.

Design. The store is asked first, always: whatever it has is the truth. What it has not is asked of
the ledger, and only what neither has is unknown. A match in the ledger never changes, so its head
is remembered, and whoever knows the match already is told so without another look. Beginning a
match looks there, too, so that one which has left is never begun anew by a call that comes late; as
names come by chance and once, a ledger that is away keeps nobody from beginning one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import structlog

from bree.redis.client import Away
from services.host.kept import Unreadable, unpacked
from services.host.store import Census, Change, Moved, Position, Store, Stored

log = structlog.get_logger()

MOST_HEADS = 20_000
"""Of how many matches that have left the heads are remembered."""

REST_SECONDS = 2.0
"""How long a ledger that was away is not asked about matches that begin."""

CANNOT_BE_READ = "what the ledger keeps of this match cannot be read"


class Archived(NamedTuple):
    """What the ledger has of a match that is over."""

    text: str  # of its record
    kept: bytes


class Archive(Protocol):
    """Matches that have left. Every method may raise `Away`."""

    async def find(self, match: str) -> Archived | None:
        """A match, if it is there; `Unreadable` if it is broken."""
        ...

    async def has(self, match: str) -> bool:
        """Whether it is there."""
        ...


class ArchivedStore:
    """A store and, behind it, the matches that have left it."""

    def __init__(
        self, live: Store, archive: Archive, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.live, self.archive = live, archive
        self._clock = clock
        self._away_until = -REST_SECONDS
        self._heads: OrderedDict[str, str] = OrderedDict()

    async def append(self, match: str, version: int, change: Change, head: str = "") -> bool:
        if not version and await self._has_left(match):
            return False
        return await self.live.append(match, version, change, head)

    async def forget(self, match: str, version: int, undue: Sequence[str], head: str = "") -> bool:
        return await self.live.forget(match, version, undue, head)

    async def load(
        self, match: str, version: int = 0, after: int = 0, head: str = "", *, surely: bool = False
    ) -> Stored | None:
        found = await self.live.load(match, version, after, head, surely=surely)
        if found is not None:
            return found
        if not head or self._heads.get(match) != head:
            found = await self._found(match)
            if found is None or found.head != head or not head:
                return found and found._replace(lines=found.lines[after:])
        # Whatever version the reader has: the history is whole, and there is no other after it.
        return Stored(version, after, (), {}, head)

    async def claim(self, until: int, lease_until: int, limit: int) -> list[str]:
        return await self.live.claim(until, lease_until, limit)

    async def census(self, now: int, may_be_old: int = 0) -> Mapping[str, Census]:
        return await self.live.census(now, may_be_old)

    async def positions(self, matches: Sequence[str]) -> list[Position]:
        return await self.live.positions(matches)

    def listen(self) -> AsyncGenerator[Moved | None, None]:
        return self.live.listen()

    async def close(self) -> None:
        await self.live.close()

    # What has left.

    async def _found(self, match: str) -> Stored | None:
        try:
            archived = await self.archive.find(match)
            if archived is None:
                return None
            stored = await asyncio.to_thread(unpacked, archived.kept, archived.text)
        except Unreadable as error:
            log.exception("kept in vain", match=match)
            raise Away(str(error), CANNOT_BE_READ, part="ledger") from error
        self._heads[match] = stored.head
        self._heads.move_to_end(match)
        if len(self._heads) > MOST_HEADS:
            self._heads.popitem(last=False)
        return stored

    async def _has_left(self, match: str) -> bool:
        """Whether a match that begins is over and gone, as far as anyone can tell."""
        if self._clock() < self._away_until:
            return False
        try:
            return await self.archive.has(match)
        except Away:
            self._away_until = self._clock() + REST_SECONDS
            return False
