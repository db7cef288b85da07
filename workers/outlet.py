"""What a sweeper sends to one broker, in a thread of its own: no broker waits for another.

Design. What was claimed is handed over at once, and sent as soon as the broker takes it. While that
is away it waits here until its lease is over, and is then claimed again by whoever comes first. So
it is had as soon as the broker is back, and what goes to other brokers is not held up. While many
turns wait at the broker no turn is sent again, as most of those that are overdue then are among
them; what is not sent is claimed again, too.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

import structlog
from kombu.exceptions import OperationalError

from bree.engine.v1.engine_pb2 import Due, DueKind
from bree.process import metrics
from bree.process.unobserved import redis
from workers.bot_turn import Turn

log = structlog.get_logger()

AWAY = (redis.RedisError, OperationalError, OSError)
REST_SECONDS = 1.0
"""How long a broker that is away is left alone."""

MOST_WAITING = 10_000
"""How much waits for a broker that is away; what is older is claimed again."""

BATCH = 500
"""How much is sent between two looks at how many turns wait."""


class Send(Protocol):
    """Sends tasks to workers."""

    def send_turn(self, turn: Turn, payer: str, *, alone: bool) -> None:
        """Let a turn wait for a worker."""

    def send_score(self, game: str, match: str) -> None:
        """Have a match scored."""

    def send_leave(self, game: str, match: str) -> None:
        """Have a match leave the store."""


class Claimed(NamedTuple):
    """Something that nobody else sends before its lease is over."""

    game: str
    due: Due
    until: float  # by the clock of this process


class Outlet:
    """One broker, to a sweeper."""

    def __init__(self, name: str, send: Send, waiting: Callable[[], int], backlog: int) -> None:
        self.name, self.send = name, send
        self._waiting, self._backlog = waiting, backlog
        self._claimed: deque[Claimed] = deque(maxlen=MOST_WAITING)
        self._news, self._stopping = threading.Event(), threading.Event()

    def take(self, one: Claimed) -> None:
        """Send something soon; returns at once."""
        self._claimed.append(one)
        self._news.set()

    def run(self) -> None:
        """Send what comes until told to stop, and then what is left, if the broker takes it."""
        is_last = False
        while not is_last:
            self._news.wait()
            self._news.clear()
            is_last = self._stopping.is_set()
            while not self.pass_on():
                if self._stopping.wait(REST_SECONDS):
                    return

    def stop(self) -> None:
        """Come to an end."""
        self._stopping.set()
        self._news.set()

    def pass_on(self) -> bool:
        """Send what there is; False if the broker is away."""
        try:
            while self._claimed:
                self._send_some(is_crowded=self._waiting() > self._backlog)
        except AWAY as error:
            log.warning("broker away", broker=self.name, error=str(error))
            return False
        except Exception:
            metrics.BUGS.labels("sweeper").inc()
            log.exception("bug", broker=self.name)
        return True

    def _send_some(self, *, is_crowded: bool) -> None:
        for _ in range(min(BATCH, len(self._claimed))):
            one = self._claimed.popleft()
            is_turn = one.due.kind == DueKind.DUE_KIND_BOT_TURN
            if time.monotonic() < one.until and not (is_turn and is_crowded):
                try:
                    self._send_one(one.game, one.due)
                except AWAY:
                    self._claimed.appendleft(one)
                    raise

    def _send_one(self, game: str, due: Due) -> None:
        if due.kind == DueKind.DUE_KIND_BOT_TURN:
            turn = Turn(game, due.match, due.seat, due.question, due.bot_level)
            self.send.send_turn(turn, due.payer or due.match, alone=due.alone)
        elif due.kind == DueKind.DUE_KIND_SCORE:
            self.send.send_score(game, due.match)
        elif due.kind == DueKind.DUE_KIND_LEAVE:
            self.send.send_leave(game, due.match)
        swept(game, due)


def swept(game: str, due: Due) -> None:
    """Count what a sweeper has seen to."""
    kind = DueKind.Name(due.kind).removeprefix("DUE_KIND_").lower()
    metrics.SWEPT.labels(game, kind).inc()
