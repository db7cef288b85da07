"""What a ledger has yet to tell elsewhere, as it is taken, delivered and forgotten.

Design. A row is written in the transaction of what it tells of. Whoever delivers it has it locked
until the ledger knows that it is delivered; if he dies, it is free again at once, and somebody else
delivers it, perhaps a second time. Of each account only the oldest row can be taken.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from bree.ledger.link import Ledger

MOST, MOST_FORGOTTEN = 20, 1000
LONGEST_REST_MS = 60_000

TAKE = """
SELECT id, kind, account, match, payload, tries FROM bree.outbox o
WHERE delivered_ms IS NULL AND next_ms <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  AND NOT (account <> '' AND EXISTS (
    SELECT FROM bree.outbox e
    WHERE e.account = o.account AND e.delivered_ms IS NULL AND e.id < o.id))
ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
"""
DELIVERED = """
UPDATE bree.outbox SET tries = tries + 1,
  delivered_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
WHERE id = ANY($1::bigint[])
"""
FAILED = """
UPDATE bree.outbox SET tries = tries + 1,
  next_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    + least($2, 250 * (1 << least(tries, 16)))
WHERE id = ANY($1::bigint[])
"""
FORGET = """
DELETE FROM bree.outbox WHERE id IN (
  SELECT id FROM bree.outbox
  WHERE delivered_ms < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1 LIMIT $2)
"""
WAITING = """
SELECT count(*), coalesce(
  extract(epoch FROM clock_timestamp()) - min(at_ms) / 1000.0, 0)::float8
FROM bree.outbox WHERE delivered_ms IS NULL
"""


class Row(NamedTuple):
    """Something to be delivered. Its id is never another one's, so doubles can be told."""

    id: int
    kind: str
    account: str
    match: str
    payload: str
    tries: int


Deliver = Callable[[list[Row]], Awaitable[set[int]]]
"""Delivers rows; gives the ids of those that are."""


async def deliver(ledger: Ledger, how: Deliver) -> int:
    """Take some rows and deliver them; how many were taken."""

    async def work(connection: Any) -> int:
        rows = [Row(*row) for row in await connection.fetch(TAKE, MOST)]
        if rows:
            done = await how(rows)
            await connection.execute(DELIVERED, list(done))
            failed = [row.id for row in rows if row.id not in done]
            await connection.execute(FAILED, failed, LONGEST_REST_MS)
        return len(rows)

    return await ledger.write("outbox", work)


async def forget(ledger: Ledger, kept_ms: int) -> None:
    """Let go of what was delivered so long ago."""

    async def work(connection: Any) -> None:
        await connection.execute(FORGET, kept_ms, MOST_FORGOTTEN)

    await ledger.write("outbox_forget", work)


async def waiting(ledger: Ledger) -> tuple[int, float]:
    """How many rows wait, and for how long the oldest one has, in seconds."""
    [row] = await ledger.read("outbox_waiting", WAITING)
    return int(row[0]), float(row[1])
