"""Many matches at once: what they weigh in the store, and what a move costs among them.

Two platforms stand side by side, one with few live matches and one with many, and the same client
plays a few moves at a time in matches picked at random, in turns on the one and on the other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from statistics import mean, median

from redis.asyncio import Redis

from bench.load import percentile
from bench.measure import Measure
from bench.player import Player, player
from bench.town import Town, platform

FEW, MANY = 100, 10_000
AT_ONCE = 4
ROUNDS, SECONDS = 7, 4.0
FINISHED = 150


def measures() -> Iterator[Measure]:
    """Bytes in the store, the tail of latencies, and memory."""
    with platform() as few, platform() as many:
        yield from asyncio.run(_measures(few, many))
        for kind, mib in sorted(many.memory().items()):
            yield Measure(f"memory with {MANY:,} live matches: {kind}", round(mib, 1), "MiB")


async def _measures(few: Town, many: Town) -> list[Measure]:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(player(few.gateway, listens=False))
        other = await stack.enter_async_context(player(many.gateway, listens=False))
        found = [await _finished(many, other)]
        found.append(await _live(many, other))
        await one.prepare(FEW)
        found.append(await _tails(one, other))
    return found


async def _used(town: Town) -> int:
    """The bytes that the store says it uses."""
    async with Redis.from_url(town.store) as store:
        return int((await store.info("memory"))["used_memory"])


async def _finished(town: Town, one: Player) -> Measure:
    """What a match leaves behind, all told: its record, its entry in lists, its ratings."""
    await one.prepare(20)
    await one.finish(20)  # what is made once is there
    await _quiet(town)
    before = await _used(town)
    await one.prepare(FINISHED)
    lengths = await one.finish(FINISHED)
    await _quiet(town)
    each = (await _used(town) - before) / FINISHED
    reference = f"its record, {mean(lengths):,.0f} bytes"
    return Measure(
        "store: a finished match", round(each), "bytes", reference, each / mean(lengths), "< 3"
    )


async def _live(town: Town, one: Player) -> Measure:
    before = await _used(town)
    await one.prepare(MANY)
    each = (await _used(town) - before) / MANY
    return Measure("store: a live match that has begun", round(each), "bytes")


async def _quiet(town: Town) -> None:
    """Wait until everything that was due has been done."""
    async with Redis.from_url(town.store) as store:
        until = time.monotonic() + 60
        while any([key async for key in store.scan_iter("*:due", count=1000)]):
            if time.monotonic() > until:
                raise SystemExit("the workers do not get done")
            await asyncio.sleep(0.5)


async def _tails(few: Player, many: Player) -> Measure:
    rounds = []
    for number in range(ROUNDS + 1):
        pair = [await one.play_among(AT_ONCE, SECONDS) for one in (few, many)]
        if number:  # the first one warms up
            rounds.append([percentile(times, 99) for times in pair])
    ratio = median(b / a for a, b in rounds)
    ours = 1000 * median(b for _, b in rounds)
    reference = f"{FEW} live matches, {1000 * median(a for a, _ in rounds):.2f} ms"
    name = f"platform: {MANY:,} live matches, p99"
    return Measure(name, round(ours, 2), "ms", reference, ratio, "< 1.2")
