"""The engine's own connection to Redis beside redis-py's, for what a move asks of the store.

Both do the same durable append for many callers at once, against the same server, in turns. It is
the processor time of this process that is compared: the server's is the same.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from statistics import median

from redis.asyncio import BlockingConnectionPool
from redis.asyncio import Redis as RedisPy

from bench.measure import Measure
from bench.town import platform
from services.host.store import Change, RedisStore

CALLERS, APPENDS, ROUNDS = 32, 40, 9
ALONE = 300
ENTRY = "good\tmove aragorn fangorn\t0a1b2c3d\t12345\tr-17"
SCRIPT = """
redis.call('RPUSH', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'due', ARGV[3])
redis.call('PUBLISH', 'bree:bench:moves', ARGV[1])
return 1
"""

Append = Callable[[int, int], Awaitable[object]]


def measures() -> Iterator[Measure]:
    """How long one append takes, and what processor time it costs, both ways."""
    with platform() as town:
        ours, theirs, ratio = asyncio.run(_compare(town.store))
        alone = asyncio.run(_alone(town.store))
    yield Measure("store: an append alone, until it is durable", round(alone, 2), "ms")
    reference = f"redis-py {theirs:.0f} us"
    yield Measure("store: an append, own connection", round(ours), "us", reference, ratio)


async def _alone(url: str) -> float:
    """Milliseconds for which a lonely caller waits: for the most part on the disk."""
    store, times = RedisStore(url, "bench"), []
    for number in range(ALONE):
        began = time.perf_counter()
        assert await store.append("alone", number, Change((ENTRY,), {"due": "x"}))
        times.append(time.perf_counter() - began)
    await store.close()
    return 1000 * median(times)


async def _compare(url: str) -> tuple[float, float, float]:
    store = RedisStore(url, "bench")
    pool = BlockingConnectionPool.from_url(url, max_connections=CALLERS, timeout=None)
    client: RedisPy = RedisPy(connection_pool=pool)
    script = client.register_script(SCRIPT)

    async def own(caller: int, number: int) -> object:
        change = Change((ENTRY,), {"due": "x"})
        return await store.append(f"own-{caller}", number, change)

    async def other(caller: int, number: int) -> object:
        keys = [f"other-{caller}:head", f"other-{caller}:log"]
        return await script(keys=keys, args=[number, ENTRY, "x"])

    rounds = [(await _spent(own, n), await _spent(other, n)) for n in range(ROUNDS + 1)][1:]
    await store.close()
    await client.aclose()
    ours, theirs = zip(*rounds, strict=True)
    return median(ours), median(theirs), median(a / b for a, b in rounds)


async def _spent(append: Append, turn: int) -> float:
    """Microseconds of this process for one append, while all callers append at once."""

    async def one(caller: int) -> None:
        for number in range(turn * APPENDS, (turn + 1) * APPENDS):
            assert await append(caller, number)

    began = time.process_time()
    await asyncio.gather(*(one(caller) for caller in range(CALLERS)))
    return 1e6 * (time.process_time() - began) / (CALLERS * APPENDS)
