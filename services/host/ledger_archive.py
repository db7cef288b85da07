"""The matches that have left the store, read from the ledger."""

from __future__ import annotations

from typing import Any

from bree.ledger.link import Ledger
from bree.ledger.packing import unpack
from bree.process.statuses import Denied
from bree.redis.client import Away
from services.host.archived_store import Archived
from services.host.kept import Unreadable

FIND = """
SELECT r.record, r.kept FROM bree.records r JOIN bree.matches m ON m.id = r.match
WHERE r.match = $1 AND m.game = $2
"""

HAS = "SELECT 1 FROM bree.matches WHERE id = $1 AND game = $2"


class LedgerArchive:
    """What one ledger has of the matches of one game. It is read, and nothing else."""

    def __init__(self, ledger: Ledger, game: str) -> None:
        self.ledger, self.game = ledger, game

    async def find(self, match: str) -> Archived | None:
        """The record of a match, and what its engine keeps of it."""
        row = await self._row("archived", FIND, match)
        if row is None:
            return None
        try:
            return Archived(unpack(row[0]).decode(), unpack(row[1]))
        except ValueError as error:
            raise Unreadable(str(error)) from error

    async def has(self, match: str) -> bool:
        """Whether a match of this name is over and there."""
        return await self._row("has left", HAS, match) is not None

    async def _row(self, what: str, query: str, match: str) -> Any:
        try:
            return await self.ledger.row(what, query, match, self.game)
        except Denied as denied:
            raise Away(str(denied), denied.message, **denied.metadata) from denied
