"""One game being played. The only place where decisions are checked and chance is dealt.

Design. A table is what the host keeps for a live match and what the terminal plays on. It refuses
what was not asked or offered before the rules see it, numbers the questions, answers for chance and
writes the entries. Given no fate it waits for chance like for any seat: so a replay can take
chance's answers from the record, and a test can script them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Self

from services.core.contract import Options, Rules
from services.core.decisions import CHANCE, Action, Ask, Event, Pick, Seat
from services.core.errors import Illegal, Invalid, NotAsked, Stale
from services.core.fair import Draw, DrawLog, Fate
from services.core.frames import B, Game

CHANCE_NAME = "chance"
HOST_NAME = "host"
FORFEITS = ("resign", "expire")
ABORT = "abort"
UNDO = "undo"


class Entry(NamedTuple):
    """One line of a record: who decided what, and a digest of the game after it."""

    who: str  # a seat's name, "chance", or "host" for what happens outside the rules
    what: str
    digest: str
    draws: tuple[Draw, ...] = ()  # what chance drew for it
    is_note: bool = False  # it changes nothing in the game

    def taken_back(self) -> str:
        """The seat whose last decision this entry takes back, if it does."""
        verb, _, seat = self.what.partition(" ")
        return seat if (self.who, verb, self.is_note) == (HOST_NAME, UNDO, False) else ""

    def text(self) -> str:
        """The line of the record."""
        sign = "!" if self.is_note else ":"
        drawn = f" [{', '.join(map(str, self.draws))}]" if self.draws else ""
        return f"{self.who}{sign} {self.what}{drawn} ~{self.digest}"


@dataclass(frozen=True, slots=True)
class Undo(Generic[B]):
    """What stands to be taken back: the game before a decision that taught nobody anything."""

    seat: Seat
    game: Game[B]
    revision: int  # of the game before it


class Table(Generic[B]):
    """A game, its entries so far and the number of each seat's question."""

    takes_back = True
    """Whether the last decision can be taken back; it costs a copy of the game for each."""

    def __init__(
        self,
        rules: Rules[B],
        options: Options,
        fate: Fate | None = None,
        game: Game[B] | None = None,  # where to begin, instead of the beginning
    ) -> None:
        self.rules = rules
        self.options = options
        self.seats = rules.seats(options)
        self.fate = fate
        self.game = game or rules.setup(options)
        self.entries: list[Entry] = []
        self.aborted = False
        self._undo: list[Undo[B]] = []
        self._numbers = [0] * len(self.seats)
        self._serial = 0
        self._number_questions()
        self.opening = self._deal()

    def copy(self) -> Self:
        """A table that shares nothing with this one, for a decision that may not come to stand."""
        new = object.__new__(type(self))
        new.rules, new.options, new.seats = self.rules, self.options, self.seats
        new.fate = self.fate and Fate(self.fate.seed, self.fate.drawn)
        new.game = self.game.copy()
        new.entries = self.entries[:]
        new.aborted = self.aborted
        new.opening = self.opening
        new._undo = self._undo[:]
        new._numbers = self._numbers[:]
        new._serial = self._serial
        return new

    # Where the game stands.

    @property
    def revision(self) -> int:
        """How many entries there are: decisions, chance's included, and what was taken back."""
        return len(self.entries)

    @property
    def is_over(self) -> bool:
        """Whether nobody is waited for any more."""
        return self.aborted or not self.rules.waiting(self.game)

    def waiting(self) -> tuple[Seat, ...]:
        """Who must decide now."""
        return () if self.aborted else self.rules.waiting(self.game)

    def number(self, seat: Seat) -> int:
        """The number of the question put to a seat, or of the last one it was asked."""
        return self._numbers[seat]

    def ask(self, seat: Seat) -> Ask:
        """The question put to a seat; `NotAsked` if there is none."""
        if seat not in self.waiting():
            raise NotAsked(f"{self.name(seat)} is not asked anything", where=self.where())
        return self.rules.ask(self.game, seat)

    def name(self, seat: Seat) -> str:
        """What records and messages call a decider."""
        if seat == CHANCE:
            return CHANCE_NAME
        if not 0 <= seat < len(self.seats):
            raise Invalid(f"there is no seat {seat}", where=self.where())
        return self.seats[seat]

    def seat(self, name: str) -> Seat:
        """The decider with this name."""
        if name == CHANCE_NAME:
            return CHANCE
        if name not in self.seats:
            raise Invalid("there is no such seat", said=name, where=self.where())
        return self.seats.index(name)

    def where(self) -> str:
        """Where the game stands, for people who must find out what went wrong."""
        return f"revision {self.revision}, {self.game.where()}"

    # Decisions.

    def act(
        self,
        seat: Seat,
        said: Action | str,
        number: int | None = None,
        draws: tuple[Draw, ...] = (),
    ) -> list[Event]:
        """Make a decision and let chance answer what follows; nothing changes if it is refused."""
        action = self._checked(seat, said, number)
        events = self._apply(seat, action, draws)
        return events + self._deal()

    def deal(self, pick: Pick) -> list[Event]:
        """Chance answers its question; what it drew stands in the entry."""
        log = DrawLog(pick)
        action = self.rules.deal(self.game, log.pick)
        assert self.rules.allows(self.game, CHANCE, action), action
        return self._apply(CHANCE, action, tuple(log.draws))

    def resign(self, seat: Seat) -> list[Event]:
        """A seat gives up."""
        return self._forfeit("resign", seat)

    def expire(self, seat: Seat) -> list[Event]:
        """A seat's time has run out."""
        return self._forfeit("expire", seat)

    def abort(self) -> None:
        """The match ends here, for nobody's gain."""
        self._refuse_if_over(ABORT)
        self.aborted = True
        self._undo.clear()
        self._enter(HOST_NAME, ABORT)

    def note(self, who: str, what: str) -> None:
        """Write down what belongs to the match and changes nothing in the game."""
        self._refuse_if_over(f"{who}! {what}")
        if who != HOST_NAME:
            self.seat(who)  # there is one
        after = digest(f"{who}! {what}", self.rules, self.game)
        self.entries.append(Entry(who, what, after, is_note=True))

    def enter(self, who: str, what: str, draws: tuple[Draw, ...] = ()) -> list[Event]:
        """Make the decision that an entry of a record speaks of."""
        if who != HOST_NAME:
            return self.act(self.seat(who), what, draws=draws)
        verb, _, name = what.partition(" ")
        if what == ABORT:
            self.abort()
            return []
        if verb not in (*FORFEITS, UNDO) or name not in self.seats:
            raise Invalid("the host does not do this", said=what, where=self.where())
        if verb == UNDO:
            self.undo(self.seat(name))
            return []
        return self._forfeit(verb, self.seat(name))

    # Taking back.

    def can_undo(self, seat: Seat) -> bool:
        """Whether the last decision was this seat's, and taught nobody anything."""
        return bool(self._undo) and self._undo[-1].seat == seat

    def undo(self, seat: Seat) -> int:
        """Take the last decision back, which is an entry too. The question returns anew.

        Gives the revision that the decision was made at.
        """
        if not self.can_undo(seat):
            raise Illegal("this can no longer be taken back", said=UNDO, where=self.where())
        before = self._undo.pop()
        self.game = before.game
        self._enter(HOST_NAME, f"{UNDO} {self.name(seat)}")
        self._number_questions([other for other in self.waiting() if other != seat])
        return before.revision

    # Inside.

    def _checked(self, seat: Seat, said: Action | str, number: int | None) -> Action:
        action = self.rules.parse(said) if isinstance(said, str) else said
        text = said if isinstance(said, str) else " ".join(map(str, (said.verb, *said.nouns)))
        name = self.name(seat)
        if number is not None and seat != CHANCE:
            self._check_number(seat, number, text)
        if seat not in self.waiting():
            raise NotAsked(f"{name} is not asked anything", said=text, where=self.where())
        if not self.rules.allows(self.game, seat, action):
            raise Illegal(f"{name} may not do this", said=text, where=self.where())
        return action

    def _check_number(self, seat: Seat, number: int, text: str) -> None:
        latest = self._numbers[seat]
        if number < latest or (number == latest and seat not in self.waiting()):
            raise Stale(f"question {number} has been answered", said=text, where=self.where())
        if number > latest:
            raise Invalid(f"there is no question {number} yet", said=text, where=self.where())

    def _apply(self, seat: Seat, action: Action, draws: tuple[Draw, ...]) -> list[Event]:
        question, waiting = self.game.question(), self.rules.waiting(self.game)
        before = None
        if self.takes_back and seat != CHANCE:
            before = Undo(seat, self.game.copy(), self.revision)
        events = self.rules.apply(self.game, seat, action)
        self._enter(self.name(seat), self.rules.spell(action), draws)
        stands = self.game.question() is question
        self._number_questions([other for other in waiting if other != seat] if stands else ())
        if before is not None and self.rules.waiting(self.game) == waiting:
            self._remember(before, events)
        else:
            self._undo.clear()
        return events

    def _remember(self, before: Undo[B], events: Sequence[Event]) -> None:
        """Let the last decision be taken back, unless somebody else has learnt from it."""
        if any(event.seen_by is None or event.seen_by - {before.seat} for event in events):
            self._undo.clear()
        else:
            self._undo.append(before)

    def _deal(self) -> list[Event]:
        events: list[Event] = []
        while self.fate and self.waiting() == (CHANCE,):
            events += self.deal(self.fate.pick)
        return events

    def _forfeit(self, verb: str, seat: Seat) -> list[Event]:
        self._refuse_if_over(f"{verb} {self.name(seat)}")
        events = self.rules.forfeit(self.game, seat)
        self._undo.clear()
        self._enter(HOST_NAME, f"{verb} {self.name(seat)}")
        self._number_questions()
        return events + self._deal()

    def _refuse_if_over(self, said: str) -> None:
        if self.is_over:
            raise NotAsked("the game is over", said=said, where=self.where())

    def _enter(self, who: str, what: str, draws: tuple[Draw, ...] = ()) -> None:
        after = digest(f"{who}: {what}", self.rules, self.game)
        self.entries.append(Entry(who, what, after, draws))

    def _number_questions(self, kept: Sequence[Seat] = ()) -> None:
        """Give new numbers to the questions that stand; numbers only rise.

        `kept` are the seats whose question is still the same.
        """
        self._serial += 1
        for seat in self.rules.waiting(self.game):
            if seat != CHANCE and seat not in kept:
                self._numbers[seat] = self._serial


def digest(decision: str, rules: Rules[B], game: Game[B]) -> str:
    """A short fingerprint of a decision and the position after it.

    It could betray secrets to someone who tries out positions: never show it while playing.
    """
    return hashlib.sha256(decision.encode() + b"\n" + rules.gist(game)).hexdigest()[:8]
