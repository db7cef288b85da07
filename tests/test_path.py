"""How many functions one Act passes does not grow unnoticed; `python -m tests.e2e.path` counts."""

from __future__ import annotations

import asyncio

from tests.e2e.path import passed
from tests.ledgers import ledgers
from tests.redis_server import redis_server

MOST = 90
"""Calls of the gateway's functions and of what all processes share, with a few to spare."""

AFTERWARDS = ("services/", "bree/redis/")
"""The engine, and how it asks the store for what was decided."""


def test_what_an_act_passes_before_its_engine_decides_is_short():
    """Whoever only passes something on makes every move slower and every trace longer."""
    with redis_server() as redis, ledgers() as each:
        found = asyncio.run(passed("confrontation", redis.url, each.empty()))
    shared = {at: calls for at, calls in found.items() if not at[0].startswith(AFTERWARDS)}

    assert ("gateway/play.py", "Play.act") in shared
    assert sum(shared.values()) <= MOST
