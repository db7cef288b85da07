"""Matches, as the host finds, looks at and ends them.

Design. An admin sees of a running match what a spectator sees: no seat's eyes are ever used here.
What is done to a match is what its engine does for anybody, so its record tells of it, and whoever
has the record verifies it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Sequence
from typing import Any

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields, wire
from gateway.catalog import Catalog
from gateway.desk import messages
from gateway.desk.acts import Acts
from gateway.documents import LISTED, Account, Match, State
from gateway.listing import Listing, PageFilter
from gateway.lobby import Lobby
from gateway.matches import Matches
from gateway.refusals import invalid, match_over, unknown_seat

FROZEN = "MATCH_FROZEN"
GIVEN_UP = ("NOT_ASKED", "MATCH_OVER")
"""With these a seat of a team need not give up any more."""


class DeskMatches:
    """What the host does with matches."""

    def __init__(
        self,
        acts: Acts,
        matches: Matches,
        parts: tuple[Listing, Lobby, Catalog],
        key: bytes,
    ) -> None:
        self.acts, self.matches, self.engines = acts, matches, matches.engines
        self.listing, self.lobby, self.catalog = parts
        self._key = key

    # Looking.

    async def find(
        self, _: Account, r: desk.FindMatchesForDeskRequest
    ) -> desk.FindMatchesForDeskResponse:
        wanted = self._wanted(r)
        found, token = await self.listing.found(wanted, r.page_size, r.page_token)
        return desk.FindMatchesForDeskResponse(matches=found, next_page_token=token)

    def _wanted(self, r: desk.FindMatchesForDeskRequest) -> PageFilter:
        if r.account:
            fields.account_id(r.account)
        if r.older_than_ms < 0:
            raise invalid("older_than_ms", "older_than_ms is never negative")
        states = tuple(state for state in LISTED if wire.STATES[state] == r.state)
        if r.state and not states:
            raise invalid("state", "state is one of MatchState")
        games = (self.catalog.game(r.game),) if r.game else tuple(sorted(self.engines.replicas))
        states = states or LISTED
        return PageFilter(games, states, r.account, older_ms=r.older_than_ms, held=r.held)

    async def look(self, _: Account, r: desk.LookAtMatchRequest) -> desk.LookAtMatchResponse:
        match = await self.matches.refreshed(await self._read(r.match))
        shown = desk.LookAtMatchResponse(match=await self.listing.names.match(match))
        if not match.state.has_started:
            return shown
        inspected: engine.InspectMatchResponse = await self._ask(
            match, "InspectMatch", engine.InspectMatchRequest(match=match.id)
        )
        shown.due.extend(messages.due(due) for due in inspected.due)
        shown.frozen, shown.edition = inspected.frozen, inspected.edition
        shown.stored = inspected.revision
        try:
            seen: pb.GetViewResponse = await self._ask(
                match, "GetSeatView", engine.GetSeatViewRequest(match=match.id, with_charts=True)
            )
        except Denied as denied:
            if denied.reason != FROZEN:
                raise
            return shown
        shown.view.CopyFrom(seen.view)
        shown.standing.CopyFrom(seen.standing)
        return shown

    async def replay(self, _: Account, r: desk.ReplayMatchRequest) -> desk.ReplayMatchResponse:
        match = await self._started(r.match)
        found: engine.ReplayMatchResponse = await self._ask(
            match, "ReplayMatch", engine.ReplayMatchRequest(match=match.id)
        )
        trouble = "" if found.replays else f"entry {found.differs_at} leads elsewhere"
        return desk.ReplayMatchResponse(
            edition=found.edition,
            rules_edition=found.rules_edition,
            entries=found.revision,
            replays=found.replays,
            differs_at=found.differs_at,
            trouble=trouble,
        )

    # Ending.

    async def abort(self, admin: Account, r: desk.AbortMatchRequest) -> desk.AbortMatchResponse:
        why, match = fields.why(r.why), await self._read(r.match)
        if match.state is State.CLOSED:
            return desk.AbortMatchResponse(match=await self._shown(match.id))
        work = self._close(match) if match.state is State.OPEN else self._abort(match.id)
        await self.acts.on_match(admin, match, "it was ended for nobody's gain", why, work)
        return desk.AbortMatchResponse(match=await self._shown(match.id))

    def _close(self, match: Match) -> Any:
        creator = Account(match.creator, match.creator_name)
        return lambda: self.lobby.leave(creator, pb.LeaveMatchRequest(match=match.id))

    def _abort(self, match_id: str) -> Any:
        async def abort() -> None:
            match = await self._going_on(match_id)
            request = engine.AbortRequest(match=match.id, request_id=self._request_id(match, ""))
            await self._done(match, "Abort", request)

        return abort

    async def adjudicate(
        self, admin: Account, r: desk.AdjudicateMatchRequest
    ) -> desk.AdjudicateMatchResponse:
        why, match = fields.why(r.why), await self._going_on(r.match)
        seats = _losers(match, r)

        async def resign() -> None:
            for seat in seats:
                await self._resign(match, seat, is_one=not seats[1:])

        loser = f"team {r.team}" if r.team else f"seat {r.seat}"
        await self.acts.on_match(admin, match, f"{loser} was ruled to have lost", why, resign)
        return desk.AdjudicateMatchResponse(match=await self._shown(match.id))

    async def _resign(self, match: Match, seat: str, *, is_one: bool) -> None:
        request = engine.ResignRequest(
            match=match.id, seat=seat, request_id=self._request_id(match, seat), by_host=True
        )
        try:
            await self._done(match, "Resign", request)
        except Denied as denied:
            if is_one or denied.reason not in GIVEN_UP:
                raise

    # Who plays.

    async def hand_over(
        self, admin: Account, r: desk.HandOverSeatByHostRequest
    ) -> desk.HandOverSeatByHostResponse:
        why, level = fields.why(r.why), fields.word("level", r.level)
        match = await self._going_on(r.match)
        self.catalog.level("level", match.game, level)
        _seat(match, r.seat)
        request = engine.HandOverSeatRequest(match=match.id, seat=r.seat, bot_level=level)
        what = f"a hosted bot, {level}, plays on at seat {r.seat}"
        await self._act(admin, match, what, why, ("HandOverSeat", request))
        return desk.HandOverSeatByHostResponse(match=await self._shown(match.id))

    async def give_back(
        self, admin: Account, r: desk.GiveBackSeatByHostRequest
    ) -> desk.GiveBackSeatByHostResponse:
        why, match = fields.why(r.why), await self._going_on(r.match)
        _seat(match, r.seat)
        request = engine.TakeBackSeatRequest(match=match.id, seat=r.seat)
        what = f"seat {r.seat} was given back to its person"
        await self._act(admin, match, what, why, ("TakeBackSeat", request))
        return desk.GiveBackSeatByHostResponse(match=await self._shown(match.id))

    # Whether it goes on.

    async def hold(self, admin: Account, r: desk.HoldMatchRequest) -> desk.HoldMatchResponse:
        why, match = fields.why(r.why), await self._going_on(r.match)
        request = engine.HoldMatchRequest(match=match.id, hold=True)
        await self._act(admin, match, "it is held", why, ("HoldMatch", request))
        return desk.HoldMatchResponse(match=await self._shown(match.id))

    async def release(
        self, admin: Account, r: desk.ReleaseMatchRequest
    ) -> desk.ReleaseMatchResponse:
        why, match = fields.why(r.why), await self._going_on(r.match)
        request = engine.HoldMatchRequest(match=match.id, hold=False)
        await self._act(admin, match, "it goes on", why, ("HoldMatch", request))
        return desk.ReleaseMatchResponse(match=await self._shown(match.id))

    # What all of them need.

    async def _act(
        self, admin: Account, match: Match, what: str, why: str, asked: tuple[str, Any]
    ) -> None:
        await self.acts.on_match(admin, match, what, why, lambda: self._done(match, *asked))

    async def _done(self, match: Match, method: str, request: Any) -> None:
        """Have an engine do something, and note where that leads."""
        answer = await self._ask(match, method, request)
        await self.matches.see(match, answer.standing)

    def _ask(self, match: Match, method: str, request: Any) -> Awaitable[Any]:
        return self.engines.ask(method, match.game, request)

    async def _read(self, match_id: str) -> Match:
        return await self.matches.read(fields.match_id(match_id))

    async def _started(self, match_id: str) -> Match:
        """A match that its engine has."""
        return await self.matches.started(fields.match_id(match_id))

    async def _going_on(self, match_id: str) -> Match:
        """The same, if something may still be done with it; it may just have been."""
        match = await self._started(match_id)
        now = await self.matches.read(match.id)
        if now.settled:
            raise match_over(now)
        return match

    async def _shown(self, match_id: str) -> pb.Match:
        return await self.listing.names.match(await self.matches.read(match_id))

    def _request_id(self, match: Match, seat: str) -> str:
        """The same for the same act, so that it is done once; and nobody can use it up before."""
        said = f"desk {match.id} {seat}".encode()
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()[:40]


def _losers(match: Match, r: desk.AdjudicateMatchRequest) -> Sequence[str]:
    """The seats that are to give up."""
    if r.seat:
        return (_seat(match, r.seat),)
    team = next((team for team in match.teams if team.name == r.team), None)
    if team is None:
        raise invalid("team", "loser is a seat of the match, or a team of it")
    return team.seats


def _seat(match: Match, seat: str) -> str:
    if match.seat(fields.word("seat", seat)) is None:
        raise unknown_seat(match, seat)
    return seat
