"""Matches that are over for longer than the host wants to keep them go from the ledger, too.

Design. One gateway at a time has the turn. It drops some of the oldest at once, and goes on until
there are no more; whatever is live still, for whatever reason, stays until it has left. Without a
setting, nothing is ever dropped.
"""

from __future__ import annotations

import asyncio
import random
import secrets

import structlog

from bree.ledger import retention
from bree.process import metrics
from bree.process.again import again_and_again
from bree.process.statuses import Denied
from gateway.documents import State
from gateway.ledger_store import LedgerStore
from gateway.matches import now_ms
from gateway.settings import GatewaySettings

log = structlog.get_logger()

TURN = "retention"
AT_ONCE = 100
REST_SECONDS = 300.0


class Retention:
    """Drops what is too old."""

    def __init__(self, settings: GatewaySettings, store: LedgerStore) -> None:
        self.store, self.games = store, tuple(settings.replicas)
        self.holder = secrets.token_hex(8)
        kept = {State.OVER: settings.keep_seconds, State.CLOSED: settings.keep_closed_seconds}
        self._kept_ms = {state: round(1000 * seconds) for state, seconds in kept.items() if seconds}

    async def run(self) -> None:
        """Drop for ever, while it is this gateway's turn."""
        if self._kept_ms:
            await again_and_again("retention", self._drop_in_turn, REST_SECONDS, (Denied,))

    async def _drop_in_turn(self) -> None:
        await asyncio.sleep(random.uniform(0, REST_SECONDS / 10))  # noqa: S311 (only a pause)
        if await self.store.take_turn(TURN, self.holder, round(2000 * REST_SECONDS)):
            await self.drop()

    async def drop(self) -> int:
        """Drop all that is too old now; how many matches that were."""
        done = 0
        for game in self.games:
            for state, kept_ms in self._kept_ms.items():
                before = now_ms() - kept_ms
                while dropped := await self._some(game, state, before):
                    done += dropped
        return done

    async def _some(self, game: str, state: State, before_ms: int) -> int:
        """Drop some of the oldest; 0 if none of them can be."""
        found = await retention.old(self.store.ledger, game, state, before_ms, AT_ONCE)
        live = await self.store.matches(found, past=False)
        gone = [match for match, kept in zip(found, live, strict=True) if kept is None]
        if gone:
            await retention.drop(self.store.ledger, gone)
            metrics.MATCHES_DROPPED.labels(game, state).inc(len(gone))
            log.info("matches dropped", game=game, state=state, number=len(gone))
        return len(gone)
