"""Tells the workers that there is something to do, as soon as there is. Nobody waits for it.

Design. Whatever is sent here is in the store's list of what is due already, and whoever sweeps that
list sends again what was lost. So this may fail, and may forget: the sending is done in a thread of
its own, from a queue that does not grow for ever, and a broker that is away is left alone a while.
A bot's turn waits in the queue of whoever pays for it (`bree/process/turns.py`), and its task says
only that there is one.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable
from typing import Any, Protocol

import structlog
from celery import Celery

from bree.process import tasks, traces
from bree.process.brokers import Spread, place_of
from bree.process.turns import Turns
from bree.redis.primaries import broker
from services.host.serialization import BOT_TURN, SCORE, Due

log = structlog.get_logger()

TASKS = {BOT_TURN: tasks.NEXT_TURN, SCORE: tasks.SCORE}
"""The task of each kind. Clocks have none: nothing can be done before their time."""

MOST_WAITING = 2_000
REST_SECONDS = 1.0


class Dispatch(Protocol):
    """Hears what has become due."""

    def tell(self, due: Iterable[Due]) -> None:
        """Do something about it, later and perhaps; returns at once."""
        ...


class NoDispatch:
    """Leaves everything to the sweeper."""

    def tell(self, due: Iterable[Due]) -> None:
        return


class Brokers:
    """Sends a task for each thing that has become due, to the broker that it belongs to."""

    def __init__(self, urls: Iterable[str], game: str) -> None:
        self._spread = Spread(urls, lambda url: Broker(url, game))

    def tell(self, due: Iterable[Due]) -> None:
        for one in due:
            self._spread.of(one.payer or one.match).tell([one])

    def close(self) -> None:
        """Send what is waiting, if that does not take long, and end."""
        for one in self._spread:
            one.leave()
        until = time.monotonic() + REST_SECONDS  # for all of them
        for one in self._spread:
            one.join(until - time.monotonic())


class Broker:
    """Sends a task to one broker for each thing that it is told."""

    def __init__(self, url: str, game: str) -> None:
        self.game, self.place = game, place_of(url)
        # With each, the call that it follows from.
        self._queue: queue.Queue[tuple[Due, dict[str, str]] | None] = queue.Queue(MOST_WAITING)
        place, way = broker(url)
        self._app = Celery("bree", broker=place, set_as_current=False)
        self._app.conf.update(
            task_ignore_result=True,
            task_publish_retry=False,
            broker_transport_options={"socket_connect_timeout": 2, "socket_timeout": 2, **way},
        )
        self._turns = Turns(url)
        self._producer: Any = None
        self._is_leaving = False
        self._thread = threading.Thread(target=self._run, name="dispatch", daemon=True)
        self._thread.start()

    def tell(self, due: Iterable[Due]) -> None:
        for one in due:
            if one.kind in TASKS and not self._queue.full():
                self._queue.put_nowait((one, traces.headers()))

    def leave(self) -> None:
        """Send what is waiting, and nothing more."""
        if not self._queue.full():
            self._queue.put_nowait(None)
            self._is_leaving = True

    def join(self, seconds: float) -> None:
        """Wait for the end of that for a while."""
        if self._is_leaving:
            self._thread.join(max(0.0, seconds))

    def close(self) -> None:
        """Send what is waiting, if that does not take long, and end."""
        self.leave()
        self.join(REST_SECONDS)

    def _run(self) -> None:
        while (waiting := self._queue.get()) is not None:
            due, headers = waiting
            try:
                self._send(due, headers)
            except Exception as error:  # noqa: BLE001  # whatever a broker may do wrong
                self._producer = None
                told = {"broker": self.place, "error": str(error)}
                log.warning("not sent", kind=due.kind, match=due.match, **told)
                time.sleep(REST_SECONDS)

    def _send(self, due: Due, headers: dict[str, str]) -> None:
        task = TASKS[due.kind]
        arguments: dict[str, Any] = {"game": self.game, "match": due.match}
        if due.kind == BOT_TURN:
            arguments |= {"seat": due.seat, "question": due.question, "level": due.level}
            cause = headers.get(traces.PARENT, "")
            if not self._turns.add(arguments, due.payer or due.match, alone=due.alone, cause=cause):
                return
            arguments = {}
        if self._producer is None:  # one that is kept saves a third of what a task costs
            self._producer = self._app.amqp.Producer(self._app.connection_for_write())
        how: dict[str, Any] = {"queue": tasks.QUEUE_OF[task], "headers": headers}
        how |= {"argsrepr": "", "kwargsrepr": due.match}  # else everything is spelt for the log
        self._app.send_task(task, kwargs=arguments, producer=self._producer, **how)
