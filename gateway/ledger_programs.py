"""Programs in the ledger: which accounts are bots, what they play, and who wants to meet none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.ledger.link import Undo
from gateway.ledger_accounts import AccountsInLedger

PLAYER = "(CASE WHEN a.first_name = '' THEN a.name ELSE a.first_name END)"
"""Under which name ratings are kept; an index has it of every bot."""

LOCKED = "SELECT a.bot, PLAYER FROM bree.accounts a WHERE a.id = $1 FOR UPDATE".replace(
    "PLAYER", PLAYER
)
COUNTED = "SELECT 1 FROM bree.ratings WHERE game = ANY($1::text[]) AND player = $2 LIMIT 1"
DECLARED = "UPDATE bree.accounts SET bot = true WHERE id = $1"
TERMS = "UPDATE bree.accounts SET terms = $2 WHERE id = $1"
WISHES = "UPDATE bree.accounts SET no_bots = $2 WHERE id = $1"
PROGRAMS = """
SELECT PLAYER FROM bree.accounts a WHERE a.bot AND PLAYER = ANY($1::text[])
""".replace("PLAYER", PLAYER)


class ProgramsInLedger(AccountsInLedger):
    """The part of a `contract.Store` that concerns programs."""

    async def declare_bot(self, account: str, games: Sequence[str]) -> bool:
        async def declare(connection: Any) -> None:
            kept = await connection.fetchrow(LOCKED, account)
            if kept is None or kept[0]:
                raise Undo(value=bool(kept))
            if await connection.fetchval(COUNTED, list(games), kept[1]):
                raise Undo(value=False)
            await connection.execute(DECLARED, account)

        return await self._changed("declare_bot", account, declare, takes=True)

    async def set_terms(self, account: str, terms: str) -> None:
        await self._set("set_terms", TERMS, account, terms)

    async def set_wishes(self, account: str, *, no_bots: bool) -> None:
        await self._set("set_wishes", WISHES, account, no_bots)

    async def _set(self, what: str, query: str, account: str, value: object) -> None:
        """Change a column of an account; no copy that is older stays."""

        async def change(connection: Any) -> None:
            await connection.execute(query, account, value)

        await self._changed(what, account, change, takes=True)

    async def programs(self, players: Sequence[str]) -> set[str]:
        rows = await self.ledger.read("programs", PROGRAMS, list(players)) if players else []
        return {str(row[0]) for row in rows}
