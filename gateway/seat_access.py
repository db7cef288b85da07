"""Who may act for which seat, and look through whose eyes. Every call is checked here."""

from __future__ import annotations

from bree.engine.v1 import engine_pb2 as engine
from bree.process.statuses import Denied
from gateway import fields
from gateway.documents import Account, Match
from gateway.matches import Matches
from gateway.refusals import invalid, unknown_seat, wrong_seat


async def authorized(
    matches: Matches, account: Account, match_id: str, seat: str, *, acts: bool = False
) -> Match:
    """A match that has started, if the account sits there; anyone may look through no seat's eyes.

    Who `acts` needs a seat.
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
    if found.account != account.id:
        raise wrong_seat(match, seat)
    return match


async def looks(matches: Matches, account: Account, match_id: str, seat: str) -> Match:
    """The same for who only looks: once a match is over, through the eyes of any seat.

    Its engine says whether it is over: it may have lost the end.
    """
    try:
        return await authorized(matches, account, match_id, seat)
    except Denied as denied:
        if denied.reason != "WRONG_SEAT":
            raise
        match = await matches.started(match_id)
        asked = engine.GetSeatViewRequest(match=match_id, viewer=engine.Viewer())
        answer = await matches.engines.ask("GetSeatView", match.game, asked)
        if not answer.standing.HasField("outcome"):
            raise
        return match
