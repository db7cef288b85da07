"""The names of accounts in the ledger: claimed, changed, kept from others, and freed.

Design. A name is a row that says whose it is, and until when it is kept for him if he does not bear
it any more; so no two accounts ever share one. Ratings are kept under a name that is settled when
an account is made and never changes after that (`bree/ledger/names.py`); an index that is unique
sees to it that no two accounts have the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.ledger import names as kept_names
from bree.ledger.link import Undo
from bree.ledger.names import PLAYER
from gateway.account_copies import Kept
from gateway.contract import NAME_KEPT_MS, RENAME_MS, Claim, Renamed, Renaming
from gateway.documents import Account, Proof
from gateway.ledger_accounts import ACCOUNT, LOCKED, AccountsInLedger, after, stands, take_name

PLAYERS = """
SELECT PLAYER, ACCOUNT FROM bree.accounts a WHERE (PLAYER) = ANY($1::text[])
""".replace("PLAYER", PLAYER).replace("ACCOUNT", ACCOUNT)
RENAMED = """
UPDATE bree.accounts SET first_name = PLAYER, name = $2, guest = false WHERE id = $1
""".replace("PLAYER", PLAYER)
RENAMED_AT = "UPDATE bree.accounts SET renamed_ms = $2 WHERE id = $1"
KEPT_UNTIL = "UPDATE bree.names SET until_ms = $3 WHERE name = $2 AND account = $1"


class NamesInLedger(AccountsInLedger):
    """The part of a `contract.Store` that concerns names."""

    async def accounts_rated_as(self, players: Sequence[str]) -> list[Account | None]:
        rows = await self.ledger.read("rated as", PLAYERS, list(players)) if players else []
        found = {row[0]: Account(*row[1:]) for row in rows}
        return [found.get(player) for player in players]

    async def claim_name(self, account: str, name: str) -> Claim:
        async def claim(connection: Any) -> Claim | Kept:
            kept = await connection.fetchrow(LOCKED, account)
            if kept is None or not kept["guest"]:
                raise Undo(Claim.CLAIMED if kept and kept["name"] == name else Claim.NAMED)
            await take_name(connection, account, name, taken=Claim.TAKEN)
            await connection.execute(RENAMED, account, name)
            return await after(connection, account)

        done = await self.ledger.write("claim_name", claim)
        if isinstance(done, Claim):
            return done
        await self._try_to_keep(done)
        return Claim.CLAIMED

    async def rename(self, account: str, name: str, now_ms: int, by: Proof) -> Renamed:
        async def rename(connection: Any) -> Renamed | Kept:
            kept = await connection.fetchrow(LOCKED, account)
            if not await stands(connection, account, kept, by):
                raise Undo(Renamed(Renaming.REFUSED))
            next_ms = kept["renamed_ms"] and kept["renamed_ms"] + RENAME_MS
            if kept["name"] == name:
                raise Undo(Renamed(Renaming.DONE, next_ms))
            if kept["guest"]:
                raise Undo(Renamed(Renaming.GUEST))
            if next_ms > now_ms:
                raise Undo(Renamed(Renaming.EARLY, next_ms))
            await take_name(connection, account, name, taken=Renamed(Renaming.TAKEN))
            older = (account, kept["name"].lower(), now_ms + NAME_KEPT_MS)
            for row in (older, (account, name.lower(), 0)):  # they may be one
                await connection.execute(KEPT_UNTIL, *row)
            await connection.execute(RENAMED, account, name)
            await connection.execute(RENAMED_AT, account, now_ms)
            return await after(connection, account)

        done = await self.ledger.write("rename", rename)
        if isinstance(done, Renamed):
            return done
        await self._try_to_keep(done)
        return Renamed(Renaming.DONE, now_ms + RENAME_MS)

    async def free_names(self, now_ms: int, most: int) -> int:
        return await self.ledger.write("free_names", lambda c: kept_names.free(c, now_ms, most))
