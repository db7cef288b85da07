"""The beat with which a process looks after its store: its past, its time, and its room.

Design. How the store is asked differs between parts of the platform; when it is asked, and what is
made of the answers, does not. Time is the store's: what is added to the process's own steady clock
is measured with each look, so that no two processes disagree by more than a round trip takes.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import structlog
from pydantic import Field

from bree.process import metrics
from bree.process.again import again_and_again
from bree.process.epoch import Epoch, Marker, Probe
from bree.process.settings import ProcessSettings

log = structlog.get_logger()

FIGURES_SECONDS = 10.0
MEMORY_SECONDS = 10.0

NOWHERE: Mapping[str, Epoch] = {}

DRIFT = 0.001
"""How far two clocks are assumed to go apart, in seconds a second."""

WRITES = {
    "log": "aof_last_write_status",
    "log_rewrite": "aof_last_bgrewrite_status",
    "snapshot": "rdb_last_bgsave_status",
}
"""What a store writes to its disk, and where it says how that went."""


class StoreSettings(ProcessSettings):
    """What those are told who have a store."""

    store_new: bool = False  # whether an empty store is a new one
    store_memory: str = ""  # a directory for what is known of the store when the process ends
    store_may_lose_seconds: float = Field(default=60, ge=0)  # without anybody being asked
    store_look_seconds: float = Field(default=2, ge=0.05, le=60)  # between two looks
    store_disk_bytes: int = Field(default=0, ge=0)  # of the disk of the store; 0: unknown
    store_replicas: int = Field(default=0, ge=0, le=16)  # that have what is acknowledged
    store_replica_ms: int = Field(default=1000, ge=10, le=2000)  # that they are waited for

    def epoch(self) -> Epoch:
        """What is known of the store before it was looked at."""
        return Epoch(is_new=self.store_new, may_lose_ms=int(self.store_may_lose_seconds * 1000))


class Monitored(Protocol):
    """A store, as the part that has it asks it. What fails raises one of `away`."""

    away: tuple[type[Exception], ...]

    async def look(self, arguments: Sequence[str], place: str = "") -> Sequence[Any]:
        """Run the script of `process.epoch`."""
        ...

    async def places(self) -> Mapping[str, bool]:
        """At which other servers a past is to be looked at, and whether one has begun there."""
        ...

    async def begin(self, place: str) -> None:
        """Note that one has begun there."""
        ...

    async def figures(self) -> str:
        """What Redis says of its memory and its disk."""
        ...


class StoreTime:
    """The time of the store, in ms since 1970, by the steady clock of this process."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()  # until the store has said
        self._taken, self._took = 0.0, float("inf")

    def __call__(self) -> int:
        return int((time.monotonic() + self._ahead) * 1000)

    def take(self, ms: int, began: float, ended: float) -> None:
        """The store said this somewhere between these two moments of the steady clock."""
        took = ended - began
        if took > self._took + DRIFT * (ended - self._taken):
            return  # what was measured before is surer
        self._taken, self._took = ended, took
        self._ahead = ms / 1000 - (began + ended) / 2


