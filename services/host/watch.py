"""Watching: everything that a viewer may know of a match from a revision on, as it happens.

Design. Nothing is queued for a watcher. A match keeps what happened lately, once for all who watch
it, and each watcher has a place in it: woken, it takes all that is new since its last update, in
one update. So memory is bounded however slowly somebody reads. Who reads slowly gets fewer and
larger updates; if what it lacks is no longer kept, its stream ends, and a new one goes on there.

What this replica stores wakes its watchers directly. What others store is heard from the store; for
each such match that is watched here, the news is read. When the connection on which news come was
lost, all watched matches are looked at once it is back, so nothing is missed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from typing import NamedTuple

import structlog

from bree.process import metrics
from bree.process.again import again_and_again
from bree.process.statuses import Denied
from services.core.decisions import Seat
from services.core.table import CHANCE_NAME
from services.host import refusals
from services.host.course import Course, Told
from services.host.live import Live
from services.host.matches import Matches
from services.host.requests import seat_of
from services.host.store import Away, Moved, Unsure

log = structlog.get_logger()

REST_SECONDS = 0.25
"""So long after the connection for news was lost, it is made again."""

STOPPING = "this engine is stopping"


class Update(NamedTuple):
    """What is new for one watcher. The course may be looked at until the next update is wanted."""

    course: Course
    told: Sequence[Told]
    seat: Seat | None


def _always() -> bool:
    return True


class _Asked:
    """What a seat has been asked, as far as one who watches that alone knows."""

    def __init__(self, live: Live, seat: Seat, *, untold_only: bool) -> None:
        self.live, self.seat, self.untold_only = live, seat, untold_only
        self.name = live.course.table.seats[seat]
        self._after, self._number = -1, -1  # how far the match had come, and what was asked then

    def is_news(self) -> bool:
        """Whether there is something to be told; if not, what happened is noted as known."""
        course = self.live.course
        if self._after < 0 or course.is_over:
            return True
        number = course.table.number(self.seat) if self.seat in course.asked else 0
        if number > self._number and not (self.untold_only and self._has_answered()):
            return True
        self.note(course)
        return False

    def note(self, course: Course) -> None:
        """What was asked until then is known."""
        number = course.table.number(self.seat) if self.seat in course.asked else 0
        self._after, self._number = course.revision, max(self._number, number)

    def _has_answered(self) -> bool:
        """Whether the seat was the last to decide anything since."""
        told = self.live.told_after(self._after) or ()
        deciders = [one.who for one in told if one.who != CHANCE_NAME]
        return deciders[-1:] == [self.name]


class Hub:
    """Wakes those who watch."""

    def __init__(self, matches: Matches, most: int) -> None:
        self.matches = matches
        self.most = most
        self.watchers = 0
        self._stopping = False
        self._wanted: dict[Live, int] = {}  # how often news of a match came, while it is looked at
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Listen to the store for ever; what is lost meanwhile is looked up."""
        await again_and_again("news", self._listen, REST_SECONDS, (Away, Unsure))

    async def _listen(self) -> None:
        async with aclosing(self.matches.store.listen()) as news:
            async for moved in news:
                self._hear(moved)

    def stop(self) -> None:
        """End all streams."""
        self._stopping = True
        for live in self.matches.cache.watched():
            live.wake(everyone=True)

    async def watch(
        self, match: str, viewer: str, after: int, head: str = ""
    ) -> AsyncGenerator[Update, None]:
        """Updates from a revision on, the first at once; the last has the outcome.

        With a head, only if the history of the match comes by it.
        """
        live = await self.matches.find(match)
        seat = seat_of(live.course, match, viewer) if viewer else None
        with self._watching(live):
            await self.matches.fresh(match)  # what comes after this is heard of
            await self.matches.check_head(live, head)
            if after > live.course.revision:
                raise refusals.unknown_revision(match, after, live.course.revision)
            version = -1
            if live.told_after(after) is None:
                async with aclosing(self._past(match, seat, after)) as updates:
                    async for update in updates:
                        yield update
                        after = update.course.revision
                version = live.version if after == live.course.revision else -1
            async with aclosing(self._updates(live, seat, after, version)) as updates:
                async for update in updates:
                    yield update

    async def _past(
        self, match: str, seat: Seat | None, after: int
    ) -> AsyncGenerator[Update, None]:
        """Updates of what is no longer in memory."""
        stored = await self.matches.read(match)
        async with aclosing(self.matches.past(match, stored, after)) as pieces:
            async for course, told in pieces:
                yield Update(course, told, seat)

    async def _updates(
        self, live: Live, seat: Seat | None, after: int, version: int
    ) -> AsyncGenerator[Update, None]:
        """Updates of a match in memory, which has been told up to a revision and a version."""
        while True:
            seen, course = live.version, live.course
            if seen != version and course.revision >= after:
                told = live.told_after(after)
                if told is None:
                    raise refusals.lags(live.name, after)
                version, after = seen, course.revision
                yield Update(course, told, seat)
            if course.is_over:
                return
            self._refuse(live)
            if live.version == seen:
                await live.moves(_always)

    def _refuse(self, live: Live) -> None:
        if live.trouble is not None:
            raise live.trouble
        if self._stopping:
            raise refusals.unavailable("engine", STOPPING)

    async def questions(
        self, match: str, viewer: str, head: str = "", *, untold_only: bool
    ) -> AsyncGenerator[Update, None]:
        """An update with each new question of a seat, the first at once; the last has the outcome.

        `untold_only` leaves out what the seat was told by the answer to its own act.
        """
        live = await self.matches.find(match)
        seat = seat_of(live.course, match, viewer)
        with self._watching(live):
            await self.matches.fresh(match)
            await self.matches.check_head(live, head)
            asked = _Asked(live, seat, untold_only=untold_only)
            while True:
                course = live.course
                if asked.is_news():
                    asked.note(course)
                    yield Update(course, (), seat)
                if course.is_over:
                    return
                self._refuse(live)
                if live.course is course:
                    await live.moves(asked.is_news)

    @contextmanager
    def _watching(self, live: Live) -> Iterator[None]:
        if self._stopping:
            raise refusals.unavailable("engine", STOPPING)
        if self.watchers >= self.most:
            raise refusals.too_many_watchers(self.most)
        self.watchers += 1
        live.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1
            live.watchers -= 1

    # Hearing of what others stored.

    def _hear(self, moved: Moved | None) -> None:
        if moved is None:
            for live in self.matches.cache.watched():
                self._want(live)
            return
        found = self.matches.cache.seen(moved.match)
        if found is not None and found.watchers and found.version < moved.version:
            self._want(found)

    def _want(self, live: Live) -> None:
        """Look what is new in a match; at once, and again if this is asked for meanwhile."""
        if live in self._wanted:
            self._wanted[live] += 1
            return
        self._wanted[live] = 1
        task = asyncio.create_task(self._catch_up(live))
        task.add_done_callback(self._tasks.discard)
        self._tasks.add(task)

    async def _catch_up(self, live: Live) -> None:
        looked = 0
        try:
            while looked < self._wanted[live] and live.watchers:
                looking = self._wanted[live]
                if await self._look(live):
                    looked = looking
        finally:
            del self._wanted[live]

    async def _look(self, live: Live) -> bool:
        """Bring a match up to date; whether there is no use in trying again."""
        try:
            async with live.lock:
                await self.matches.refresh(live)
        except Denied as denied:
            if denied.reason == "UNAVAILABLE":
                await asyncio.sleep(REST_SECONDS)
                return False
        except Exception:
            metrics.BUGS.labels("EngineService").inc()
            log.exception("bug", match=live.name)
        return True
