"""Stores for tests: ones that fail or tarry when told to, and a picture of all that one keeps."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from services.host.in_memory_store import InMemoryStore
from services.host.store import Away, Census, Change, Moved, Position, Unsure


class Faulty:
    """A store that loses connections when it is told to."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.lose_requests = 0  # how many changes will be lost on their way to the store
        self.lose_replies = 0  # how many will be made, and the news of it lost
        self.away = False
        self.asked: list[str] = []

    async def append(self, match: str, version: int, change: Change, head: str = "") -> bool:
        self._note("append")
        if self.lose_requests:
            self.lose_requests -= 1
            raise Unsure("lost on the way there")
        done = await self.inner.append(match, version, change, head)
        if self.lose_replies:
            self.lose_replies -= 1
            raise Unsure("lost on the way back")
        return done

    async def forget(self, match: str, version: int, undue: Sequence[str], head: str = "") -> bool:
        self._note("forget")
        if self.lose_requests:
            self.lose_requests -= 1
            raise Unsure("lost on the way there")
        done = await self.inner.forget(match, version, undue, head)
        if self.lose_replies:
            self.lose_replies -= 1
            raise Unsure("lost on the way back")
        return done

    async def load(
        self, match: str, version: int = 0, after: int = 0, head: str = "", *, surely: bool = False
    ) -> Any:
        self._note("load")
        return await self.inner.load(match, version, after, head, surely=surely)

    async def positions(self, matches: Sequence[str]) -> list[Position]:
        self._note("positions")
        return await self.inner.positions(matches)

    async def claim(self, until: int, lease_until: int, limit: int) -> list[str]:
        self._note("claim")
        return await self.inner.claim(until, lease_until, limit)

    async def census(self, now: int, may_be_old: int = 0) -> Mapping[str, Census]:
        self._note("census")
        return await self.inner.census(now, may_be_old)

    async def listen(self) -> AsyncGenerator[Moved | None, None]:
        self._note("listen")
        news = self.inner.listen()
        try:
            async for moved in news:
                self._note("news")
                yield moved
        finally:
            await news.aclose()

    async def close(self) -> None:
        await self.inner.close()

    def _note(self, what: str) -> None:
        self.asked.append(what)
        if self.away:
            raise Away("pulled out")


class Late(Faulty):
    """A store that can hold back what was read from it."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.has_read = asyncio.Event()
        self._may_tell = asyncio.Event()
        self._may_tell.set()

    def hold(self) -> None:
        """Tell nobody what is read from now on."""
        self.has_read.clear()
        self._may_tell.clear()

    def let_go(self) -> None:
        """Tell what was held back."""
        self._may_tell.set()

    async def load(
        self, match: str, version: int = 0, after: int = 0, head: str = "", *, surely: bool = False
    ) -> Any:
        found = await super().load(match, version, after, head, surely=surely)
        self.has_read.set()
        await self._may_tell.wait()
        return found


def picture(store: InMemoryStore) -> object:
    """All that a store keeps, to be compared with what it keeps later."""
    matches = {
        name: (match.version, match.head, tuple(match.lines), dict(match.fields))
        for name, match in store.matches.items()
    }
    return copy.deepcopy((matches, store.due))
