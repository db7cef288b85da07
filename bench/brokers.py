"""What a turn of a bot costs the Redis of its broker: of the only one, and of one of two.

Design. The same matches by as many accounts on two platforms, one after the other, with as many
workers. The bots do not think. What the main threads of the brokers have spent is read before and
after; brokers keep no log, as those of a deployment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

from bench.measure import Measure
from bench.plan.pair_costs import free_port, running
from bench.plan.redis_costs import spent
from bench.plan.town_costs import opened, turns_in
from bench.player import player
from bench.town import HOST, platform
from bree.gateway.v1 import gateway_pb2 as pb
from services.manifests import usual_game

ACCOUNTS, MATCHES = 16, 2
WORKERS = {"BREE_WORKERS": "2", "BREE_WORKER_PROCESSES": "1"}
"""As many for one broker as for two."""


def measures() -> Iterator[Measure]:
    """A turn at one broker and at one of two, in processor time."""
    with platform(BREE_GAMES=usual_game()) as town:
        program = town.program("redis")
    (alone,) = asyncio.run(_spent(program, 1))
    both = asyncio.run(_spent(program, 2))
    name, said = "brokers: a turn of a bot at", f"the only one {alone:.0f} us"
    yield Measure(f"{name} the only one", round(alone), "us")
    yield Measure(f"{name} one of two", round(sum(both)), "us", said, sum(both) / alone)
    busier = max(both) / sum(both)
    yield Measure("brokers: what the busier of two does", round(100 * busier), "%")


async def _spent(program: str, brokers: int) -> list[float]:
    """Microseconds of each broker for one turn of all."""
    async with AsyncExitStack() as stack:
        ports = [free_port() for _ in range(brokers)]
        at = [await stack.enter_async_context(running(program, port)) for port in ports]
        urls = " ".join(f"redis://{HOST}:{port}/0" for port in ports)
        told = {"BREE_GAMES": usual_game(), "BREE_BROKER_URL": urls, **WORKERS}
        town = stack.enter_context(platform(**told))
        before = [await spent(redis) for redis in at]
        turns = await _play(town.gateway)
        after = [await spent(redis) for redis in at]
    return [1e6 * (now - then) / turns for now, then in zip(after, before, strict=True)]


async def _play(gateway: str) -> int:
    """How many turns there were in all matches."""
    game, turns = usual_game(), 0
    async with AsyncExitStack() as stack:
        accounts = [
            await stack.enter_async_context(player(gateway, game=game, listens=False))
            for _ in range(ACCOUNTS)
        ]
        begun = [(one, await opened(one, game)) for one in MATCHES * accounts]
        for one, match in begun:
            await one.call("StartMatch", pb.StartMatchRequest(match=match))
        for one, match in begun:
            turns += await turns_in(one, match)
    return turns
