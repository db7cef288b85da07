"""What Redis's only thread spends on each thing that it is asked for, and what it tells others.

Design. Redis says itself, to the microsecond, what its main thread has spent; so nothing else that
runs here is in the figure. The engine's own store asks, against the Redis of a platform on which
nobody plays, with appends as durable as there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median

from redis.asyncio import Redis

from bench.measure import Measure
from bench.town import Town
from services.host.store import PARTITIONS, Change, RedisStore

GAME = "bench"
CALLERS, TURNS, ROUNDS = 32, 12, 5
LISTENERS = 8
DUE = 200
"""Members that are due in each partition while they are counted."""
ENTRY = "good\tmove aragorn fangorn\t0a1b2c3d\t12345\tr-17"

Work = Callable[[], Awaitable[int]]
"""Asks for something, and says how often."""


async def spent(redis: Redis) -> float:
    """Seconds that the main thread of a Redis has spent."""
    told = await redis.info("cpu")
    return float(told["used_cpu_user_main_thread"]) + float(told["used_cpu_sys_main_thread"])


async def cost(redis: Redis, work: Work) -> float:
    """Microseconds of a Redis for one of what is asked; the middle of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        before = await spent(redis)
        done = await work()
        rounds.append(1e6 * (await spent(redis) - before) / done)
    return median(rounds)


class Appends:
    """Many who append to a match each, all at once, again and again."""

    def __init__(self, store: RedisStore, callers: int, name: str) -> None:
        self.store, self.callers, self.name = store, callers, name
        self.version = 0
        self.times: list[float] = []

    async def __call__(self) -> int:
        for _ in range(TURNS if self.callers > 1 else 10 * TURNS):
            began = time.perf_counter()
            await self._turn()
            self.times.append(time.perf_counter() - began)
            self.version += 1
        return self.callers * (TURNS if self.callers > 1 else 10 * TURNS)

    async def _turn(self) -> None:
        await asyncio.gather(*(self._one(caller) for caller in range(self.callers)))

    async def _one(self, caller: int) -> None:
        change = Change((ENTRY,), {"due": "x"})
        assert await self.store.append(f"{self.name}-{caller}", self.version, change)


async def measures(town: Town) -> list[Measure]:
    """Every figure that a Redis alone has."""
    async with AsyncExitStack() as stack:
        redis = await stack.enter_async_context(Redis.from_url(town.store))
        store = RedisStore(town.store, GAME)
        stack.push_async_callback(store.close)
        found = await _appends(redis, store)
        found += await _news(town, redis, store)
        found += await _reading(redis, store)
        found += await _due(redis, store)
    return found


def _us(name: str, value: float, unit: str = "us") -> Measure:
    return Measure(f"plan: Redis, {name}", round(value, 2), unit)


async def _appends(redis: Redis, store: RedisStore) -> list[Measure]:
    alone, many = Appends(store, 1, "alone"), Appends(store, CALLERS, "many")
    found = [
        _us("an append alone", await cost(redis, alone)),
        _us(f"an append of {CALLERS} at once", await cost(redis, many)),
    ]
    return [*found, _us("an append alone, until it is durable", 1e3 * median(alone.times), "ms")]


async def _news(town: Town, redis: Redis, store: RedisStore) -> list[Measure]:
    """What it costs Redis and an engine that each engine hears of each move."""
    quiet = Appends(store, CALLERS, "quiet")
    without, own = await _with_own(redis, quiet)
    heard = [0] * LISTENERS
    async with AsyncExitStack() as stack:
        for number in range(LISTENERS):
            await stack.enter_async_context(_listening(town, heard, number))
        loud = Appends(store, CALLERS, "loud")
        with_all, own_with_all = await _with_own(redis, loud)
    assert sum(heard) > 0
    return [
        _us("a move told to one more engine", (with_all - without) / LISTENERS),
        Measure(
            "plan: engine, a move of others heard of",
            round((own_with_all - own) / LISTENERS, 2),
            "us",
        ),
    ]


async def _with_own(redis: Redis, work: Appends) -> tuple[float, float]:
    """What an append costs Redis, and this process with all who listen in it."""
    began, done = time.process_time(), 0

    async def counted() -> int:
        nonlocal done
        made = await work()
        await asyncio.sleep(0.02)  # for those who listen to have heard it
        done += made
        return made

    each = await cost(redis, counted)
    return each, 1e6 * (time.process_time() - began) / done


@asynccontextmanager
async def _listening(town: Town, heard: list[int], number: int) -> AsyncIterator[None]:
    """An engine's ear, in this process."""
    store, ready = RedisStore(town.store, GAME), asyncio.Event()

    async def listen() -> None:
        async for moved in store.listen():
            ready.set()
            heard[number] += moved is not None

    task = asyncio.create_task(listen())
    await ready.wait()
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await store.close()


async def _reading(redis: Redis, store: RedisStore) -> list[Measure]:
    async def fresh() -> int:
        for _ in range(TURNS):
            await asyncio.gather(*(store.load("many-0", version, 0) for version in versions))
        return CALLERS * TURNS

    async def looks() -> int:
        for number in range(200):
            await store.look([f"w{number}", "", "", ""])
        return 200

    kept = await store.load("many-0")
    assert kept is not None
    versions = [kept.version] * CALLERS
    return [
        _us("a match that has not changed", await cost(redis, fresh)),
        _us("a look whether it is the store that is known", await cost(redis, looks)),
    ]


async def _due(redis: Redis, store: RedisStore) -> list[Measure]:
    """Counting, and looking for what is overdue where nothing is."""

    async def count() -> int:
        assert sum(one.number for one in (await store.count(now)).values()) == PARTITIONS * DUE
        return PARTITIONS * DUE

    async def sweep() -> int:
        for _ in range(20):
            assert not await store.claim(now - 10_000_000, now, 500)
        return 20

    now = int(time.time() * 1000)
    for part in range(PARTITIONS):
        members = {f"bot|bench-{part}-{n}|3|17|{now - n}": now - n for n in range(DUE)}
        await redis.zadd(f"{{bree:{GAME}:p{part:03}}}:due", members)
    return [
        _us("a census of a million that are due", await cost(redis, count), "s"),
        _us("a sweep of a game that finds nothing", await cost(redis, sweep)),
    ]
