"""Matches that the host holds: nothing is decided in them, nothing is due, and no time passes.

Design. That a match is held stands where it stands who plays a seat: beside the record, with the
revision at which it began, so that every replica knows. The time of a match is counted without the
time for which it was held; so its clocks need know nothing of that, and whoever is asked has
afterwards what he had. What is due follows from how the match stands: while it is held, nothing.
"""

from __future__ import annotations

from services.core.decisions import Seat
from services.host import refusals
from services.host.match_state import MatchState
from services.host.requests import refuse_if_over
from services.host.serialization import HELD, HOST_HOLDS, Handover
from services.host.stand_ins import is_relieved

MOST_HOLDS = 100
"""How often a match may be held: all of that is kept."""


def held(match: str, state: MatchState, clock: int) -> Handover | None:
    """The host holds a match; nothing, if he does."""
    refuse_if_over(state, match)
    if state.held:
        return None
    if times_held(state) >= 2 * MOST_HOLDS:
        raise refusals.not_allowed(match, refusals.HELD_OFTEN)
    return Handover(state.revision, HOST_HOLDS, HELD, state.now(clock))


def released(match: str, state: MatchState, clock: int) -> Handover | None:
    """The host lets a match go on, as if no time had passed; nothing, if he does not hold it."""
    refuse_if_over(state, match)
    if not state.held:
        return None
    paused = max(state.paused, clock - state.setup.created - state.at)
    return Handover(state.revision, HOST_HOLDS, str(paused), state.at)


def times_held(state: MatchState) -> int:
    """How often a match was held or released."""
    return sum(handover.seat == HOST_HOLDS for handover in state.handovers)


def is_excused(state: MatchState, seat: Seat) -> bool:
    """Whether the person at a seat need not answer: a bot stands in, or the match is held."""
    return state.held or is_relieved(state, seat)
