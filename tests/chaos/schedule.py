"""When which fault is done: drawn from a seed, and carried out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.chaos import faults
from tests.chaos.evil import Flood
from tests.chaos.faults import Fault
from tests.chaos.journal import Happened, Journal, Promise
from tests.chaos.world import World, kind_of

KINDS: Mapping[str, type[Fault]] = {
    fault.kind: fault
    for fault in (
        faults.Kill,
        faults.KillChild,
        faults.Pause,
        faults.Clock,
        faults.Delay,
        faults.Throttle,
        faults.Cut,
        faults.Blink,
        faults.HalfClose,
        faults.Hold,
        faults.Lapse,
        faults.FullMemory,
        faults.ReadOnly,
        faults.FullDisk,
        Flood,
    )
}
"""All that destroy nothing. Those that do are a scenario of their own."""

AT_ONCE = 3
"""So many faults last at the same time at most."""

AFTER = 5.0
"""Seconds in which a place recovers before it is hurt again."""

TRIES = 100
THERE_SECONDS = 20.0


class Planned(NamedTuple):
    """A fault, and when it begins."""

    at: float
    fault: Fault

    @property
    def until(self) -> float:
        """When its place may be hurt again."""
        return self.at + self.fault.seconds + AFTER


def draw(
    world: World, seed: int, kinds: Sequence[str], number: int, seconds: float
) -> list[Planned]:
    """So many faults within so many seconds; each kind has its turn before chance decides."""
    chance = random.Random(f"schedule {seed}")
    turns: list[str] = []
    planned: list[Planned] = []
    for step in range(number):
        turns = turns or chance.sample(list(kinds), len(kinds))
        at = seconds * (step + chance.uniform(0.1, 0.9)) / number
        planned += _fitting(world, chance, turns.pop(), at, planned)
    for one in planned:
        one.fault.seconds = min(one.fault.seconds, max(one.fault.least, seconds - one.at))
    return planned


def _fitting(
    world: World, chance: random.Random, kind: str, at: float, planned: Iterable[Planned]
) -> list[Planned]:
    """A fault of this kind that goes with those that are planned, if there is one."""
    near = [one for one in planned if one.until > at]
    lasting = [one for one in near if one.until - AFTER > at]
    taken = {name for one in near for name in _touched(world, one.fault.place)}
    made = KINDS[kind]
    for _ in range(TRIES if len(lasting) < AT_ONCE else 0):
        place = made.drawn(world, chance)
        if not taken & _touched(world, place):
            return [Planned(at, made(world, place, chance.uniform(made.least, made.most)))]
    return []


def _touched(world: World, place: str) -> set[str]:
    """What a fault at this place changes: a part, or the wires of a pair of kinds."""
    wires = {wire for wire in world.wires if ">".join(map(kind_of, wire.split(">"))) == place}
    return wires or {place}


class Schedule:
    """Carries out what was planned."""

    def __init__(
        self, world: World, planned: list[Planned], journal: Journal, say: Callable[[str], None]
    ) -> None:
        self.world = world
        self.planned = planned
        self.journal = journal
        self.say = say

    async def run(self) -> None:
        """Let every fault begin and end."""
        async with asyncio.TaskGroup() as group:
            for one in self.planned:
                group.create_task(self._happen(*one))

    async def _happen(self, at: float, fault: Fault) -> None:
        await asyncio.sleep(at)
        happened = await self._begin(fault)
        if happened.missed:
            return
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            await self._end(fault, happened)

    async def _begin(self, fault: Fault) -> Happened:
        missed = ""
        if not await self._is_there(fault.place):
            missed = f"{fault.place} does not run"
        happened = self.journal.begin(fault.kind, fault.place)
        try:
            if not missed:
                await fault.begin()
        except (KeyError, OSError, TimeoutError, ValueError, IndexError) as error:
            missed = repr(error)
        if missed:
            happened.missed, happened.ended = missed, self.journal.age
        self.say(f"{happened.began:6.1f} s  {fault}{missed and ' could not begin: '}{missed}")
        return happened

    async def _is_there(self, place: str) -> bool:
        """Whether a part runs, or comes soon; what is no part is always there."""
        until = self.journal.age + THERE_SECONDS
        while any(part.name == place for part in self.world.parts):
            if place in self.world.running():
                return True
            if self.journal.age > until:
                return False
            await asyncio.sleep(0.1)
        return True

    async def _end(self, fault: Fault, happened: Happened) -> None:
        try:
            await fault.end()
        except TimeoutError:
            self.journal.breach(Promise.BACK, f"{fault.place} after {fault}")
        happened.ended = self.journal.age
