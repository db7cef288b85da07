"""What gateway, engine, Redis and workers each spend on a move, a match and a bot's turn.

Design. One platform with one game, one process of each kind. What each process has spent is read
before and after; the sum over all processes is what `bench.load` calls the processor time of a
move. With one match at a time a process is woken for each move alone, with many it is woken for
several at once: so both are measured.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from statistics import median
from typing import Any

from redis.asyncio import Redis

from bench.measure import Measure
from bench.player import Player, player
from bench.town import Town
from bree.gateway.v1 import gateway_pb2 as pb
from services.core.reading import parse_record

AT_ONCE = (1, 32, 256)
ROUNDS, SECONDS, SPARE = 3, 1.2, 30
BEGUN, BEGINNERS = 40, 6
BOT_MATCHES = 10
NEWS, TOGETHER = 6_400, (1, 32)
PATIENCE = 60
KINDS = {"gateway": "gateway", "redis": "Redis", "valkey": "Redis", "workers": "worker"}

Spent = dict[str, float]
"""Seconds by what a process is."""


async def measures(town: Town, game: str) -> list[Measure]:
    """The figures of a platform on which this is the only game."""
    found = _memory(town, game)
    async with player(town.gateway, game=game) as one:
        for at_once in AT_ONCE:
            found += await _moves(town, one, at_once)
    async with player(town.gateway, game=game, listens=False) as one:
        found += await _begun(town, one)
        found += await _bots(town, one, game)
    return found


def spent(town: Town) -> Spent:
    """What processes have spent so far, by kind, and this one as the client."""
    found = {"client": time.process_time()}
    for kind in town.memory():
        name = _part(kind)
        found[name] = found.get(name, 0) + town.spent_by(kind)
    return found


def _part(kind: str) -> str:
    return next((name for word, name in KINDS.items() if kind.startswith(word)), "engine")


class Meter:
    """What each kind of process spends while something is done."""

    def __init__(self, town: Town) -> None:
        self.town, self._before = town, spent(town)

    def each(self, done: float) -> Spent:
        """Microseconds of each for one of what was done."""
        now = spent(self.town)
        return {kind: 1e6 * (now[kind] - self._before[kind]) / done for kind in now}


def _memory(town: Town, game: str) -> list[Measure]:
    sizes = town.memory()
    wanted = {"an engine": sizes[game], "a gateway": sizes["gateway"]}
    return [
        Measure(f"plan: memory of {kind} that has just begun", round(mib, 1), "MiB")
        for kind, mib in wanted.items()
    ]


async def _moves(town: Town, one: Player, at_once: int) -> list[Measure]:
    """What a move costs each, with so many matches at the same time."""
    rounds: list[Spent] = []
    for number in range(ROUNDS + 1):
        await one.prepare(at_once + SPARE)
        meter = Meter(town)
        times = await one.play(at_once, SECONDS)
        if number:  # the first one warms up
            rounds.append(meter.each(len(times)))
    return [
        Measure(
            f"plan: {kind}, a move, {at_once} matches", round(median(x[kind] for x in rounds)), "us"
        )
        for kind in ("client", "gateway", "engine", "Redis")
    ]


async def _begun(town: Town, one: Player) -> list[Measure]:
    """What it costs to open a match, sit down and begin, and how often gateways are told."""
    begun = BEGUN * BEGINNERS
    async with Redis.from_url(town.store) as redis, _counted(redis) as told:
        meter, ready = Meter(town), len(one.ready)
        await asyncio.gather(*(one.prepare(ready + BEGUN) for _ in range(BEGINNERS)))
        each = meter.each(begun)
        told_each = len(told) / begun
        heard = [await _heard(town, redis, at_once) for at_once in TOGETHER]
    found = [
        Measure(f"plan: {kind}, a match begun", round(each[kind]), "us")
        for kind in ("gateway", "engine", "Redis")
    ]
    found.append(Measure("plan: gateways told of a match begun", round(told_each, 2), "times"))
    return [*found, *heard]


async def _channel(redis: Redis) -> str:
    """The one on which gateways tell each other news."""
    told: list[Any] = await redis.pubsub_channels()
    names = [name.decode() for name in told]
    (found,) = [name for name in names if not name.endswith(":moves")]
    return str(found)


@asynccontextmanager
async def _counted(redis: Redis) -> AsyncIterator[list[Any]]:
    """What is told on that channel meanwhile."""
    told: list[Any] = []
    async with redis.pubsub() as pubsub:
        await pubsub.subscribe(await _channel(redis))

        async def listen() -> None:
            nonlocal told
            async for message in pubsub.listen():
                told += [message] * (message["type"] == "message")

        task = asyncio.create_task(listen())
        try:
            yield told
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _heard(town: Town, redis: Redis, at_once: int) -> Measure:
    """What a gateway spends on news that concern nobody there, so many at the same time."""
    channel, meter = await _channel(redis), Meter(town)
    for first in range(0, NEWS, at_once):
        pipe = redis.pipeline(transaction=False)
        for number in range(first, first + at_once):
            pipe.publish(channel, f"started m-{number} nobody-{number}")
        await pipe.execute()
    await asyncio.sleep(0.5)
    each = meter.each(NEWS)["gateway"]
    return Measure(f"plan: gateway, news of others heard, {at_once} at once", round(each, 1), "us")


# Bots.


async def _bots(town: Town, one: Player, game: str) -> list[Measure]:
    """What a turn of a bot that thinks nothing costs: all but the thought.

    Redis keeps no log meanwhile, as a broker of its own keeps none.
    """
    async with Redis.from_url(town.store) as redis:
        await redis.config_set("appendonly", "no")
    matches = [await opened(one, game) for _ in range(BOT_MATCHES)]
    meter = Meter(town)
    for match in matches:
        await one.call("StartMatch", pb.StartMatchRequest(match=match))
    turns = 0
    for match in matches:
        turns += await turns_in(one, match)
    each = meter.each(turns)
    found = [
        Measure(f"plan: {kind}, a turn of a bot", round(each[kind]), "us")
        for kind in ("worker", "engine", "Redis")
    ]
    return [*found, Measure("plan: turns of a match", round(turns / BOT_MATCHES), "turns")]


async def opened(one: Player, game: str) -> str:
    opened = await one.call("CreateMatch", pb.CreateMatchRequest(game=game))
    match: str = opened.match.id
    for seat in opened.match.seats:
        request = pb.AddBotRequest(match=match, seat=seat.seat, level="uniform")
        await one.call("AddBot", request)
    return match


async def turns_in(one: Player, match: str) -> int:
    """The decisions of seats in a match, once it is over."""
    until = time.monotonic() + PATIENCE
    while True:
        seen = await one.call("GetView", pb.GetViewRequest(match=match))
        if seen.standing.HasField("outcome"):
            break
        if time.monotonic() > until:
            raise SystemExit("the bots do not get done")
        await asyncio.sleep(0.2)
    record = await one.call("GetMatchRecord", pb.GetMatchRecordRequest(match=match))
    return sum(1 for _ in decisions(record.text))


def decisions(text: str) -> Iterator[str]:
    """Who decided what in a record, but for chance."""
    for entry in parse_record(text).entries:
        if entry.who not in ("chance", "host"):
            yield entry.who
