"""Ends a worker that has ceased to ask for tasks, so that its supervisor starts it again.

Design. A worker may be alive, answer for its metrics and never take a task again: its place at the
broker was lost, or whatever goes wrong next. What it cannot do then is to ask the broker, which a
worker without a task does every second. So a thread looks when it last did. A broker that does not
answer is no fault of the worker, nor is time in which the whole process stood still. A worker that
has tasks, or is on its way back to the broker, asks for none; that too comes to an end. One that is
found stuck counts and says so for as long as it takes to be read, and is ended.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import billiard
import redis
import structlog
from celery.worker import state

from bree.process import metrics
from bree.redis.primaries import client
from workers.settings import WorkerSettings

log = structlog.get_logger()

LOOK_SECONDS = 1.0
STOOD_STILL = 4.0
"""Seconds without a look after which the whole process was held up, not its loop alone."""

READ_SECONDS = 12.0
"""How long a worker that is stuck goes on to say so: Prometheus asks every ten seconds."""

STUCK = 70
"""The exit code of a worker that was stuck."""

PING_SECONDS = 2.0


class Signs(NamedTuple):
    """What can be seen of a worker, from a thread of it."""

    now: Callable[[], float]
    asked: Callable[[], float]
    """When it last asked for a task."""
    is_occupied: Callable[[], bool]
    """Whether it has tasks, or no connection to ask on."""
    broker_answers: Callable[[], bool]


class Watchdog:
    """Looks after one worker."""

    def __init__(
        self, signs: Signs, idle_seconds: float, longest_task: float, end: Callable[[], None]
    ) -> None:
        self._signs = signs
        self._idle_seconds = idle_seconds
        self._longest_task = longest_task
        self._end = end
        self._looked = self._free = self._could = signs.now()
        self._found: float | None = None  # when it was found stuck
        self._stopping = threading.Event()

    def run(self) -> None:
        """Look again and again until the worker stops."""
        while not self._stopping.wait(LOOK_SECONDS):
            self.look()

    def stop(self) -> None:
        """Let the worker end in peace."""
        self._stopping.set()

    def look(self) -> None:
        """See whether the worker asks for tasks; end it if it was found not to for a while."""
        now = self._signs.now()
        if self._found is not None:
            if now >= self._found + READ_SECONDS:
                self._end()
            return
        if now > self._looked + STOOD_STILL or not self._signs.broker_answers():
            self._could = now
        self._looked = now = self._signs.now()
        if self._signs.is_occupied():
            self._free = now
        silent = now - max(self._could, self._signs.asked())
        idle = min(silent, now - self._free)
        if idle > self._idle_seconds or silent > self._longest_task + self._idle_seconds:
            self._note(silent)

    def is_well(self) -> bool:
        """Whether the worker asks for tasks, and somebody looks whether it does."""
        if self._stopping.is_set():
            return True
        late = self._signs.now() - self._looked > self._longest_task
        return self._found is None and not late

    def _note(self, silent: float) -> None:
        self._found = self._signs.now()
        metrics.WORKERS_STUCK.inc()
        log.error("stuck", silent_seconds=round(silent, 1))


def watch(consumer: Any, settings: WorkerSettings) -> Watchdog:
    """A watchdog that looks after this worker from now on."""
    broker = client(
        settings.broker, socket_timeout=PING_SECONDS, socket_connect_timeout=PING_SECONDS
    )

    def answers() -> bool:
        try:
            return bool(broker.ping())
        except (redis.RedisError, OSError):
            return False

    signs = Signs(
        time.monotonic,
        lambda: last_asked(consumer),
        lambda: len(state.reserved_requests) > 0 or consumer.connection is None,
        answers,
    )
    hard = settings.task_seconds + settings.task_grace_seconds
    watchdog = Watchdog(signs, settings.stuck_seconds, hard, end)
    threading.Thread(target=watchdog.run, name="watchdog", daemon=True).start()
    return watchdog


def last_asked(consumer: Any) -> float:
    """When a worker last asked its broker for a task; long ago if it has no connection."""
    tasks = consumer.task_consumer
    # Kombu tells nobody when it asks, but notes it, to find connections that are dead.
    return (tasks and tasks.channel and tasks.channel._brpop_sent_at) or 0.0  # noqa: SLF001


def end() -> None:
    """End this worker with its processes; a loop that is stuck would not heed a signal."""
    for process in billiard.active_children():
        process.terminate()
    os._exit(STUCK)
