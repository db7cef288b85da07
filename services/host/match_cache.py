"""Matches in memory: one of them, and as many as there is room for.

Design. A cached match is never ahead of the store, and may be behind it when another replica has
been asked; then it reads what is new. Everything in it can be made again from the store, so any of
it may be forgotten: the cache forgets the longest unused when the matches take more bytes than it
may hold. A match that somebody still uses is found again all the same, so that one match is one
object.

Of the ids of requests a match keeps four bytes each: enough to say that an id is new, and when it
may not be, the log is read. The ids themselves would outweigh the game.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

from bree.process import metrics
from bree.process.statuses import Denied
from services.host.match_state import MatchState
from services.host.serialization import Due
from services.host.steps import Emitted, MatchStep
from services.host.store import NOT_STORED, Position, Stored

Matters = Callable[[], bool]
"""Whether what is new in a match matters to one of those who wait for that."""

RECENT, RECENT_WATCHED = 8, 256
"""The entries of a match that are kept to be told again: to those who come back, and to those who
watch."""

HEADS, HEAD_BYTES = 32, 12
"""The heads of a match that are known without reading the past again, and the bytes of each."""

NOT_MEASURED = 0
"""The size of a match that was never measured."""


class CachedMatch:
    """A match in memory."""

    __slots__ = (
        "__weakref__",
        "due",
        "failure",
        "game_size",
        "head",
        "heads",
        "lock",
        "measured",
        "measured_at",
        "name",
        "recent",
        "seen_requests",
        "size",
        "state",
        "version",
        "waiting",
        "watchers",
    )

    def __init__(self, name: str, state: MatchState) -> None:
        self.name = name
        self.lock = asyncio.Lock()  # held by whoever changes what follows
        self.state = state
        self.version, self.head = NOT_STORED  # as the store has it
        self.heads = bytearray()  # the beginnings of the latest ones
        self._note_head(state.head)
        self.due: tuple[Due, ...] = ()
        self.failure: Denied | None = None  # why it cannot go on
        self.seen_requests = bytearray()  # four bytes of the hash of each
        self.recent: deque[Emitted] = deque()
        self.watchers = 0
        self.waiting: dict[asyncio.Future[None], Matters] = {}
        self.size = NOT_MEASURED  # in bytes
        self.measured = NOT_MEASURED  # without the games that can be gone back to
        self.game_size = NOT_MEASURED  # of one of these
        self.measured_at = 0  # the revision

    # What was asked before.

    def may_have_seen(self, asker: str, request: str) -> bool:
        """Whether this request may have been carried out. `False` is certain."""
        return _request_hash(asker, request) in self.seen_requests

    # How it goes on.

    def advance(
        self, state: MatchState, at: Position, due: Iterable[Due], steps: Iterable[MatchStep]
    ) -> None:
        """Stand where the store has come to by these steps."""
        self.state, self.due = state, tuple(due)
        self.version, self.head = at
        for step in steps:
            self.recent.extend(step.emitted)
            self._note_head(step.head)
            for entry in step.entries:
                if entry.request:
                    self.seen_requests += _request_hash(entry.asker(), entry.request)
        most = RECENT_WATCHED if self.watchers else RECENT
        while len(self.recent) > most:
            self.recent.popleft()

    def is_up_to_date_with(self, stored: Stored) -> bool:
        """Whether this is all that the store has."""
        return (self.version, self.head) == stored.position

    def _note_head(self, head: str) -> None:
        self.heads += bytes.fromhex(head)[:HEAD_BYTES]
        del self.heads[: -HEAD_BYTES * HEADS]

    def has_come_by(self, head: str) -> bool:
        """Whether this was a head of late; `False` is not certain."""
        wanted = bytes.fromhex(head)[:HEAD_BYTES]
        kept = range(0, len(self.heads), HEAD_BYTES)
        return any(self.heads[at : at + HEAD_BYTES] == wanted for at in kept)

    # What is told.

    def emitted_after(self, revision: int) -> Sequence[Emitted] | None:
        """What happened after a revision; `None` if it is not known here any more."""
        count = self.state.revision - revision
        if not 0 <= count <= len(self.recent):
            return None
        return [self.recent[n] for n in range(len(self.recent) - count, len(self.recent))]

    async def moves(self, matters: Matters) -> None:
        """Wait until there is something new that matters to whoever waits, or it cannot go on."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting[waiter] = matters
        try:
            await waiter
        finally:
            del self.waiting[waiter]

    def wake(self, *, everyone: bool = False) -> None:
        """Tell those who watch that there is something new."""
        for waiter, matters in self.waiting.items():
            if not waiter.done() and (everyone or self.failure or matters()):
                waiter.set_result(None)


