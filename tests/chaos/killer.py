"""Kills parts of a platform as no handler can prevent, in an order that a seed decides."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from services import GAMES
from tests.chaos.tables import IN_PLAY
from tests.e2e.platform import Platform

AGAIN_AFTER = 20.0
"""Seconds after which a part that has not come back counts as lost."""


def kind_of(name: str) -> str:
    """The kind of a part, by its name."""
    kind = name.partition("-")[0]
    return "engine" if kind in GAMES else kind


class Killer:
    """Kills so many parts within so many seconds; each kind gets its turn before chance decides."""

    def __init__(
        self, platform: Platform, seed: int, kills: int, seconds: float, say: Callable[[str], None]
    ) -> None:
        self.platform = platform
        self.chance = random.Random(f"killer {seed}")
        self.kills = kills
        self.seconds = seconds
        self.say = say
        self.killed: Counter[str] = Counter()
        self.done = asyncio.Event()
        self.in_flight: list[int] = []  # how many matches ran at each kill

    async def run(self, running: Callable[[], int]) -> None:
        """Kill them all, at uneven intervals."""
        began = time.monotonic()
        idle = set(GAMES) - set(IN_PLAY)  # engines without matches: nothing would come of it
        names = sorted(name for name in self.platform.parts() if name.split("-")[0] not in idle)
        turns = [*names, *(f"{name} child" for name in names if kind_of(name) == "worker")]
        self.chance.shuffle(turns)
        for number in range(self.kills):
            ideal = self.seconds * (number + self.chance.uniform(0.1, 0.9)) / self.kills
            await asyncio.sleep(max(0.0, began + ideal - time.monotonic()))
            wanted = turns[number] if number < len(turns) else self.chance.choice(turns)
            name = await self._there(wanted)
            self.in_flight.append(running())
            self._kill(name)
            self.say(f"{time.monotonic() - began:6.1f} s  killed {name}")
        self.done.set()

    async def _there(self, wanted: str) -> str:
        """The part that is to be killed, once it runs."""
        name = wanted.partition(" ")[0]
        async with asyncio.timeout(AGAIN_AFTER):
            while name not in self.platform.parts():  # noqa: ASYNC110  # of other processes
                await asyncio.sleep(0.1)
        return wanted

    def _kill(self, wanted: str) -> None:
        name, _, child = wanted.partition(" ")
        pid = self.platform.parts()[name]
        children = children_of(pid) if child else []
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.chance.choice(children) if children else pid, signal.SIGKILL)
        self.killed[f"{kind_of(name)} {child}".strip()] += 1


def children_of(pid: int) -> list[int]:
    """The processes that a process has forked."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return sorted(found)
