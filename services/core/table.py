"""One game being played. The only place where decisions are checked and chance is dealt.

Design. A table is what the host keeps for a live match and what the terminal plays on. It refuses
what was not asked or offered before the rules see it, numbers the questions, answers for chance and
writes the entries. Given no fate it waits for chance like for any seat: so a replay can take
chance's answers from the record, and a test can script them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Generic, NamedTuple, Self

from services.core.contract import Options, Rules
from services.core.course import Course, Everything
from services.core.decisions import CHANCE, Action, Ask, Event, Pick, Seat
from services.core.entries import CHANCE_NAME, FORFEITS, HOST_NAME, UNDO, Entry, digest
from services.core.errors import Illegal, Invalid, NotAsked, Stale
from services.core.fair import Draw, DrawLog, Fate
from services.core.frames import B, Frame, Game
from services.core.offers import ABORT, DRAW, NO_OFFERS, TAKE_BACK

__all__ = [
    "ABORT", "CHANCE_NAME", "FORFEITS", "HOST_NAME", "UNDO", "Entry", "Table", "Undo", "digest",
]  # fmt: skip


class Undo(NamedTuple, Generic[B]):
    """What stands to be taken back: the game before a decision that taught nobody anything."""

    seat: Seat
    game: Game[B] | None  # none where it is known that nobody will want it again
    revision: int  # of the game before it
    stamp: object  # see `Table.stamp`


class Table(Generic[B]):
    """A game, its entries so far and the number of each seat's question."""

    keeps: Container[int] = Everything()
    """The revisions at which the game is kept to take back a decision: each costs a copy of it."""

    keeps_agreed: Container[int] = ()
    """Those at which it is kept until all agree to go back to it."""

    is_strict = True
    """Whether nothing is taken back with which a procedure has ended: who is asked next may then
    have taught whoever decided what others hold. Records may have it."""

    most_undone: int | None = None
    """How many decisions can be taken back one after the other."""

    stamp: object = None
    """What belongs to the next decision, and is handed back if that is taken back."""

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
        self.course = Course()
        self.offers = NO_OFFERS
        self.gone_back_to = 0  # the revision, the last time that something was taken back
        self._undo: list[Undo[B]] = []
        self._kept: dict[int, Game[B]] = {}
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
        new.course = self.course.copy()
        new.offers = self.offers
        new.gone_back_to = self.gone_back_to
        new._undo = self._undo[:]
        new._kept = dict(self._kept)
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
        self.offers = NO_OFFERS

    def draw(self) -> list[Event]:
        """The match ends with the same score for every seat, as all have agreed."""
        self._refuse_if_over(DRAW)
        if not self.offers.agreed(DRAW):
            raise Illegal("nobody has agreed to a draw", said=DRAW, where=self.where())
        events = self.rules.end_in_draw(self.game)
        assert self.is_over
        assert len({*self.rules.scores(self.game)}) == 1
        self._undo.clear()
        self._enter(HOST_NAME, DRAW)
        self.offers = NO_OFFERS
        return events

    def note(self, who: str, what: str) -> None:
        """Write down what belongs to the match and changes nothing in the game."""
        self._refuse_if_over(f"{who}! {what}")
        seat = CHANCE if who == HOST_NAME else self.seat(who)
        after = digest(f"{who}! {what}", self.rules, self.game)
        self.entries.append(Entry(who, what, after, is_note=True))
        self.course.go_on()
        if seat != CHANCE:
            self.offers = self.offers.noted(seat, what, self.revision, self.rules.offers)

    def enter(self, who: str, what: str, draws: tuple[Draw, ...] = ()) -> list[Event]:
        """Make the decision that an entry of a record speaks of."""
        if who != HOST_NAME:
            return self.act(self.seat(who), what, draws=draws)
        if what == ABORT:
            self.abort()
            return []
        if what == DRAW:
            return self.draw()
        verb, name, *more = what.split(" ")[:3] if " " in what else (what, "")
        is_known = verb == TAKE_BACK if more else verb in (*FORFEITS, UNDO)
        if not is_known or name not in self.seats or what.count(" ") > 1 + len(more):
            raise Invalid("the host does not do this", said=what, where=self.where())
        seat = self.seat(name)
        if verb == UNDO:
            self.undo(seat)
        elif verb == TAKE_BACK:
            self._check_back(seat, more[0])
            self.take_back(seat)
        else:
            return self._forfeit(verb, seat)
        return []

    # Taking back.

    def can_undo(self, seat: Seat) -> bool:
        """Whether the last decision was this seat's, and taught nobody anything."""
        return bool(self._undo) and self._undo[-1].seat == seat

    def undone(self, seat: Seat) -> Undo[B] | None:
        """What `undo` would take back."""
        return self._undo[-1] if self.can_undo(seat) else None

    def undo(self, seat: Seat) -> int:
        """Take the last decision back, which is an entry too. The question returns anew.

        Gives the revision that the decision was made at.
        """
        before = self.undone(seat)
        if before is None:
            raise Illegal("this can no longer be taken back", said=UNDO, where=self.where())
        assert before.game is not None, "it was said to be wanted no more"
        self._undo.pop()
        self._go_back(before.game, before.revision)
        self._enter(HOST_NAME, f"{UNDO} {self.name(seat)}")
        self._number_questions([other for other in self.waiting() if other != seat])
        return before.revision

    def keep(self, revision: int, game: Game[B]) -> None:
        """Have the game of an earlier revision at hand, to go back to it."""
        self._kept[revision] = game

    def keep_no_more(self) -> None:
        """Nothing but the last decisions will be gone back to."""
        self.keeps = self.keeps_agreed = ()
        self._kept.clear()

    def take_back(self, seat: Seat) -> int:
        """Take the last decision of a seat back with all that came of it, as all have agreed.

        Every question is put anew, and chance does not answer as it did. Gives the revision.
        """
        self._refuse_if_over(TAKE_BACK)
        revision = self.course.last_of(seat)
        if revision not in self._kept or not self.offers.agreed(TAKE_BACK, seat):
            raise Illegal("nobody has agreed to this", said=TAKE_BACK, where=self.where())
        self._undo.clear()
        self._go_back(self._kept.pop(revision), revision)
        self._enter(HOST_NAME, f"{TAKE_BACK} {self.name(seat)} {revision}")
        self._number_questions()
        return revision

    # Inside.

    def _go_back(self, game: Game[B], revision: int) -> None:
        self.game = game.copy()  # a table that this is a copy of may have the same one
        self.gone_back_to = revision
        self.course.go_back(revision)
        self.offers = self.offers.moved()

    def _check_back(self, seat: Seat, revision: str) -> None:
        """Whether an entry says where a seat's last decision was."""
        if revision != str(self.course.last_of(seat)):
            raise Illegal("that was not its last decision", said=revision, where=self.where())

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
        before, beneath = None, self.game.stack[:-1]
        if seat != CHANCE:
            before = Undo(seat, self._set_aside(), self.revision, self.stamp)
        events = self.rules.apply(self.game, seat, action)
        self._enter(self.name(seat), self.rules.spell(action), draws)
        if seat == CHANCE:
            self.course.go_on()
        else:
            self.course.decide(seat)
        stands = self.game.question() is question
        after = self.rules.waiting(self.game)
        self._number_questions(
            [other for other in waiting if other != seat] if stands else (), after
        )
        if before is not None and after == waiting and self._goes_on(beneath):
            self._remember(before, events)
        else:
            self._undo.clear()
        if seat != CHANCE and any(self.offers):
            self.offers = NO_OFFERS if self.is_over else self.offers.moved(seat)
        return events

    def _goes_on(self, beneath: Sequence[Frame]) -> bool:
        """Whether the procedures go on in which the last question was asked."""
        return not self.is_strict or list(map(id, beneath)) == list(map(id, self.game.stack[:-1]))

    def _set_aside(self) -> Game[B] | None:
        """The game before a decision, if it may be wanted again."""
        is_agreed = self.revision in self.keeps_agreed
        if not is_agreed and self.revision not in self.keeps:
            return None
        game = self._as_it_is()
        if is_agreed:
            self.keep(self.revision, game)
        return game

    def _as_it_is(self) -> Game[B]:
        """The game, such that nothing changes it any more."""
        return self.game.copy()

    def _remember(self, before: Undo[B], events: Sequence[Event]) -> None:
        """Let the last decision be taken back, unless somebody else has learnt from it."""
        alone: tuple[frozenset[Seat | None], ...] = (frozenset(), frozenset((before.seat,)))
        for event in events:
            if event.seen_by not in alone:
                self._undo.clear()
                return
        self._undo.append(before)
        if self.most_undone is not None:
            del self._undo[: -self.most_undone]

    def _deal(self) -> list[Event]:
        events: list[Event] = []
        while self.fate and self.waiting() == (CHANCE,):
            events += self.deal(self.fate.pick)
        return events

    def _forfeit(self, verb: str, seat: Seat) -> list[Event]:
        self._refuse_if_over(f"{verb} {self.name(seat)}")
        events = self.rules.forfeit(self.game, seat)
        self._undo.clear()
        self._kept.clear()
        self._enter(HOST_NAME, f"{verb} {self.name(seat)}")
        self.course.give_up()
        self._number_questions()
        others = self.offers.without(self.offers.of(seat))
        self.offers = NO_OFFERS if self.is_over else others.moved()
        return events + self._deal()

    def _refuse_if_over(self, said: str) -> None:
        if self.is_over:
            raise NotAsked("the game is over", said=said, where=self.where())

    def _enter(self, who: str, what: str, draws: tuple[Draw, ...] = ()) -> None:
        after = digest(f"{who}: {what}", self.rules, self.game)
        self.entries.append(Entry(who, what, after, draws))
        if who == HOST_NAME:
            self.course.go_on()

    def _number_questions(
        self, kept: Sequence[Seat] = (), waiting: Sequence[Seat] | None = None
    ) -> None:
        """Give new numbers to the questions that stand; numbers only rise.

        `kept` are the seats whose question is still the same.
        """
        self._serial += 1
        for seat in self.rules.waiting(self.game) if waiting is None else waiting:
            if seat != CHANCE and seat not in kept:
                self._numbers[seat] = self._serial
