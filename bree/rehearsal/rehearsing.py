"""All matches of a platform, judged by as many processes as there are cores."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from bree.backup.taking import Where
from bree.rehearsal.judging import Case, Verdict, judged
from bree.rehearsal.sources import AT_ONCE, Wanted, finished, running

MOST_TOLD = 20
"""Matches that are named of each game, those that differ first of all."""


@dataclass
class OfGame:
    """What came of the matches of one game."""

    running: int = 0
    finished: int = 0
    differ: int = 0
    unread: Counter[str] = field(default_factory=Counter)  # how many, by why
    first: list[Verdict] = field(default_factory=list)  # those that differ, the earliest first

    def add(self, verdict: Verdict) -> None:
        """Count one more."""
        if verdict.unread:
            self.unread[verdict.unread] += 1
            return
        self.running += verdict.is_live
        self.finished += not verdict.is_live
        if verdict.differs:
            self.differ += 1
            told = sorted([*self.first, verdict], key=lambda one: (one.at, one.match))
            self.first = told[:MOST_TOLD]


Rehearsed = dict[str, OfGame]


async def rehearse(
    where: Where, keys: Sequence[bytes], wanted: Wanted, told: Callable[[int], None]
) -> Rehearsed:
    """Judge every match that is wanted; `told` is how many have been, from time to time."""
    found: Rehearsed = {}
    number = 0
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        async for verdicts in _verdicts(pool, _cases(where, keys, wanted)):
            number += len(verdicts)
            for verdict in verdicts:
                found.setdefault(verdict.game, OfGame()).add(verdict)
            told(number)
    return dict(sorted(found.items()))


async def _cases(
    where: Where, keys: Sequence[bytes], wanted: Wanted
) -> AsyncIterator[Sequence[Case]]:
    """All that is wanted, in handfuls: what runs first, for it may leave meanwhile."""
    seen: set[str] = set()
    async with where.live() as store, where.sql() as sql:
        for source in (running(store, keys, wanted, seen), finished(sql, wanted, seen)):
            handful: list[Case] = []
            async for case in source:
                handful.append(case)
                if len(handful) == AT_ONCE:
                    yield handful
                    handful = []
            if handful:
                yield handful


async def _verdicts(
    pool: ProcessPoolExecutor, cases: AsyncIterator[Sequence[Case]]
) -> AsyncIterator[list[Verdict]]:
    """Of each handful, as they come; so many are under way that no process waits, and no more."""
    loop, under_way = asyncio.get_running_loop(), set[asyncio.Future[list[Verdict]]]()
    async for handful in cases:
        under_way.add(loop.run_in_executor(pool, judged, handful))
        if len(under_way) > 2 * (os.cpu_count() or 1):
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                yield one.result()
    for late in asyncio.as_completed(under_way):
        yield await late
