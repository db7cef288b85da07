"""Who may act for which seat, and look through whose eyes. Every call is checked here."""

from __future__ import annotations

from gateway import fields
from gateway.documents import Account, Match
from gateway.matches import Matches
from gateway.refusals import invalid, unknown_seat, wrong_seat


class SeatAccess:
    """Checks seats of matches that have started."""

    def __init__(self, matches: Matches) -> None:
        self.matches = matches

    async def player(self, account: Account, match_id: str, seat: str) -> Match:
        """The match, if the account sits there: what it takes to act."""
        if not seat:
            raise invalid("seat", "seat is missing: a spectator may not act")
        return await self.viewer(account, match_id, seat)

    async def viewer(self, account: Account, match_id: str, seat: str) -> Match:
        """The match, if the account may look through this seat's eyes; anyone may through none."""
        fields.match_id(match_id)
        fields.optional_word("seat", seat)
        match = await self.matches.started(match_id)
        if not seat:
            return match
        found = match.seat(seat)
        if found is None:
            raise unknown_seat(match, seat)
        if found.account != account.id:
            raise wrong_seat(match, seat)
        return match
