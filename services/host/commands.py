"""All that changes a match: each is decided on a copy, stored, and only then shown and answered.

Design. Whoever changes a match holds its lock, so on one replica decisions about it come one after
the other. Among replicas the store decides: if it has another version than the decision was made
for, what is new is read and the decision is made again, which may find that it has been made
already. A decision that nobody disputes costs one round trip to the store.

If the connection is lost while a change is being stored, nobody knows whether it was. The caller is
told so; asked again with the same id, the log says what came of it. The match in memory need not be
forgotten for that: it is what the store had, and may be behind it as it may be at any time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import structlog

from bree.process import metrics
from bree.process.statuses import Denied
from services.core.contract import Rules
from services.core.decisions import Seat
from services.core.entries import CHANCE_NAME, EXPIRE, HOST_NAME, UNDO
from services.core.offers import TAKE_BACK
from services.host import holding, refusals
from services.host.dispatch import Dispatch
from services.host.match_cache import CachedMatch
from services.host.match_state import MatchState
from services.host.matches import Matches, Now
from services.host.outbox import Outbox, outbox_after
from services.host.requests import Request, seat_of
from services.host.serialization import (
    ABORTED,
    BOT_TURN,
    DUE,
    ENDED,
    FINISHED,
    FROZEN,
    HANDOVERS,
    SETUP,
    Due,
    Handover,
    LogEntry,
    Setup,
    handovers_text,
)
from services.host.steps import Emitted, MatchStep
from services.host.store import NO_FIELDS, Away, Change, Position, Store, Unsure
from services.host.table_requests import AnswerOffer

log = structlog.get_logger()

TRIES = 20
"""How often a decision is made, each time because another replica was faster before."""


Decide = Callable[[str, MatchState, Seat, int], Handover | None]
"""Decides at a time of a match who plays a seat from then on; nothing, if that changes nothing."""


class Answer(NamedTuple):
    """What came of a request, at the time of the match that is the same whenever it is asked."""

    state: MatchState
    emitted: Sequence[Emitted]
    at: int


class Created(NamedTuple):
    """How a match began."""

    commitment: str
    edition: int
    revision: int


class Attempt(NamedTuple):
    """A change of a match that is not stored yet."""

    state: MatchState
    step: MatchStep
    fields: Mapping[str, str]
    request: str = ""


class Commands:
    """Changes the matches of one game."""

    def __init__(
        self,
        rules: Rules[Any],
        matches: Matches,
        store: Store,
        dispatch: Dispatch,
        now: Now,
        weakest: str,
    ) -> None:
        self.rules = rules
        self.matches = matches
        self.store = store
        self.dispatch = dispatch
        self.now = now
        self.weakest = weakest  # of the hosted bots; empty if there are none
        self._decisions = cache(partial(metrics.DECISIONS.labels, rules.name))
        self._apply_seconds = metrics.APPLY_SECONDS.labels(rules.name)
        self._append_seconds = metrics.APPEND_SECONDS.labels(rules.name)
        self._turn_after = metrics.DONE_AFTER_SECONDS.labels(rules.name, BOT_TURN)

    # Beginning.

    async def create(self, match: str, setup: Setup) -> Created:
        """Begin a match, unless it was begun in the same way before."""
        secret = self.matches.promised(match, setup.commitment)
        assert secret is not None, "whoever made the setup has looked"
        state = MatchState(self.rules, setup, secret)
        step = state.begin()
        cached = CachedMatch(match, state)
        attempt = Attempt(state, step, {SETUP: setup.text()}, request=match)
        if await self._stored(cached, attempt):
            metrics.MATCHES_CREATED.labels(self.rules.name).inc()
            log.info("match created", match=match, revision=state.revision)
            return Created(setup.commitment, setup.edition, state.revision)
        stored = await self.matches.read(match)
        theirs = Setup.of(stored.fields[SETUP])
        if theirs.choice() != setup.choice():
            raise refusals.exists(match)
        whose = [LogEntry.of(text).who for text in stored.lines]
        opening = next((n for n, who in enumerate(whose) if who != CHANCE_NAME), len(whose))
        return Created(theirs.commitment, theirs.edition, opening)

    # Going on.

    async def do(self, request: Request) -> Answer:
        """Carry a request out once, however often it comes and wherever."""
        cached = await self.matches.find(request.match)
        async with cached.lock:
            for _ in range(TRIES):
                answer = await self._try(cached, request)
                if answer is not None:
                    return answer
        raise refusals.unavailable("engine", "this match is too busy")

    async def _try(self, cached: CachedMatch, request: Request) -> Answer | None:
        """The answer; or none if the match has moved meanwhile, and is now up to date."""
        try:
            if cached.may_have_seen(request.asker, request.id):
                done = await self._done(request)
                if done is not None:
                    return done
            if request.head:
                await self.matches.check_head(cached, request.head)
            past = await self._past_of(cached, request)
            began, state = time.perf_counter(), cached.state.copy()
            if past is not None:
                state.table.keep(past.revision, past.table.game)
            step = request.decide(state, state.now(self.now()))
            self._apply_seconds.observe(time.perf_counter() - began)
        except Denied:
            if await self.matches.refresh(cached):
                return None
            raise
        if not await self._stored(cached, Attempt(state, step, NO_FIELDS, request.id)):
            metrics.RACES_LOST.labels(self.rules.name).inc()
            await self.matches.refresh(cached)
            return None
        return Answer(state, step.emitted, state.at)

    async def _past_of(self, cached: CachedMatch, request: Request) -> MatchState | None:
        """Where the match goes back to, if all agree on that now."""
        if not isinstance(request, AnswerOffer):
            return None
        revision = request.goes_back_to(cached.state)
        if revision is None:
            return None
        return await self.matches.pasts.at(cached.name, revision)

    async def _done(self, request: Request) -> Answer | None:
        done = await self.matches.done(request.match, request.asker, request.id)
        if done is None:
            return None
        if not request.is_what(done):
            raise refusals.reused(request.match, request.id)
        return Answer(done.state, done.emitted, done.entry.at)

    # Time.

    async def expire(self, match: str, name: str, number: int) -> tuple[bool, MatchState]:
        """See whether the time of a question is over, and do what was agreed then."""
        cached = await self.matches.fresh(match)
        seat = seat_of(cached.state, match, name)
        async with cached.lock:
            for _ in range(TRIES):
                attempt = self._expired(cached, seat, number)
                if attempt is None:
                    return False, cached.state
                if await self._stored(cached, attempt):
                    log.info("time is out", match=match, seat=name, revision=cached.state.revision)
                    return True, cached.state
                await self.matches.refresh(cached)
        raise refusals.unavailable("engine", "this match is too busy")

    def _expired(self, cached: CachedMatch, seat: int, number: int) -> Attempt | None:
        state = cached.state.copy()
        if number > state.table.number(seat):
            latest = state.table.number(seat)
            raise refusals.unknown_question(cached.name, state.table.seats[seat], number, latest)
        if state.held or state.clocks is None or state.asked.get(seat) != number:
            return None
        now, expires = state.now(self.now()), state.clocks.expires(seat)
        if expires is None or now < expires:
            return None
        if not state.clocks.clock.level:
            return Attempt(state, state.give_up(EXPIRE, seat, now), NO_FIELDS)
        level, name = state.clocks.clock.level, state.table.seats[seat]
        return _handed_over(cached, Handover(state.revision, name, level, now))

    # Bots that stand in.

    async def change_hands(self, match: str, name: str, decide: Decide) -> MatchState:
        """Let another play a seat, if that is decided; where the match stands then."""

        def decided(state: MatchState) -> Handover | None:
            seat = seat_of(state, match, name)
            return decide(match, state, seat, state.now(self.now()))

        return await self._changed(match, decided)

    async def hold(self, match: str, *, hold: bool) -> MatchState:
        """Hold a match, or let it go on; where it stands then."""
        decide = holding.held if hold else holding.released
        return await self._changed(match, lambda state: decide(match, state, self.now()))

    async def _changed(
        self, match: str, decide: Callable[[MatchState], Handover | None]
    ) -> MatchState:
        """Store what is decided on a match besides its record, if that changes anything."""
        cached = await self.matches.fresh(match)
        async with cached.lock:
            for _ in range(TRIES):
                try:
                    handover = decide(cached.state)
                except Denied:
                    if await self.matches.refresh(cached):
                        continue
                    raise
                if handover is None:
                    return cached.state
                if await self._stored(cached, _handed_over(cached, handover)):
                    said = {"seat": handover.seat, "level": handover.level}
                    log.info("seat changes hands", match=match, **said)
                    return cached.state
                await self.matches.refresh(cached)
        raise refusals.unavailable("engine", "this match is too busy")

    # Bots that fail.

    async def replace_bot(self, match: str, name: str, number: int, failed: str) -> MatchState:
        """Let the weakest bot have the seat of one that cannot answer; `Denied` if it is frozen."""
        cached = await self.matches.fresh(match)
        seat = seat_of(cached.state, match, name)
        async with cached.lock:
            for _ in range(TRIES):
                state = cached.state
                is_so = state.asked.get(seat) == number and state.levels[seat] == failed
                if not failed or not is_so or state.held:
                    return state
                if self.weakest in ("", failed):
                    await self._freeze(cached)
                else:
                    now = state.now(self.now())
                    handover = Handover(state.revision, name, self.weakest, now)
                    if await self._stored(cached, _handed_over(cached, handover)):
                        log.error("bot replaced", match=match, seat=name, level=failed)
                        return cached.state
                await self.matches.refresh(cached)
        raise refusals.unavailable("engine", "this match is too busy")

    async def _freeze(self, cached: CachedMatch) -> None:
        """Note that a match cannot go on; whoever reads it next is told."""
        revision = cached.state.revision
        fields = {FROZEN: f"{revision} {refusals.BOT_FAILS}", DUE: ""}
        change = Change(fields=fields, undue=[due.member() for due in cached.due])
        at = Position(cached.version, cached.head)
        if await self._appended(cached.name, at, change, ""):
            metrics.FROZEN.labels(self.rules.name).inc()
            log.error("frozen", match=cached.name, revision=revision, why="a bot cannot answer")

    # Storing.

    async def _stored(self, cached: CachedMatch, attempt: Attempt) -> bool:
        """Make an attempt durable; then it is what the match is, and others hear of it."""
        state, step = attempt.state, attempt.step
        outbox = outbox_after(cached.name, state, cached.due, self.now())
        lines = [entry.text() for entry in step.entries]
        fields = {**attempt.fields, ENDED: _ending(state)} if state.is_over else attempt.fields
        change = outbox.change(lines, fields, step.head)
        at = Position(cached.version, cached.head)
        if not await self._appended(cached.name, at, change, attempt.request):
            return False
        self._count(cached, attempt, outbox)
        cached.advance(state, Position(at.version + 1, step.head), outbox.due, [step])
        self.matches.cache.keep(cached)
        cached.wake()
        if outbox.added:
            # A bot that has answered is given its seat's next question with the answer: it goes on.
            actor = _actor(step)
            self.dispatch.tell([due for due in outbox.added if due.seat != actor])
        return True

    async def _appended(self, match: str, at: Position, change: Change, request: str) -> bool:
        """Change a match that is at this position in the store."""
        began = time.perf_counter()
        try:
            return await self.store.append(match, at.version, change, at.head)
        except Away as error:
            raise refusals.store_away(error) from error
        except Unsure as error:
            raise refusals.outcome_unknown(match, request) from error
        finally:
            self._append_seconds.observe(time.perf_counter() - began)

    def _count(self, cached: CachedMatch, attempt: Attempt, outbox: Outbox) -> None:
        """Note what was decided, in metrics and logs."""
        before, state = cached.state, attempt.state
        actor = _actor(attempt.step)
        question = before.table.game.question()
        is_note = bool(attempt.step.entries) and attempt.step.entries[0].is_note
        if is_note or actor == HOST_NAME:
            self._count_at_table(attempt.step)
        elif actor and question and actor != CHANCE_NAME:
            self._decisions(question.prompt).inc()
            log.debug("decided", match=cached.name, seat=actor, revision=state.revision)
        for due in outbox.removed:
            if due.seat == actor:
                self._count_done(due)
        if state.is_over:
            ending = ABORTED if state.table.aborted else FINISHED
            metrics.MATCHES_OVER.labels(self.rules.name, ending).inc()
            log.info("match over", match=cached.name, ending=ending, revision=state.revision)

    def _count_at_table(self, step: MatchStep) -> None:
        """Note what seats have taken back, and what they have offered and answered."""
        for entry in step.entries:
            verb = entry.what.partition(" ")[0]
            if entry.is_note:
                metrics.OFFERS.labels(self.rules.name, verb).inc()
            elif entry.who == HOST_NAME and verb in (UNDO, TAKE_BACK):
                how = "agreed" if verb == TAKE_BACK else "alone"
                metrics.TAKEN_BACK.labels(self.rules.name, how).inc()

    def _count_done(self, due: Due) -> None:
        """Note how long it took until this was done; clocks are not done, they run."""
        if due.kind == BOT_TURN:
            # What other machines' clocks say is later than now has just become due.
            self._turn_after.observe(max(0, self.now() - due.since) / 1000)


def _actor(step: MatchStep) -> str | None:
    """Who made the decision of a step, if there is one in it."""
    return step.entries[0].who if step.entries else None


def _handed_over(cached: CachedMatch, handover: Handover) -> Attempt:
    """Another plays a seat."""
    state = cached.state.copy()
    state.hand_over(handover)
    handovers = {HANDOVERS: handovers_text(state.handovers)}
    return Attempt(state, MatchStep((), (), cached.head), handovers)


def _ending(state: MatchState) -> str:
    """How a match ended, as its fields have it."""
    if state.table.aborted:
        return ABORTED
    scores = state.table.rules.scores(state.table.game)
    return " ".join([FINISHED, *map(str, scores)])
