"""Names in memory: what `ledger_names.py` does, without a server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from gateway.account_memory import AccountsInMemory
from gateway.contract import NAME_KEPT_MS, RENAME_MS, Claim, Renamed, Renaming
from gateway.documents import Account, Credentials, Proof, Rating


class NamesInMemory(AccountsInMemory):
    """The part of a `contract.Store` that concerns names."""

    _ratings: defaultdict[str, dict[str, Rating]]

    def __init__(self) -> None:
        super().__init__()
        self._kept_until: dict[str, int] = {}  # by the name
        self._renamed: dict[str, int] = {}  # by the account
        self._freed: set[str] = set()

    async def add_account(self, account: Account, token_hash: str) -> bool:
        if self._names.setdefault(account.name.lower(), account.id) != account.id:
            return False
        if account.id not in self._accounts:
            new = replace(account, first_name=self._first_name(account))
            self._accounts[account.id] = Credentials(new, token_hash)
        return True

    def _first_name(self, account: Account) -> str:
        known = {kept.account.player for kept in self._accounts.values()}.union(
            *self._ratings.values()
        )
        was_somebodys = account.name.lower() in self._freed or account.name in known
        return f"={account.id}" if was_somebodys else ""

    async def account_named(self, name: str) -> Account | None:
        account = self._names.get(name.lower())
        return self._accounts[account].account if account else None

    async def accounts_named(self, names: Sequence[str]) -> list[Account | None]:
        return [await self.account_named(name) for name in names]

    async def accounts_rated_as(self, players: Sequence[str]) -> list[Account | None]:
        found = {kept.account.player: kept.account for kept in self._accounts.values()}
        return [found.get(player) for player in players]

    async def claim_name(self, account: str, name: str) -> Claim:
        kept = self._accounts[account].account
        if not kept.guest:
            return Claim.CLAIMED if kept.name == name else Claim.NAMED
        if self._names.setdefault(name.lower(), account) != account:
            return Claim.TAKEN
        self._call(account, name)
        return Claim.CLAIMED

    def _call(self, account: str, name: str) -> None:
        kept = self._accounts[account]
        new = replace(kept.account, name=name, guest=False, first_name=kept.account.player)
        self._accounts[account] = Credentials(new, kept.token_hash)

    async def rename(self, account: str, name: str, now_ms: int, by: Proof) -> Renamed:
        if not self._stands(account, by):
            return Renamed(Renaming.REFUSED)
        kept, renamed = self._accounts[account].account, self._renamed.get(account, 0)
        next_ms = renamed and renamed + RENAME_MS
        if kept.name == name:
            return Renamed(Renaming.DONE, next_ms)
        if kept.guest:
            return Renamed(Renaming.GUEST)
        if next_ms > now_ms:
            return Renamed(Renaming.EARLY, next_ms)
        if self._names.setdefault(name.lower(), account) != account:
            return Renamed(Renaming.TAKEN)
        self._kept_until[kept.name.lower()] = now_ms + NAME_KEPT_MS
        self._kept_until.pop(name.lower(), None)
        self._call(account, name)
        self._renamed[account] = now_ms
        return Renamed(Renaming.DONE, now_ms + RENAME_MS)

    async def free_names(self, now_ms: int, most: int) -> int:
        freed = [name for name, until in self._kept_until.items() if until <= now_ms][:most]
        for name in freed:
            del self._kept_until[name], self._names[name]
        self._freed.update(freed)
        return len(freed)
