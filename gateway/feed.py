"""A match's steps for one pair of eyes, and those who are told them.

Design. A feed never waits for anyone. It keeps the latest steps, so that somebody who comes a
little late misses none; each watcher has a bounded queue of what he has yet to be sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from typing import Any, NamedTuple, Protocol, TypeVar

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.documents import Match
from gateway.refusals import lags

T = TypeVar("T")

RECENT_STEPS, RECENT_BYTES = 16, 1 << 18
"""How many of the latest steps are kept, in how many bytes. A watcher's queue holds twice that."""


class Step(NamedTuple):
    """What happened from one revision to another."""

    base: int
    said: pb.WatchMatchResponse

    @property
    def revision(self) -> int:
        """How far the match has come with it."""
        return self.said.standing.revision

    @property
    def is_last(self) -> bool:
        """Whether the match is over."""
        return self.said.standing.HasField("outcome")


class Subscriber(Protocol):
    """Somebody to whom a feed tells its steps. None of these may wait."""

    def hear(self, step: Step) -> None:
        """Take the next step."""

    def end(self) -> None:
        """That was the last one."""

    def fail(self, denied: Denied) -> None:
        """There will be no more, for this reason."""


class Termination:
    """A status with which others may end a stream, whatever it waits for."""

    def __init__(self) -> None:
        self._denied: asyncio.Future[Denied] = asyncio.get_running_loop().create_future()

    def fail(self, denied: Denied) -> None:
        """End it; the first reason counts."""
        if not self._denied.done():
            self._denied.set_result(denied)

    @property
    def has_come(self) -> bool:
        """Whether it has been ended."""
        return self._denied.done()

    def check(self) -> None:
        """Raise the status, if it has come."""
        if self._denied.done():
            raise self._denied.result()

    async def unless(self, awaited: Awaitable[T], seconds: float | None = None) -> T:
        """What is awaited, unless the stream is ended before, or it takes too long."""
        task = asyncio.ensure_future(awaited)
        waits: set[asyncio.Future[Any]] = {task, self._denied}
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            self.check()
            if not task.done():
                raise Denied("UNAVAILABLE", "the engine is out of reach", part="engine")
            return task.result()
        finally:
            if task.done():
                task.cancelled() or task.exception()  # seen, whoever wins
            else:
                task.cancel()
                await asyncio.wait({task})  # it may be in the middle of a generator


class Watcher:
    """A stream of a match's steps to one caller, with what he has yet to be sent."""

    def __init__(self, match: str, sent: int, backlog: int, head: str = "") -> None:
        self.match, self.sent, self.backlog = match, sent, backlog
        self.head = head  # of the history that the caller knows
        self.termination = Termination()
        self._steps: deque[Step] = deque()
        self._over = False
        self._news = asyncio.Event()

    @property
    def kept(self) -> int:
        """How many steps he has yet to be sent."""
        return len(self._steps)

    @property
    def is_full(self) -> bool:
        """Whether no more of them are kept."""
        return self.kept >= self.backlog

    def hear(self, step: Step) -> None:
        if self.is_full:
            self.fail(lags(self.match, self.sent))
        elif not self.termination.has_come:
            self._steps.append(step)
            self._news.set()

    def end(self) -> None:
        self._over = True
        self._news.set()

    def fail(self, denied: Denied) -> None:
        self._steps.clear()
        self.termination.fail(denied)
        self._news.set()

    async def next(self) -> Step | None:
        """The next step; nothing after the last one."""
        while not self._steps and not self._over:
            self._news.clear()
            self.termination.check()
            await self._news.wait()
        self.termination.check()
        return self._steps.popleft() if self._steps else None


class Feed:
    """The steps of one match for one pair of eyes."""

    def __init__(self, match: Match, seat: str, wanted: engine.Wanted.ValueType) -> None:
        self.match, self.seat, self.wanted = match, seat, wanted
        self.begun = asyncio.Event()
        self.users = 0
        self.subscribers: set[Subscriber] = set()
        self.denied: Denied | None = None
        self._last: Step | None = None  # what it came to, without the events
        self._recent: deque[tuple[Step, int]] = deque()
        self._recent_bytes = 0

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells this feed from others."""
        return self.match.id, self.seat, self.wanted

    @property
    def is_whole(self) -> bool:
        """Whether it tells every step, so that the last one told is where the match stands."""
        return self.wanted == engine.WANTED_UNSPECIFIED

    def request(self, after: int, head: str) -> engine.WatchRequest:
        """What an engine is asked for, to go on after a revision of the history with this head."""
        return engine.WatchRequest(
            match=self.match.id,
            viewer=engine.Viewer(seat=self.seat),
            after_revision=after,
            wanted=self.wanted,
            head=head,
        )

    @property
    def is_over(self) -> bool:
        """Whether the last step has been told."""
        return self._last is not None and self._last.is_last

    def tell(self, step: Step) -> None:
        """Tell everyone a step."""
        self._last = Step(step.revision, _without_events(step.said))
        if self.is_whole:
            self._keep(step)
        self.begun.set()
        for subscriber in list(self.subscribers):
            subscriber.hear(step)
            if step.is_last:
                subscriber.end()

    def _keep(self, step: Step) -> None:
        size = step.said.ByteSize()
        self._recent.append((step, size))
        self._recent_bytes += size
        while len(self._recent) > RECENT_STEPS or self._recent_bytes > RECENT_BYTES:
            self._recent_bytes -= self._recent.popleft()[1]

    def fail(self, denied: Denied) -> None:
        """Tell everyone that there will be no more."""
        self.denied = denied
        self.begun.set()
        for subscriber in list(self.subscribers):
            subscriber.fail(denied)

    def attach(self, subscriber: Subscriber, after: int | None, *, at_once: bool) -> bool:
        """Tell somebody what comes after a revision, or from now on; False if that is not kept.

        `at_once` tells where the match stands even if nothing is new.
        """
        last = self._last
        if self.denied is not None:
            subscriber.fail(self.denied)
        elif last is None:
            if after is not None:
                return False
        elif after is None or (after == last.revision and (at_once or last.is_last)):
            if self.is_whole or last.is_last:
                subscriber.hear(last)
        elif after != last.revision and not self._retell(subscriber, after):
            return False
        if self.is_over:
            subscriber.end()
        self.subscribers.add(subscriber)
        return True

    def _retell(self, subscriber: Subscriber, after: int) -> bool:
        steps = [step for step, _ in self._recent]
        known = [n for n, step in enumerate(steps) if step.base == after < step.revision]
        for step in steps[known[0] :] if known else ():
            subscriber.hear(step)
        return bool(known)


def _without_events(said: pb.WatchMatchResponse) -> pb.WatchMatchResponse:
    if not said.events:
        return said
    return pb.WatchMatchResponse(
        question=said.question if said.HasField("question") else None,
        standing=said.standing,
        can_undo=said.can_undo,
    )
