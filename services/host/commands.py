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
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import structlog

from bree.process import metrics
from bree.process.statuses import Denied
from services.core.contract import Rules
from services.core.decisions import Seat
from services.core.table import CHANCE_NAME, HOST_NAME
from services.host import refusals
from services.host.course import Course, Step, Told
from services.host.dispatch import Dispatch
from services.host.dues import change_of_due, due_after
from services.host.live import Live
from services.host.matches import Matches, Now
from services.host.requests import EXPIRE, Request, seat_of
from services.host.saved import (
    ABORTED,
    BOT_TURN,
    DUE,
    ENDED,
    FINISHED,
    FROZEN,
    HANDOVERS,
    SCORE,
    SETTLED,
    SETUP,
    Due,
    Handover,
    Line,
    Setup,
    handovers_text,
)
from services.host.store import Away, Change, Store, Unsure

log = structlog.get_logger()

TRIES = 20
"""So often a decision is made again because another replica was faster."""


class Answer(NamedTuple):
    """What came of a request, at the time of the match that is the same whenever it is asked."""

    course: Course
    told: Sequence[Told]
    at: int


class Created(NamedTuple):
    """How a match began."""

    commitment: str
    edition: int
    revision: int


class Attempt(NamedTuple):
    """A change of a match that is not stored yet."""

    course: Course
    step: Step
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
        self._done_after = {
            kind: metrics.DONE_AFTER_SECONDS.labels(rules.name, kind) for kind in (BOT_TURN, SCORE)
        }

    # Beginning.

    async def create(self, match: str, setup: Setup) -> Created:
        """Begin a match, unless it was begun in the same way before."""
        secret = self.matches.promised(match, setup.commitment)
        assert secret is not None, "whoever made the setup has looked"
        course = Course(self.rules, setup, secret)
        step = course.begin()
        live = Live(match, course)
        attempt = Attempt(course, step, {SETUP: setup.text()}, request=match)
        if await self._stored(live, attempt):
            metrics.MATCHES_CREATED.labels(self.rules.name).inc()
            log.info("match created", match=match, revision=course.revision)
            return Created(setup.commitment, setup.edition, course.revision)
        stored = await self.matches.read(match)
        theirs = Setup.of(stored.fields[SETUP])
        if theirs.choice() != setup.choice():
            raise refusals.exists(match)
        whose = [Line.of(text).who for text in stored.lines]
        opening = next((n for n, who in enumerate(whose) if who != CHANCE_NAME), len(whose))
        return Created(theirs.commitment, theirs.edition, opening)

    # Going on.

    async def do(self, request: Request) -> Answer:
        """Carry a request out once, however often it comes and wherever."""
        live = await self.matches.find(request.match)
        async with live.lock:
            for _ in range(TRIES):
                answer = await self._try(live, request)
                if answer is not None:
                    return answer
        raise refusals.unavailable("engine", "this match is too busy")

    async def _try(self, live: Live, request: Request) -> Answer | None:
        """The answer; or none if the match has moved meanwhile, and is now up to date."""
        try:
            if live.may_know(request.asker, request.id):
                done = await self._done(request)
                if done is not None:
                    return done
            await self.matches.check_head(live, request.head)
            attempt = self._decided(live, request)
        except Denied:
            if await self.matches.refresh(live):
                return None
            raise
        if not await self._stored(live, attempt):
            metrics.RACES_LOST.labels(self.rules.name).inc()
            await self.matches.refresh(live)
            return None
        return Answer(attempt.course, attempt.step.told, attempt.course.at)

    async def _done(self, request: Request) -> Answer | None:
        done = await self.matches.done(request.match, request.asker, request.id)
        if done is None:
            return None
        if not request.is_what(done):
            raise refusals.reused(request.match, request.id)
        return Answer(done.course, done.told, done.line.at)

    def _decided(self, live: Live, request: Request) -> Attempt:
        began = time.perf_counter()
        course = live.course.copy()
        step = request.decide(course, course.now(self.now()))
        self._apply_seconds.observe(time.perf_counter() - began)
        return Attempt(course, step, {}, request.id)

    # Time.

    async def expire(self, match: str, name: str, number: int) -> tuple[bool, Course]:
        """See whether the time of a question is over, and do what was agreed then."""
        live = await self.matches.fresh(match)
        seat = seat_of(live.course, match, name)
        async with live.lock:
            for _ in range(TRIES):
                attempt = self._expired(live, seat, number)
                if attempt is None:
                    return False, live.course
                if await self._stored(live, attempt):
                    log.info("time is out", match=match, seat=name, revision=live.course.revision)
                    return True, live.course
                await self.matches.refresh(live)
        raise refusals.unavailable("engine", "this match is too busy")

    def _expired(self, live: Live, seat: int, number: int) -> Attempt | None:
        course = live.course.copy()
        if number > course.table.number(seat):
            latest = course.table.number(seat)
            raise refusals.unknown_question(live.name, course.table.seats[seat], number, latest)
        if course.clocks is None or course.asked.get(seat) != number:
            return None
        now, expires = course.now(self.now()), course.clocks.expires(seat)
        if expires is None or now < expires:
            return None
        if not course.clocks.clock.level:
            return Attempt(course, course.give_up(EXPIRE, seat, now), {})
        return _handed_over(live, seat, course.clocks.clock.level, now)

    # Bots that fail.

    async def replace_bot(self, match: str, name: str, number: int, failed: str) -> Course:
        """Let the weakest bot have the seat of one that cannot answer; `Denied` if it is frozen."""
        live = await self.matches.fresh(match)
        seat = seat_of(live.course, match, name)
        async with live.lock:
            for _ in range(TRIES):
                course = live.course
                is_so = course.asked.get(seat) == number and course.levels[seat] == failed
                if not failed or not is_so:
                    return course
                if self.weakest in ("", failed):
                    await self._freeze(live)
                else:
                    attempt = _handed_over(live, seat, self.weakest, course.now(self.now()))
                    if await self._stored(live, attempt):
                        log.error("bot replaced", match=match, seat=name, level=failed)
                        return live.course
                await self.matches.refresh(live)
        raise refusals.unavailable("engine", "this match is too busy")

    async def _freeze(self, live: Live) -> None:
        """Note that a match cannot go on; whoever reads it next is told."""
        revision = live.course.revision
        fields = {FROZEN: f"{revision} {refusals.BOT_FAILS}", DUE: ""}
        change = Change(fields=fields, undue=[due.member() for due in live.due])
        if await self._appended(live.name, (live.version, live.head), change, ""):
            metrics.FROZEN.labels(self.rules.name).inc()
            log.error("frozen", match=live.name, revision=revision, why="a bot cannot answer")

    # The end.

    async def settle(self, match: str) -> None:
        """A finished match has been scored: nothing is due any more."""
        for _ in range(TRIES):
            stored = await self.matches.read(match)
            if not stored.fields.get(ENDED):
                raise refusals.not_over(match)
            if stored.fields.get(SETTLED):
                return
            fields = {SETTLED: "1", DUE: ""}
            undue = stored.fields.get(DUE, "").split()
            change = Change(fields=fields, undue=undue)
            if await self._appended(match, (stored.version, stored.head), change, ""):
                self._count_done([Due.of(member) for member in undue])
                return
        raise refusals.unavailable("engine", "this match is too busy")

    # Storing.

    async def _stored(self, live: Live, attempt: Attempt) -> bool:
        """Make an attempt durable; then it is what the match is, and others hear of it."""
        course, step = attempt.course, attempt.step
        due = due_after(live.name, course, live.due, self.now())
        fresh = [one for one in due if one not in live.due]
        change = change_of_due(live.due, due)
        fields = {**change.fields, **attempt.fields}
        if course.is_over:
            fields[ENDED] = _ended(course)
        lines = [line.text() for line in step.lines]
        change = change._replace(lines=lines, fields=fields, head=step.head)
        if not await self._appended(live.name, (live.version, live.head), change, attempt.request):
            return False
        self._count(live, attempt)
        actor = step.lines[0].who if step.lines else None
        self._count_done([one for one in live.due if one not in due and one.seat == actor])
        live.grow(course, (live.version + 1, step.head), due, [step])
        self.matches.cache.keep(live)
        live.wake()
        # A bot that has answered is given its seat's next question with the answer, and goes on.
        self.dispatch.tell([one for one in fresh if one.seat != actor])
        return True

    async def _appended(
        self, match: str, at: tuple[int, str], change: Change, request: str
    ) -> bool:
        """Change a match that has this version and head in the store."""
        began, (version, head) = time.perf_counter(), at
        try:
            return await self.store.append(match, version, change, head)
        except Away as error:
            raise refusals.store_away(error) from error
        except Unsure as error:
            raise refusals.outcome_unknown(match, request) from error
        finally:
            self._append_seconds.observe(time.perf_counter() - began)

    def _count_done(self, done: Sequence[Due]) -> None:
        """Note how long it took until this was done; clocks are not done, they run."""
        for one in done:
            if one.kind in self._done_after:
                # What other machines' clocks say is later than now has just become due.
                self._done_after[one.kind].observe(max(0, self.now() - one.since) / 1000)

    def _count(self, live: Live, attempt: Attempt) -> None:
        """Note what was decided, in metrics and logs."""
        before, course = live.course, attempt.course
        lines = attempt.step.lines
        question = before.table.game.question()
        if lines and question and lines[0].who not in (CHANCE_NAME, HOST_NAME):
            self._decisions(question.prompt).inc()
            log.debug("decided", match=live.name, seat=lines[0].who, revision=course.revision)
        if course.is_over:
            ending = ABORTED if course.table.aborted else FINISHED
            metrics.MATCHES_OVER.labels(self.rules.name, ending).inc()
            log.info("match over", match=live.name, ending=ending, revision=course.revision)


def _handed_over(live: Live, seat: Seat, level: str, now: int) -> Attempt:
    """A bot of this level takes a seat over."""
    course = live.course.copy()
    course.hand_over(Handover(course.revision, course.table.seats[seat], level, now))
    handovers = {HANDOVERS: handovers_text(course.handovers)}
    return Attempt(course, Step((), (), live.head), handovers)


def _ended(course: Course) -> str:
    """How a match ended, as its head has it."""
    if course.table.aborted:
        return ABORTED
    scores = course.table.rules.scores(course.table.game)
    return " ".join([FINISHED, *map(str, scores)])
