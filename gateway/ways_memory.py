"""Tokens and recovery codes in memory: what `ledger_ways.py` does, without a server."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.account_memory import AccountsInMemory
from gateway.contract import Added, Ended
from gateway.documents import Proof, Session


class WaysInMemory(AccountsInMemory):
    """The part of a `contract.Store` that concerns them."""

    async def tokens(self, account: str) -> list[Session]:
        return list(self._tokens.get(account, {}).values())

    async def add_token(self, account: str, token: Session, most: int, by: Proof) -> Added:
        if not self._stands(account, by):
            return Added.REFUSED
        tokens = self._tokens[account]
        if tokens.get(token.id) != token:
            if len(tokens) >= most:
                return Added.FULL
            tokens[token.id] = token
        return Added.ADDED

    async def end_token(self, account: str, token: str) -> None:
        self._tokens.get(account, {}).pop(token, None)

    async def end_all(self, account: str, keep: str, *, tokens_too: bool) -> Ended:
        self._codes.pop(account, None)
        sessions = self._sessions.get(account, {})
        gone = await self.end_sessions(account, [one for one in sessions if one != keep])
        return Ended(gone, len(self._tokens.pop(account, {})) if tokens_too else 0)

    async def keep_recovery_codes(
        self, account: str, codes: Sequence[str], now_ms: int, by: Proof
    ) -> bool:
        if not self._stands(account, by):
            return False
        self._recovery[account] = (set(codes), now_ms)
        return True

    async def recovery_codes(self, account: str) -> tuple[int, int]:
        codes, made_ms = self._recovery.get(account, (set(), 0))
        return len(codes), made_ms if codes else 0

    async def account_of_recovery_code(self, code: str) -> str:
        return next((one for one, kept in self._recovery.items() if code in kept[0]), "")
