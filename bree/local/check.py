"""Whether the platform works: one match between bots through the gateway, verified and rated."""

from __future__ import annotations

import asyncio
import time
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from bree.engine.v1.engine_pb2 import DescribeGameResponse
from bree.engine.v1.types_pb2 import Ending
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as services
from bree.local.settings import HOST, LocalSettings, Trouble
from bree.process.server import channel
from services import rules_of
from services.core.errors import Refused
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import replay

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

CALL_SECONDS = 15.0
CATALOG_TRIES = 40


async def check(settings: LocalSettings) -> str:
    """Play a match of the first game there is; what came of it, as a sentence."""
    began = time.monotonic()
    try:
        async with (
            asyncio.timeout(settings.check_seconds),
            channel(f"{HOST}:{settings.gateway_port}", settings) as opened,
        ):
            return await _Client(opened).play()
    except grpc.RpcError as error:
        raise Trouble(f"the check failed: {error.code().name}: {error.details()}") from None
    except TimeoutError:
        seconds = time.monotonic() - began
        raise Trouble(f"the check failed: the match was not over in {seconds:.0f} s") from None
    except Refused as refused:
        raise Trouble(f"the check failed: the record does not verify: {refused}") from None


class _Client:
    """Someone with an account of his own who lets bots play."""

    def __init__(self, opened: grpc.aio.Channel) -> None:
        self.accounts = services.AccountServiceStub(opened)
        self.catalog = services.CatalogServiceStub(opened)
        self.matches = services.MatchServiceStub(opened)
        self.metadata: tuple[tuple[str, str], ...] = ()

    async def _games(self) -> pb.ListGamesResponse:
        """What can be played. A gateway looks at its engines again and again, not at once."""
        for _ in range(CATALOG_TRIES):
            games = await self._ask(self.catalog.ListGames, pb.ListGamesRequest())
            if games.games:
                return games
            await asyncio.sleep(0.25)
        raise Trouble("the check failed: there is no game to play")

    async def play(self) -> str:
        made = await self._ask(self.accounts.CreateAccount, pb.CreateAccountRequest())
        self.metadata = (("authorization", f"Bearer {made.token}"),)
        games = await self._games()
        match = await self._open(games.games[0])
        began = time.monotonic()
        await self._watch(match)
        seconds = time.monotonic() - began
        record = await self._verified(match)
        await self._rated(match)
        return (
            f"checked: a match of {record.game} with {len(record.entries)} decisions was played "
            f"in {seconds:.1f} s, verified and scored"
        )

    async def _open(self, game: DescribeGameResponse) -> str:
        """A match that has started, each seat another bot's as far as there are enough."""
        if not game.bot_levels:
            raise Trouble(f"the check failed: nobody plays {game.game}")
        created = await self._ask(self.matches.CreateMatch, pb.CreateMatchRequest(game=game.game))
        match = created.match.id
        for number, seat in enumerate(created.match.seats):
            level = game.bot_levels[number % len(game.bot_levels)]
            request = pb.AddBotRequest(match=match, seat=seat.seat, level=level)
            await self._ask(self.matches.AddBot, request)
        await self._ask(self.matches.StartMatch, pb.StartMatchRequest(match=match))
        return match

    async def _watch(self, match: str) -> None:
        last = None
        request = pb.WatchMatchRequest(match=match)
        async for update in self.matches.WatchMatch(request, metadata=self.metadata):
            last = update.standing
        if last is None or last.outcome.ending != Ending.ENDING_FINISHED:
            raise Trouble("the check failed: the match was given up")

    async def _verified(self, match: str) -> Record:
        request = pb.GetMatchRecordRequest(match=match)
        answer = await self._ask(self.matches.GetMatchRecord, request)
        record = parse_record(answer.text)
        replay(record, rules_of(record.game))
        return record

    async def _rated(self, match: str) -> None:
        request = pb.GetMatchRequest(match=match)
        while not (await self._ask(self.matches.GetMatch, request)).match.rated:  # noqa: ASYNC110
            await asyncio.sleep(0.1)  # a stream tells of moves, not of ratings

    async def _ask(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        return await method(request, metadata=self.metadata, timeout=CALL_SECONDS)
