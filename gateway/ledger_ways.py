"""Ways into an account besides its own token, in the ledger: tokens by name, recovery codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.ledger.link import Undo
from gateway.contract import Added, Ended
from gateway.documents import Proof, Session
from gateway.ledger_accounts import LOCKED, NO_CODE, AccountsInLedger, stands

HASH_OF = "SELECT token_hash FROM bree.tokens WHERE account = $1 AND id = $2"
TOKENS = "SELECT count(*) FROM bree.tokens WHERE account = $1"
NEW = """
INSERT INTO bree.tokens (account, id, token_hash, created_ms, used_ms, name, scope)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
NO_TOKENS = "DELETE FROM bree.tokens WHERE account = $1"
THESE_TOKENS = NO_TOKENS + " AND id = ANY($2::text[])"
OTHER_SESSIONS = "DELETE FROM bree.sessions WHERE account = $1 AND id <> $2"

NO_RECOVERY = "DELETE FROM bree.recovery_codes WHERE account = $1"
RECOVERY = """
INSERT INTO bree.recovery_codes (account, code, created_ms)
SELECT $1, code, $3 FROM unnest($2::text[]) code
"""
LEFT = "SELECT count(*), coalesce(max(created_ms), 0) FROM bree.recovery_codes WHERE account = $1"
RECOVERED = "SELECT account FROM bree.recovery_codes WHERE code = $1"


class WaysInLedger(AccountsInLedger):
    """The part of a `contract.Store` that concerns them."""

    async def add_token(self, account: str, token: Session, most: int, by: Proof) -> Added:
        row = (token.id, token.token_hash, token.created_ms, token.used_ms)
        came = Added.REFUSED

        async def add(connection: Any) -> None:
            nonlocal came
            kept = await connection.fetchrow(LOCKED, account)
            came = Added.REFUSED
            if not await stands(connection, account, kept, by):
                raise Undo(value=False)
            came = Added.ADDED
            if await connection.fetchval(HASH_OF, account, token.id) == token.token_hash:
                raise Undo(value=True)  # the answer to the first try was lost
            if await connection.fetchval(TOKENS, account) >= most:
                came = Added.FULL
                raise Undo(value=False)
            await connection.execute(NEW, account, *row, token.device, token.scope)

        await self._changed("add_token", account, add)
        return came

    async def end_token(self, account: str, token: str) -> None:
        async def end(connection: Any) -> None:
            await connection.fetchrow(LOCKED, account)
            await connection.execute(THESE_TOKENS, account, [token])

        await self._changed("end_token", account, end, takes=True)

    async def end_all(self, account: str, keep: str, *, tokens_too: bool) -> Ended:
        ended = Ended(0, 0)

        async def end(connection: Any) -> None:
            nonlocal ended
            await connection.fetchrow(LOCKED, account)
            await connection.execute(NO_CODE, account)  # or somebody could come in again
            sessions = await connection.execute(OTHER_SESSIONS, account, keep)
            tokens = await connection.execute(NO_TOKENS, account) if tokens_too else "0"
            ended = Ended(*(int(done.split()[-1]) for done in (sessions, tokens)))

        await self._changed("end_all", account, end, takes=True)
        return ended

    # Recovery codes.

    async def keep_recovery_codes(
        self, account: str, codes: Sequence[str], now_ms: int, by: Proof
    ) -> bool:
        async def keep(connection: Any) -> bool:
            kept = await connection.fetchrow(LOCKED, account)
            if not await stands(connection, account, kept, by):
                raise Undo(value=False)
            await connection.execute(NO_RECOVERY, account)
            await connection.execute(RECOVERY, account, list(codes), now_ms)
            return True

        return await self.ledger.write("keep_recovery_codes", keep)

    async def recovery_codes(self, account: str) -> tuple[int, int]:
        row = await self.ledger.row("recovery_codes", LEFT, account)
        return int(row[0]), int(row[1])

    async def account_of_recovery_code(self, code: str) -> str:
        row = await self.ledger.row("account_of_recovery_code", RECOVERED, code)
        return str(row[0]) if row else ""
