"""The way back to a broker that was away."""

from __future__ import annotations

from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection as Usual

PAUSES = {"interval_start": 0.5, "interval_step": 0.5, "interval_max": 2}
"""Seconds between two tries. Kombu's own grow to half a minute, in which nobody takes a task."""


class Connection(Usual):
    """A connection to the broker that is soon there again."""

    def ensure_connection(self, *arguments: Any, **more: Any) -> Connection:
        """Try until the broker answers."""
        super().ensure_connection(*arguments, **PAUSES | more)  # type: ignore[no-untyped-call]
        return self


class Broker(AMQP):  # type: ignore[misc]  # it has no types
    """What an app has instead of Celery's own."""

    Connection = Connection
