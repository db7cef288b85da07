"""What a ledger lets go of when its time is over: matches with their records, notes and seats.

Design. Ratings and their history stay, so does what everybody has played for them; only the match
itself is unknown afterwards. What the outbox has yet to tell of a match, it needs the match for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.ledger.link import Ledger

OLD = """
SELECT m.id FROM bree.matches m
WHERE m.game = $1 AND m.state = $2 AND m.created_ms < $3 AND m.ended_ms < $3
  AND NOT EXISTS (SELECT FROM bree.outbox o WHERE o.match = m.id AND o.delivered_ms IS NULL)
ORDER BY m.created_ms, m.id LIMIT $4
"""
GONE = (
    "DELETE FROM bree.notes WHERE match = ANY($1::text[])",
    "DELETE FROM bree.records WHERE match = ANY($1::text[])",
    "DELETE FROM bree.seats WHERE match = ANY($1::text[])",
    "DELETE FROM bree.results WHERE match = ANY($1::text[])",
    "DELETE FROM bree.matches WHERE id = ANY($1::text[])",
)


async def old(ledger: Ledger, game: str, state: str, before_ms: int, most: int) -> list[str]:
    """The first matches of a game that were over before then."""
    rows = await ledger.read("old", OLD, game, state, before_ms, most)
    return [str(row[0]) for row in rows]


async def drop(ledger: Ledger, matches: Sequence[str]) -> None:
    """Let go of these, all of them or none."""

    async def work(connection: Any) -> None:
        for command in GONE:
            await connection.execute(command, [*matches])

    await ledger.write("drop", work)
