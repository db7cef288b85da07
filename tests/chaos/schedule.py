"""When which fault is done: drawn from a seed, and carried out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.chaos import faults
from tests.chaos.evil import Flood
from tests.chaos.faults import Fault, kinds_of
from tests.chaos.journal import Happened, Journal, Promise
from tests.chaos.world import World

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
"""Faults that last at the same time, at most."""

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
        """When it ends."""
        return self.at + self.fault.seconds


def draw(
    world: World, seed: int, kinds: Sequence[str], number: int, seconds: float
) -> list[Planned]:
    """A number of faults within some seconds; each kind has its turn before chance decides."""
    chance = random.Random(f"schedule {seed}")
    touched = _touched(world)
    turns: list[str] = []
    planned: list[Planned] = []
    for step in range(number):
        turns = turns or chance.sample(list(kinds), len(kinds))
        kind, slot = KINDS[turns.pop()], seconds / number
        for late in range(TRIES):
            at = min(slot * (step + chance.random() * (1 + late)), seconds)
            lasts = min(chance.uniform(kind.least, kind.most), max(kind.least, seconds - at))
            one = Planned(at, kind(world, kind.drawn(world, chance), lasts))
            if _fits(one, planned, touched):
                planned.append(one)
                break
    return sorted(planned, key=lambda one: one.at)


def _touched(world: World) -> Mapping[str, set[str]]:
    """What a fault at each place changes: a wire, or those between two kinds of parts."""
    touched: dict[str, set[str]] = {wire: {wire} for wire in world.wires}
    for wire in world.wires:
        touched.setdefault(kinds_of(wire), set()).add(wire)
    return touched


def _fits(new: Planned, planned: Iterable[Planned], touched: Mapping[str, set[str]]) -> bool:
    """Whether a fault goes with those that are planned: its place is well, and few others last."""
    near = [one for one in planned if one.at < new.until + AFTER and new.at < one.until + AFTER]
    place = touched.get(new.fault.place, {new.fault.place})
    if any(place & touched.get(one.fault.place, {one.fault.place}) for one in near):
        return False
    moments = [new.at, *(one.at for one in near if new.at < one.at < new.until)]
    return all(sum(one.at <= at < one.until for one in near) < AT_ONCE for at in moments)


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
