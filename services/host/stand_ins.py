"""Hosted bots that stand in for people, at seats handed over and at those whose time was out.

Design. Who plays a seat is no part of the record: it stands beside it, with the revision at which
it changed, so every replica knows of each decision whether a bot made it. A bot's turn that is
under way when its seat is taken back ends in one of two ways: its answer is stored before, and
counts, or it comes after, and is refused. Nothing has to be waited for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from services.core.decisions import Seat
from services.host import refusals
from services.host.match_state import MatchState
from services.host.requests import refuse_if_over
from services.host.serialization import Handover

MOST_HANDOVERS = 100
"""How often a person may hand a seat over in one match: all of them are kept."""


class StandIn(NamedTuple):
    """What hosted bots have to do with a seat at which a person sits."""

    seat: Seat
    level: str  # of the bot that plays it now; empty once the person does again
    changes: int
    for_good: bool


def is_relieved(state: MatchState, seat: Seat) -> bool:
    """Whether a bot plays the seat of a person now."""
    return bool(state.levels[seat]) and not state.setup.players[seat].level


def stand_ins(state: MatchState) -> Iterator[StandIn]:
    """The seats of people that bots play, or have played."""
    names = [handover.seat for handover in state.handovers]
    for seat, player in enumerate(state.setup.players):
        if player.seat in names and not player.level:
            for_good = state.clocks is not None and state.clocks.was_out(seat)
            yield StandIn(seat, state.levels[seat], names.count(player.seat), for_good)


def handed_over(level: str, match: str, state: MatchState, seat: Seat, now: int) -> Handover | None:
    """A person hands a seat over to a bot of this level; nothing, if it has it already."""
    refuse_if_over(state, match)
    if state.held:
        raise refusals.not_allowed(match, refusals.HELD)
    name, plays = state.table.seats[seat], state.levels[seat]
    if state.setup.players[seat].level:
        raise refusals.not_allowed(match, refusals.NO_PERSON)
    if plays == level:
        return None
    if plays:
        raise refusals.not_allowed(match, refusals.STOOD_IN_FOR)
    if seat in state.forfeited:
        raise refusals.gave_up(match, name)
    if state.clocks is not None and state.clocks.is_over(seat, now):
        raise refusals.not_allowed(match, refusals.TIME_IS_OUT)
    if [handover.seat for handover in state.handovers].count(name) >= 2 * MOST_HANDOVERS:
        raise refusals.not_allowed(match, refusals.HANDED_OVER_OFTEN)
    return Handover(state.revision, name, level, now)


def taken_back(match: str, state: MatchState, seat: Seat, now: int) -> Handover | None:
    """A person takes a seat back; nothing, if he has it."""
    refuse_if_over(state, match)
    if state.held:
        raise refusals.not_allowed(match, refusals.HELD)
    if state.setup.players[seat].level:
        raise refusals.not_allowed(match, refusals.NO_PERSON)
    if not state.levels[seat]:
        return None
    if state.clocks is not None and state.clocks.was_out(seat):
        raise refusals.not_allowed(match, refusals.PLAYS_TO_THE_END)
    return Handover(state.revision, state.table.seats[seat], "", now)
