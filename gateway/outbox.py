"""Delivers what the ledger's outbox has: copies of accounts, and what follows from a match's end.

Design. Whoever changes something does at once what follows from it elsewhere, and the outbox does
it again: so what a gateway leaves undone because it dies, or because Redis is away, is made good.
All of it may be done any number of times.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from bree.ledger import outbox
from bree.ledger.outbox import Row
from bree.process import metrics
from bree.process.again import again_and_again
from bree.process.statuses import Denied
from gateway.ledger_ratings import OVER
from gateway.ledger_store import LedgerStore
from gateway.matches import Matches

log = structlog.get_logger()

REST_SECONDS = 0.5
COUNT_SECONDS = 10.0
TRY_SECONDS = 2.0
WEEK_MS = 7 * 86_400_000


class Outbox:
    """Delivers for one gateway; others may take what it does not."""

    def __init__(self, store: LedgerStore, matches: Matches, kept_ms: int = WEEK_MS) -> None:
        self.store, self.matches, self.kept_ms = store, matches, kept_ms
        self._counted = 0.0
        self._ways: dict[str, Callable[[Row], Awaitable[None]]] = {
            "account": self._copy,
            OVER: self._end,
        }

    async def run(self) -> None:
        """Deliver for ever."""
        await again_and_again("outbox", self.deliver, REST_SECONDS, (Denied,))

    async def deliver(self) -> None:
        """Deliver what there is."""
        while await outbox.deliver(self.store.ledger, self._deliver):
            pass
        if time.monotonic() >= self._counted + COUNT_SECONDS:
            self._counted = time.monotonic()
            waiting, age = await outbox.waiting(self.store.ledger)
            metrics.OUTBOX_WAITING.set(waiting)
            metrics.OUTBOX_AGE_SECONDS.set(age)
            await outbox.forget(self.store.ledger, self.kept_ms)

    async def _deliver(self, rows: list[Row]) -> set[int]:
        done = await asyncio.gather(*(self._is_delivered(row) for row in rows))
        return {row.id for row, is_done in zip(rows, done, strict=True) if is_done}

    async def _is_delivered(self, row: Row) -> bool:
        result = "delivered"
        try:
            async with asyncio.timeout(TRY_SECONDS):
                await self._ways[row.kind](row)
        except (Denied, TimeoutError) as error:
            result = "put off"
            log.info("not delivered", id=row.id, kind=row.kind, error=str(error))
        except Exception:
            # The others are to be delivered all the same.
            result = "failed"
            metrics.BUGS.labels("outbox").inc()
            log.exception("bug", part="outbox", id=row.id, kind=row.kind)
        metrics.OUTBOX_DELIVERED.labels(row.kind, result).inc()
        return result == "delivered"

    async def _copy(self, row: Row) -> None:
        await self.store.deliver_copy(row.account)

    async def _end(self, row: Row) -> None:
        """Have a match that is over leave the lists of what is live, and tell who sat there."""
        match = await self.store.past_match(row.match)
        assert match is not None, row
        assert match.outcome is not None, row
        live = await self.store.match(row.match, past=False)
        await self.matches.end(live or match, match.outcome, match.settled)
        await self.matches.tell(match)
