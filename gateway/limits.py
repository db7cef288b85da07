"""How often and how much: buckets of calls, and the streams that each account has open.

Design. Buckets and streams are counted by each gateway for itself, so a call costs no write: with
several gateways an account has as many times the rate. What an account may hold on all of them
together is counted in the store, by those who hand it out. Memory is bounded: of too many buckets
the one that was least recently used is forgotten, and so is full again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

from bree.process.statuses import Denied
from gateway import call_context
from gateway.documents import Account
from gateway.refusals import limit_reached

MOST_BUCKETS = 100_000


class TokenBuckets:
    """Tokens for each of many callers, which come back at a steady rate up to a burst."""

    def __init__(
        self,
        a_second: float,
        burst: int,
        words: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.a_second, self.burst, self.words, self.clock = a_second, burst, words, clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def take(self, key: str, price: float = 1) -> None:
        """Take the price in tokens; RATE_LIMITED, and nothing taken, if there are too few.

        What costs more than there ever are is given for a full bucket.
        """
        now = self.clock()
        full_at = max(now, self._full_at.get(key, now)) + min(price, self.burst) / self.a_second
        wait = full_at - now - self.burst / self.a_second
        # The hair's breadth is for the rounding of what is added up.
        if wait > 1e-9:
            raise Denied(
                "RATE_LIMITED",
                "too many requests",
                limit=self.words,
                retry_after_ms=math.ceil(wait * 1000),
            )
        self._keep(key, full_at)

    def charge(self, key: str, price: float) -> None:
        """Take the price of what has been done, whether or not there are tokens enough."""
        now = self.clock()
        self._keep(key, max(now, self._full_at.get(key, now)) + price / self.a_second)

    def _keep(self, key: str, full_at: float) -> None:
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > MOST_BUCKETS:
            self._full_at.popitem(last=False)


class KeyedLock:
    """Lets those with the same key through one after the other."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, list[asyncio.Lock]] = {}

    @asynccontextmanager
    async def hold(self, key: Hashable) -> AsyncIterator[None]:
        """Wait until nobody else with this key is inside."""
        users = self._locks.setdefault(key, [])
        lock = users[0] if users else asyncio.Lock()
        users.append(lock)
        try:
            async with lock:
                yield
        finally:
            users.pop()
            if not users:
                del self._locks[key]


class Stream(Protocol):
    """A stream to a caller, which others may have to end."""

    def fail(self, denied: Denied) -> None:
        """End it with this status."""


class Streams:
    """The streams that are open on this gateway, by account."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: defaultdict[str, dict[Stream, str]] = defaultdict(dict)

    @contextmanager
    def open(self, account: Account, stream: Stream) -> Iterator[None]:
        """Count a stream while it lasts; LIMIT_REACHED if its account has too many."""
        mine = self._open[account.id]
        if len(mine) >= self.most:
            raise limit_reached(self.most, "open streams")
        mine[stream] = call_context.token_hash.get()
        try:
            yield
        finally:
            mine.pop(stream, None)
            if not mine and self._open.get(account.id) is mine:
                del self._open[account.id]

    def accounts(self) -> list[str]:
        """The accounts that have a stream open."""
        return list(self._open)

    def has(self, account: str) -> bool:
        """Whether an account has a stream open."""
        return account in self._open

    def end(self, account: str, denied: Denied, unless: Collection[str] = ()) -> None:
        """End the streams of an account, but for those that good tokens opened."""
        for stream, token_hash in list(self._open.get(account, {}).items()):
            if token_hash not in unless:
                stream.fail(denied)

    def give_up(self, account: Account, stream: Stream) -> None:
        """Count a stream no longer, though it may take a while to end."""
        self._open.get(account.id, {}).pop(stream, None)

    def end_all(self, denied: Denied) -> None:
        """End every stream."""
        for account in self.accounts():
            self.end(account, denied)
