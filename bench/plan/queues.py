"""A world of processes that wait for each other: events in the order of their time.

Design. A process serves all that waits for it at once, as a loop does that is woken: it costs
`wake` once and then what each thing costs; so the busier it is, the less each thing costs. It needs
a core of its machine meanwhile. Afterwards it may wait for a disk, and needs none. Nothing here
knows what is simulated, and nothing is drawn by chance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

Then = Callable[[Any], None]
"""What happens when something has been served."""

MOST_AT_ONCE = 64
"""How much a process serves before it looks what else has come."""


class World:
    """The time, and what will happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Then, Any]] = []
        self._number = 0

    def at(self, time: float, then: Then, what: Any = None) -> None:
        """Have something happen; of things at the same time the first asked for comes first."""
        self._number += 1
        heappush(self._events, (time, self._number, then, what))

    def after(self, seconds: float, then: Then, what: Any = None) -> None:
        """Have something happen a while from now."""
        self.at(self.now + seconds, then, what)

    def run(self, until: float) -> None:
        """Let time go on."""
        events = self._events
        while events and events[0][0] <= until:
            self.now, _, then, what = heappop(events)
            then(what)
        self.now = until


class Machine:
    """Cores that processes take turns on, in the order in which they asked."""

    def __init__(self, cores: int) -> None:
        self.free = cores
        self.wanting: deque[Process] = deque()

    def give(self) -> None:
        """Let whoever has waited longest go on."""
        while self.free and self.wanting:
            self.free -= 1
            self.wanting.popleft().begin()


class Process:
    """Serves what it is asked, all that waits at once, on one core."""

    def __init__(
        self, world: World, machine: Machine, name: str, wake: float, disk: float = 0.0
    ) -> None:
        self.world, self.machine, self.name = world, machine, name
        self.wake, self.disk = wake, disk
        self.waiting: deque[tuple[float, Then, Any]] = deque()
        self.in_hand: list[tuple[float, Then, Any]] = []
        self.busy = 0.0  # seconds of processor time so far
        self.disk_time = 0.0  # and of waiting for the disk
        self.speed = 1.0
        self.is_dead = False
        self._is_up = False

    @property
    def inside(self) -> int:
        """How much it has not done yet."""
        return len(self.waiting) + len(self.in_hand)

    def ask(self, cost: float, then: Then, what: Any = None) -> None:
        """Serve this, then go on with it."""
        self.waiting.append((cost, then, what))
        if not self._is_up:
            self._is_up = True
            self.machine.wanting.append(self)
            self.machine.give()

    def begin(self) -> None:
        """Serve what waits: a core has been given."""
        count = min(len(self.waiting), MOST_AT_ONCE)
        self.in_hand = [self.waiting.popleft() for _ in range(count)]
        took = (self.wake + sum(cost for cost, _, _ in self.in_hand)) / self.speed
        self.busy += took
        self.world.after(took, self._computed)

    def _computed(self, _: object) -> None:
        self.machine.free += 1
        if self.disk:
            self.disk_time += self.disk
            self.world.after(self.disk, self._served)
        else:
            self._served(None)
        self.machine.give()

    def _served(self, _: object) -> None:
        done, self.in_hand = self.in_hand, []
        if self.waiting and not self.is_dead:
            self.machine.wanting.append(self)
        else:
            self._is_up = False
        for _cost, then, what in done:
            then(what)
        self.machine.give()

    def die(self) -> list[Any]:
        """Serve nothing more; what it had not done."""
        self.is_dead = True
        lost = [what for _, _, what in (*self.in_hand, *self.waiting)]
        self.waiting.clear()
        self.in_hand = []
        return lost

    def rise(self) -> None:
        """Serve again."""
        self.is_dead = False
