"""Stores for tests: Redis and a ledger as one."""

from __future__ import annotations

from bree.ledger.link import Ledger
from gateway.ledger_store import LedgerStore


def joined(redis_server, ledger_url, seconds=5.0, **more):
    """What makes a store on these servers."""
    return lambda: LedgerStore(redis_server.url, Ledger(ledger_url, 4, seconds), **more)
