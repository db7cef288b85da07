"""The matches of one game: found in memory, read from the store, replayed, and kept up to date.

Design. What is in memory is brought up to date when it must be: before anything is shown, because
another replica may have acknowledged more; and before anything is refused, because the refusal may
be about the past. A decision that is taken needs neither, as the store itself compares versions.

A log that does not replay freezes its match: that is noted in its head, and no part of it is due
any more. All others go on.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any, NamedTuple

import structlog

from bree.process import metrics
from bree.process.statuses import Denied
from services.core.contract import Rules
from services.core.fair import commitment
from services.core.record import FORMAT
from services.host import refusals
from services.host.course import Course, Diverged, Step, Told
from services.host.dues import change_of_due, due_after
from services.host.live import Cache, Live
from services.host.saved import (
    DUE,
    FROZEN,
    HANDOVERS,
    SETTLED,
    SETUP,
    Due,
    Line,
    Setup,
    handovers_of,
)
from services.host.store import Away, Change, Store, Stored, Unsure

log = structlog.get_logger()

SLICE_SECONDS = 0.004
"""A replay lets others go on after so long."""

CHUNK = 100
"""The past is told in pieces of about so many entries."""

Now = Callable[[], int]
"""The time in ms since 1970."""


class Past(NamedTuple):
    """A piece of the past: what happened, and the course after it, until one goes on."""

    course: Course
    told: Sequence[Told]


class Done(NamedTuple):
    """What a request was when it was carried out."""

    line: Line
    number: int  # of the question that it answered, if it did
    course: Course  # after it
    told: Sequence[Told]


class Matches:
    """Finds matches by name."""

    def __init__(
        self, rules: Rules[Any], store: Store, keys: Sequence[bytes], room: int, now: Now
    ) -> None:
        self.rules = rules
        self.store = store
        self.now = now
        self.cache = Cache(rules.name, room)
        self._keys = keys
        self._loading: dict[str, asyncio.Task[Live]] = {}

    def secret(self, name: str) -> bytes:
        """The host's part of the chance of a match that is promised now."""
        return _secret(self._keys[0], name)

    def promised(self, name: str, promise: str) -> bytes | None:
        """The secret of which this is the commitment; nothing, if it is not of any key here."""
        secrets = (_secret(key, name) for key in self._keys)
        return next((secret for secret in secrets if commitment(secret) == promise), None)

    # Finding.

    async def find(self, name: str) -> Live:
        """A match as it is known here, which may be behind the store."""
        return self.cache.find(name) or await self._loaded(name)

    async def fresh(self, name: str) -> Live:
        """A match that knows all that any replica has acknowledged."""
        live = self.cache.find(name)
        if live is None:
            is_early = name in self._loading  # it may have been read before this was asked
            live = await self._loaded(name)
            if not is_early:
                return live
        stored = await self.read(name, live.version, live.course.revision, live.head)
        if not live.is_where(stored):
            async with live.lock:
                await self.refresh(live)
        return live

    async def refresh(self, live: Live) -> bool:
        """Bring a match up to date, its lock held; whether there was anything new."""
        try:
            stored = await self.read(live.name, live.version, live.course.revision, live.head)
            if live.is_where(stored):
                return False
            await self._advance(live, stored)
        except Denied as denied:
            if denied.reason != "UNAVAILABLE":
                self._end(live, denied)
            raise
        self.cache.keep(live)
        live.wake()
        return True

    async def read(self, name: str, version: int = 0, after: int = 0, head: str = "") -> Stored:
        """What the store has that is newer than this."""
        try:
            stored = await self.store.load(name, version, after, head)
        except (Away, Unsure) as error:
            raise refusals.store_away(error) from error
        if stored is None:
            raise refusals.unknown_match(name)
        return stored

    def _end(self, live: Live, denied: Denied) -> None:
        live.trouble = denied
        self.cache.drop(live)
        live.wake()

    # Replaying.

    async def past(self, name: str, stored: Stored, after: int = 0) -> AsyncGenerator[Past, None]:
        """All that has happened in a match after a revision, in pieces, the last one to its end."""
        course = self._course(name, stored.fields)
        told: list[Told] = []
        async for step in self._replay(name, stored, course):
            told += step.told[max(0, after - course.revision + len(step.told)) :]
            if len(told) >= CHUNK and course.revision < stored.revision:
                yield Past(course, told)
                told = []
        yield Past(course, told)

    async def done(self, name: str, asker: str, request: str) -> Done | None:
        """What a request was, if it was carried out."""
        stored = await self.read(name)
        wanted = (asker, request)
        if not any(wanted == (x.asker(), x.request) for x in map(Line.of, stored.lines)):
            return None
        course = self._course(name, stored.fields)
        seat = course.table.seats.index(asker) if asker else None
        number = 0 if seat is None else course.table.number(seat)
        async for step in self._replay(name, stored, course):
            if wanted == (step.lines[0].asker(), step.lines[0].request):
                return Done(step.lines[0], number, course, step.told)
            number = 0 if seat is None else course.table.number(seat)
        raise AssertionError(request)

    async def _loaded(self, name: str) -> Live:
        """A match read from the store, once for all who wait for it."""
        task = self._loading.get(name)
        if task is None:
            task = self._loading[name] = asyncio.create_task(self._load(name))
            task.add_done_callback(lambda _: self._loading.pop(name, None))
        return await asyncio.shield(task)

    async def _load(self, name: str) -> Live:
        stored = await self.read(name)
        live = await self._build(name, stored)
        await self._mend(live, stored)
        metrics.CACHE_MISSES.labels(self.rules.name).inc()
        return self.cache.keep(live)

    async def _build(self, name: str, stored: Stored) -> Live:
        live = Live(name, self._course(name, stored.fields))
        course, at = live.course, (stored.version, stored.head)
        async for step in self._replay(name, stored, course):
            live.grow(course, at, (), [step])
        live.grow(course, at, _due(stored.fields), ())
        return live

    def _course(self, name: str, fields: Mapping[str, str]) -> Course:
        """The beginning of a match; refuses one that cannot be played here."""
        setup = Setup.of(fields[SETUP])
        if setup.edition != self.rules.edition:
            raise refusals.unsupported(name, self.rules, setup.edition)
        if setup.form != FORMAT:
            raise refusals.outdated(name, self.rules, setup.edition)
        _refuse_if_frozen(name, fields)
        secret = self.promised(name, setup.commitment)
        if secret is None:
            log.error("the fate key is not the one that this match began with", match=name)
            raise refusals.unavailable("engine", "this engine has another fate key")
        return Course(self.rules, setup, secret)

    async def _replay(
        self, name: str, stored: Stored, course: Course
    ) -> AsyncGenerator[Step, None]:
        """Every step of a log; a match that does not replay is frozen."""
        try:
            async for step in _follow(course, stored):
                yield step
            _check_head(course, stored)
        except Diverged as diverged:
            await self._freeze(name, stored, diverged)
            raise refusals.frozen(name, diverged.revision) from diverged

    async def _advance(self, live: Live, stored: Stored) -> None:
        """Go on from what is known, unless the store has lost some of that."""
        _refuse_if_frozen(live.name, stored.fields)
        course = live.course.copy()
        if stored.version > live.version and stored.revision >= course.revision:
            with suppress(Diverged):
                steps = [step async for step in _follow(course, stored)]
                if course.head == stored.head:
                    at = (stored.version, stored.head)
                    live.grow(course, at, _due(stored.fields), steps)
                    return
        await self._build(live.name, await self.read(live.name))  # or it is frozen
        known, now = live.course.revision, stored.revision
        log.error("history has changed", match=live.name, known=known, revision=now)
        metrics.HISTORIES_CHANGED.labels(self.rules.name).inc()
        raise refusals.history_changed(live.name, stored.revision)

    async def check_head(self, live: Live, head: str) -> None:
        """Refuse what is said of another history than that of the match."""
        if not head or live.has_come_by(head):
            return
        stored = await self.read(live.name)
        course = self._course(live.name, stored.fields)
        if course.head == head:
            return
        async with aclosing(self._replay(live.name, stored, course)) as steps:
            async for step in steps:
                if step.head == head:
                    return
        raise refusals.history_changed(live.name, course.revision)

    async def _mend(self, live: Live, stored: Stored) -> None:
        """Make due again what is not, in a match that was frozen and is so no more."""
        due = due_after(live.name, live.course, live.due, self.now())
        if due == live.due or stored.fields.get(SETTLED):
            return
        change = change_of_due(live.due, due)
        with suppress(Away, Unsure):
            if await self.store.append(live.name, live.version, change, live.head):
                live.grow(live.course, (live.version + 1, live.head), due, ())
                log.warning("due again", match=live.name, kinds=[one.kind for one in due])

    async def _freeze(self, name: str, stored: Stored, diverged: Diverged) -> None:
        log.error("frozen", match=name, revision=diverged.revision, why=str(diverged))
        undue = stored.fields.get(DUE, "").split()
        change = Change(fields={FROZEN: str(diverged.revision), DUE: ""}, undue=undue)
        with suppress(Away, Unsure):  # then the next one who asks finds it out again
            if await self.store.append(name, stored.version, change, stored.head):
                metrics.FROZEN.labels(self.rules.name).inc()


async def _follow(course: Course, stored: Stored) -> AsyncGenerator[Step, None]:
    """Follow all lines, letting others go on from time to time."""
    lines = [Line.of(text) for text in stored.lines]
    handovers = handovers_of(stored.fields.get(HANDOVERS, ""))
    at, until = 0, time.perf_counter() + SLICE_SECONDS
    while at < len(lines):
        course.take_over(handovers)
        step = course.follow(lines, at)
        at += len(step.lines)
        yield step
        if time.perf_counter() > until:
            await asyncio.sleep(0)
            until = time.perf_counter() + SLICE_SECONDS
    course.check_settled()
    course.take_over(handovers)


def _check_head(course: Course, stored: Stored) -> None:
    if course.head != stored.head:
        raise Diverged(course.revision, "the head of its history is another")


def _due(fields: Mapping[str, str]) -> list[Due]:
    return [Due.of(member) for member in fields.get(DUE, "").split()]


def _refuse_if_frozen(name: str, fields: Mapping[str, str]) -> None:
    if fields.get(FROZEN):
        raise refusals.frozen(name, fields[FROZEN])


def _secret(key: bytes, name: str) -> bytes:
    return hmac.digest(key, b"bree secret 1\n" + name.encode(), "sha256")
