"""The matches of one game: found in memory, read from the store, replayed, and kept up to date.

Design. What is in memory is brought up to date when it must be: before anything is shown, because
another replica may have acknowledged more; and before anything is refused, because the refusal may
be about the past. A decision that is taken needs neither, as the store itself compares versions.

A log that does not replay freezes its match: that is noted in its fields, and no part of it is due
any more. All others go on.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any, NamedTuple

import structlog

from bree.process import metrics
from bree.process.retrieved import retrieve_error
from bree.process.statuses import Denied
from services.core.contract import Rules
from services.core.fair import commitment
from services.core.record import FORMAT
from services.host import refusals
from services.host.clocks import NO_QUESTION
from services.host.following import check_head, follow, goes_back_before
from services.host.match_cache import CachedMatch, MatchCache
from services.host.match_state import MatchState
from services.host.outbox import outbox_after
from services.host.pasts import Pasts
from services.host.serialization import (
    DUE,
    FROZEN,
    SETTLED,
    SETUP,
    Due,
    LogEntry,
    Setup,
)
from services.host.steps import Diverged, Emitted, MatchStep
from services.host.store import Away, Change, Position, Store, Stored, Unsure

log = structlog.get_logger()

PASTS_SHARE = 8
"""What part of the memory for matches is beside it for positions of the past."""

CHUNK = 100
"""The past is told in pieces of about this number of entries."""

Now = Callable[[], int]
"""The time in ms since 1970."""


class Past(NamedTuple):
    """A piece of the past: what happened, and the state after it, until one goes on."""

    state: MatchState
    emitted: Sequence[Emitted]


class Done(NamedTuple):
    """What a request was when it was carried out."""

    entry: LogEntry
    number: int  # of the question that it answered, or `NO_QUESTION`
    state: MatchState  # after it
    emitted: Sequence[Emitted]


class Matches:
    """Finds matches by name."""

    def __init__(
        self, rules: Rules[Any], store: Store, keys: Sequence[bytes], capacity: int, now: Now
    ) -> None:
        self.rules = rules
        self.store = store
        self.now = now
        self.cache = MatchCache(rules.name, capacity)
        self.pasts = Pasts(self, capacity // PASTS_SHARE)
        self._keys = keys
        self._loading: dict[str, asyncio.Task[CachedMatch]] = {}

    def secret(self, name: str) -> bytes:
        """The host's part of the chance of a match that is promised now."""
        return _secret(self._keys[0], name)

    def promised(self, name: str, promise: str) -> bytes | None:
        """The secret of which this is the commitment; nothing, if it is not of any key here."""
        return promised(self._keys, name, promise)

    # Finding.

    async def find(self, name: str) -> CachedMatch:
        """A match as it is known here, which may be behind the store."""
        return self.cache.find(name) or await self._loaded(name)

    async def fresh(self, name: str) -> CachedMatch:
        """A match that knows all that any replica has acknowledged."""
        cached = self.cache.find(name)
        if cached is None:
            is_early = name in self._loading  # it may have been read before this was asked
            cached = await self._loaded(name)
            if not is_early:
                return cached
        stored = await self.read(name, cached.version, cached.state.revision, cached.head)
        if not cached.is_up_to_date_with(stored):
            async with cached.lock:
                await self.refresh(cached)
        return cached

    async def refresh(self, cached: CachedMatch) -> bool:
        """Bring a match up to date, its lock held; whether there was anything new."""
        try:
            stored = await self.read(
                cached.name, cached.version, cached.state.revision, cached.head
            )
            if cached.is_up_to_date_with(stored):
                return False
            await self._advance(cached, stored)
        except Denied as denied:
            if denied.reason != "UNAVAILABLE":
                self._end(cached, denied)
            raise
        self.cache.keep(cached)
        cached.wake()
        return True

    async def read(self, name: str, version: int = 0, after: int = 0, head: str = "") -> Stored:
        """What the store has that is newer than this."""
        try:
            stored = await self.store.load(name, version, after, head)
            if stored is None:  # nobody is told so by a primary that was replaced
                stored = await self.store.load(name, version, after, head, surely=True)
        except (Away, Unsure) as error:
            raise refusals.store_away(error) from error
        if stored is None:
            raise refusals.unknown_match(name)
        return stored

    def _end(self, cached: CachedMatch, denied: Denied) -> None:
        cached.failure = denied
        self.cache.drop(cached)
        cached.wake()

    # Replaying.

    async def past(self, name: str, stored: Stored, after: int = 0) -> AsyncGenerator[Past, None]:
        """All that has happened in a match after a revision, in pieces, the last one to its end."""
        state = self.beginning(name, stored.fields)
        emitted: list[Emitted] = []
        async for step in self.replay(name, stored, state):
            emitted += step.emitted[max(0, after - state.revision + len(step.emitted)) :]
            if len(emitted) >= CHUNK and state.revision < stored.revision:
                yield Past(state, emitted)
                emitted = []
        yield Past(state, emitted)

    async def done(self, name: str, asker: str, request: str) -> Done | None:
        """What a request was, if it was carried out."""
        stored = await self.read(name)
        wanted = (asker, request)
        if not any(wanted == (x.asker(), x.request) for x in map(LogEntry.of, stored.lines)):
            return None
        state = self.beginning(name, stored.fields)
        seat = state.table.seats.index(asker) if asker else None
        number = NO_QUESTION if seat is None else state.table.number(seat)
        async for step in self.replay(name, stored, state):
            if wanted == (step.entries[0].asker(), step.entries[0].request):
                return Done(step.entries[0], number, state, step.emitted)
            number = NO_QUESTION if seat is None else state.table.number(seat)
        raise AssertionError(request)

    async def _loaded(self, name: str) -> CachedMatch:
        """A match read from the store, once for all who wait for it."""
        task = self._loading.get(name)
        if task is None:
            task = self._loading[name] = asyncio.create_task(self._load(name))
            task.add_done_callback(lambda _: self._loading.pop(name, None))
            task.add_done_callback(retrieve_error)
        return await asyncio.shield(task)

    async def _load(self, name: str) -> CachedMatch:
        stored = await self.read(name)
        cached = await self._build(name, stored)
        await self._mend(cached, stored)
        metrics.CACHE_MISSES.labels(self.rules.name).inc()
        return self.cache.keep(cached)

    async def _build(self, name: str, stored: Stored) -> CachedMatch:
        cached = CachedMatch(name, self.beginning(name, stored.fields))
        state, at = cached.state, stored.position
        async for step in self.replay(name, stored, state):
            cached.advance(state, at, (), [step])
        cached.advance(state, at, _due(stored.fields), ())
        return cached

    def beginning(self, name: str, fields: Mapping[str, str]) -> MatchState:
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
        return MatchState(self.rules, setup, secret)

    async def replay(
        self, name: str, stored: Stored, state: MatchState
    ) -> AsyncGenerator[MatchStep, None]:
        """Every step of a log; a match that does not replay is frozen."""
        try:
            async for step in follow(state, stored):
                yield step
            check_head(state, stored)
        except Diverged as diverged:
            await self._freeze(name, stored, diverged)
            raise refusals.frozen(name, diverged.revision) from diverged

    async def _advance(self, cached: CachedMatch, stored: Stored) -> None:
        """Go on from what is known, unless the store has lost some of that."""
        _refuse_if_frozen(cached.name, stored.fields)
        state = cached.state
        if stored.version > cached.version and stored.revision >= state.revision:
            with suppress(Diverged):
                if await self._goes_on(cached, stored):
                    return
        await self._build(cached.name, await self.read(cached.name))  # or it is frozen
        known, now = cached.state.revision, stored.revision
        log.error("history has changed", match=cached.name, known=known, revision=now)
        metrics.HISTORIES_CHANGED.labels(self.rules.name).inc()
        raise refusals.history_changed(cached.name, stored.revision)

    async def _goes_on(self, cached: CachedMatch, stored: Stored) -> bool:
        """Follow what is new, which may go back to before what is known; whether it led there."""
        known, state = cached.state, cached.state.copy()
        if goes_back_before(map(LogEntry.of, stored.lines), known.revision):
            stored = await self.read(cached.name)
            state = self.beginning(cached.name, stored.fields)
        has_come_by, steps = state.revision == known.revision, []
        async for step in follow(state, stored):
            if state.revision > known.revision:
                steps.append(step)
            elif state.revision == known.revision:
                has_come_by = state.head == known.head
        if not has_come_by or state.head != stored.head:
            return False
        cached.advance(state, stored.position, _due(stored.fields), steps)
        return True

    async def check_head(self, cached: CachedMatch, head: str) -> None:
        """Refuse what is said of another history than that of the match."""
        if cached.has_come_by(head):
            return
        stored = await self.read(cached.name)
        state = self.beginning(cached.name, stored.fields)
        if state.head == head:
            return
        async with aclosing(self.replay(cached.name, stored, state)) as steps:
            async for step in steps:
                if step.head == head:
                    return
        raise refusals.history_changed(cached.name, state.revision)

    async def _mend(self, cached: CachedMatch, stored: Stored) -> None:
        """Make due again what is not, in a match that was frozen and is so no more."""
        outbox = outbox_after(cached.name, cached.state, cached.due, self.now())
        if not outbox.has_changed or stored.fields.get(SETTLED):
            return
        at = Position(cached.version + 1, cached.head)
        with suppress(Away, Unsure):
            if await self.store.append(cached.name, cached.version, outbox.change(), cached.head):
                cached.advance(cached.state, at, outbox.due, ())
                kinds = [due.kind for due in outbox.due]
                log.warning("due again", match=cached.name, kinds=kinds)

    async def _freeze(self, name: str, stored: Stored, diverged: Diverged) -> None:
        log.error("frozen", match=name, revision=diverged.revision, why=str(diverged))
        undue = stored.fields.get(DUE, "").split()
        change = Change(fields={FROZEN: str(diverged.revision), DUE: ""}, undue=undue)
        with suppress(Away, Unsure):  # then the next one who asks finds it out again
            if await self.store.append(name, stored.version, change, stored.head):
                metrics.FROZEN.labels(self.rules.name).inc()


def _due(fields: Mapping[str, str]) -> list[Due]:
    return [Due.of(member) for member in fields.get(DUE, "").split()]


def _refuse_if_frozen(name: str, fields: Mapping[str, str]) -> None:
    if fields.get(FROZEN):
        raise refusals.frozen(name, fields[FROZEN])


def promised(keys: Sequence[bytes], name: str, promise: str) -> bytes | None:
    """The secret of a match of which this is the commitment; nothing, if it is of no such key."""
    secrets = (_secret(key, name) for key in keys)
    return next((secret for secret in secrets if commitment(secret) == promise), None)


def _secret(key: bytes, name: str) -> bytes:
    return hmac.digest(key, b"bree secret 1\n" + name.encode(), "sha256")