def _request_hash(asker: str, request: str) -> bytes:
    return (hash((asker, request)) & 0xFFFFFFFF).to_bytes(4, "big")


class MatchCache:
    """The matches in memory, the longest unused first."""

    def __init__(self, game: str, capacity: int) -> None:
        self.capacity = capacity  # in bytes
        self.size = 0  # in bytes
        self._new_match_sizes: tuple[int, int] | None = None
        self._kept: OrderedDict[str, CachedMatch] = OrderedDict()
        self._used: WeakValueDictionary[str, CachedMatch] = WeakValueDictionary()
        self._count = metrics.CACHED_MATCHES.labels(game)
        self._count.set(0)

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, name: str) -> CachedMatch | None:
        """The match, if it is in memory."""
        cached = self._used.get(name)
        if cached is not None:
            if name not in self._kept:
                self.keep(cached)
            self._kept.move_to_end(name)
        return cached

    def seen(self, name: str) -> CachedMatch | None:
        """The match, if it is in memory; this does not count as using it."""
        return self._used.get(name)

    def watched(self) -> list[CachedMatch]:
        """The matches that somebody watches."""
        return [cached for cached in self._used.values() if cached.watchers]

    def keep(self, cached: CachedMatch) -> CachedMatch:
        """Keep a match, and measure it if it is new here or has grown much.

        If the same match has come here in another way meanwhile, that one is kept and given back.
        """
        known = self._used.setdefault(cached.name, cached)
        if known is not cached:
            return known
        revision = cached.state.revision
        if cached.name not in self._kept:
            self._kept[cached.name] = cached
            self.size += cached.size
            self._count.inc()
        if revision >= 2 * cached.measured_at + 32 or cached.size == NOT_MEASURED:
            self._measure(cached, revision)
        size = cached.measured + len(cached.state.table.undo_stack) * cached.game_size
        self.size += size - cached.size
        cached.size = size
        while self.size > self.capacity and len(self._kept) > 1:
            self.size -= self._kept.popitem(last=False)[1].size
            self._count.dec()
        return cached

    def _measure(self, cached: CachedMatch, revision: int) -> None:
        """Note the size of a match; matches that have just begun all have the same."""
        cached.measured_at = revision
        if revision:
            cached.measured, cached.game_size = _sizes_of(cached)
        else:
            self._new_match_sizes = self._new_match_sizes or _sizes_of(cached)
            cached.measured, cached.game_size = self._new_match_sizes

    def drop(self, cached: CachedMatch) -> None:
        """Forget a match that can no longer be played."""
        if self._kept.get(cached.name) is cached:
            del self._kept[cached.name]
            self.size -= cached.size
            self._count.dec()
        if self._used.get(cached.name) is cached:
            del self._used[cached.name]


OVERHEAD_BYTES = 1_500
"""What a match takes besides what it refers to: entries in tables, and what allocation adds."""

_SHARED = (type, ModuleType, FunctionType)


def size_of(cached: CachedMatch, *shared: object) -> int:
    """About how many bytes would be free without this match."""
    parts = size_of_parts([cached.state, cached.recent], cached.state.table.rules, *shared)
    return OVERHEAD_BYTES + len(cached.seen_requests) + parts


def _sizes_of(cached: CachedMatch) -> tuple[int, int]:
    """The size of a match without the games that it could go back to, and that of one of these."""
    table = cached.state.table
    return size_of(cached, *table.undo_stack), size_of_parts([table.game])


def size_of_parts(parts: list[Any], *shared: object) -> int:
    """About how many bytes these take, without what they share with others."""
    return _size(parts, {id(one) for one in shared})


def _size(found: list[Any], seen: set[int]) -> int:
    """The bytes of all these and of what they refer to, each object once."""
    size = 0
    while found:
        thing = found.pop()
        if id(thing) in seen or isinstance(thing, _SHARED):
            continue
        seen.add(id(thing))
        size += sys.getsizeof(thing)
        found += gc.get_referents(thing)
    return size