class StoreMonitor:
    """Looks after one store."""

    def __init__(self, settings: StoreSettings, epoch: Epoch, asked: Monitored, name: str) -> None:
        self.settings, self.epoch, self.asked = settings, epoch, asked
        self.time = StoreTime()
        self.others: dict[str, Epoch] = {}  # of other servers of a cluster
        self._memory = (
            Path(settings.store_memory, f"{name}.json") if settings.store_memory else None
        )
        self._saved = self._counted = 0.0
        if self._memory:
            recall(self._memory, epoch, self.others)

    @property
    def trouble(self) -> str:
        """What is wrong with the store, if anything is; one of its servers is enough."""
        if self.others:
            return next(filter(None, (epoch.trouble for epoch in self._epochs())), "")
        return self.epoch.trouble

    def check(self) -> None:
        """Refuse whatever needs a store that is the one which is known."""
        for epoch in self._epochs():
            epoch.check()

    async def look(self, *, add: bool = False) -> None:
        """Look once; raises what the store does if it is away."""
        began = time.monotonic()
        now = await self._ask(self.epoch, add=add)
        self.time.take(now, began, time.monotonic())
        places = await self.asked.places()
        asked = (self._look_there(place, has_begun, add) for place, has_begun in places.items())
        await asyncio.gather(*asked)
        for place in self.others.keys() - places.keys():  # another server has that now
            if not self.others[place].trouble:
                self.others.pop(place)
        metrics.STORE_IN_DOUBT.set(bool(self.trouble))

    async def _look_there(self, place: str, has_begun: bool, add: bool) -> None:
        """Look at one of several servers; what is new there begins with whoever sees it first."""
        epoch = self.others.get(place)  # which another look may forget meanwhile
        if epoch is None:
            epoch = Epoch(is_new=not has_begun, may_lose_ms=self.epoch.may_lose_ms)
            self.others[place] = epoch
        await self._ask(epoch, place, add=add)
        if not has_begun and not epoch.trouble:
            await self.asked.begin(place)

    async def _ask(self, epoch: Epoch, place: str = "", *, add: bool) -> int:
        """Look, and note a doubt if there is one; the time of the server."""
        now = await self._hear(epoch, place, epoch.probe(add=add))
        if epoch.has_to_tell:
            with suppress(*self.asked.away):  # it may be one that takes no changes
                await self._hear(epoch, place, epoch.probe(tell=True))
        return now

    async def _hear(self, epoch: Epoch, place: str, probe: Probe) -> int:
        answer = await self.asked.look(probe.arguments, place)
        epoch.hear(probe, answer)
        return int(answer[2])

    def _epochs(self) -> Iterator[Epoch]:
        yield self.epoch
        yield from self.others.values()

    async def run(self) -> None:
        """Look for ever."""
        rest = self.settings.store_look_seconds
        await again_and_again("pulse", self._beat, rest, self.asked.away)

    async def _beat(self) -> None:
        try:
            await self.look(add=True)
        except self.asked.away:
            await self.look()  # it may still be read where nothing can be added
        now = time.monotonic()
        if self._memory and not self.trouble and now - self._saved > MEMORY_SECONDS:
            self._saved = now
            await asyncio.to_thread(remember, self._memory, self.epoch, dict(self.others))
        if now - self._counted > FIGURES_SECONDS:
            self._counted = now
            show(await self.asked.figures(), self.settings.store_disk_bytes)


def remember(path: Path, epoch: Epoch, others: Mapping[str, Epoch] = NOWHERE) -> None:
    """Write down what is known: whole, or not at all."""
    known = _known(epoch) | {"places": {place: _known(one) for place, one in others.items()}}
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with fresh.open("w", encoding="ascii") as file:
            json.dump(known, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        log.warning("BREE_STORE_MEMORY cannot be written", path=str(path), error=str(error))


def _known(epoch: Epoch) -> dict[str, Any]:
    return {"run": epoch.run, "beads": list(epoch.markers)}


def recall(path: Path, epoch: Epoch, others: dict[str, Epoch] | None = None) -> None:
    """Know what was written down, if anything was."""
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        _take(epoch, kept)
        for place, known in kept.get("places", {}).items():
            there = Epoch(may_lose_ms=epoch.may_lose_ms)
            _take(there, known)
            if others is not None:
                others[str(place)] = there
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("BREE_STORE_MEMORY cannot be read", path=str(path), error=str(error))


def _take(epoch: Epoch, kept: Mapping[str, Any]) -> None:
    epoch.run = str(kept["run"])
    epoch.markers.extend(Marker(int(place), str(w), int(at)) for place, w, at in kept["beads"])


def show(said: str, disk: int) -> None:
    """Report what Redis says of its memory and its disk."""
    figures = dict(line.partition(":")[::2] for line in said.splitlines() if ":" in line)
    metrics.STORE_MEMORY_BYTES.set(float(figures.get("used_memory", 0)))
    metrics.STORE_MEMORY_LIMIT_BYTES.set(float(figures.get("maxmemory", 0)))
    metrics.STORE_LOG_BYTES.set(float(figures.get("aof_current_size", 0)))
    metrics.STORE_DISK_BYTES.set(disk)
    for of, name in WRITES.items():
        metrics.STORE_WRITE_FAILS.labels(of).set(figures.get(name, "ok") != "ok")
