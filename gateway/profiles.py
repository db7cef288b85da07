"""What everyone may know of an account, or of a hosted bot."""

from __future__ import annotations

import asyncio

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields, wire
from gateway.catalog import Catalog
from gateway.contract import Store
from gateway.documents import Account
from gateway.fields import BOT, player
from gateway.paces import paced
from gateway.refusals import invalid, unknown_account


class Profiles:
    """Shows accounts with their ratings."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self.store, self.catalog = store, catalog

    async def show(self, account: Account, request: pb.GetProfileRequest) -> pb.GetProfileResponse:
        name = player(request.account) if request.account else ""
        pace = fields.pace(request.pace)
        if name.startswith(BOT):
            return await self._of_bot(name, pace)
        found = await self.store.account_named(name) if name else account
        if found is None:
            raise unknown_account(name)
        ratings = await self._ratings(found.player, found.name, pace, bot=found.bot)
        return pb.GetProfileResponse(account=wire.account(found), ratings=ratings)

    async def _of_bot(self, name: str, pace: str) -> pb.GetProfileResponse:
        ratings = await self._ratings(name, name, pace, bot=True)
        level = name.removeprefix(BOT)
        games = self.catalog.engines.descriptions()
        if not ratings and not any(level in game.bot_levels for game in games):
            raise invalid("account", f"there is no bot level {level!r}")
        return pb.GetProfileResponse(account=pb.Account(name=name), ratings=ratings)

    async def _ratings(self, kept_as: str, shown: str, pace: str, *, bot: bool) -> list[pb.Rating]:
        games = sorted(self.catalog.engines.replicas)
        found = await asyncio.gather(
            *(self.store.ratings(paced(game, pace), [kept_as]) for game in games)
        )
        return [
            wire.rating(rating, game, shown, pace, bot=bot)
            for game, (rating,) in zip(games, found, strict=True)
            if rating
        ]
