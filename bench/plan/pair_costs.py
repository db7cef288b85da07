"""What two Redis servers spend for each other: a master with its replica, two nodes of a cluster.

Design. Both are started for this, from the program that the platform runs, and are gone afterwards.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as NotThere

from bench.measure import Measure
from bench.plan.redis_costs import CALLERS, GAME, Appends, cost, spent
from bench.town import HOST
from services.host.store import RedisStore

DURABLE = ("--appendonly", "yes", "--appendfsync", "always")
PUBLISHED, AT_ONCE = 4_000, 200
PATIENCE = 20


async def measures(program: str) -> list[Measure]:
    """What replicas and clusters cost."""
    return [*await _replicated(program), *await _told(program)]


@contextmanager
def _server(program: str, port: int, *options: str) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", str(port), "--bind", HOST, "--dir", folder, "--save", ""]
        with subprocess.Popen(  # noqa: S603  # the server that the platform runs
            [*command, *options], stdout=subprocess.DEVNULL
        ) as process:
            try:
                yield
            finally:
                process.kill()


@asynccontextmanager
async def running(program: str, port: int, *options: str) -> AsyncIterator[Redis]:
    """A server that answers."""
    with _server(program, port, *options):
        async with Redis(host=HOST, port=port) as redis, asyncio.timeout(PATIENCE):
            while not await _answers(redis):  # noqa: ASYNC110  # it is another process
                await asyncio.sleep(0.05)
        async with Redis(host=HOST, port=port) as redis:
            yield redis


async def _answers(redis: Redis) -> bool:
    try:
        return bool(await redis.ping())
    except NotThere:
        return False


def free_port() -> int:
    """One that nobody has just now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _two_ports() -> tuple[int, int]:
    """Free ones; a cluster's nodes meet on those that are 10,000 higher."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind((HOST, 0))
            other.bind((HOST, 0))
            ports = (one.getsockname()[1], other.getsockname()[1])
        found = tuple(20_000 + port % 30_000 for port in ports)
        if found[0] != found[1]:
            return found[0], found[1]


# A master and its replica.


class _Waited(Appends):
    """The same with one WAIT behind all that go out together."""

    store: _Store

    async def _turn(self) -> None:
        appends = [asyncio.ensure_future(self._one(caller)) for caller in range(self.callers)]
        await asyncio.sleep(0)  # they are on the connection
        waited = self.store.wait_for_replica()
        assert await waited >= 1
        await asyncio.gather(*appends)


class _Store(RedisStore):
    """An engine's store that may be asked to wait."""

    async def wait_for_replica(self) -> int:
        """How many replicas have what was sent before."""
        return int(str(await self._call("WAIT", 1, 1000 * PATIENCE)))


async def _replicated(program: str) -> list[Measure]:
    first, second = _two_ports()
    async with AsyncExitStack() as stack:
        master = await stack.enter_async_context(running(program, first, *DURABLE))
        more = (*DURABLE, "--replicaof", HOST, str(first))
        replica = await stack.enter_async_context(running(program, second, *more))
        async with asyncio.timeout(PATIENCE):
            while not await _is_linked(replica):  # noqa: ASYNC110  # it is another process
                await asyncio.sleep(0.05)
        store = _Store(f"redis://{HOST}:{first}/0", GAME)
        stack.push_async_callback(store.close)
        return await _both(master, replica, store)


async def _is_linked(replica: Redis) -> bool:
    told = await replica.info("replication")
    return bool(told["master_link_status"] == "up")


async def _both(master: Redis, replica: Redis, store: _Store) -> list[Measure]:
    plain = Appends(store, CALLERS, "plain")
    waited = _Waited(store, CALLERS, "waited")
    before = await cost(master, plain)
    began = await spent(replica)
    with_wait = await cost(master, waited)
    copied = 1e6 * (await spent(replica) - began) / (waited.version * CALLERS)
    return [
        _us("an append with a replica", before),
        _us("an append with a replica and one WAIT for all that go together", with_wait),
        _us("an append, copied by a replica", copied),
    ]


def _us(name: str, value: float) -> Measure:
    return Measure(f"plan: Redis, {name}", round(value, 2), "us")


# Two nodes of a cluster.


async def _told(program: str) -> list[Measure]:
    """What a PUBLISH costs the node that is told, and each other node, where nobody listens."""
    first, second = _two_ports()
    async with AsyncExitStack() as stack:
        options = ("--cluster-enabled", "yes")
        one = await stack.enter_async_context(running(program, first, *options))
        other = await stack.enter_async_context(running(program, second, *options))
        await _said(one, "CLUSTER", "MEET", HOST, str(second))
        async with asyncio.timeout(PATIENCE):
            while not await _have_met(one, other):  # noqa: ASYNC110  # likewise
                await asyncio.sleep(0.1)
        began, published = await spent(other), await _published(one)
        await asyncio.sleep(0.5)  # for the last of them to have come
        here = 1e6 * (await spent(other) - began) / published
    return [_us("a PUBLISH in a cluster, on each other node", here)]


async def _said(node: Redis, *words: str) -> str:
    ask: Any = node.execute_command
    return str(await ask(*words))


async def _have_met(*nodes: Redis) -> bool:
    for node in nodes:
        told = await _said(node, "CLUSTER", "INFO")
        if "cluster_known_nodes:2" not in told and "'cluster_known_nodes': '2'" not in told:
            return False
    return True


async def _published(node: Redis) -> int:
    until = time.monotonic() + PATIENCE
    for _ in range(PUBLISHED // AT_ONCE):
        pipe = node.pipeline(transaction=False)
        for number in range(AT_ONCE):
            pipe.publish("bree:bench:moves", f"bench-match-{number} 17")
        await pipe.execute()
        assert time.monotonic() < until
    return PUBLISHED
