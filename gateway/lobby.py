"""The lobby: matches are opened, joined, left and started."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from functools import partial

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields, names, seating
from gateway.bot_quota import BotQuota
from gateway.catalog import Catalog
from gateway.company import Companies, Company
from gateway.contract import Reservation
from gateway.current_names import CurrentNames
from gateway.documents import Account, Clock, Match, Seat, State, Team
from gateway.matches import Matches, now_ms
from gateway.refusals import invalid, limit_reached, request_id_reused
from gateway.seating import Seated
from gateway.settings import GatewaySettings

NONCE_BYTES = 16


class Lobby:
    """Where matches are made."""

    def __init__(
        self,
        settings: GatewaySettings,
        matches: Matches,
        catalog: Catalog,
        names: CurrentNames,
        bot_quota: BotQuota,
        companies: Companies,
    ) -> None:
        self.settings, self.store, self.matches = settings, matches.store, matches
        self.catalog = catalog
        self.names, self.bot_quota, self.companies = names, bot_quota, companies

    # Opening a match.

    async def create(
        self, account: Account, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse:
        self._check(request)
        digest, known = _digest(request), None
        wanted = Reservation(names.match_id(request.game), digest, request.request_id)
        if request.request_id:
            kept = await self.store.reservation(account.id, request.request_id)
            known = _same(kept, digest)
        match = await self._opened(account, request, known or wanted, past=bool(known))
        return pb.CreateMatchResponse(match=await self.names.match(match))

    async def _opened(
        self,
        account: Account,
        request: pb.CreateMatchRequest,
        wanted: Reservation,
        *,
        past: bool,
    ) -> Match:
        found = await self.store.match(wanted.match, past=past)
        if found is not None:
            return await self.matches.refreshed(found)
        # The engine first: what it refuses reserves nothing.
        match = await self._promised(account, request, wanted.match)
        held = await self._reserve(account, wanted)
        if held.match != wanted.match:  # the same request was faster
            return await self._opened(account, request, held, past=True)
        await self.store.list_match(match, State.OPEN)
        match = await self.store.add_match(match)
        await self.matches.tell(match)
        return match

    def _check(self, request: pb.CreateMatchRequest) -> None:
        game = self.catalog.game(request.game)
        if request.request_id:
            fields.request_id(request.request_id)
        if len(request.options) > fields.MOST_OPTIONS:
            raise invalid("options", f"there are at most {fields.MOST_OPTIONS} options")
        for number, option in enumerate(request.options):
            fields.short(f"options[{number}].name", option.name)
            fields.short(f"options[{number}].value", option.value)
        if request.HasField("clock"):
            self.catalog.clock(game, request.clock)

    async def _promised(
        self, account: Account, request: pb.CreateMatchRequest, match_id: str
    ) -> Match:
        """The match as it will be, with its engine's promise of its chance."""
        options = self.catalog.drawn(request.game, request.options)
        asked = engine.CommitMatchRequest(match=match_id, options=options)
        promise = await self.matches.engines.ask("CommitMatch", request.game, asked)
        clock = request.clock
        return Match(
            id=match_id,
            game=request.game,
            options=tuple((option.name, option.value) for option in promise.options),
            seats=tuple(Seat(name) for name in promise.seats),
            creator=account.id,
            creator_name=account.name,
            created_ms=now_ms(),
            commitment=promise.commitment,
            teams=tuple(Team(team.name, tuple(team.seats)) for team in promise.teams),
            clock=Clock(clock.bank_ms, clock.move_ms, clock.bot_level)
            if request.HasField("clock")
            else None,
        )

    async def _reserve(self, account: Account, wanted: Reservation) -> Reservation:
        most = self.settings.most_open
        for attempt in range(2):
            held = await self.store.reserve(account.id, wanted, now_ms(), most)
            if held is not None:
                return _same(held, wanted.digest) or wanted
            if not attempt:
                await self.matches.tidy_reserved(account.id)
        raise limit_reached(most, "open matches")

    # Seats.

    async def join(self, account: Account, request: pb.JoinMatchRequest) -> pb.JoinMatchResponse:
        nonce = fields.nonce(request.nonce) or secrets.token_bytes(NONCE_BYTES)
        wanted = fields.optional_word("seat", request.seat)

        async def sit(match: Match, company: Company) -> Seated:
            who = company.known[account.id]

            def decide(match: Match) -> Seated:
                seated = seating.join(match, who, wanted, nonce)
                if seated.match is not match:
                    company.checked(seated.match)
                return seated

            seated = decide(match)
            if seated.match is match:
                return seated
            await self.companies.check_count(seated.match, company)
            await self._enter(who, match)
            return await self._sit(match, decide)

        match = await self.matches.read(fields.match_id(request.match))
        seated = await self.companies.decided(match, sit, account)
        return pb.JoinMatchResponse(match=await self.names.match(seated.match), seat=seated.seat)

    async def _enter(self, account: Account, match: Match) -> None:
        """Put the match on the account's lists before it sits there, so that they miss none."""
        most = self.companies.room(account)
        for attempt in range(2):
            if await self.store.enter(account.id, match, now_ms(), most):
                return
            if not attempt:
                await self.matches.tidy_live(account.id)
        said = "" if most == self.settings.most_matches else ", as it has said"
        raise limit_reached(most, f"matches that are not over{said}")

    async def _sit(self, match: Match, decide: Callable[[Match], Seated]) -> Seated:
        seats: list[str] = []

        def changed(match: Match) -> Match:
            seated = decide(match)
            seats.append(seated.seat)
            return seated.match

        match = await self.matches.change(match, changed)
        return Seated(match, seats[-1])

    async def add_bot(self, account: Account, request: pb.AddBotRequest) -> pb.AddBotResponse:
        wanted = fields.optional_word("seat", request.seat)
        level = fields.word("level", request.level)
        nonce = secrets.token_bytes(NONCE_BYTES)
        match = await self.matches.read(fields.match_id(request.match))

        def decide(match: Match) -> Seated:
            return seating.add_bot(match, account, wanted, level, nonce)

        decide(match)
        self.catalog.level("level", match.game, level)
        seated = await self._sit(match, decide)
        return pb.AddBotResponse(match=await self.names.match(seated.match), seat=seated.seat)

    async def remove_bot(
        self, account: Account, request: pb.RemoveBotRequest
    ) -> pb.RemoveBotResponse:
        seat = fields.word("seat", request.seat)
        match = await self.matches.read(fields.match_id(request.match))
        match = await self.matches.change(match, lambda m: seating.remove_bot(m, account, seat))
        return pb.RemoveBotResponse(match=await self.names.match(match))

    async def leave(self, account: Account, request: pb.LeaveMatchRequest) -> pb.LeaveMatchResponse:
        match = await self.matches.read(fields.match_id(request.match))
        match = await self.withdraw(account, match)
        return pb.LeaveMatchResponse(match=await self.names.match(match))

    async def withdraw(self, account: Account, match: Match) -> Match:
        """Free an account's seats in a match that has not begun."""
        if seating.leave(match, account).state is State.CLOSED:
            await self.store.list_match(match, State.CLOSED)
        match = await self.matches.change(match, lambda m: seating.leave(m, account))
        if match.state is State.CLOSED:
            await self.store.unlist_match(match, State.OPEN)
            await self.matches.free(match)
        return match

    async def start(self, account: Account, request: pb.StartMatchRequest) -> pb.StartMatchResponse:
        match = await self.matches.read(fields.match_id(request.match))
        if seating.begin(match, account) is not match:
            match = await self.companies.decided(match, partial(self._begin, account))
        if match.state is State.STARTING:
            match = await self.matches.start(match)
        return pb.StartMatchResponse(match=await self.names.match(match))

    async def _begin(self, account: Account, match: Match, company: Company) -> Match:
        """Fix the seats of a match, once all is paid for."""

        def begun(match: Match) -> Match:
            new = seating.begin(match, account)
            return new if new is match else company.marked(new)

        begun(match)
        counted = await self.companies.count(match, company)
        try:
            await self.bot_quota.charge(match)
        except Denied:
            await self.companies.uncount(match, counted)
            raise
        return await self.matches.change(match, begun)

    async def show(self, _: Account, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        match = await self.matches.read(fields.match_id(request.match))
        match = await self.matches.refreshed(match)
        return pb.GetMatchResponse(match=await self.names.match(match))


def _digest(request: pb.CreateMatchRequest) -> str:
    content = pb.CreateMatchRequest()
    content.CopyFrom(request)
    content.ClearField("request_id")
    return hashlib.sha256(content.SerializeToString(deterministic=True)).hexdigest()


def _same(held: Reservation | None, digest: str) -> Reservation | None:
    """A reservation, if it was made for the same content."""
    if held is not None and held.digest != digest:
        raise request_id_reused(held.request_id, held.match)
    return held
