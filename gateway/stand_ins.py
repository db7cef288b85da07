"""Hosted bots that stand in: a seat of the caller's is handed over, and taken back."""

from __future__ import annotations

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields
from gateway.bot_quota import BotQuota
from gateway.catalog import Catalog
from gateway.documents import Account
from gateway.matches import Matches
from gateway.seat_access import authorized


class StandIns:
    """Lets bots play on for people."""

    def __init__(self, matches: Matches, catalog: Catalog, bot_quota: BotQuota) -> None:
        self.matches, self.catalog, self.bot_quota = matches, catalog, bot_quota

    async def hand_over(
        self, account: Account, r: pb.HandOverSeatRequest
    ) -> pb.HandOverSeatResponse:
        level = fields.word("level", r.level)
        match = await authorized(self.matches, account, r.match, r.seat, acts=True)
        self.catalog.level("level", match.game, level)
        await self.bot_quota.lend(match, account, r.seat)
        request = engine.HandOverSeatRequest(match=r.match, seat=r.seat, bot_level=level)
        answer: pb.HandOverSeatResponse = await self.matches.engines.ask(
            "HandOverSeat", match.game, request
        )
        await self.matches.see(match, answer.standing)
        return answer

    async def take_back(
        self, account: Account, r: pb.TakeBackSeatRequest
    ) -> pb.TakeBackSeatResponse:
        match = await authorized(self.matches, account, r.match, r.seat, acts=True)
        request = engine.TakeBackSeatRequest(match=r.match, seat=r.seat)
        answer: pb.TakeBackSeatResponse = await self.matches.engines.ask(
            "TakeBackSeat", match.game, request
        )
        await self.bot_quota.give_back(match)
        await self.matches.see(match, answer.standing)
        return answer
