"""What seats may ask of each other at the table: to take back, to propose, to answer a proposal."""

from __future__ import annotations

from dataclasses import dataclass

from services.core.entries import HOST_NAME, UNDO
from services.core.offers import ACCEPT, DECLINE, OFFER, TAKE_BACK, WITHDRAW
from services.host import refusals
from services.host.match_state import MatchState
from services.host.matches import Done
from services.host.requests import refuse_if_over, seat_of
from services.host.stand_ins import is_relieved
from services.host.steps import MatchStep


@dataclass(frozen=True, slots=True)
class UndoLast:
    """A seat takes its last decision back."""

    match: str
    asker: str
    id: str
    head: str = ""

    def is_what(self, done: Done) -> bool:
        return (done.entry.who, done.entry.what) == (HOST_NAME, f"{UNDO} {self.asker}")

    def decide(self, state: MatchState, now: int) -> MatchStep:
        seat = _person(state, self.match, self.asker)
        if self.head and self.head != state.head:
            raise refusals.not_allowed(self.match, refusals.GONE_ON)
        if not state.can_undo(seat, now):
            raise refusals.not_allowed(self.match, refusals.NOTHING_TO_UNDO)
        return state.undo(seat, now, self.id)


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """A seat proposes something."""

    match: str
    asker: str
    kind: str
    id: str
    head: str = ""

    def is_what(self, done: Done) -> bool:
        entry = done.entry
        return (entry.who, entry.what, entry.is_note) == (self.asker, f"{OFFER} {self.kind}", True)

    def decide(self, state: MatchState, now: int) -> MatchStep:
        seat = _person(state, self.match, self.asker)
        why = self._refusal(state, seat)
        if why is not None:
            raise refusals.not_allowed(self.match, why)
        return state.offer(seat, self.kind, now, self.id)

    def _refusal(self, state: MatchState, seat: int) -> tuple[str, str] | None:
        """Why it may not be made, if so."""
        table = state.table
        if self.kind not in table.rules.offers:
            return refusals.OFFER_UNKNOWN
        if not state.people - {seat}:
            return refusals.NO_OTHER_PERSON
        if table.offers.of(seat):
            return refusals.OFFER_STANDS
        if (seat, self.kind) in table.offers.barred:
            return refusals.OFFER_BARRED
        if self.kind == TAKE_BACK and table.course.last_of(seat) is None:
            return refusals.NOTHING_DECIDED
        return None


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """A seat answers what was proposed."""

    match: str
    asker: str
    number: int
    accept: bool
    id: str
    head: str = ""

    def is_what(self, done: Done) -> bool:
        verbs = (ACCEPT,) if self.accept else (DECLINE, WITHDRAW)
        entry, texts = done.entry, [f"{verb} {self.number}" for verb in verbs]
        return entry.is_note and entry.who == self.asker and entry.what in texts

    def decide(self, state: MatchState, now: int) -> MatchStep:
        seat = _person(state, self.match, self.asker)
        offer = state.table.offers.find(self.number)
        if offer is None:
            raise refusals.not_allowed(self.match, refusals.NO_SUCH_OFFER)
        is_own = offer.seat == seat and not self.accept
        if not is_own and seat not in state.awaited(offer):
            raise refusals.not_allowed(self.match, refusals.NOT_AWAITED)
        return state.answer(seat, offer, accept=self.accept, now=now, request=self.id)

    def goes_back_to(self, state: MatchState) -> int | None:
        """The revision whose game is needed to carry this out on a state."""
        offer = state.table.offers.find(self.number)
        if offer is None or offer.kind != TAKE_BACK or not self.accept:
            return None
        awaited = {state.table.seats[seat] for seat in state.awaited(offer)}
        return state.table.course.last_of(offer.seat) if awaited == {self.asker} else None


def _person(state: MatchState, match: str, name: str) -> int:
    """The number of a seat that a person plays, in a match that goes on."""
    seat = seat_of(state, match, name)
    refuse_if_over(state, match)
    if state.held:
        raise refusals.held(match, name, is_bot=False)
    if seat in state.forfeited:
        raise refusals.gave_up(match, name)
    if state.levels[seat]:
        relieved = is_relieved(state, seat)
        raise refusals.not_allowed(match, refusals.STOOD_IN_FOR if relieved else refusals.NO_PERSON)
    return seat
