"""What is done to a platform: each fault has a name, a place, a beginning and an end.

Design. A fault never waits for what it causes, and its end puts everything back that its beginning
changed, even if the part that it was done to is another process by now. Two faults at one place at
the same time would undo each other; the schedule sees to it that there are none.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import signal
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import ClassVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tests.chaos.wire import Wire
from tests.chaos.world import World, kind_of
from tests.guard import children, signal_all

BACK_SECONDS = 60.0
"""After so long a part that has not come back is lost."""

DEAD_PORT = "9"
"""Nobody listens there, so a Redis that is to follow it never hears of anything."""


class Fault(ABC):
    """One thing that goes wrong for a while."""

    kind: ClassVar[str]
    least: ClassVar[float] = 3.0  # seconds that it lasts
    most: ClassVar[float] = 10.0

    def __init__(self, world: World, place: str, seconds: float) -> None:
        self.world = world
        self.place = place
        self.seconds = seconds

    def __str__(self) -> str:
        return f"{self.kind} {self.place} {self.seconds:.0f} s"

    @classmethod
    @abstractmethod
    def drawn(cls, world: World, chance: random.Random) -> str:
        """A place for it."""

    @abstractmethod
    async def begin(self) -> None:
        """Let it go wrong."""

    @abstractmethod
    async def end(self) -> None:
        """Let it be right again."""


class OfPart(Fault):
    """A fault of one part."""

    kinds: ClassVar[tuple[str, ...]] = (
        "gateway",
        "engine",
        "worker",
        "sweeper",
        "redis",
        "postgres",
    )

    @classmethod
    def drawn(cls, world: World, chance: random.Random) -> str:
        """A place for it: each kind of part is hurt as often."""
        kind = chance.choice(cls.kinds)
        return chance.choice([part.name for part in world.parts if part.kind == kind])


class Kill(OfPart):
    """A part ends as no handler can prevent."""

    kind = "kill"
    least, most = 0.0, 0.0

    async def begin(self) -> None:
        self.pid = self.world.running()[self.place]
        os.kill(self.pid, signal.SIGKILL)

    async def end(self) -> None:
        async with asyncio.timeout(BACK_SECONDS):
            while self.world.running().get(self.place, self.pid) == self.pid:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            await self.world.back(self.place)


class KillChild(OfPart):
    """One of the processes that a worker or a database has forked ends so."""

    kind = "killchild"
    kinds = ("worker", "postgres")
    least, most = 0.0, 0.0

    async def begin(self) -> None:
        chance = random.Random(self.place)
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(children(self.world.running()[self.place])), signal.SIGKILL)

    async def end(self) -> None:
        await self.world.back(self.place)


class Pause(OfPart):
    """A part is stopped with all its processes, as a machine that swaps, and then goes on."""

    kind = "pause"
    least, most = 5.0, 30.0

    async def begin(self) -> None:
        self.pid = self.world.running()[self.place]
        self._signal(signal.SIGSTOP)

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # somebody lost patience and ended it
            self._signal(signal.SIGCONT)

    def _signal(self, sign: signal.Signals) -> None:
        """To the part, then to what it has made: a database's processes are groups of their own."""
        os.killpg(self.pid, sign)
        signal_all(children(self.pid), sign)


class Clock(OfPart):
    """The clock of an engine is 20 minutes fast, or slow."""

    kind = "clock"
    kinds = ("engine",)
    least, most = 5.0, 30.0
    apart = 20 * 60.0

    async def begin(self) -> None:
        wrong = random.Random(str(self)).choice((-1, 1)) * self.apart
        self.world.put_clock_wrong(self.place, wrong)

    async def end(self) -> None:
        self.world.put_clock_wrong(self.place, 0)


# Between two parts.

BETWEEN = (
    ("client", "gateway"),
    ("gateway", "engine"),
    ("gateway", "store"),
    ("gateway", "postgres"),
    ("engine", "store"),
    ("engine", "postgres"),
    ("engine", "broker"),
    ("worker", "broker"),
    ("worker", "engine"),
    ("worker", "gateway"),
    ("sweeper", "engine"),
    ("sweeper", "broker"),
)
"""Who calls whom, by kinds."""


