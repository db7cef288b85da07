"""Accounts in memory: what `ledger_accounts.py` does, without a server.

Their names are in `names_memory.py`, tokens and recovery codes in `ways_memory.py`.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from gateway.documents import Account, Credentials, Proof, Session


class AccountsInMemory:
    """The part of a `contract.Store` that concerns accounts."""

    def __init__(self) -> None:
        self._accounts: dict[str, Credentials] = {}
        self._names: dict[str, str] = {}
        self._sessions: defaultdict[str, dict[str, Session]] = defaultdict(dict)
        self._tokens: defaultdict[str, dict[str, Session]] = defaultdict(dict)
        self._codes: dict[str, tuple[str, int]] = {}  # by account
        self._recovery: dict[str, tuple[set[str], int]] = {}  # likewise

    async def credentials(self, account: str, *, surely: bool = False) -> Credentials | None:
        return self._accounts.get(account)

    async def accounts(self, ids: Sequence[str]) -> list[Account | None]:
        found = [self._accounts.get(account) for account in ids]
        return [kept and kept.account for kept in found]

    async def swap_token(self, account: str, old: str, new: str, session: str = "") -> bool:
        kept = self._accounts.get(account)
        if kept is None or (kept.token_hash != new and not kept.token_hash):
            return False
        if kept.token_hash != new and not self._stands(account, Proof(old, session)):
            return False
        self._accounts[account] = Credentials(kept.account, new)
        if not new:
            for ways in (self._sessions, self._tokens, self._codes, self._recovery):
                ways.pop(account, None)
        return True

    def _stands(self, account: str, by: Proof | None) -> bool:
        """Whether an account may be used, and a proof of it is still worth something."""
        kept = self._accounts.get(account)
        if kept is None or not kept.token_hash:
            return False
        held = self._sessions.get(account, {}).get(by.session) if by and by.session else None
        proof = (held.token_hash if held else "") if by and by.session else kept.token_hash
        return by is None or by.token_hash == proof

    async def token_hashes(self, account: str) -> set[str]:
        kept = self._accounts.get(account)
        if not kept or not kept.token_hash:
            return set()
        ways = (*await self.sessions(account), *self._tokens.get(account, {}).values())
        return {kept.token_hash} | {session.token_hash for session in ways}

    # Sessions.

    async def add_session(
        self,
        account: str,
        session: Session,
        most: int,
        code: str = "",
        *,
        recovery: str = "",
        by: Proof | None = None,
    ) -> bool:
        if await self.session(account, session.id) == session:
            return True
        if not self._stands(account, by):
            return False
        if code:
            if self._codes.get(account, ("", 0))[0] != code:
                return False
            if self._codes.pop(account)[1] <= time.time_ns() // 1_000_000:
                return False
        if recovery:
            if recovery not in self._recovery.get(account, ((), 0))[0]:
                return False
            self._recovery[account][0].remove(recovery)
        sessions = self._sessions[account]
        while len(sessions) >= most:
            del sessions[min(sessions.values(), key=lambda held: held.used_ms).id]
        sessions[session.id] = session
        return True

    async def session(self, account: str, session: str, *, surely: bool = False) -> Session | None:
        tokens, sessions = self._tokens.get(account, {}), self._sessions.get(account, {})
        return sessions.get(session) or tokens.get(session)

    async def sessions(self, account: str) -> list[Session]:
        return list(self._sessions.get(account, {}).values())

    async def use_session(self, account: str, session: Session, now_ms: int) -> None:
        sessions = (self._tokens if session.is_token else self._sessions).get(account, {})
        kept = sessions.get(session.id)
        if kept and kept.token_hash == session.token_hash and kept.used_ms < now_ms:
            sessions[session.id] = replace(kept, used_ms=now_ms)

    async def end_sessions(self, account: str, sessions: Sequence[str]) -> int:
        kept = self._sessions.get(account, {})
        return sum(kept.pop(session, None) is not None for session in sessions)

    async def keep_code(
        self, account: str, code: str, until_ms: int, by: Proof | None = None
    ) -> bool:
        if not self._stands(account, by):
            return False
        self._codes[account] = (code, until_ms)
        return True

    async def account_of_code(self, code: str) -> str:
        return next((account for account, kept in self._codes.items() if kept[0] == code), "")
