"""Who may act for which seat, and look through whose eyes. Every call is checked here."""

from __future__ import annotations

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
