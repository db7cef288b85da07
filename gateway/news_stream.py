"""One stream of news: what its reader has yet to be sent, and which matches he follows.

Design. Steps and questions wait where they come from, so what is kept of them is bounded there:
whoever has one to tell waits until it is sent. Changes of matches wait here, of each match the last
one. A reader who lags behind loses single matches, and in the end the stream.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from typing_extensions import override

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.documents import Account
from gateway.feed import RECENT_STEPS, Termination, Watcher
from gateway.refusals import lags

MOST_FOLLOWED = 32
MOST_KEPT = 256
"""How many steps are kept for all matches of a stream together, or 32 for each if that is more."""

MOST_NOTICES = 1_000
"""How many matches may have changed before their changes are read."""

Key = tuple[str, str]  # a match's id and a seat
Notice = tuple[str, ...]  # the kind of a notice, and what it is about


@dataclass(eq=False, slots=True)
class Waiting:
    """Something that is to be sent, for which somebody waits."""

    said: pb.ListenNewsResponse
    sent: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class NewsStream:
    """A stream to one account."""

    def __init__(self, account: Account, name: str, opened: str) -> None:
        self.account, self.name, self.opened = account, name, opened
        self.termination = Termination()
        self.followed: dict[Key, asyncio.Task[None]] = {}
        self.watchers: dict[Key, Watcher] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self._waiting: deque[Waiting] = deque()
        self._notices: dict[Notice, pb.ListenNewsResponse] = {}
        self._news = asyncio.Event()

    @property
    def key(self) -> tuple[str, str]:
        """What tells this stream from others."""
        return self.account.id, self.name

    def fail(self, denied: Denied) -> None:
        self.termination.fail(denied)
        self.close()

    def close(self) -> None:
        """Let go of everything."""
        for task in [*self.tasks]:
            task.cancel()
        self._waiting.clear()
        self._notices.clear()
        self._news.set()

    def keep(self, task: asyncio.Task[None]) -> None:
        """Have a task end with the stream."""
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        if self.termination.has_come:
            task.cancel()

    async def send(self, said: pb.ListenNewsResponse) -> None:
        """Send something in its turn, and wait until it is on its way."""
        waiting = Waiting(said)
        self._waiting.append(waiting)
        self._news.set()
        try:
            await waiting.sent
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            raise

    def put(self, notice: Notice, said: pb.ListenNewsResponse) -> None:
        """Tell something as soon as it can be sent, in place of what it was about before."""
        if self.termination.has_come:
            return
        self._notices.pop(notice, None)
        self._notices[notice] = said
        self._news.set()
        if len(self._notices) > MOST_NOTICES:
            self.fail(lags(notice[1], 0))

    def drop(self, notice: Notice) -> None:
        """Do not tell it, unless it is told already."""
        self._notices.pop(notice, None)

    async def told(self) -> AsyncGenerator[pb.ListenNewsResponse, None]:
        """What the reader is sent, until the stream is ended."""
        while True:
            while not self._waiting and not self._notices:
                self._news.clear()
                self.termination.check()
                await self._news.wait()
            self.termination.check()
            if self._waiting:
                waiting = self._waiting.popleft()
                yield waiting.said
                if not waiting.sent.done():
                    waiting.sent.set_result(None)
            if self._notices:
                yield self._notices.pop(next(iter(self._notices)))

    @property
    def kept(self) -> int:
        """How many steps are kept of all matches."""
        return sum(watcher.kept for watcher in self.watchers.values())


class FollowWatcher(Watcher):
    """A watcher of one of many matches, which share what is kept."""

    def __init__(self, stream: NewsStream, match: str, sent: int, head: str, backlog: int) -> None:
        super().__init__(match, sent, backlog, head)
        self.stream = stream

    @property
    @override
    def is_full(self) -> bool:
        if self.kept < 2 * RECENT_STEPS:
            return False
        return self.kept >= self.backlog or self.stream.kept >= MOST_KEPT
