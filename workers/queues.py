"""The tasks of the platform: how they are sent, and how a worker comes by a turn to play.

Design. A task of a bot is leave to take a turn, and which one that is, is decided when a process is
free to play it (`process.turns`). So however many turns of one account were sent before, the next
one may be another's.
"""

from __future__ import annotations

import os
import socket

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from bree.process import traces
from bree.process.tasks import LEAVE, NEXT_TURN, SCORE
from bree.process.turns import Taken, Turns
from bree.process.unobserved import redis
from workers import bot_turn
from workers.bot_turn import Turn
from workers.clients import Clients
from workers.settings import SweeperSettings
from workers.tries import Tries

log = structlog.get_logger()

AWAY = (redis.RedisError, OperationalError)
"""The broker is out of reach: what is lost by that, sweepers send again."""


class Queues:
    """What waits at the broker, for workers and for those who send."""

    def __init__(self, app: Celery, settings: SweeperSettings) -> None:
        self.app, self.settings = app, settings
        self.turns, self.tries = Turns(settings.broker), Tries(settings)
        self.worker = f"{socket.gethostname()}:{os.getpid()}"  # of all that it forks

    def send_turn(self, turn: Turn, payer: str, *, alone: bool) -> None:
        """Let a turn wait for a worker."""
        cause = traces.headers().get(traces.PARENT, "")
        if self.turns.add(turn._asdict(), payer, alone=alone, cause=cause):
            self.app.send_task(NEXT_TURN)

    def send_score(self, game: str, match: str) -> None:
        """Have a match scored."""
        self.app.send_task(SCORE, kwargs={"game": game, "match": match})

    def send_leave(self, game: str, match: str) -> None:
        """Have a match leave the store."""
        self.app.send_task(LEAVE, kwargs={"game": game, "match": match})

    def play_next(self, task: str, clients: Clients) -> None:
        """Play the turn that is due to be played next, if there is one."""
        try:
            taken = self.turns.take(task, self.worker, self.settings.worker_processes)
            if taken is not None:
                try:
                    self._play(task, taken, clients)
                finally:
                    self._let_go(task)
        except AWAY as error:
            log.info("broker away", error=str(error))

    def _let_go(self, task: str) -> None:
        if self.turns.done(task):
            self.app.send_task(NEXT_TURN)

    def _play(self, task: str, taken: Taken, clients: Clients) -> None:
        def hand_on(turn: Turn) -> None:
            self.send_turn(turn, taken.payer, alone=taken.alone)

        def may_go_on(turn: Turn) -> bool:
            return self.turns.may_go_on(task, turn._asdict())

        turn, seconds = Turn(**taken.turn), self.settings.task_seconds / 2
        with traces.LinkedTrace("bot turn", taken.cause, game=turn.game, match=turn.match):
            self.tries.play(
                clients,
                turn,
                lambda: bot_turn.play(clients, turn, seconds, hand_on, may_go_on=may_go_on),
            )