class OfWires(Fault):
    """A fault of one wire, or of all between two kinds of parts."""

    @classmethod
    def drawn(cls, world: World, chance: random.Random) -> str:
        """A place for it: each pair of kinds is hurt as often, as a whole or one wire of it."""
        pair = ">".join(chance.choice(BETWEEN))
        return chance.choice([pair, chance.choice([w for w in world.wires if kinds_of(w) == pair])])

    @property
    def wires(self) -> list[Wire]:
        named = self.world.wires.values()
        return [wire for wire in named if self.place in (wire.name, kinds_of(wire.name))]

    async def end(self) -> None:
        for wire in self.wires:
            wire.mend()


def kinds_of(wire: str) -> str:
    """The kinds of the two parts that a wire is between."""
    return ">".join(map(kind_of, wire.split(">")))


class Delay(OfWires):
    """Everything comes later."""

    kind = "delay"

    async def begin(self) -> None:
        for wire in self.wires:
            wire.delay = random.Random(str(self)).choice((0.05, 0.3, 1.5))


class Throttle(OfWires):
    """Everything comes slowly."""

    kind = "throttle"

    async def begin(self) -> None:
        for wire in self.wires:
            wire.rate = random.Random(str(self)).choice((1000, 10_000, 100_000))


class Cut(OfWires):
    """Connections are reset, and none can be made."""

    kind = "cut"

    async def begin(self) -> None:
        for wire in self.wires:
            wire.refuses = True
            wire.cut()


class Blink(OfWires):
    """Connections are reset, and new ones made at once."""

    kind = "blink"
    least, most = 0.0, 0.0

    async def begin(self) -> None:
        for wire in self.wires:
            wire.cut()


class HalfClose(OfWires):
    """Connections end towards their callers, whom the called parts still hear."""

    kind = "half"
    least, most = 0.0, 0.0

    async def begin(self) -> None:
        for wire in self.wires:
            wire.half_close()


class Hold(OfWires):
    """Nothing passes, and no connection ends; what was held comes in the end."""

    kind = "hold"
    least, most = 5.0, 30.0

    async def begin(self) -> None:
        for wire in self.wires:
            wire.hold()


class Lapse(Hold):
    """Nothing passes, and in the end what was held is lost with its connections."""

    kind = "lapse"

    async def end(self) -> None:
        for wire in self.wires:
            wire.cut()
            wire.mend()


# Of the store.


class OfStore(Fault):
    """A fault of Redis, which refuses and goes on running."""

    @classmethod
    def drawn(cls, world: World, chance: random.Random) -> str:
        return "redis"

    async def _told(self, words: Callable[[Redis], Awaitable[object]]) -> None:
        """Say this to Redis, once it listens."""
        async with asyncio.timeout(BACK_SECONDS):
            while True:
                with contextlib.suppress(RedisError, OSError):
                    async with self.world.redis() as redis:
                        await words(redis)
                        return
                await asyncio.sleep(0.2)


class FullMemory(OfStore):
    """Redis may not use more memory than it does."""

    kind = "memory"

    async def begin(self) -> None:
        async def fill(redis: Redis) -> None:
            self.before = (await redis.config_get("maxmemory"))["maxmemory"]
            await redis.config_set("maxmemory", "1mb")

        await self._told(fill)

    async def end(self) -> None:
        await self._told(lambda redis: redis.config_set("maxmemory", self.before))


class ReadOnly(OfStore):
    """Redis follows another one that is not there, as after a failover that went wrong."""

    kind = "readonly"

    async def begin(self) -> None:
        await self._told(lambda redis: redis.replicaof("127.0.0.1", DEAD_PORT))

    async def end(self) -> None:
        await self._told(lambda redis: redis.replicaof("NO", "ONE"))


class FullDisk(OfStore):
    """No file of Redis can grow, now and after each of its starts."""

    kind = "disk"

    async def begin(self) -> None:
        most = max(file.stat().st_size for file in _files(self.world.edge / "now"))
        (self.world.edge / "limit").write_text(str(most), encoding="ascii")
        self._limit(most)

    async def end(self) -> None:
        (self.world.edge / "limit").unlink()
        self._limit(resource.RLIM_INFINITY)
        async with asyncio.timeout(BACK_SECONDS):
            await self.world.back("redis")
        self._limit(resource.RLIM_INFINITY)  # of one that started in between

    def _limit(self, most: int) -> None:
        with contextlib.suppress(KeyError, ProcessLookupError):
            limits = (most, resource.RLIM_INFINITY)
            resource.prlimit(self.world.running()["redis"], resource.RLIMIT_FSIZE, limits)


def _files(directory: Path) -> list[Path]:
    return [path for path in directory.resolve().rglob("*") if path.is_file()]
