"""The tasks of Celery that engines and sweepers send and workers do, and the queue of each."""

from __future__ import annotations

from collections.abc import Mapping

NEXT_TURN, SCORE, LEAVE = "bree.next_turn", "bree.score", "bree.leave"
QUEUE_OF: Mapping[str, str] = {NEXT_TURN: "bots", SCORE: "scoring", LEAVE: "scoring"}
