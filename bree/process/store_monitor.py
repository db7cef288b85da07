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
from collections.abc import Sequence
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

    async def look(self, arguments: Sequence[str]) -> Sequence[Any]:
        """Run the script of `process.epoch`."""
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
        self._memory = (
            Path(settings.store_memory, f"{name}.json") if settings.store_memory else None
        )
        self._saved = self._counted = 0.0
        if self._memory:
            recall(self._memory, epoch)

    async def look(self, *, add: bool = False) -> None:
        """Look once; raises what the store does if it is away."""
        await self._ask(self.epoch.probe(add=add))
        if self.epoch.has_to_tell:
            with suppress(*self.asked.away):  # it may be one that takes no changes
                await self._ask(self.epoch.probe(tell=True))

    async def _ask(self, probe: Probe) -> None:
        began = time.monotonic()
        answer = await self.asked.look(probe.arguments)
        self.epoch.hear(probe, answer)
        self.time.take(int(answer[2]), began, time.monotonic())

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
        if self._memory and not self.epoch.trouble and now - self._saved > MEMORY_SECONDS:
            self._saved = now
            await asyncio.to_thread(remember, self._memory, self.epoch)
        if now - self._counted > FIGURES_SECONDS:
            self._counted = now
            show(await self.asked.figures(), self.settings.store_disk_bytes)


def remember(path: Path, epoch: Epoch) -> None:
    """Write down what is known: whole, or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with fresh.open("w", encoding="ascii") as file:
            json.dump({"run": epoch.run, "beads": list(epoch.markers)}, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        log.warning("BREE_STORE_MEMORY cannot be written", path=str(path), error=str(error))


def recall(path: Path, epoch: Epoch) -> None:
    """Know what was written down, if anything was."""
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        epoch.run = str(kept["run"])
        epoch.markers.extend(Marker(int(place), str(w), int(at)) for place, w, at in kept["beads"])
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("BREE_STORE_MEMORY cannot be read", path=str(path), error=str(error))


def show(said: str, disk: int) -> None:
    """Report what Redis says of its memory and its disk."""
    figures = dict(line.partition(":")[::2] for line in said.splitlines() if ":" in line)
    metrics.STORE_MEMORY_BYTES.set(float(figures.get("used_memory", 0)))
    metrics.STORE_MEMORY_LIMIT_BYTES.set(float(figures.get("maxmemory", 0)))
    metrics.STORE_LOG_BYTES.set(float(figures.get("aof_current_size", 0)))
    metrics.STORE_DISK_BYTES.set(disk)
    for of, name in WRITES.items():
        metrics.STORE_WRITE_FAILS.labels(of).set(figures.get(name, "ok") != "ok")
