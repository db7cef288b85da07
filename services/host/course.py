"""A match as far as it has come: the table, the clocks, and who plays. It follows from the log.

Design. A course is moved on in two ways that lead to the same place: by a decision that has just
been made, and by the lines that another replica, or this one before it was started anew, has
stored. In the second way everything is checked: chance is dealt again, and each digest compared.

A course in use is never changed. Whoever wants to decide something does it on a copy, and the copy
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
from services.host.saved import Handover, Line, Setup

LONGEST = 40_000
"""A match that has so many entries is ended by the host: its record must still fit into a file."""


class Told(NamedTuple):
    """What happened with one entry, to be shown to those who may see it."""

    who: str
    events: tuple[Event, ...]


class Step(NamedTuple):
    """A decision with the answers of chance that followed: what is stored as one."""

    lines: tuple[Line, ...]
    told: tuple[Told, ...]  # one for each line
    head: str  # of the history, with these lines


class Diverged(Exception):
    """A line of the log is not what its decision leads to."""

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


class Course:
    """One match up to some revision."""

    __slots__ = (
        "asked",
        "at",
        "chain",
        "clocks",
        "fate",
        "gone",
        "handovers",
        "is_over",
        "levels",
        "setup",
        "table",
    )

    def __init__(self, rules: Rules[Any], setup: Setup, secret: bytes) -> None:
        self.setup = setup
        self.table = LeanTable(rules, setup.options)  # without fate: chance is dealt here, singly
        self.fate = Fate(seed(secret, [player.nonce for player in setup.players]))
        self.chain = Chain(secret, setup.heading(rules.name).text())
        self.levels = tuple(player.level for player in setup.players)  # by seat; who plays now
        self.gone: frozenset[Seat] = frozenset()  # who gave up
        self.handovers: tuple[Handover, ...] = ()
        self.at = 0  # when the last of all this was
        runs = tuple(not level for level in self.levels)
        self.clocks = Clocks(setup.clock, runs) if setup.clock else None
        self.asked: dict[Seat, int] = {}  # who must decide, with the number of the question
        self.is_over = False
        if self.is_settled:
            self._pass(0)

    def copy(self) -> Self:
        """A course that shares nothing that changes with this one."""
        new = object.__new__(type(self))
        new.setup = self.setup
        new.table = self.table.copy()
        new.fate = Fate(self.fate.seed, self.fate.drawn)
        new.chain = self.chain.copy()
        new.levels = self.levels
        new.gone = self.gone
        new.handovers = self.handovers
        new.at = self.at
        new.clocks = self.clocks and self.clocks.copy()
        new.asked = self.asked
        new.is_over = self.is_over
        return new

    # Where it stands.

    @property
    def revision(self) -> int:
        """How many entries the record has."""
        return self.table.revision

    @property
    def head(self) -> str:
        """What binds the history up to here, its end too once there is one."""
        if not self.is_over:
            return self.chain.head
        table = self.table
        scores = None if table.aborted else table.rules.scores(table.game)
        return self.chain.closed(ending(self.revision, table.seats, scores, aborted=table.aborted))

    @property
    def is_settled(self) -> bool:
        """Whether chance has nothing left to answer."""
        return self.table.waiting() != (CHANCE,)

    def now(self, clock: int) -> int:
        """The time of this match at a time since 1970; it never goes back."""
        return max(self.at, clock - self.setup.created)

    # Deciding.

    def begin(self) -> Step:
        """What chance must answer before anyone is asked."""
        return self._ended([], 0, "")

    def act(self, seat: Seat, action: Action, number: int, now: int, request: str) -> Step:
        """A seat answers its question."""
        events = self.table.act(seat, action, number)
        step = self._ended([Told(self.table.name(seat), _seen(events))], now, request)
        if self.revision < LONGEST or self.is_over:
            return step
        end = self.abort(now, "")
        return Step(step.lines + end.lines, step.told + end.told, end.head)

    def give_up(self, verb: str, seat: Seat, now: int, request: str = "") -> Step:
        """A seat resigns, or its time is out."""
        events = self.table.resign(seat) if verb == FORFEITS[0] else self.table.expire(seat)
        self.gone |= {seat}
        return self._ended([Told(HOST_NAME, _seen(events))], now, request)

    def abort(self, now: int, request: str) -> Step:
        """The match ends for nobody's gain."""
        self.table.abort()
        return self._ended([Told(HOST_NAME, ())], now, request)

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

    def _ended(self, told: list[Told], now: int, request: str) -> Step:
        """Let chance answer what follows, and close the step."""
        table = self.table
        while not self.is_settled:
            told.append(Told(CHANCE_NAME, _seen(table.deal(self.fate.pick))))
        self._pass(now)
        entries = self._bound()
        lines = [Line(*entry[:3], now, draws=entry.draws) for entry in entries]
        if request:
            lines[0] = lines[0]._replace(request=request)
        return Step(tuple(lines), tuple(told), self.head)

    def _bound(self) -> list[Entry]:
        """The entries since the last time, bound into the history."""
        entries = self.table.forget()
        for entry in entries:
            self.chain.link(entry.text())
        return entries

    def _pass(self, now: int) -> None:
        """What a step ends with: time has passed, and others are asked."""
        table = self.table
        self.at = now
        self.asked = {seat: table.number(seat) for seat in table.waiting()}
        self.is_over = not self.asked
        if self.clocks is not None:
            self.clocks.turn(now, self.asked)

    # Following what is stored.

    def take_over(self, handovers: Sequence[Handover]) -> None:
        """Hand over what of all handovers of the match is new, and due at this revision."""
        for handover in handovers[len(self.handovers) :]:
            if handover.revision <= self.revision:
                self.hand_over(handover)

    def follow(self, lines: Sequence[Line], at: int) -> Step:
        """Go on by the step whose lines begin at this one; `Diverged` if it leads elsewhere."""
        told = [self._repeat(lines[at])]
        while at + len(told) < len(lines) and self._goes_on(lines[at + len(told)]):
            told.append(self._repeat(lines[at + len(told)]))
        taken = tuple(lines[at : at + len(told)])
        self.check_settled()
        self._pass(taken[-1].at)
        self._bound()
        return Step(taken, tuple(told), self.head)

    def _goes_on(self, line: Line) -> bool:
        """Whether a line belongs to the step before it: chance, or the end of too long a match."""
        return not self.is_settled or (line.what == ABORT and not line.request)

    def check_settled(self) -> None:
        """`Diverged` if chance has not answered: what a decision leads to is stored with it."""
        if not self.is_settled:
            raise Diverged(self.revision + 1, "chance has not answered")

    def _repeat(self, line: Line) -> Told:
        table = self.table
        entry = table.revision + 1
        try:
            if line.who == CHANCE_NAME:
                self._check_draw(line)
            events = table.enter(line.who, line.what, line.draws)
        except Diverged:
            raise
        except Exception as error:  # whatever the rules say to what they took before
            raise Diverged(entry, repr(error)) from error
        if table.entries[-1] != line.entry():
            raise Diverged(entry, f"its digest is {table.entries[-1].digest}")
        if line.who == HOST_NAME and line.asker():
            self.gone |= {table.seat(line.asker())}
        return Told(line.who, _seen(events))

    def _check_draw(self, line: Line) -> None:
        rules, game = self.table.rules, self.table.game
        log = DrawLog(self.fate.pick)
        dealt = rules.spell(rules.deal(game, log.pick))
        if (dealt, tuple(log.draws)) != (line.what, line.draws):
            raise Diverged(self.revision + 1, f"chance dealt {dealt!r} by {log.draws}")


def _seen(events: Sequence[Event]) -> tuple[Event, ...]:
    """Those that anyone may see at all."""
    return tuple(event for event in events if event.seen_by != frozenset())
