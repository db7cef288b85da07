"""What can be asked of a match that changes it.

Each request says whose it is, what it does, and what it looks like in the log once it has been
done: so a repetition is recognised by what is stored, on any replica and at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from services.core.contract import Rules
from services.core.decisions import Action
from services.core.entries import HOST_NAME, RESIGN
from services.core.errors import Invalid, Refused
from services.core.offers import ABORT
from services.host import refusals
from services.host.match_state import MatchState
from services.host.matches import Done
from services.host.steps import MatchStep

PERSON, BOT = "person", "bot"
"""Who answers for a seat."""


class Request(Protocol):
    """One request of one match."""

    @property
    def match(self) -> str:
        """The match concerned."""
        ...

    @property
    def asker(self) -> str:
        """The seat whose request it is; ids of requests are its own. Empty for the host's."""
        ...

    @property
    def id(self) -> str:
        """The id under which it is carried out once."""
        ...

    @property
    def head(self) -> str:
        """The head of the history that the asker knows, or nothing."""
        ...

    def is_what(self, done: Done) -> bool:
        """Whether this asks for what was done."""
        ...

    def decide(self, state: MatchState, now: int) -> MatchStep:
        """Carry it out on a state; `Denied` if it is refused."""
        ...


@dataclass(frozen=True, slots=True)
class Act:
    """A seat answers a question."""

    match: str
    asker: str
    number: int
    said: str
    action: Action
    spelt: str
    id: str
    head: str = ""
    by: str = ""  # who answers, if that is known

    @classmethod
    def of(  # noqa: PLR0913  # as many as an answer has
        cls,
        rules: Rules[Any],
        *,
        match: str,
        seat: str,
        number: int,
        said: str,
        request: str,
        head: str = "",
        by: str = "",
    ) -> Act:
        """The answer with its text understood; `Denied` if it is no action of the game."""
        try:
            action = rules.parse(said)
        except Invalid as error:
            raise refusals.of_action(error, rules.name, said) from error
        return cls(match, seat, number, said, action, rules.spell(action), request, head, by)

    def is_what(self, done: Done) -> bool:
        was = (done.entry.who, done.entry.what, done.number)
        return was == (self.asker, self.spelt, self.number)

    def decide(self, state: MatchState, now: int) -> MatchStep:
        seat = seat_of(state, self.match, self.asker)
        refuse_if_over(state, self.match)
        if state.held:
            raise refusals.held(self.match, self.asker, is_bot=self.by == BOT)
        if self.by and (self.by == BOT) != bool(state.levels[seat]):
            raise refusals.not_the_decider(self.match, self.asker, is_bot=self.by == BOT)
        latest = state.table.number(seat)
        try:
            return state.act(seat, self.action, self.number, now, self.id)
        except Refused as error:
            said = refusals.Answer(self.asker, self.number, latest, self.said)
            raise refusals.of_decision(error, self.match, said) from error


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat gives up."""

    match: str
    asker: str
    id: str
    by_host: bool = False
    head: str = ""

    def is_what(self, done: Done) -> bool:
        return (done.entry.who, done.entry.what) == (HOST_NAME, f"{RESIGN} {self.asker}")

    def decide(self, state: MatchState, now: int) -> MatchStep:
        seat = seat_of(state, self.match, self.asker)
        refuse_if_over(state, self.match)
        if state.held and not self.by_host:
            raise refusals.held(self.match, self.asker, is_bot=False)
        if seat in state.forfeited:
            raise refusals.gave_up(self.match, self.asker)
        return state.give_up(RESIGN, seat, now, self.id)


@dataclass(frozen=True, slots=True)
class Abort:
    """The host ends a match."""

    match: str
    id: str
    head: str = ""

    @property
    def asker(self) -> str:
        return ""

    def is_what(self, done: Done) -> bool:
        return (done.entry.who, done.entry.what) == (HOST_NAME, ABORT)

    def decide(self, state: MatchState, now: int) -> MatchStep:
        refuse_if_over(state, self.match)
        return state.abort(now, self.id)


def seat_of(state: MatchState, match: str, name: str) -> int:
    """The number of a seat; `Denied` if the match has none of this name."""
    seats = state.table.seats
    if name not in seats:
        raise refusals.unknown_seat(match, name, seats)
    return seats.index(name)


def refuse_if_over(state: MatchState, match: str) -> None:
    """`Denied` if the match has ended."""
    if state.is_over:
        raise refusals.over(match, ABORT if state.table.aborted else "")
