"""`python -m workers.sweeper`: sends again what is overdue, and ends what has run out of time.

Design. An engine sends the task of a move itself, at once and without being sure of it; what it
wrote beside the move into its list of things due is sure. The sweeper asks every engine for what
has been due for too long and sends it again. Several sweepers may run: what one was handed nobody
else is, for the time of the lease. While many turns wait for a worker none is sent again, as most
of those that are overdue then are among them.
"""

from __future__ import annotations

import contextvars
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Protocol

import structlog
from kombu.exceptions import OperationalError

from bree.engine.v1.engine_pb2 import ClaimDueRequest, Due, DueKind, ExpireRequest
from bree.process import logs, metrics
from bree.process.settings import read
from bree.process.tasks import NEXT_TURN, QUEUE_OF
from bree.process.unobserved import redis
from bree.redis.primaries import client
from workers.app import make_app
from workers.bot_turn import Turn
from workers.calls import Failed
from workers.clients import Clients
from workers.queues import Queues
from workers.settings import WorkerSettings

log = structlog.get_logger()

BATCH = 500
"""How many things that are due are claimed at once."""

Kinds = frozenset[DueKind.ValueType]

TASKS: Kinds = frozenset(
    {DueKind.DUE_KIND_BOT_TURN, DueKind.DUE_KIND_SCORE, DueKind.DUE_KIND_LEAVE}
)
"""What only workers can do. A clock that ran out needs no broker."""

CROWDED: Kinds = frozenset({DueKind.DUE_KIND_BOT_TURN})

BRIEFLY = 1000
"""The lease in ms of what cannot be sent: it shall be had as soon as the broker is back."""


class Send(Protocol):
    """Sends tasks to workers."""

    def send_turn(self, turn: Turn, payer: str, *, alone: bool) -> None:
        """Let a turn wait for a worker."""

    def send_score(self, game: str, match: str) -> None:
        """Have a match scored."""

    def send_leave(self, game: str, match: str) -> None:
        """Have a match leave the store."""


class Sweeper:
    """Looks after the games of this platform until it is told to stop."""

    def __init__(
        self, settings: WorkerSettings, clients: Clients, send: Send, waiting: Callable[[], int]
    ) -> None:
        self.settings = settings
        self.clients = clients
        self.send = send
        self.waiting = waiting
        self.stopping = threading.Event()

    def run(self, games: Iterable[str]) -> None:
        """Sweep every game, each in a thread of its own so that none waits for another's engine."""
        threads = []
        for game in games:
            context = contextvars.copy_context()
            thread = threading.Thread(target=context.run, args=(self.look_after, game), name=game)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()

    def look_after(self, game: str) -> None:
        """Sweep one game again and again."""
        while not self.stopping.is_set():
            began = time.monotonic()
            try:
                self.sweep(game)
            except (Failed, redis.RedisError, OperationalError, OSError) as error:
                log.warning("swept in vain", game=game, error=str(error))
            except Exception:
                metrics.BUGS.labels("sweeper").inc()
                log.exception("bug", game=game)
            self.stopping.wait(max(0.0, began + self.settings.sweep_seconds - time.monotonic()))

    def sweep(self, game: str) -> int:
        """Do what is overdue in one game now; how much that was."""
        total, full = 0, True
        while full and not self.stopping.is_set():
            unsent = self._unsent()
            due = self._claim(game, BRIEFLY if unsent == TASKS else self.settings.sweep_lease_ms)
            for one in due:
                if one.kind not in unsent:
                    self._do(game, one)
            total += len(due)
            full = len(due) >= BATCH
        return total

    def _unsent(self) -> Kinds:
        """What is not sent again now."""
        try:
            return CROWDED if self.waiting() > self.settings.sweep_backlog else frozenset()
        except redis.RedisError as error:
            log.warning("broker away", error=str(error))
            return TASKS

    def _claim(self, game: str, lease_ms: int) -> list[Due]:
        request = ClaimDueRequest(
            limit=BATCH, lease_ms=lease_ms, overdue_ms=self.settings.sweep_overdue_ms
        )
        return list(self.clients.engine(game, "", lambda stub: stub.ClaimDue, request).due)

    def _do(self, game: str, due: Due) -> None:
        if due.kind == DueKind.DUE_KIND_BOT_TURN:
            turn = Turn(game, due.match, due.seat, due.question, due.bot_level)
            self.send.send_turn(turn, due.payer or due.match, alone=due.alone)
        elif due.kind == DueKind.DUE_KIND_SCORE:
            self.send.send_score(game, due.match)
        elif due.kind == DueKind.DUE_KIND_LEAVE:
            self.send.send_leave(game, due.match)
        elif due.kind == DueKind.DUE_KIND_CLOCK:
            self._expire(game, due)
        metrics.SWEPT.labels(game, DueKind.Name(due.kind).removeprefix("DUE_KIND_").lower()).inc()

    def _expire(self, game: str, due: Due) -> None:
        request = ExpireRequest(match=due.match, seat=due.seat, question=due.question)
        try:
            self.clients.engine(game, due.match, lambda stub: stub.Expire, request)
        except Failed as failed:
            # One match that cannot go on must not keep the others waiting.
            log.warning("not expired", game=game, match=due.match, error=str(failed))


def main() -> int:
    """Be a sweeper until a signal ends it."""
    settings = read(WorkerSettings)
    logs.set_up("sweeper", settings.log_level, settings.log_format)
    queues, clients = Queues(make_app(settings), settings), Clients(settings)
    broker = client(settings.broker, socket_timeout=5, socket_connect_timeout=5)
    sweeper = Sweeper(settings, clients, queues, lambda: int(str(broker.llen(QUEUE_OF[NEXT_TURN]))))
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: sweeper.stopping.set())
    clients.open()
    metrics.serve(settings.metrics_port, settings.metrics_address)
    sweeper.run(settings.engines)
    clients.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
