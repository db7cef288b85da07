"""How often a bot's turn was begun, so that one which always fails is given up.

Design. A turn that fails stays due and is sent again for ever, and one that takes its process along
leaves nobody who could say so. So it is counted at the broker before it is played, and forgotten
once it was played or turned out to be settled; what is left are those that failed. The engine then
gives the seat to the weakest bot, or freezes the match if that was it. What is not the turn's fault
is not counted: engines out of reach, and a worker that is too old or too new for the match. A
broker that is away counts nothing, and a count that is lost with it begins anew.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import redis
import structlog

from bree.engine.v1.engine_pb2 import ReplaceBotRequest
from bree.process import metrics
from bree.redis.primaries import client
from workers.bot_turn import FAILED, Turn
from workers.calls import Failed
from workers.clients import Clients
from workers.settings import SweeperSettings

log = structlog.get_logger()

FORGOTTEN = 3600
"""Seconds after which what was not tried again is not counted any more."""

ANSWER_SECONDS = 2.0


class Tries:
    """The turns of this platform that were begun, and have not been played."""

    def __init__(self, settings: SweeperSettings) -> None:
        self._most = settings.turn_tries
        self._broker = client(
            settings.broker, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )

    def play(self, clients: Clients, turn: Turn, played: Callable[[], str]) -> str:
        """Play a turn, unless that was tried too often; how it ended, in a word."""
        is_hopeless = self._begun(turn) > self._most
        result = _give_up(clients, turn) if is_hopeless else played()
        if result != FAILED:
            self._forget(turn)
        return result

    def _begun(self, turn: Turn) -> int:
        """The number of this try, from 1 on; 1 if nobody can say."""
        key = _key(turn)
        with suppress(redis.RedisError, OSError), self._broker.pipeline() as pipeline:
            pipeline.incr(key)
            pipeline.expire(key, FORGOTTEN)
            return int(pipeline.execute()[0])
        return 1

    def _forget(self, turn: Turn) -> None:
        with suppress(redis.RedisError, OSError):
            self._broker.delete(_key(turn))


def _key(turn: Turn) -> str:
    return f"bree-tries:{'|'.join(map(str, turn))}"


def _give_up(clients: Clients, turn: Turn) -> str:
    """Have a turn that always fails taken from its bot."""
    request = ReplaceBotRequest(
        match=turn.match, seat=turn.seat, question=turn.question, bot_level=turn.level
    )
    try:
        answer = clients.engine(turn.game, turn.match, lambda stub: stub.ReplaceBot, request)
    except Failed as failed:
        log.warning("not given up", refused=str(failed), **turn._asdict())
        return FAILED
    metrics.BOT_TURNS.labels(turn.game, turn.level, "given_up").inc()
    now = "nobody" if answer.frozen else answer.bot_level
    log.error("bot turn given up", seat_has=now, **turn._asdict())
    return "given up"
