"""`python -m workers.sweeper`: sends again what is overdue, and ends what has run out of time.

Design. An engine sends the task of a move itself, at once and without being sure of it; what it
wrote beside the move into its list of things due is sure. The sweeper asks every engine for what
has been due for too long and sends it again, to the broker that it belongs to (`outlet.py`).
Several sweepers may run: what one was handed nobody else is, for the time of the lease.
"""

from __future__ import annotations

import contextvars
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable

import structlog

from bree.engine.v1.engine_pb2 import ClaimDueRequest, Due, DueKind, ExpireRequest
from bree.process import logs, metrics
from bree.process.brokers import Spread, place_of
from bree.process.settings import read
from bree.process.tasks import NEXT_TURN, QUEUE_OF
from bree.redis.primaries import client
from workers.app import make_app
from workers.calls import Failed
from workers.clients import Clients
from workers.outlet import Claimed, Outlet, swept
from workers.queues import Queues
from workers.settings import SweeperSettings

log = structlog.get_logger()

BATCH = 500
"""How many things that are due are claimed at once."""

LAST_SECONDS = 5.0
"""How long brokers may take for what is left when a sweeper ends."""


class Sweeper:
    """Looks after the games of this platform until it is told to stop."""

    def __init__(
        self, settings: SweeperSettings, clients: Clients, outlets: Spread[Outlet]
    ) -> None:
        self.settings = settings
        self.clients = clients
        self.outlets = outlets
        self.stopping = threading.Event()

    def run(self, games: Iterable[str]) -> None:
        """Sweep every game, each in a thread of its own so that none waits for another's engine."""
        sending = [_begin(outlet.name, outlet.run) for outlet in self.outlets]
        sweeping = [_begin(game, self.look_after, game) for game in games]
        for thread in sweeping:
            thread.join()
        for outlet in self.outlets:
            outlet.stop()
        until = time.monotonic() + LAST_SECONDS
        for thread in sending:
            thread.join(max(0.0, until - time.monotonic()))

    def look_after(self, game: str) -> None:
        """Sweep one game again and again."""
        while not self.stopping.is_set():
            began = time.monotonic()
            try:
                self.sweep(game)
            except Failed as failed:
                log.warning("swept in vain", game=game, error=str(failed))
            except Exception:
                metrics.BUGS.labels("sweeper").inc()
                log.exception("bug", game=game)
            self.stopping.wait(max(0.0, began + self.settings.sweep_seconds - time.monotonic()))

    def sweep(self, game: str) -> int:
        """Claim what is overdue in one game now, and have it done; how much that was."""
        total, full = 0, True
        while full and not self.stopping.is_set():
            until = time.monotonic() + self.settings.sweep_lease_ms / 1000
            due = self._claim(game)
            for one in due:
                if one.kind == DueKind.DUE_KIND_CLOCK:  # for which no broker is needed
                    self._expire(game, one)
                else:
                    self.outlets.of(one.payer or one.match).take(Claimed(game, one, until))
            total += len(due)
            full = len(due) >= BATCH
        return total

    def _claim(self, game: str) -> list[Due]:
        request = ClaimDueRequest(
            limit=BATCH,
            lease_ms=self.settings.sweep_lease_ms,
            overdue_ms=self.settings.sweep_overdue_ms,
        )
        return list(self.clients.engine(game, "", lambda stub: stub.ClaimDue, request).due)

    def _expire(self, game: str, due: Due) -> None:
        request = ExpireRequest(match=due.match, seat=due.seat, question=due.question)
        try:
            self.clients.engine(game, due.match, lambda stub: stub.Expire, request)
        except Failed as failed:
            # One match that cannot go on must not keep the others waiting.
            log.warning("not expired", game=game, match=due.match, error=str(failed))
        swept(game, due)


def _begin(name: str, work: Callable[..., None], *arguments: str) -> threading.Thread:
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(work, *arguments), name=name, daemon=True)
    thread.start()
    return thread


def outlet_to(settings: SweeperSettings) -> Outlet:
    """The way to the one broker of these settings."""
    broker = client(settings.broker, socket_timeout=5, socket_connect_timeout=5)
    return Outlet(
        place_of(settings.broker),
        Queues(make_app(settings), settings),
        lambda: int(str(broker.llen(QUEUE_OF[NEXT_TURN]))),
        settings.sweep_backlog,
    )


def main() -> int:
    """Be a sweeper until a signal ends it."""
    settings = read(SweeperSettings)
    logs.set_up("sweeper", settings.log_level, settings.log_format)
    clients = Clients(settings)
    outlets = Spread(settings.brokers, lambda url: outlet_to(settings.at(url)))
    sweeper = Sweeper(settings, clients, outlets)
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: sweeper.stopping.set())
    clients.open()
    metrics.serve(settings.metrics_port, settings.metrics_address)
    sweeper.run(settings.engines)
    clients.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
