"""Accounts in memory: what `ledger_accounts.py` does, without a server."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from gateway.contract import Claim
from gateway.documents import Account, Credentials, Session


class AccountsInMemory:
    """The part of a `contract.Store` that concerns accounts."""

    def __init__(self) -> None:
        self._accounts: dict[str, Credentials] = {}
        self._names: dict[str, str] = {}
        self._sessions: defaultdict[str, dict[str, Session]] = defaultdict(dict)
        self._codes: dict[str, tuple[str, int]] = {}  # by account

    async def add_account(self, account: Account, token_hash: str) -> bool:
        if self._names.setdefault(account.name.lower(), account.id) != account.id:
            return False
        self._accounts[account.id] = Credentials(account, token_hash)
        return True

    async def credentials(self, account: str, *, surely: bool = False) -> Credentials | None:
        return self._accounts.get(account)

    async def accounts(self, ids: Sequence[str]) -> list[Account | None]:
        found = [self._accounts.get(account) for account in ids]
        return [kept and kept.account for kept in found]

    async def account_named(self, name: str) -> Account | None:
        account = self._names.get(name.lower())
        return self._accounts[account].account if account else None

    async def accounts_named(self, names: Sequence[str]) -> list[Account | None]:
        return [await self.account_named(name) for name in names]

    async def claim_name(self, account: str, name: str) -> Claim:
        kept = self._accounts[account]
        if not kept.account.guest:
            return Claim.CLAIMED if kept.account.name == name else Claim.NAMED
        if self._names.setdefault(name.lower(), account) != account:
            return Claim.TAKEN
        new = replace(kept.account, name=name, guest=False, first_name=kept.account.name)
        self._accounts[account] = Credentials(new, kept.token_hash)
        return Claim.CLAIMED

    async def swap_token(self, account: str, old: str, new: str, session: str = "") -> bool:
        kept = self._accounts.get(account)
        if kept is None or (kept.token_hash != new and not kept.token_hash):
            return False
        if kept.token_hash != new:
            held = await self.session(account, session)
            proof = (held and held.token_hash) if session else kept.token_hash
            if proof != old:
                return False
        self._accounts[account] = Credentials(kept.account, new)
        if not new:
            self._sessions.pop(account, None)
            self._codes.pop(account, None)
        return True

    async def token_hashes(self, account: str) -> set[str]:
        kept = self._accounts.get(account)
        own = {kept.token_hash} if kept and kept.token_hash else set()
        return own | {session.token_hash for session in await self.sessions(account)}

    # Sessions.

    async def add_session(self, account: str, session: Session, most: int, code: str = "") -> bool:
        kept = self._accounts.get(account)
        if await self.session(account, session.id) == session:
            return True
        if kept is None or not kept.token_hash:
            return False
        if code:
            if self._codes.get(account, ("", 0))[0] != code:
                return False
            if self._codes.pop(account)[1] <= time.time_ns() // 1_000_000:
                return False
        sessions = self._sessions[account]
        while len(sessions) >= most:
            del sessions[min(sessions.values(), key=lambda held: held.used_ms).id]
        sessions[session.id] = session
        return True

    async def session(self, account: str, session: str, *, surely: bool = False) -> Session | None:
        return self._sessions.get(account, {}).get(session)

    async def sessions(self, account: str) -> list[Session]:
        return list(self._sessions.get(account, {}).values())

    async def use_session(self, account: str, session: Session, now_ms: int) -> None:
        sessions = self._sessions.get(account, {})
        kept = sessions.get(session.id)
        if kept and kept.token_hash == session.token_hash and kept.used_ms < now_ms:
            sessions[session.id] = replace(kept, used_ms=now_ms)

    async def end_sessions(self, account: str, sessions: Sequence[str]) -> int:
        kept = self._sessions.get(account, {})
        return sum(kept.pop(session, None) is not None for session in sessions)

    async def keep_code(self, account: str, code: str, until_ms: int) -> None:
        if code:
            self._codes[account] = (code, until_ms)
        else:
            self._codes.pop(account, None)

    async def account_of_code(self, code: str) -> str:
        return next((account for account, kept in self._codes.items() if kept[0] == code), "")
