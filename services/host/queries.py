"""All that a match may be asked without changing it.

Design. What a seat may know, and a world it may imagine, can take the rules long to work out: some
of it follows from every move that could have been made. So it is worked out in one thread of its
own, beside the loop that answers calls; one, because rules keep what they have worked out, for each
other and unguarded. A state is never changed once it is in use, so it may be looked at from there.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any, NamedTuple, TypeVar

from google.protobuf.message import Message

from bree.process.statuses import Denied
from services.core.contract import Rules
from services.core.decisions import Event, Seat
from services.core.record import Fairness, Record
from services.host import refusals
from services.host.boards import codec_of
from services.host.census import Counts
from services.host.match_state import MatchState
from services.host.matches import Matches
from services.host.requests import seat_of
from services.host.serialization import ABORTED, ENDED, SETUP, Due, LogEntry, Setup
from services.host.store import Away, Stored, Unsure

CHARTS = "charts"
"""The part of a view, in games that have one, that is the same all through a match."""

T = TypeVar("T")


class RulesThread:
    """One thread for what the rules take long to work out, one thing after the other."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "rules")

    async def run(self, work: Callable[[], T]) -> T:
        """What comes of it; nothing, if whoever asked has gone before it began."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class Imagined(NamedTuple):
    """A world for a bot."""

    world: bytes
    seat: Seat


class Seen(NamedTuple):
    """One entry as a viewer saw it."""

    revision: int
    who: str
    events: tuple[Event, ...]


class Running(NamedTuple):
    """A match that is not over, as far as it may be told of."""

    seen: tuple[Seen, ...]
    state: MatchState


class Over(NamedTuple):
    """A match that is over: all of it."""

    text: str
    record: Record
    state: MatchState | None  # unless the match cannot be replayed here
    stored: Stored


class Queries:
    """Answers questions about the matches of one game."""

    def __init__(self, rules: Rules[Any], matches: Matches, rules_thread: RulesThread) -> None:
        self.rules = rules
        self.codec = codec_of(rules.name)
        self.matches = matches
        self.rules_thread = rules_thread

    async def view(
        self, match: str, viewer: str, *, with_charts: bool = False, revision: int | None = None
    ) -> tuple[Message, MatchState, Seat | None]:
        """What a viewer may know of the position, or could know of an earlier one.

        With charts, which weigh much, if they are wanted.
        """
        if revision is None:
            state = (await self.matches.fresh(match)).state
        else:
            state = await self.matches.pasts.at(match, revision)
        seat = seat_of(state, match, viewer) if viewer else None
        game = state.table.game

        def shown() -> Message:
            view = self.rules.view(game, seat)
            if CHARTS in view and not with_charts:
                view = {**view, CHARTS: {}}
            return self.codec.encode(view)

        return await self.rules_thread.run(shown), state, seat

    async def imagine(self, match: str, name: str, number: int) -> Imagined:
        """A world that a seat cannot tell from the true one; only while it is asked something."""
        state = (await self.matches.fresh(match)).state
        seat = seat_of(state, match, name)
        latest = state.table.number(seat)
        if state.is_over:
            raise refusals.over(match, ABORTED if state.table.aborted else "")
        if number > latest:
            raise refusals.unknown_question(match, name, number, latest)
        if number < latest:
            raise refusals.stale(match, name, number, latest)
        if seat not in state.asked:
            raise refusals.stale(match, name, number, latest)
        game, rules = state.table.game, self.rules
        world = await self.rules_thread.run(
            lambda: rules.dump(rules.guess(game, seat, secrets.randbelow))
        )
        return Imagined(world, seat)

    async def record(self, match: str, viewer: str) -> Running | Over:
        """The record of a match that is over; what a viewer has seen of one that is not."""
        stored = await self.matches.read(match)
        if stored.fields.get(ENDED):
            return await self._whole(match, stored)
        seen: list[Seen] = []
        state = None
        async with aclosing(self.matches.past(match, stored)) as pieces:
            async for state, emitted in pieces:
                seat = seat_of(state, match, viewer) if viewer else None
                first = state.revision - len(emitted) + 1
                for revision, one in enumerate(emitted, first):
                    events = tuple(e for e in one.events if e.is_seen_by(seat))
                    seen.append(Seen(revision, one.who, events))
        assert state is not None
        return Running(tuple(seen), state)

    async def _whole(self, match: str, stored: Stored) -> Over:
        setup = Setup.of(stored.fields[SETUP])
        secret = self.matches.promised(match, setup.commitment)
        if secret is None:
            raise refusals.unavailable("engine", "this engine has another fate key")
        record = whole_record(self.rules.name, stored, secret)
        state = None
        with suppress(Denied):  # it may be of an edition that others must replay
            state = (await self.matches.fresh(match)).state
        return Over(record.text(), record, state, stored)

    async def claim(self, until: int, lease_until: int, limit: int) -> list[Due]:
        """What is due since `until` and earlier, and is not handed out again before the lease."""
        try:
            members = await self.matches.store.claim(until, lease_until, limit)
        except Away as error:
            raise refusals.store_away(error) from error
        except Unsure as error:  # what has been claimed comes back after the lease
            raise refusals.unavailable("store", "the store went away before it answered") from error
        return [Due.of(member) for member in members]

    async def census(self, now: int, may_be_old: int) -> Counts:
        """How much is due now, or was no longer than so many ms ago."""
        try:
            return await self.matches.store.census(now, may_be_old)
        except (Away, Unsure) as error:
            raise refusals.store_away(error) from error


def whole_record(game: str, stored: Stored, secret: bytes) -> Record:
    """The record of a match that is over."""
    setup, ended = Setup.of(stored.fields[SETUP]), stored.fields[ENDED]
    nonces = tuple(player.nonce for player in setup.players)
    return Record(
        game=game,
        edition=setup.edition,
        options=setup.options,
        seats=tuple(player.seat for player in setup.players),
        fairness=Fairness(secret, nonces, setup.commitment),
        entries=tuple(LogEntry.of(text).entry() for text in stored.lines),
        scores=scores_of(ended),
        aborted=ended == ABORTED,
        sitting=tuple(player.sitting() for player in setup.players),
        form=setup.form,
        claimed_head=stored.head,
    )


def scores_of(ended: str) -> tuple[int, ...] | None:
    """The scores that the fields of a match note; none if it was aborted."""
    how, *scores = ended.split()
    return None if how == ABORTED else tuple(int(score) for score in scores)
