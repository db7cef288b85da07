"""Who may act for which seat, and look through whose eyes. Every call is checked here."""

from __future__ import annotations

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields
from gateway.documents import Account, Match, State
from gateway.matches import Matches
from gateway.refusals import invalid, unknown_seat, wrong_seat


async def authorized(
    matches: Matches, account: Account, match_id: str, seat: str, *, acts: bool = False
) -> Match:
    """A match that has started, if the account sits there; anyone may look through no seat's eyes.

    Who `acts` needs a seat. Who only looks needs none once the match is over.
    """
    if acts and not seat:
        raise invalid("seat", "seat is missing: a spectator may not act")
    fields.match_id(match_id)
    if seat:
        fields.word("seat", seat)
    match = await matches.started(match_id)
    if not seat:
        return match
    found = match.seat(seat)
    if found is None:
        raise unknown_seat(match, seat)
    if found.account != account.id and (acts or not await _is_over(matches, match)):
        raise wrong_seat(match, seat)
    return match


async def _is_over(matches: Matches, match: Match) -> bool:
    """Whether a match is known to be over, and its engine says the same.

    What is known here may be newer than that, if the engine's store was set back.
    """
    if match.state is not State.OVER:
        match = await matches.read(match.id)
    if match.state is not State.OVER:
        return False
    request = engine.GetSeatViewRequest(match=match.id)
    now: pb.GetViewResponse = await matches.engines.ask("GetSeatView", match.game, request)
    return now.standing.HasField("outcome")
