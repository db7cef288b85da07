"""A match as far as it has come: the table, the clocks, and who plays. It follows from the log.

Design. A state is moved on in two ways that lead to the same place: by a decision that has just
been made, and by the entries that another replica, or this one before it was started anew, has
stored. In the second way everything is checked: chance is dealt again, and each digest compared.

A state in use is never changed. Whoever wants to decide something does it on a copy, and the copy
takes its place once it is durable; so nobody is ever shown what may not come to stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from services.core.chain import Chain
from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Event, Seat
from services.core.entries import (
    AGREED,
    CHANCE_NAME,
    FORFEITS,
    HOST_NAME,
    RESIGN,
    UNDO,
    Entry,
)  # fmt: skip
from services.core.fair import DrawLog, Fate, seed
from services.core.offers import (
    ABORT,
    ACCEPT,
    DECLINE,
    DRAW,
    OFFER,
    WITHDRAW,
    Offer,
    Offers,
)
from services.core.record import ending
from services.host.agreements import happened
from services.host.clocks import NO_QUESTION, Clocks, Run
from services.host.lean_table import LeanTable
from services.host.serialization import HELD, HOST_HOLDS, Handover, LogEntry, Setup
from services.host.steps import Diverged, Emitted, MatchStep

LONGEST = 40_000
"""The host ends a match at this number of entries: its record must still fit into a file."""

UNDOS_BESIDE = 20
"""A seat may take back as often as it has decided what stands, and so many times more: else a
match could be filled with nothing, to its end."""


class MatchState:
    """One match up to some revision."""

    __slots__ = (
        "asked",
        "at",
        "chain",
        "clocks",
        "fate",
        "forfeited",
        "handovers",
        "head",
        "held",
        "is_over",
        "levels",
        "paused",
        "revision",
        "setup",
        "table",
        "undone",
    )

    def __init__(self, rules: Rules[Any], setup: Setup, secret: bytes) -> None:
        self.setup = setup
        self.table = LeanTable(rules, setup.options)  # without fate: chance is dealt here, singly
        self.fate = Fate(seed(secret, [player.nonce for player in setup.players]))
        self.chain = Chain(secret, setup.heading(rules.name).text())
        self.levels = tuple(player.level for player in setup.players)  # by seat; who plays now
        self.forfeited: frozenset[Seat] = frozenset()  # who resigned, or was out of time
        self.undone = (0,) * len(self.levels)  # by seat; how often something was taken back
        self.handovers: tuple[Handover, ...] = ()
        self.held = False  # whether the host holds it
        self.paused = 0  # for how long in all he did, in ms, in which no time of the match passed
        self.at = 0  # when the last of all this was
        runs = tuple(not level for level in self.levels)
        self.clocks = Clocks(setup.clock, runs) if setup.clock else None
        self.asked: dict[Seat, int] = {}  # who must decide, with the number of the question
        self.is_over = False
        self.revision = 0  # how many entries the record has
        self.head = self.chain.head  # what binds the history, its end too once there is one
        if not self._waits_for_chance():
            self._close_step(0)

    def copy(self) -> Self:
        """A state that shares nothing that changes with this one."""
        new = object.__new__(type(self))
        new.setup = self.setup
        new.table = self.table.copy()
        new.fate = Fate(self.fate.seed, self.fate.drawn)
        new.chain = self.chain.copy()
        new.levels = self.levels
        new.forfeited = self.forfeited
        new.undone = self.undone
        new.handovers = self.handovers
        new.held = self.held
        new.paused = self.paused
        new.at = self.at
        new.clocks = self.clocks and self.clocks.copy()
        new.asked = self.asked
        new.is_over = self.is_over
        new.revision = self.revision
        new.head = self.head
        return new

    def now(self, clock: int) -> int:
        """The time of this match at a time since 1970; it never goes back."""
        return self.at if self.held else max(self.at, clock - self.setup.created - self.paused)

    def clock_at(self, at: int) -> int:
        """The time since 1970 at a time of this match, if it is not held until then."""
        return self.setup.created + self.paused + at

    # Deciding.

    def begin(self) -> MatchStep:
        """What chance must answer before anyone is asked."""
        return self._step([], 0, "")

    def act(self, seat: Seat, action: Action, number: int, now: int, request: str) -> MatchStep:
        """A seat answers its question."""
        self._stamp(seat)
        before = self.table.offers
        events = self.table.act(seat, action, number)
        return self._bounded(self._step([self._emitted(events, before)], now, request), now)

    def give_up(self, verb: str, seat: Seat, now: int, request: str = "") -> MatchStep:
        """A seat resigns, or its time is out."""
        before = self.table.offers
        events = self.table.resign(seat) if verb == RESIGN else self.table.expire(seat)
        self.forfeited |= {seat}
        return self._step([self._emitted(events, before)], now, request)

    def abort(self, now: int, request: str) -> MatchStep:
        """The match ends for nobody's gain."""
        before = self.table.offers
        self.table.abort()
        return self._step([self._emitted((), before)], now, request)

    def undo(self, seat: Seat, now: int, request: str) -> MatchStep:
        """A seat takes its last decision back."""
        step = self._step([self._undo(seat)], now, request)
        return self._bounded(step, now)

    def offer(self, seat: Seat, kind: str, now: int, request: str) -> MatchStep:
        """A seat proposes something to the others."""
        step = self._step([self._note(seat, f"{OFFER} {kind}")], now, request)
        return self._bounded(step, now)

    def answer(
        self, seat: Seat, offer: Offer, *, accept: bool, now: int, request: str
    ) -> MatchStep:
        """A seat answers what was proposed; what all have accepted happens.

        If that is to take something back, the table must have the game of then.
        """
        verb = ACCEPT if accept else WITHDRAW if seat == offer.seat else DECLINE
        emitted = [self._note(seat, f"{verb} {offer.number}")]
        accepted = self.table.offers.find(offer.number)
        if accepted is not None and not self.awaited(accepted):
            before = self.table.offers
            emitted.append(self._emitted(self._agree(accepted), before))
        return self._bounded(self._step(emitted, now, request), now)

    def _agree(self, offer: Offer) -> Sequence[Event]:
        """Do what all have agreed on."""
        if offer.kind == DRAW:
            return self.table.draw()
        if offer.kind == ABORT:
            self.table.abort()
        else:
            self.table.take_back(offer.seat)
        return ()

    def _bounded(self, step: MatchStep, now: int) -> MatchStep:
        """A step, with which the match ends if it has become too long."""
        if self.revision < LONGEST or self.is_over:
            return step
        end = self.abort(now, "")
        return MatchStep(step.entries + end.entries, step.emitted + end.emitted, end.head)

    def hand_over(self, handover: Handover) -> None:
        """Another plays a seat from now on: a bot, or again the person who sits there.

        Or the host holds the match, or lets it go on.
        """
        if handover.seat == HOST_HOLDS:
            self._hold(handover)
            return
        seat = self.table.seat(handover.seat)
        self.levels = (*self.levels[:seat], handover.level, *self.levels[seat + 1 :])
        self.handovers += (handover,)
        self.at = max(self.at, handover.at)
        if self.clocks is not None and handover.level:
            self.clocks.release(seat, handover.at)
        elif self.clocks is not None:
            self.clocks.resume(seat, handover.at, self.asked.get(seat, NO_QUESTION))
        self._drop_moot_offers()

    def _hold(self, handover: Handover) -> None:
        self.handovers += (handover,)
        self.at = max(self.at, handover.at)
        self.held = handover.level == HELD
        if not self.held:
            self.paused = int(handover.level)

    # Who may take back, and who is asked for consent.

    @property
    def people(self) -> frozenset[Seat]:
        """The seats that people play."""
        seats = [seat for seat, level in enumerate(self.levels) if not level]
        return frozenset(seats) - self.forfeited

    def awaited(self, offer: Offer) -> frozenset[Seat]:
        """The seats that have yet to answer an offer."""
        return self.people - offer.accepted - {offer.seat}

    def can_undo(self, seat: Seat | None, now: int) -> bool:
        """Whether a seat may take the last decision back."""
        if seat is None or self.levels[seat] or not self.table.can_undo(seat):
            return False
        run, used = self._undone_run(seat), self.undone[seat]
        if run is not None and run.since + run.left <= now:
            return False  # the time of the question that would come back is over
        return used < UNDOS_BESIDE or used < UNDOS_BESIDE + self.table.course.count(seat)

    def _undone_run(self, seat: Seat) -> Run | None:
        undone = self.table.undone(seat)
        return undone.stamp if undone and isinstance(undone.stamp, Run) else None

    def _drop_moot_offers(self) -> None:
        """Forget the offers of those who are gone, and those that nobody is to answer any more."""
        offers = self.table.offers
        if offers.standing:
            people = self.people
            moot = [o for o in offers.standing if o.seat not in people or not self.awaited(o)]
            self.table.offers = offers.without(*moot)

    # What happens with an entry.

    def _stamp(self, seat: Seat) -> None:
        """Note what belongs to the decision that a seat is about to make."""
        self.table.stamp = self.clocks and self.clocks.run(seat)
        if self.levels[seat]:
            self.table.untouched = None  # bots take nothing back, and the game need not be kept

    def _undo(self, seat: Seat) -> Emitted:
        table, before, run = self.table, self.table.offers, self._undone_run(seat)
        table.undo(seat)
        self.undone = (*self.undone[:seat], self.undone[seat] + 1, *self.undone[seat + 1 :])
        if self.clocks is not None:
            self.clocks.go_on(seat, run, table.number(seat))
        return self._emitted((), before)

    def _note(self, seat: Seat, what: str) -> Emitted:
        before = self.table.offers
        self.table.note(self.table.name(seat), what)
        return self._emitted((), before)

    def _emitted(self, events: Sequence[Event], before: Offers) -> Emitted:
        """The last entry with all that happened with it."""
        table = self.table
        entry = table.entries[-1]
        if not before.standing and not entry.is_note and entry.who != HOST_NAME:
            return Emitted.of(entry.who, events)
        if not entry.is_note:
            self._drop_moot_offers()
        told = happened(entry, before, table.offers, table.seats, table.gone_back_to)
        return Emitted.of(entry.who, [*events, *told], is_note=entry.is_note)

    def _step(self, emitted: list[Emitted], now: int, request: str) -> MatchStep:
        """Let chance answer what follows, and close the step."""
        while self._waits_for_chance():
            emitted.append(Emitted.of(CHANCE_NAME, self.table.deal(self.fate.pick)))
        made = self._close_step(now)
        entries = [LogEntry(*entry[:3], now, "", *entry[3:]) for entry in made]
        if request:
            entries[0] = entries[0]._replace(request=request)
        return MatchStep(tuple(entries), tuple(emitted), self.head)

    def _waits_for_chance(self) -> bool:
        return self.table.waiting() == (CHANCE,)

    def _close_step(self, now: int) -> list[Entry]:
        """Time has passed, others are asked, and the entries made are bound into the history."""
        table = self.table
        self.at = now
        self.asked = {seat: table.number(seat) for seat in table.waiting()}
        self.is_over = not self.asked
        if self.clocks is not None:
            self.clocks.turn(now, self.asked)
        entries = table.forget()
        for entry in entries:
            self.chain.link(entry.text())
        self.revision = table.forgotten
        self.head = self._closed_head() if self.is_over else self.chain.head
        return entries

    def _closed_head(self) -> str:
        table = self.table
        scores = None if table.aborted else table.rules.scores(table.game)
        return self.chain.closed(ending(self.revision, table.seats, scores, aborted=table.aborted))

    # Following what is stored.

    def take_over(self, handovers: Sequence[Handover]) -> None:
        """Hand over what of all handovers of the match is new, and due at this revision."""
        for handover in handovers[len(self.handovers) :]:
            if handover.revision <= self.revision:
                self.hand_over(handover)

    def follow(self, entries: Sequence[LogEntry], at: int) -> MatchStep:
        """Go on by the step whose entries begin at this one; `Diverged` if it leads elsewhere."""
        emitted = [self._repeat(entries[at])]
        while at + len(emitted) < len(entries) and self._goes_on(entries[at + len(emitted)]):
            emitted.append(self._repeat(entries[at + len(emitted)]))
        taken = tuple(entries[at : at + len(emitted)])
        self.check_chance_answered()
        self._close_step(taken[-1].at)
        return MatchStep(taken, tuple(emitted), self.head)

    def _goes_on(self, entry: LogEntry) -> bool:
        """Whether an entry belongs to the step before: chance, or what the host does by itself."""
        if self._waits_for_chance():
            return True
        is_hosts = entry.who == HOST_NAME and not entry.is_note and not entry.request
        return is_hosts and entry.what.partition(" ")[0] in AGREED

    def look_into(self, entries: Sequence[LogEntry], at: int, count: int) -> None:
        """Make the first entries of the next step only: to be looked at, not to go on from."""
        for entry in entries[at : at + count]:
            self._repeat(entry)
        table = self.table
        waiting = () if self._waits_for_chance() else table.waiting()
        self.asked = {seat: table.number(seat) for seat in waiting}
        for made in table.forget():
            self.chain.link(made.text())
        self.revision, self.head = table.forgotten, self.chain.head

    def check_chance_answered(self) -> None:
        """`Diverged` if chance has not: what a decision leads to is stored with it."""
        if self._waits_for_chance():
            raise Diverged(self.table.revision + 1, "chance has not answered")

    def _repeat(self, entry: LogEntry) -> Emitted:
        table = self.table
        number = table.revision + 1
        try:
            emitted = self._repeated(entry)
        except Diverged:
            raise
        except Exception as error:  # whatever the rules say to what they took before
            raise Diverged(number, repr(error)) from error
        if table.entries[-1] != entry.entry():
            raise Diverged(number, f"its digest is {table.entries[-1].digest}")
        return emitted

    def _repeated(self, entry: LogEntry) -> Emitted:
        table, before = self.table, self.table.offers
        verb = entry.what.partition(" ")[0]
        if entry.is_note:
            table.note(entry.who, entry.what)
            return self._emitted((), before)
        if entry.who == CHANCE_NAME:
            self._check_draw(entry)
        elif entry.who != HOST_NAME:
            self._stamp(table.seat(entry.who))
        elif verb == UNDO:
            return self._undo(table.seat(entry.asker()))
        events = table.enter(entry.who, entry.what, entry.draws)
        if entry.who == HOST_NAME and verb in FORFEITS:
            self.forfeited |= {table.seat(entry.asker())}
        return self._emitted(events, before)

    def _check_draw(self, entry: LogEntry) -> None:
        rules, game = self.table.rules, self.table.game
        log = DrawLog(self.fate.pick)
        dealt = rules.spell(rules.deal(game, log.pick))
        if (dealt, tuple(log.draws)) != (entry.what, entry.draws):
            raise Diverged(self.table.revision + 1, f"chance dealt {dealt!r} by {log.draws}")
