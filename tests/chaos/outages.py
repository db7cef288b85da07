"""`python -m tests.chaos.outages`: after the broker was away every worker works again, by itself.

Design. Workers under load lose their broker for some seconds: it is killed and started again, or
stopped and let go on; it is the store as well, or it is not. Afterwards every single worker has to
answer questions again, within a time and without anybody's help but its supervisor's.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from bree.local.parts import Part
from tests.chaos.town import Servers, Town, hold, release, servers, turns

WAYS = ("shared-killed", "shared-paused", "own-killed", "own-paused")
SETTLING = 2.0
"""Seconds after which what a worker answers is no longer of tasks that it had before."""

LOOK = 0.25
CALM = (2.0, 4.0)
"""Seconds of work between two outages."""


class Outage(NamedTuple):
    """One outage: how long, and in which way."""

    seconds: float
    way: str


class Found(NamedTuple):
    """What came of an outage: after how many seconds the last worker worked; who did not."""

    outage: Outage
    resumed: float
    lost: tuple[str, ...]
    restarts: int


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    print(f"outages: {sentence}", flush=True)


class Run:
    """Outages of one pairing of store and broker."""

    def __init__(self, wanted: argparse.Namespace, home: Path, at: Servers) -> None:
        self.wanted = wanted
        self.said: list[str] = []  # by the supervisor
        self.town = Town(home, at, wanted.workers, self.said.append)
        self.at = at
        self.chance = random.Random(f"outages {wanted.seed}")
        self.found: list[Found] = []

    async def run(self, outages: list[Outage]) -> None:
        """Have one outage after the other under load."""
        await self.town.start()
        busy = asyncio.create_task(self.town.keep_busy(self.wanted.matches))
        try:
            _, idle = await self._work_resumes(time.monotonic())
            assert not idle, f"{', '.join(idle)} did not work before there was any outage"
            for outage in outages:
                await asyncio.sleep(self.chance.uniform(*CALM))
                self.found.append(await self._suffer(outage))
        finally:
            busy.cancel()
            await self.town.stop()

    async def _suffer(self, outage: Outage) -> Found:
        before = self._restarts()
        broker, killed = self.at.broker, outage.way.endswith("killed")
        broker.kill() if killed else hold(broker)
        try:
            await asyncio.sleep(outage.seconds)
        finally:
            await asyncio.to_thread(broker.start) if killed else release(broker)
        resumed, lost = await self._work_resumes(time.monotonic())
        found = Found(outage, resumed, lost, self._restarts() - before)
        for name in lost:  # the next outage shall find all of them at work
            os.kill(self.town.state.parts[name][0], signal.SIGKILL)
        what = f"NOT by {', '.join(lost)}" if lost else f"by all after {resumed:.1f} s"
        say(
            f"{len(self.found) + 1:3}: {outage.way} for {outage.seconds:g} s: worked again {what}; "
            f"restarts: {found.restarts}"
        )
        return found

    async def _work_resumes(self, since: float) -> tuple[float, tuple[str, ...]]:
        """The seconds until the last worker worked, and who did not in time."""
        workers = self.town.workers()
        counts = {worker.name: await turns(worker) for worker in workers}
        first: dict[str, float] = {}
        waited: list[Part] = workers
        while waited and time.monotonic() < since + self.wanted.patience:
            await asyncio.sleep(LOOK)
            passed = time.monotonic() - since
            grown = [one for one in waited if await self._has_grown(one, counts)]
            for worker in grown:
                first.setdefault(worker.name, passed)
            waited = [one for one in waited if passed < SETTLING or one not in grown]
        lost = tuple(worker.name for worker in waited)
        return max(first.values(), default=0.0), lost

    async def _has_grown(self, worker: Part, counts: dict[str, float]) -> bool:
        count = await turns(worker)
        known, counts[worker.name] = counts[worker.name], count
        return count > known

    def _restarts(self) -> int:
        return sum("is started again" in line for line in self.said)


def planned(wanted: argparse.Namespace) -> list[Outage]:
    """The outages of each length, the ways taking turns, in an order that the seed decides."""
    plan = [
        Outage(seconds, way)
        for seconds in wanted.seconds
        for way in islice(cycle(wanted.ways), wanted.count)
    ]
    random.Random(wanted.seed).shuffle(plan)
    return plan


def suffer(wanted: argparse.Namespace, home: Path) -> list[Found]:
    """All outages that are wanted, those of a shared broker first."""
    found = []
    for pairing in ("shared", "own"):
        outages = [one for one in planned(wanted) if one.way.startswith(pairing)]
        if not outages:
            continue
        with servers(shared=pairing == "shared") as at:
            run = Run(wanted, home / pairing, at)
            asyncio.run(run.run(outages))
            found += run.found
    return found


def report(found: list[Found]) -> None:
    """The figures, by length and way."""
    for outage in sorted({one.outage for one in found}):
        same = [one for one in found if one.outage == outage]
        good = [one.resumed for one in same if not one.lost]
        took = f"{statistics.median(good):.1f} s, {max(good):.1f} s at most" if good else "-"
        say(
            f"{outage.way}, {outage.seconds:g} s: {len(good)} of {len(same)} resumed ({took}); "
            f"restarts: {sum(one.restarts for one in same)}"
        )


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.outages", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--seconds", type=float, nargs="+", default=[1, 8, 30])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--count", type=int, default=4, help="outages of each length")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--matches", type=int, default=48, help="in play at the same time")
    parser.add_argument("--patience", type=float, default=45, help="seconds to work again")
    return parser


def main() -> int:
    """Run; the exit code says whether work was always resumed."""
    wanted = arguments().parse_args()
    say(f"seed {wanted.seed}")
    home = Path(tempfile.mkdtemp(prefix="bree-outages-"))
    found = suffer(wanted, home)
    report(found)
    if any(one.lost for one in found):
        say(f"work was not always resumed; logs are in {home}")
        return 1
    shutil.rmtree(home)
    say("work was resumed every time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
