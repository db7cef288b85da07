"""Watching: everything that a viewer may know of a match from a revision on, as it happens.

Design. Nothing is queued for a watcher. A match keeps what happened lately, once for all who watch
it, and each watcher has a place in it: woken, it takes all that is new since its last update, in
one update. So memory is bounded however slowly somebody reads. Who reads slowly gets fewer and
larger updates; if what it lacks is no longer kept, its stream ends, and a new one goes on there.

What this replica stores wakes its watchers directly. What others store is heard from the store; for
each such match that is watched here, the news is read. When the connection on which news come was
lost, all watched matches are looked at once it is back. An engine that dies between a change and
the news of it tells nobody; so where each watched match stands is asked from time to time, too, and
nothing is missed for longer.
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
from services.host.clocks import NO_QUESTION
from services.host.holding import is_excused
from services.host.match_cache import CachedMatch
from services.host.match_state import MatchState
from services.host.matches import Matches
from services.host.requests import seat_of
from services.host.steps import Emitted
from services.host.store import Away, Moved, Unsure

log = structlog.get_logger()

REST_SECONDS = 0.25
"""Between the loss of the connection for news and the next attempt to make it."""

ROUND_SECONDS, AT_ONCE = 15.0, 500
"""How often it is asked where each watched match stands, and of how many at the same time."""

STOPPING = "this engine is stopping"

NOTHING_TOLD = -1
"""The version and the revision that somebody knows who has been told nothing."""


class Update(NamedTuple):
    """What is new for one watcher. The state may be looked at until the next update is wanted."""

    state: MatchState
    emitted: Sequence[Emitted]
    seat: Seat | None


def _always() -> bool:
    return True


class _Asked:
    """What a seat has been asked, as far as one who watches that alone knows."""

    def __init__(self, cached: CachedMatch, seat: Seat, *, untold_only: bool) -> None:
        self.cached, self.seat, self.untold_only = cached, seat, untold_only
        self.name = cached.state.table.seats[seat]
        self._excused = False  # whether it had not to answer when it was last told anything
        self._after = NOTHING_TOLD  # the revision up to which all is known
        self._number = NO_QUESTION  # the latest that is known

    def is_news(self) -> bool:
        """Whether there is something to be told; if not, what happened is noted as known."""
        state = self.cached.state
        if self._after == NOTHING_TOLD or state.is_over:
            return True
        if is_excused(state, self.seat) != self._excused:
            return True
        number = self._number_in(state)
        if number > self._number and not (self.untold_only and self._has_answered()):
            return True
        self.note(state)
        return False

    def note(self, state: MatchState) -> None:
        """What was asked until then is known."""
        self._after = state.revision
        self._excused = is_excused(state, self.seat)
        self._number = max(self._number, self._number_in(state))

    def _number_in(self, state: MatchState) -> int:
        """The question for the person at the seat."""
        return NO_QUESTION if self._excused else state.asked.get(self.seat, NO_QUESTION)

    def _has_answered(self) -> bool:
        """Whether the seat was the last to decide anything since."""
        emitted = self.cached.emitted_after(self._after) or ()
        deciders = [one.who for one in emitted if one.who != CHANCE_NAME and not one.is_note]
        return deciders[-1:] == [self.name]


class Hub:
    """Wakes those who watch."""

    def __init__(self, matches: Matches, most: int) -> None:
        self.matches = matches
        self.most = most
        self.watchers = 0
        self._stopping = False
        # How often news of a match came, while it is looked at.
        self._wanted: dict[CachedMatch, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Listen to the store for ever; what is lost meanwhile is looked up."""
        await again_and_again("news", self._listen, REST_SECONDS, (Away, Unsure))

    async def look_around(self) -> None:
        """Ask for ever where the watched matches stand."""
        await again_and_again("look around", self.look_once, ROUND_SECONDS, (Away, Unsure))

    async def look_once(self) -> None:
        """Ask where they stand; what has moved is read."""
        watched = self.matches.cache.watched()
        for at in range(0, len(watched), AT_ONCE):
            asked = watched[at : at + AT_ONCE]
            found = await self.matches.store.positions([cached.name for cached in asked])
            for cached, position in zip(asked, found, strict=True):
                if position != (cached.version, cached.head):
                    self._want(cached)

    async def _listen(self) -> None:
        async with aclosing(self.matches.store.listen()) as news:
            async for moved in news:
                self._hear(moved)

    def stop(self) -> None:
        """End all streams."""
        self._stopping = True
        for cached in self.matches.cache.watched():
            cached.wake(everyone=True)

    async def watch(
        self, match: str, viewer: str, after: int, head: str = ""
    ) -> AsyncGenerator[Update, None]:
        """Updates from a revision on, the first at once; the last has the outcome.

        With a head, only if the history of the match comes by it.
        """
        cached = await self.matches.find(match)
        seat = seat_of(cached.state, match, viewer) if viewer else None
        with self._watching(cached):
            await self.matches.fresh(match)  # what comes after this is heard of
            if head:
                await self.matches.check_head(cached, head)
            if after > cached.state.revision:
                raise refusals.unknown_revision(match, after, cached.state.revision)
            version = NOTHING_TOLD
            if cached.emitted_after(after) is None:
                async with aclosing(self._past(match, seat, after)) as updates:
                    async for update in updates:
                        yield update
                        after = update.state.revision
                if after == cached.state.revision:
                    version = cached.version
            async with aclosing(self._updates(cached, seat, after, version)) as updates:
                async for update in updates:
                    yield update

    async def _past(
        self, match: str, seat: Seat | None, after: int
    ) -> AsyncGenerator[Update, None]:
        """Updates of what is no longer in memory."""
        stored = await self.matches.read(match)
        async with aclosing(self.matches.past(match, stored, after)) as pieces:
            async for state, emitted in pieces:
                yield Update(state, emitted, seat)

    async def _updates(
        self, cached: CachedMatch, seat: Seat | None, after: int, version: int
    ) -> AsyncGenerator[Update, None]:
        """Updates of a match in memory, which has been told up to a revision and a version."""
        while True:
            seen, state = cached.version, cached.state
            if seen != version and state.revision >= after:
                emitted = cached.emitted_after(after)
                if emitted is None:
                    raise refusals.lags(cached.name, after)
                version, after = seen, state.revision
                yield Update(state, emitted, seat)
            if state.is_over:
                return
            self._refuse(cached)
            if cached.version == seen:
                await cached.moves(_always)

    def _refuse(self, cached: CachedMatch) -> None:
        if cached.failure is not None:
            raise cached.failure
        if self._stopping:
            raise refusals.unavailable("engine", STOPPING)

    async def questions(
        self, match: str, viewer: str, head: str = "", *, untold_only: bool
    ) -> AsyncGenerator[Update, None]:
        """An update with each new question of a seat, the first at once; the last has the outcome.

        `untold_only` leaves out what the seat was told by the answer to its own act.
        """
        cached = await self.matches.find(match)
        seat = seat_of(cached.state, match, viewer)
        with self._watching(cached):
            await self.matches.fresh(match)
            if head:
                await self.matches.check_head(cached, head)
            asked = _Asked(cached, seat, untold_only=untold_only)
            while True:
                state = cached.state
                if asked.is_news():
                    asked.note(state)
                    yield Update(state, (), seat)
                if state.is_over:
                    return
                self._refuse(cached)
                if cached.state is state:
                    await cached.moves(asked.is_news)

    @contextmanager
    def _watching(self, cached: CachedMatch) -> Iterator[None]:
        if self._stopping:
            raise refusals.unavailable("engine", STOPPING)
        if self.watchers >= self.most:
            raise refusals.too_many_watchers(self.most)
        self.watchers += 1
        cached.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1
            cached.watchers -= 1

    # Hearing of what others stored.

    def _hear(self, moved: Moved | None) -> None:
        if moved is None:
            for cached in self.matches.cache.watched():
                self._want(cached)
            return
        found = self.matches.cache.seen(moved.match)
        if found is not None and found.watchers and found.version < moved.version:
            self._want(found)

    def _want(self, cached: CachedMatch) -> None:
        """Look what is new in a match; at once, and again if this is asked for meanwhile."""
        if cached in self._wanted:
            self._wanted[cached] += 1
            return
        self._wanted[cached] = 1
        task = asyncio.create_task(self._catch_up(cached))
        task.add_done_callback(self._tasks.discard)
        self._tasks.add(task)

    async def _catch_up(self, cached: CachedMatch) -> None:
        looked = 0
        try:
            while looked < self._wanted[cached] and cached.watchers:
                looking = self._wanted[cached]
                if await self._look(cached):
                    looked = looking
        finally:
            del self._wanted[cached]

    async def _look(self, cached: CachedMatch) -> bool:
        """Bring a match up to date; whether there is no use in trying again."""
        try:
            async with cached.lock:
                await self.matches.refresh(cached)
        except Denied as denied:
            if denied.reason == "UNAVAILABLE":
                await asyncio.sleep(REST_SECONDS)
                return False
        except Exception:
            metrics.BUGS.labels("EngineService").inc()
            log.exception("bug", match=cached.name)
        return True
