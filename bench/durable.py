"""An append that a replica must have, beside one that need not: what the promise costs.

All are done by the same callers, in turns: on one primary, whose replica follows it in either case,
and on a cluster of three with a replica each. All logs are on the disk. What is compared is what
waiting costs, and what it costs to find the node: processor time here, that of the servers,
and how long it takes.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from bench.measure import Measure
from bench.servers import cluster, pair
from bree.redis.client import Quorum
from services.host.store import Away, Change, RedisStore, Unsure

CALLERS, APPENDS, ROUNDS, MASTERS = 32, 60, 21, 3
PARTS = ("", ", processor time of the engine", ", processor time of all servers")
Servers = tuple[str, list[int]]
"""Their URL, and their processes."""

ENTRY = "good\tmove aragorn fangorn\t0a1b2c3d\t12345\tr-17"
PATIENCE = 10.0


class Spent(NamedTuple):
    """What one append took, in microseconds; where many are under way, each takes its share."""

    all_together: float
    caller: float
    servers: float


def measures() -> Iterator[Measure]:
    """Appends by 32 callers: alone, with a replica waited for, and so in a cluster."""
    with pair() as one, cluster(MASTERS) as many:
        sides = asyncio.run(_compare(one, many))
    whats = ("one replica waited for", "the same in a cluster")
    for what, side in zip(whats, sides[1:], strict=True):
        yield from _beside(f"durable: an append of {CALLERS} callers, {what}", side, sides[0])


def _beside(name: str, side: Side, alone: Side) -> Iterator[Measure]:
    sides = zip(PARTS, side.middle, alone.middle, side.ratios(alone), strict=True)
    for part, value, beside, ratio in sides:
        yield Measure(f"{name}{part}", round(value, 1), "us", f"alone {beside:.1f} us", ratio)


async def _compare(one: Servers, many: Servers) -> list[Side]:
    stores = [
        (RedisStore(one[0], "alone"), one[1]),
        (RedisStore(one[0], "safe", quorum=Quorum(1)), one[1]),
        (RedisStore(many[0], "many", quorum=Quorum(1)), many[1]),
    ]
    for store, _ in stores:
        await _follows(store)
    rounds = [[await _spent(store, n, pids) for store, pids in stores] for n in range(ROUNDS + 1)]
    for store, _ in stores:
        await store.close()
    return [Side(side) for side in zip(*rounds[1:], strict=True)]


class Side:
    """All rounds of one way to do it."""

    def __init__(self, rounds: Sequence[Spent]) -> None:
        self.rounds = rounds
        together, caller, servers = zip(*rounds, strict=True)
        # The system counts what others spend in hundredths of a second: so their mean.
        self.middle = Spent(median(together), median(caller), mean(servers))

    def ratios(self, other: Side) -> Spent:
        """The middle of what each round took, of what it took the other."""
        pairs = list(zip(self.rounds, other.rounds, strict=True))
        together, caller = (median(a[n] / b[n] for a, b in pairs) for n in range(2))
        return Spent(together, caller, self.middle.servers / other.middle.servers)


async def _follows(store: RedisStore) -> None:
    """Return when the replica has something."""
    async with asyncio.timeout(PATIENCE):
        for number in range(10_000):
            try:
                await store.append(f"first-{number}", 0, Change((ENTRY,), {"due": "x"}))
            except (Away, Unsure):
                await asyncio.sleep(0.05)
            else:
                return


async def _spent(store: RedisStore, turn: int, pids: Sequence[int]) -> Spent:
    async def one(caller: int) -> None:
        for number in range(turn * APPENDS, (turn + 1) * APPENDS):
            assert await store.append(f"m-{caller}", number, Change((ENTRY,), {"due": "x"}))

    began = (time.perf_counter(), time.process_time(), sum(map(_seconds, pids)))
    await asyncio.gather(*(one(caller) for caller in range(CALLERS)))
    ended = (time.perf_counter(), time.process_time(), sum(map(_seconds, pids)))
    done = CALLERS * APPENDS
    return Spent(*(1e6 * (b - a) / done for a, b in zip(began, ended, strict=True)))


def _seconds(pid: int) -> float:
    """The processor time that a process has taken so far, to the hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
