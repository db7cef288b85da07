"""What Redis holds, by kind: counted after some matches that have left it, and after many more."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bench.measure import Measure

WANTED = "<= 1.1"
LEFT_SECONDS = 600.0
OF_MATCHES = ("match", "engine's match", "ended")
"""What each match leaves in Redis for a while; the last until it was told for a minute."""

ENTRIES = {"zset": "ZCARD", "hash": "HLEN", "list": "LLEN", "set": "SCARD"}


class Held(NamedTuple):
    """What Redis holds."""

    keys: int
    memory: int  # in bytes, with what is no key's, as of those who are connected
    in_keys: int  # of that, what keys take
    kinds: Counter[str]


def first_count(usual: int) -> int:
    """How many matches the first count is made after."""
    return int(os.environ.get("BREE_BENCH_MATCHES", str(usual)))


def compared(part: str, matches: tuple[int, int], before: Held, after: Held) -> Iterator[Measure]:
    """Memory and keys after many matches beside those after few, and what there is more of."""
    few, many = matches
    name = f"{part}: Redis after {many:,} finished matches"
    ratio, keys = after.memory / before.memory, after.keys / before.keys
    reference = f"after {few:,}: {before.memory / 1024:.0f} KiB"
    memory = round(after.memory / 1024)
    yield Measure(f"{name}, memory", memory, "KiB", reference, ratio, WANTED)
    reference, ratio_in = f"after {few:,}: {before.in_keys}", after.in_keys / before.in_keys
    yield Measure(f"{name}, in keys", after.in_keys, "bytes", reference, ratio_in, WANTED)
    said = f"after {few:,}: {before.keys}"
    yield Measure(f"{name}, keys", after.keys, "keys", said, keys, WANTED)
    for kind in sorted(after.kinds | before.kinds):
        if after.kinds[kind] > before.kinds[kind]:
            was = f"after {few:,}: {before.kinds[kind]}"
            yield Measure(f"{name}, grown: {kind}", after.kinds[kind], "entries", was)


async def until_left(redis: Any, *kinds: str) -> None:
    """Wait until no match is in the store any more, and every end was told."""
    until = time.monotonic() + LEFT_SECONDS
    while there := await _of_matches(redis, kinds or OF_MATCHES):
        if time.monotonic() > until:
            raise SystemExit(f"matches do not leave: {dict(there)}")
        await asyncio.sleep(1)


async def _of_matches(redis: Any, kinds: Sequence[str]) -> Counter[str]:
    held = await count(redis)
    return Counter({kind: held.kinds[kind] for kind in kinds if held.kinds[kind]})


async def count(redis: Any) -> Held:
    """All that there is, by kind, with the entries of lists."""
    kinds: Counter[str] = Counter()
    in_keys = 0
    keys = [key async for key in redis.scan_iter(count=1000)]
    for key in keys:
        kinds[_kind(key)] += await _entries(redis, key)
        in_keys += await redis.memory_usage(key, samples=0) or 0
    await redis.execute_command("SLOWLOG", "RESET")  # which is long where a machine is busy
    await redis.execute_command("MEMORY", "PURGE")
    memory = int((await redis.info("memory"))["used_memory_dataset"])
    return Held(len(keys), memory, in_keys, kinds)


async def _entries(redis: Any, key: str) -> int:
    command = ENTRIES.get(await redis.type(key))
    return int(await redis.execute_command(command, key)) if command else 1


def _kind(key: str) -> str:
    """What a key is, without what it names."""
    if ":m:" in key and not key.startswith("bree:g:"):
        return "engine's match"
    if key.startswith("bree:g:{m:"):
        return "match"
    if key.startswith("bree:g:{a:"):
        return key.partition("}")[2].removeprefix(":") or "account"
    if key.endswith(":due"):
        return "due"
    return key
