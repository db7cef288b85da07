"""Playing: what a seat of the caller's sees and does. Its engine decides; the seat is checked."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields
from gateway.documents import Account, Match
from gateway.engines import Engines
from gateway.feed import Watcher
from gateway.limits import Streams
from gateway.matches import Matches
from gateway.presence import Presence
from gateway.quota import LOOKUP_PRICE, RECENT_ENTRIES, UNHEARD_OF, Quota
from gateway.record_cache import RecordCache
from gateway.seat_access import authorized
from gateway.settings import GatewaySettings
from gateway.watch import Hub

Steps = AsyncGenerator[pb.WatchMatchResponse, None]


class Play:
    """Views, answers, second thoughts, offers, steps, resignations and records."""

    def __init__(
        self,
        settings: GatewaySettings,
        matches: Matches,
        hub: Hub,
        streams: Streams,
        quota: Quota,
        presence: Presence,
    ) -> None:
        self.matches, self.hub, self.streams, self.quota = matches, hub, streams, quota
        self.presence = presence
        self.backlog = settings.watch_backlog
        self.cache = RecordCache(settings.record_bytes)
        self.engines: Engines = matches.engines

    async def view(self, account: Account, r: pb.GetViewRequest) -> pb.GetViewResponse:
        match = await authorized(self.matches, account, r.match, r.seat)
        viewer = engine.Viewer(seat=r.seat)
        request = engine.GetSeatViewRequest(match=r.match, viewer=viewer, with_charts=r.with_charts)
        if r.HasField("revision"):
            request.revision = r.revision
            return await self._past_view(account, match, request)
        answer: pb.GetViewResponse = await self.engines.ask("GetSeatView", match.game, request)
        self.quota.note(match.id, answer.standing)
        await self.matches.see(match, answer.standing)
        return answer

    async def _past_view(
        self, account: Account, match: Match, request: engine.GetSeatViewRequest
    ) -> pb.GetViewResponse:
        """A position of the past, which is paid by how far its engine has to go for it."""
        async with self.quota.costly(account):
            if self.quota.revision(match.id) == UNHEARD_OF:
                now = engine.GetSeatViewRequest(match=match.id)
                known: pb.GetViewResponse = await self.engines.ask("GetSeatView", match.game, now)
                self.quota.note(match.id, known.standing)
            self.quota.charge_look(account, match.id)
            answer: pb.GetViewResponse = await self.engines.ask("GetSeatView", match.game, request)
            return answer

    async def act(self, account: Account, r: pb.ActRequest) -> pb.ActResponse:
        request = engine.ActRequest(
            match=r.match,
            seat=r.seat,
            question=fields.question(r.question),
            action=fields.action(r.action),
            request_id=fields.request_id(r.request_id),
            head=fields.head(r.head),
            by=engine.DECIDER_PERSON,
        )
        answer: pb.ActResponse = await self._done(account, "Act", request)
        return answer

    async def undo(self, account: Account, r: pb.UndoLastRequest) -> pb.UndoLastResponse:
        request = engine.UndoLastRequest(
            match=r.match,
            seat=r.seat,
            request_id=fields.request_id(r.request_id),
            head=fields.head(r.head),
        )
        answer: pb.UndoLastResponse = await self._done(account, "UndoLast", request)
        return answer

    async def offer(self, account: Account, r: pb.MakeOfferRequest) -> pb.MakeOfferResponse:
        request = engine.MakeOfferRequest(
            match=r.match,
            seat=r.seat,
            kind=fields.offer_kind(r.kind),
            request_id=fields.request_id(r.request_id),
        )
        answer: pb.MakeOfferResponse = await self._done(account, "MakeOffer", request)
        return answer

    async def answer_offer(
        self, account: Account, r: pb.AnswerOfferRequest
    ) -> pb.AnswerOfferResponse:
        request = engine.AnswerOfferRequest(
            match=r.match,
            seat=r.seat,
            offer=fields.offer(r.offer),
            accept=r.accept,
            request_id=fields.request_id(r.request_id),
        )
        answer: pb.AnswerOfferResponse = await self._done(account, "AnswerOffer", request)
        if r.accept:  # to go back, the past may have been gone through
            self.quota.charge_look(account, r.match)
        return answer

    async def _done(self, account: Account, method: str, request: Any) -> Any:
        """What a seat of the account's does, and is paid for if it was only looked up."""
        match = await authorized(self.matches, account, request.match, request.seat, acts=True)
        async with self.quota.costly(account, match.id, request.seat):
            answer = await self._asked(account, match, method, request)
        await self.matches.see(match, answer.standing)
        return answer

    async def _asked(self, account: Account, match: Match, method: str, request: Any) -> Any:
        known = self.quota.revision(match.id)
        try:
            answer = await self.engines.ask(method, match.game, request)
        except Denied as denied:
            head: str = getattr(request, "head", "")  # offers name none
            self.quota.charge_refusal(account, match.id, head, denied)
            raise
        if answer.standing.revision <= known:  # it was looked up
            self.quota.charge(account, LOOKUP_PRICE)
            self.quota.charge_past(account, answer.standing.revision)
        self.quota.note(match.id, answer.standing)
        return answer

    async def resign(self, account: Account, r: pb.ResignMatchRequest) -> pb.ResignMatchResponse:
        request_id = fields.request_id(r.request_id)
        match = await authorized(self.matches, account, r.match, r.seat, acts=True)
        request = engine.ResignRequest(match=r.match, seat=r.seat, request_id=request_id)
        answer: engine.ResignResponse = await self.engines.ask("Resign", match.game, request)
        await self.matches.see(match, answer.standing)
        return pb.ResignMatchResponse(standing=answer.standing)

    async def record(
        self, account: Account, r: pb.GetMatchRecordRequest
    ) -> pb.GetMatchRecordResponse:
        match = await authorized(self.matches, account, r.match, r.seat)
        kept = self.cache.find(match.id)
        if kept:
            return kept
        async with self.quota.costly(account):
            return self.cache.find(match.id) or await self._recorded(account, match, r.seat)

    async def _recorded(
        self, account: Account, match: Match, seat: str
    ) -> pb.GetMatchRecordResponse:
        request = engine.GetRecordRequest(match=match.id, viewer=engine.Viewer(seat=seat))
        answer: engine.GetRecordResponse = await self.engines.ask("GetRecord", match.game, request)
        self.quota.charge(account, LOOKUP_PRICE)
        if not answer.text:
            self.quota.charge_past(account, answer.standing.revision)
        await self.matches.see(match, answer.standing)
        record = pb.GetMatchRecordResponse(
            text=answer.text, seen=answer.seen, standing=answer.standing
        )
        if answer.text:
            self.cache.keep(match.id, record)
        return record

    async def watch(
        self, account: Account, r: pb.WatchMatchRequest
    ) -> AsyncGenerator[pb.WatchMatchResponse, None]:
        after, head = fields.revision("after_revision", r.after_revision), fields.head(r.head)
        match = await authorized(self.matches, account, r.match, r.seat)
        watcher = Watcher(match.id, after, self.backlog, head)
        with self.streams.open(account, watcher), self.presence.listening(account):
            async with aclosing(self.steps(account, match, r.seat, watcher)) as steps:
                async for said in steps:
                    yield said

    async def steps(self, account: Account, match: Match, seat: str, watcher: Watcher) -> Steps:
        """What a watcher has not been sent yet, as it happens, paid by the account."""
        async with aclosing(self.hub.steps(match, seat, watcher)) as steps:
            said = await self._first(account, match, watcher, steps)
            while said is not None:
                yield said
                self.quota.note(match.id, said.standing)
                said = await self._paid(account, said.standing.revision, steps)

    async def _first(
        self, account: Account, match: Match, watcher: Watcher, steps: Steps
    ) -> pb.WatchMatchResponse | None:
        """The first step; all that came before it may have been gone through for it."""
        after = watcher.sent
        async with self.quota.costly(account):
            try:
                first = await anext(steps, None)
            except Denied as denied:
                self.quota.charge_refusal(account, match.id, watcher.head, denied)
                raise
        if first and first.standing.revision - after > RECENT_ENTRIES:
            self.quota.charge_past(account, first.standing.revision)
        return first

    async def _paid(
        self, account: Account, after: int, steps: Steps
    ) -> pb.WatchMatchResponse | None:
        """The next step. More of the past is told as fast as it can be paid."""
        step = await anext(steps, None)
        if step and step.standing.revision - after > RECENT_ENTRIES:
            self.quota.charge_past(account, step.standing.revision - after)
            await self.quota.paid_off(account)
        return step
