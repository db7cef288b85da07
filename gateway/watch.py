"""Watching: many who look at a match with the same eyes share one stream of its engine.

Design. A feed begins with the position as it is and goes on for as long as somebody needs it; when
its engine goes away it goes on after the last step it had, on another replica if there is one. Who
has seen less reads the past through a stream of his own, at his own pace, and changes over to the
feed at a step where both are. Who falls behind is told how far he came, and may begin again there.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager

import structlog

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context
from gateway.documents import Match
from gateway.engines import Engines
from gateway.feed import Feed, Step, Subscriber, Watcher
from gateway.matches import Matches
from gateway.refusals import bug

log = structlog.get_logger()

BEGINNING = 32
"""How many feeds may begin at the same time."""

REST_SECONDS, LONGEST_REST = 0.05, 2.0

EVERYTHING = engine.WANTED_UNSPECIFIED

PASSING = {"UNAVAILABLE", "OUTCOME_UNKNOWN", "WATCH_LAGS", "LIMIT_REACHED"}
"""With these a stream of an engine ends, and another one goes on."""


class Hub:
    """All feeds of this gateway."""

    def __init__(self, matches: Matches, seconds: float) -> None:
        self.matches, self.seconds = matches, seconds
        self._feeds: dict[tuple[str, str, int], Feed] = {}
        self._tasks: dict[Feed, asyncio.Task[None]] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._beginning = asyncio.Semaphore(BEGINNING)

    async def steps(
        self, match: Match, seat: str, watcher: Watcher
    ) -> AsyncGenerator[pb.WatchMatchResponse, None]:
        """What a watcher has not been sent yet, as it happens."""
        with self._feed(match, seat) as feed:
            await watcher.termination.unless(feed.begun.wait(), self.seconds)
            try:
                # Whoever names a history has it checked by the engine first.
                if watcher.head or not feed.attach(watcher, watcher.sent, at_once=True):
                    async with aclosing(self._past(feed, watcher)) as past:
                        async for step in past:
                            watcher.sent = step.revision
                            yield step.said
                while (news := await watcher.next()) is not None:
                    watcher.sent = news.revision
                    yield news.said
            finally:
                feed.subscribers.discard(watcher)

    async def _past(self, feed: Feed, watcher: Watcher) -> AsyncGenerator[Step, None]:
        """Steps from an own stream, up to where the feed can take over."""
        past = _steps(self.matches.engines, feed, watcher.sent, watcher.head)
        seconds: float | None = self.seconds
        async with aclosing(past):
            while (step := await watcher.termination.unless(_next(past), seconds)) is not None:
                seconds = None
                yield step
                if step.is_last:
                    break
                if feed.attach(watcher, step.revision, at_once=False):
                    return
        watcher.end()

    @contextmanager
    def _feed(self, match: Match, seat: str) -> Iterator[Feed]:
        feed = self._use(match, seat, EVERYTHING)
        try:
            yield feed
        finally:
            self._release(feed)

    def _use(self, match: Match, seat: str, wanted: engine.Wanted.ValueType) -> Feed:
        feed = self._feeds.get((match.id, seat, wanted)) or self._begin(match, seat, wanted)
        feed.users += 1
        return feed

    def _release(self, feed: Feed) -> None:
        """A feed lasts as long as it is used; one that is over has yet to note that."""
        feed.users -= 1
        if not feed.users and not feed.is_over:
            self._forget(feed)
            if feed in self._tasks:
                self._tasks[feed].cancel()

    def listen(
        self, match: Match, seat: str, wanted: engine.Wanted.ValueType, subscriber: Subscriber
    ) -> Callable[[], None]:
        """Tell somebody where a match stands and what happens; gives what makes it stop."""
        feed = self._use(match, seat, wanted)
        feed.attach(subscriber, None, at_once=True)
        if feed.begun.is_set() and not feed.is_whole and not feed.is_over:
            looking = call_context.detached_task(self._look(feed, subscriber))
            self._looking.add(looking)
            looking.add_done_callback(self._looking.discard)

        def stop() -> None:
            feed.subscribers.discard(subscriber)
            self._release(feed)

        return stop

    async def _look(self, feed: Feed, subscriber: Subscriber) -> None:
        """Tell somebody who comes late what a feed of questions does not repeat."""
        try:
            now = await _now(self.matches.engines, feed.match, feed.seat)
        except Denied as denied:
            log.info("not looked", match=feed.match.id, reason=denied.reason)
            return
        if subscriber in feed.subscribers:
            subscriber.hear(now)

    def _begin(self, match: Match, seat: str, wanted: engine.Wanted.ValueType) -> Feed:
        feed = Feed(match, seat, wanted)
        self._feeds[feed.key] = feed
        task = call_context.detached_task(self._run(feed))
        self._tasks[feed] = task
        task.add_done_callback(lambda _: self._tasks.pop(feed, None))
        return feed

    def _forget(self, feed: Feed) -> None:
        if self._feeds.get(feed.key) is feed:
            del self._feeds[feed.key]

    async def _run(self, feed: Feed) -> None:
        try:
            await self._keep_telling(feed)
        except Denied as denied:
            feed.fail(denied)
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            feed.fail(bug("watch", error))
        finally:
            self._forget(feed)

    async def _keep_telling(self, feed: Feed) -> None:
        async with aclosing(_from_now(self.matches.engines, feed)) as steps:
            async with self._beginning:
                last = await anext(steps)
            feed.tell(last)
            async for last in steps:
                feed.tell(last)
        self._forget(feed)
        await self.matches.see(feed.match, last.said.standing)

    async def close(self) -> None:
        """Stop all feeds."""
        tasks = [*self._tasks.values(), *self._looking]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _next(steps: AsyncIterator[Step]) -> Step | None:
    return await anext(steps, None)


async def _from_now(engines: Engines, feed: Feed) -> AsyncGenerator[Step, None]:
    """What a feed tells: first where the match stands, then what is wanted of what happens."""
    if feed.is_whole:
        now = await _now(engines, feed.match, feed.seat)
        yield now
        if now.is_last:
            return
        steps = _steps(engines, feed, now.revision, now.said.standing.head, now.said)
    else:
        steps = _steps(engines, feed, 0, "")
    async with aclosing(steps):
        async for step in steps:
            yield step


async def _now(engines: Engines, match: Match, seat: str) -> Step:
    """Where a match stands, as soon as its engine can be reached."""
    request = engine.GetSeatViewRequest(match=match.id, viewer=engine.Viewer(seat=seat))
    rest = Rest()
    while True:
        try:
            answer: pb.GetViewResponse = await engines.ask("GetSeatView", match.game, request)
        except Denied as denied:
            if denied.reason not in PASSING:
                raise
            await rest.sleep()
        else:
            said = pb.WatchMatchResponse(standing=answer.standing, can_undo=answer.can_undo)
            if answer.HasField("question"):
                said.question.CopyFrom(answer.question)
            return Step(answer.standing.revision, said)


async def _steps(
    engines: Engines, feed: Feed, after: int, head: str, told: pb.WatchMatchResponse | None = None
) -> AsyncGenerator[Step, None]:
    """Steps from a revision on, without gaps, through streams of whichever engine is there.

    All are of one history, that of the head if there is one.

    The first step of each stream says where the match stands; if that was `told` it is left out.
    """
    rest = Rest()
    while True:
        request, known = feed.request(after, head), told
        try:
            async with engines.watch(feed.match.game, request, rest.count) as updates:
                async for update in updates:
                    step = Step(after, update)
                    if known is None or step.revision > after or _differs(update, known):
                        yield step
                    after, told, head = step.revision, update, update.standing.head
                    known = None
                    rest.reset()
                    if step.is_last:
                        return
        except Denied as denied:
            if denied.reason not in PASSING:
                raise
            log.info("watch interrupted", match=feed.match.id, reason=denied.reason)
        await rest.sleep()


def _differs(said: pb.WatchMatchResponse, told: pb.WatchMatchResponse) -> bool:
    """Whether a match stands otherwise at a revision: it is over, or somebody else plays a seat."""
    is_asked = said.question.number != told.question.number
    stand_ins = list(said.standing.stand_ins) != list(told.standing.stand_ins)
    return said.standing.HasField("outcome") or is_asked or stand_ins


class Rest:
    """Longer and longer pauses between attempts, until one succeeds."""

    def __init__(self) -> None:
        self.count = 0

    def reset(self) -> None:
        self.count = 0

    async def sleep(self) -> None:
        most = min(LONGEST_REST, REST_SECONDS * 2.0 ** min(self.count, 10))
        self.count += 1
        await asyncio.sleep(random.uniform(most / 2, most))  # noqa: S311 (only a pause)
