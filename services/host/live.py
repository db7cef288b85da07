"""Matches in memory: one of them, and as many as there is room for.

Design. A live match is never ahead of the store, and may be behind it when another replica has been
asked; then it reads what is new. Everything in it can be made again from the store, so any of it
may be forgotten: the cache forgets the longest unused when the matches weigh more than it may hold.
A match that somebody still uses is found again all the same, so that one match is one object.

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
from services.host.course import Course, Step, Told
from services.host.saved import Due
from services.host.store import Stored

Matters = Callable[[], bool]
"""Whether what is new in a match matters to one of those who wait for that."""

TAIL, WATCHED_TAIL = 8, 256
"""So many entries are kept to be told again: to those who come back, and to those who watch."""

HEADS, HEAD_BYTES = 32, 12
"""So many heads are known without reading the past again, by so many bytes of each."""


class Live:
    """A match in memory."""

    __slots__ = (
        "__weakref__",
        "course",
        "due",
        "head",
        "heads",
        "lock",
        "name",
        "sieve",
        "size",
        "tail",
        "trouble",
        "version",
        "waiting",
        "watchers",
        "weighed",
    )

    def __init__(self, name: str, course: Course) -> None:
        self.name = name
        self.lock = asyncio.Lock()  # held by whoever changes what follows
        self.course = course
        self.version = 0
        self.head = ""  # as the store has it
        self.heads = bytearray()  # the beginnings of the latest ones
        self._note_head(course.head)
        self.due: tuple[Due, ...] = ()
        self.trouble: Denied | None = None  # why it cannot go on
        self.sieve = bytearray()
        self.tail: deque[Told] = deque()
        self.watchers = 0
        self.waiting: dict[asyncio.Future[None], Matters] = {}
        self.size = 0
        self.weighed = 0  # at which revision

    # What was asked before.

    def may_know(self, asker: str, request: str) -> bool:
        """Whether this request may have been carried out. `False` is certain."""
        return _grain(asker, request) in self.sieve

    # How it goes on.

    def grow(
        self, course: Course, at: tuple[int, str], due: Iterable[Due], steps: Iterable[Step]
    ) -> None:
        """Stand where the store has come to, its version and head, by these steps."""
        self.course, self.due = course, tuple(due)
        self.version, self.head = at
        for step in steps:
            self.tail.extend(step.told)
            self._note_head(step.head)
            for line in step.lines:
                if line.request:
                    self.sieve += _grain(line.asker(), line.request)
        most = WATCHED_TAIL if self.watchers else TAIL
        while len(self.tail) > most:
            self.tail.popleft()

    def is_where(self, stored: Stored) -> bool:
        """Whether this is all that the store has."""
        return (self.version, self.head) == (stored.version, stored.head)

    def _note_head(self, head: str) -> None:
        self.heads += bytes.fromhex(head)[:HEAD_BYTES]
        del self.heads[: -HEAD_BYTES * HEADS]

    def has_come_by(self, head: str) -> bool:
        """Whether this was a head of late; `False` is not certain."""
        wanted = bytes.fromhex(head)[:HEAD_BYTES]
        kept = range(0, len(self.heads), HEAD_BYTES)
        return any(self.heads[at : at + HEAD_BYTES] == wanted for at in kept)

    # What is told.

    def told_after(self, revision: int) -> Sequence[Told] | None:
        """What happened after a revision; `None` if it is not known here any more."""
        count = self.course.revision - revision
        if not 0 <= count <= len(self.tail):
            return None
        return [self.tail[n] for n in range(len(self.tail) - count, len(self.tail))]

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
            if not waiter.done() and (everyone or self.trouble or matters()):
                waiter.set_result(None)


def _grain(asker: str, request: str) -> bytes:
    return (hash((asker, request)) & 0xFFFFFFFF).to_bytes(4, "big")


class Cache:
    """The matches in memory, the longest unused first."""

    def __init__(self, game: str, room: int) -> None:
        self.room = room
        self.weight = 0
        self._newborn = 0
        self._kept: OrderedDict[str, Live] = OrderedDict()
        self._used: WeakValueDictionary[str, Live] = WeakValueDictionary()
        self._count = metrics.CACHED_MATCHES.labels(game)
        self._count.set(0)

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, name: str) -> Live | None:
        """The match, if it is in memory."""
        live = self._used.get(name)
        if live is not None:
            self.keep(live)
            self._kept.move_to_end(name)
        return live

    def seen(self, name: str) -> Live | None:
        """The match, if it is in memory; this does not count as using it."""
        return self._used.get(name)

    def watched(self) -> list[Live]:
        """The matches that somebody watches."""
        return [live for live in self._used.values() if live.watchers]

    def keep(self, live: Live) -> Live:
        """Keep a match, and weigh it if it is new here or has grown much.

        If the same match has come here in another way meanwhile, that one is kept and given back.
        """
        known = self._used.setdefault(live.name, live)
        if known is not live:
            return known
        revision = live.course.revision
        if live.name not in self._kept:
            self._kept[live.name] = live
            self.weight += live.size
            self._count.inc()
        if revision >= 2 * live.weighed + 32 or not live.size:
            self._weigh(live, revision)
        while self.weight > self.room and len(self._kept) > 1:
            self.weight -= self._kept.popitem(last=False)[1].size
            self._count.dec()
        return live

    def _weigh(self, live: Live, revision: int) -> None:
        """Note what a match weighs; matches that have just begun all weigh the same."""
        before, live.weighed = live.size, revision
        if revision:
            live.size = weight_of(live)
        else:
            live.size = self._newborn = self._newborn or weight_of(live)
        self.weight += live.size - before

    def drop(self, live: Live) -> None:
        """Forget a match that can no longer be played."""
        if self._kept.get(live.name) is live:
            del self._kept[live.name]
            self.weight -= live.size
            self._count.dec()
        if self._used.get(live.name) is live:
            del self._used[live.name]


OVERHEAD = 1_500
"""Bytes that a match weighs besides what it refers to: its places in tables, and what allocation
adds."""

_SHARED = (type, ModuleType, FunctionType)


def weight_of(live: Live) -> int:
    """About how many bytes would be free without this match."""
    course = live.course
    shared = {id(course.table.rules)}
    parts: list[Any] = [course, live.tail]
    return OVERHEAD + len(live.sieve) + _size(parts, shared)


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
