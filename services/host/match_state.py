"""A match as far as it has come: the table, the clocks, and who plays. It follows from the log.

Design. A state is moved on in two ways that lead to the same place: by a decision that has just
been made, and by the entries that another replica, or this one before it was started anew, has
stored. In the second way everything is checked: chance is dealt again, and each digest compared.

A state in use is never changed. Whoever wants to decide something does it on a copy, and the copy
takes its place once it is durable; so nobody is ever shown what may not come to stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from services.core.chain import Chain
from services.core.contract import Rules
from services.core.decisions import CHANCE, Action, Event, Seat
from services.core.fair import DrawLog, Fate, seed
from services.core.record import ending
from services.core.table import ABORT, CHANCE_NAME, FORFEITS, HOST_NAME, Entry, Table
from services.host.clocks import Clocks
from services.host.serialization import Handover, LogEntry, Setup

LONGEST = 40_000
"""The host ends a match at this number of entries: its record must still fit into a file."""

NOBODY: frozenset[Seat | None] = frozenset()


class Emitted(NamedTuple):
    """What happened with one entry, to be shown to those who may see it."""

    who: str
    events: tuple[Event, ...]

    @classmethod
    def of(cls, who: str, events: Sequence[Event]) -> Emitted:
        """Without the events that nobody may see."""
        return cls(who, tuple([event for event in events if event.seen_by != NOBODY]))


class MatchStep(NamedTuple):
    """A decision with the answers of chance that followed: what is stored as one."""

    entries: tuple[LogEntry, ...]
    emitted: tuple[Emitted, ...]  # one for each entry
    head: str  # of the history, with these entries


class Diverged(Exception):
    """An entry of the log is not what its decision leads to."""

    def __init__(self, revision: int, why: str) -> None:
        self.revision = revision
        super().__init__(f"entry {revision}: {why}")


class LeanTable(Table[Any]):
    """A table that forgets the entries that are stored; the store has them."""

    takes_back = False
    forgotten = 0

    @property
    def revision(self) -> int:
        return self.forgotten + len(self.entries)

    def copy(self) -> Self:
        new = super().copy()
        new.forgotten = self.forgotten
        return new

    def forget(self) -> list[Entry]:
        """The entries since the last time."""
        entries, self.entries = self.entries, []
        self.forgotten += len(entries)
        return entries


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
        "is_over",
        "levels",
        "revision",
        "setup",
        "table",
    )

    def __init__(self, rules: Rules[Any], setup: Setup, secret: bytes) -> None:
        self.setup = setup
        self.table = LeanTable(rules, setup.options)  # without fate: chance is dealt here, singly
        self.fate = Fate(seed(secret, [player.nonce for player in setup.players]))
        self.chain = Chain(secret, setup.heading(rules.name).text())
        self.levels = tuple(player.level for player in setup.players)  # by seat; who plays now
        self.forfeited: frozenset[Seat] = frozenset()  # who resigned, or was out of time
        self.handovers: tuple[Handover, ...] = ()
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
        new.handovers = self.handovers
        new.at = self.at
        new.clocks = self.clocks and self.clocks.copy()
        new.asked = self.asked
        new.is_over = self.is_over
        new.revision = self.revision
        new.head = self.head
        return new

    def now(self, clock: int) -> int:
        """The time of this match at a time since 1970; it never goes back."""
        return max(self.at, clock - self.setup.created)

    # Deciding.

    def begin(self) -> MatchStep:
        """What chance must answer before anyone is asked."""
        return self._step([], 0, "")

    def act(self, seat: Seat, action: Action, number: int, now: int, request: str) -> MatchStep:
        """A seat answers its question."""
        events = self.table.act(seat, action, number)
        step = self._step([Emitted.of(self.table.name(seat), events)], now, request)
        if self.revision < LONGEST or self.is_over:
            return step
        end = self.abort(now, "")
        return MatchStep(step.entries + end.entries, step.emitted + end.emitted, end.head)

    def give_up(self, verb: str, seat: Seat, now: int, request: str = "") -> MatchStep:
        """A seat resigns, or its time is out."""
        events = self.table.resign(seat) if verb == FORFEITS[0] else self.table.expire(seat)
        self.forfeited |= {seat}
        return self._step([Emitted.of(HOST_NAME, events)], now, request)

    def abort(self, now: int, request: str) -> MatchStep:
        """The match ends for nobody's gain."""
        self.table.abort()
        return self._step([Emitted(HOST_NAME, ())], now, request)

    def hand_over(self, handover: Handover) -> None:
        """A bot takes over a seat whose time is out, or whose own bot cannot answer."""
        seat = self.table.seat(handover.seat)
        levels = list(self.levels)
        levels[seat] = handover.level
        self.levels = tuple(levels)
        self.handovers += (handover,)
        self.at = max(self.at, handover.at)
        if self.clocks is not None:
            self.clocks.release(seat, handover.at)

    def _step(self, emitted: list[Emitted], now: int, request: str) -> MatchStep:
        """Let chance answer what follows, and close the step."""
        while self._waits_for_chance():
            emitted.append(Emitted.of(CHANCE_NAME, self.table.deal(self.fate.pick)))
        made = self._close_step(now)
        entries = [LogEntry(*entry[:3], now, draws=entry.draws) for entry in made]
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
        """Whether an entry belongs to the step before: chance, or the end of too long a match."""
        return self._waits_for_chance() or (entry.what == ABORT and not entry.request)

    def check_chance_answered(self) -> None:
        """`Diverged` if chance has not: what a decision leads to is stored with it."""
        if self._waits_for_chance():
            raise Diverged(self.table.revision + 1, "chance has not answered")

    def _repeat(self, entry: LogEntry) -> Emitted:
        table = self.table
        number = table.revision + 1
        try:
            if entry.who == CHANCE_NAME:
                self._check_draw(entry)
            events = table.enter(entry.who, entry.what, entry.draws)
        except Diverged:
            raise
        except Exception as error:  # whatever the rules say to what they took before
            raise Diverged(number, repr(error)) from error
        if table.entries[-1] != entry.entry():
            raise Diverged(number, f"its digest is {table.entries[-1].digest}")
        if entry.who == HOST_NAME and entry.asker():
            self.forfeited |= {table.seat(entry.asker())}
        return Emitted.of(entry.who, events)

    def _check_draw(self, entry: LogEntry) -> None:
        rules, game = self.table.rules, self.table.game
        log = DrawLog(self.fate.pick)
        dealt = rules.spell(rules.deal(game, log.pick))
        if (dealt, tuple(log.draws)) != (entry.what, entry.draws):
            raise Diverged(self.table.revision + 1, f"chance dealt {dealt!r} by {log.draws}")
