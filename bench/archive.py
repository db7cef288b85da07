"""Redis after many finished matches, which have left it: after so many, and after ten times more.

A whole platform plays small matches to their end by resignation, through its gateway; its workers
score them and have them leave the store at once. What is counted then are the keys of Redis and the
memory that it uses. `BREE_BENCH_MATCHES` says how many matches the first count is made after; the
second one is made after ten times as many.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from redis.asyncio import Redis

from bench.held import Held, compared, count, first_count, until_left
from bench.measure import Measure
from bench.town import Town, platform
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc

GAME = "confrontation"
FEW, TIMES = 100, 10
TOGETHER, ACCOUNTS = 16, 8

Call = Any


def measures() -> Iterator[Measure]:
    """Keys and memory of Redis after few and after many finished matches."""
    few = first_count(FEW)
    with platform(BREE_LIVE_SECONDS="0", BREE_BOTS_A_MINUTE="1000000") as town:
        before, after, rate = asyncio.run(_measured(town, few))
    yield from compared("archive", (few, TIMES * few), before, after)
    yield Measure("archive: matches played, scored and archived", round(rate, 1), "1/s")


async def _measured(town: Town, few: int) -> tuple[Held, Held, float]:
    redis = Redis.from_url(town.store, decode_responses=True)
    async with _players(town) as players:
        await _play(players, few)
        await until_left(redis)
        before = await count(redis)
        began = time.perf_counter()
        await _play(players, (TIMES - 1) * few)
        await until_left(redis, "match", "engine's match")
        rate = (TIMES - 1) * few / (time.perf_counter() - began)
        await until_left(redis)
        after = await count(redis)
    await redis.aclose()
    return before, after, rate


# Playing.


@asynccontextmanager
async def _players(town: Town) -> AsyncIterator[list[tuple[Call, Call]]]:
    """Pairs of accounts, each with what calls the gateway for it; all of them listen."""
    async with grpc.aio.insecure_channel(town.gateway) as channel:
        accounts = gateway_pb2_grpc.AccountServiceStub(channel)
        metadata = []
        for number in range(2 * ACCOUNTS):
            made = await accounts.CreateAccount(pb.CreateAccountRequest(name=f"Archive_{number}"))
            metadata.append([("authorization", f"Bearer {made.token}")])
        listening = [asyncio.create_task(_listen(channel, each)) for each in metadata]
        yield [(_caller(channel, one), _caller(channel, other)) for one, other in _pairs(metadata)]
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)


def _pairs(metadata: list[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(metadata[::2], metadata[1::2], strict=True)


async def _listen(channel: Any, metadata: Any) -> None:
    """Be told every question and every end, as a bot is."""
    bots = gateway_pb2_grpc.BotServiceStub(channel)
    async for _ in bots.ListenQuestions(pb.ListenQuestionsRequest(), metadata=metadata):
        pass


def _caller(channel: Any, metadata: Any) -> Call:
    stub = gateway_pb2_grpc.MatchServiceStub(channel)

    async def call(method: str, request: Any) -> Any:
        return await getattr(stub, method)(request, metadata=metadata)

    return call


async def _play(players: list[tuple[Call, Call]], matches: int) -> None:
    """Play so many matches, some at the same time."""
    numbers = iter(range(matches))

    async def play(one: Call, other: Call) -> None:
        for number in numbers:
            await play_match(one, other, number)

    pairs = [players[n % len(players)] for n in range(TOGETHER)]
    await asyncio.gather(*(play(*pair) for pair in pairs))


async def play_match(one: Call, other: Call, number: int) -> None:
    """Open a match, fill it, begin it, and give it up; some are closed before they begin."""
    asked = pb.CreateMatchRequest(game=GAME, request_id=f"{number}-{time.time_ns()}")
    match = (await one("CreateMatch", asked)).match.id
    seat = (await one("JoinMatch", pb.JoinMatchRequest(match=match))).seat
    if number % 50 == 49:
        await one("LeaveMatch", pb.LeaveMatchRequest(match=match))
        return
    await other("JoinMatch", pb.JoinMatchRequest(match=match))
    await one("StartMatch", pb.StartMatchRequest(match=match))
    given_up = pb.ResignMatchRequest(match=match, seat=seat, request_id="end")
    await one("ResignMatch", given_up)
