"""Playing: what a seat of the caller's sees and does. Its engine decides; the seat is checked."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields
from gateway.documents import Account
from gateway.engines import Engines
from gateway.feed import Watcher
from gateway.limits import Streams
from gateway.matches import Matches
from gateway.seats import Seats
from gateway.watch import Hub


class Play:
    """Views, answers, steps, resignations and records."""

    def __init__(self, matches: Matches, hub: Hub, streams: Streams, backlog: int) -> None:
        self.matches, self.hub, self.streams, self.backlog = matches, hub, streams, backlog
        self.seats = Seats(matches)
        self.engines: Engines = matches.engines

    async def view(self, account: Account, r: pb.GetViewRequest) -> pb.GetViewResponse:
        match = await self.seats.viewer(account, r.match, r.seat)
        viewer = engine.Viewer(seat=r.seat)
        request = engine.GetSeatViewRequest(match=r.match, viewer=viewer, with_charts=r.with_charts)
        answer = await self.engines.view(match.game, request)
        await self.matches.see(match, answer.standing)
        return answer

    async def act(self, account: Account, r: pb.ActRequest) -> pb.ActResponse:
        request = engine.ActRequest(
            match=r.match,
            seat=r.seat,
            question=fields.question(r.question),
            action=fields.action(r.action),
            request_id=fields.request_id(r.request_id),
            head=fields.head(r.head),
        )
        match = await self.seats.player(account, r.match, r.seat)
        answer = await self.engines.act(match.game, request)
        await self.matches.see(match, answer.standing)
        return answer

    async def resign(self, account: Account, r: pb.ResignMatchRequest) -> pb.ResignMatchResponse:
        request_id = fields.request_id(r.request_id)
        match = await self.seats.player(account, r.match, r.seat)
        request = engine.ResignRequest(match=r.match, seat=r.seat, request_id=request_id)
        answer = await self.engines.resign(match.game, request)
        await self.matches.see(match, answer.standing)
        return pb.ResignMatchResponse(standing=answer.standing)

    async def record(
        self, account: Account, r: pb.GetMatchRecordRequest
    ) -> pb.GetMatchRecordResponse:
        match = await self.seats.viewer(account, r.match, r.seat)
        request = engine.GetRecordRequest(match=r.match, viewer=engine.Viewer(seat=r.seat))
        answer = await self.engines.record(match.game, request)
        await self.matches.see(match, answer.standing)
        return pb.GetMatchRecordResponse(
            text=answer.text, seen=answer.seen, standing=answer.standing
        )

    async def watch(
        self, account: Account, r: pb.WatchMatchRequest
    ) -> AsyncGenerator[pb.WatchMatchResponse, None]:
        after, head = fields.revision("after_revision", r.after_revision), fields.head(r.head)
        match = await self.seats.viewer(account, r.match, r.seat)
        watcher = Watcher(match.id, after, self.backlog, head)
        with self.streams.open(account, watcher):
            async with aclosing(self.hub.steps(match, r.seat, watcher)) as steps:
                async for step in steps:
                    yield step
