"""Passkeys, identities and addresses in memory, and what is worth something once."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any

from gateway.documents import Account
from gateway.keyring import Identity, Kept, Passkey, Usable
from gateway.names_memory import NamesInMemory


class KeyringInMemory(NamesInMemory):
    """A `keyring.KeyringStore` that is gone when the process ends."""

    def __init__(self) -> None:
        super().__init__()
        self._once: defaultdict[str, dict[str, tuple[float, int, str]]] = defaultdict(dict)
        self._counts: dict[str, tuple[float, int]] = {}
        self._passkeys: dict[str, Passkey] = {}
        self._identities: dict[tuple[str, str], Identity] = {}
        self._addresses: dict[str, str] = {}  # whose they are

    # Once.

    async def keep_once(self, owner: str, name: str, value: str, ms: int, most: int) -> None:
        now = time.monotonic()
        kept = {one: said for one, said in self._once[owner].items() if said[0] > now}
        kept.pop(name, None)
        if len(kept) >= most:
            del kept[min(kept, key=lambda one: kept[one][0])]
        self._once[owner] = {**kept, name: (now + ms / 1000, 0, value)}

    async def take_once(self, owner: str, name: str) -> str:
        ends, _, value = self._once[owner].pop(name, (0.0, 0, ""))
        return value if ends > time.monotonic() else ""

    async def guess_once(self, owner: str, name: str, guess: str, tries: int) -> str | None:
        ends, wrong, kept = self._once[owner].pop(name, (0.0, 0, ""))
        word, _, rest = kept.partition(" ")
        if ends <= time.monotonic():
            return None
        if word != guess and wrong + 1 < tries:
            self._once[owner][name] = (ends, wrong + 1, kept)
        return rest if word == guess else None

    async def count_once(self, owner: str, ms: int, most: int) -> bool:
        now = time.monotonic()
        ends, often = self._counts.get(owner, (0.0, 0))
        if ends <= now:
            ends, often = now + ms / 1000, 0
        self._counts[owner] = (ends, often + 1)
        return often < most

    # Passkeys.

    async def add_passkey(self, passkey: Passkey, most: int, by: str) -> Kept:
        if by not in await self.token_hashes(passkey.account):
            return Kept.REFUSED
        held = await self.passkeys(passkey.account)
        if len(held) >= most and passkey.id not in {one.id for one in held}:
            return Kept.FULL
        owner = self._passkeys.setdefault(passkey.id, passkey).account
        return Kept.KEPT if owner == passkey.account else Kept.TAKEN

    async def passkey(self, passkey: str) -> Passkey | None:
        return self._passkeys.get(passkey)

    async def passkeys(self, account: str) -> list[Passkey]:
        mine = [one for one in self._passkeys.values() if one.account == account]
        return sorted(mine, key=lambda one: (one.created_ms, one.id))

    async def use_passkey(self, passkey: Passkey, now_ms: int) -> bool:
        kept = self._passkeys.get(passkey.id)
        if kept is None or _goes_back(kept.sign_count, passkey.sign_count):
            return False
        self._passkeys[passkey.id] = kept._replace(
            sign_count=passkey.sign_count, used_ms=now_ms, backed_up=passkey.backed_up
        )
        return True

    async def remove_passkey(self, account: str, passkey: str, usable: Usable) -> bool:
        kept = self._passkeys.get(passkey)
        mine = kept and kept.account == account
        return self._remove(account, self._passkeys, passkey if mine else None, usable)

    # Identities.

    async def add_identity(self, identity: Identity, most: int, by: str) -> Kept:
        if by not in await self.token_hashes(identity.account):
            return Kept.REFUSED
        name = (identity.issuer, identity.subject)
        if name not in self._identities and len(await self.identities(identity.account)) >= most:
            return Kept.FULL
        owner = self._identities.setdefault(name, identity).account
        return Kept.KEPT if owner == identity.account else Kept.TAKEN

    async def add_account_of(self, account: Account, token_hash: str, identity: Identity) -> str:
        name = (identity.issuer, identity.subject)
        if name in self._identities:
            return self._identities[name].account
        if not await self.add_account(account, token_hash):
            return ""
        self._identities[name] = identity
        return account.id

    async def identity(self, issuer: str, subject: str) -> Identity | None:
        return self._identities.get((issuer, subject))

    async def identities(self, account: str) -> list[Identity]:
        mine = [one for one in self._identities.values() if one.account == account]
        return sorted(mine, key=lambda one: (one.created_ms, one.issuer, one.subject))

    async def use_identity(self, identity: Identity, now_ms: int) -> None:
        name = (identity.issuer, identity.subject)
        if name in self._identities:
            kept = self._identities[name]
            self._identities[name] = kept._replace(label=identity.label, used_ms=now_ms)

    async def remove_identity(
        self, account: str, issuer: str, subject: str, usable: Usable
    ) -> bool:
        kept = self._identities.get((issuer, subject))
        mine = kept and kept.account == account
        name = (issuer, subject) if mine else None
        return self._remove(account, self._identities, name, usable)

    # Addresses.

    async def add_address(self, account: str, address: str, now_ms: int, by: str) -> Kept:
        if by not in await self.token_hashes(account):
            return Kept.REFUSED
        if self._addresses.get(address, account) != account:
            return Kept.TAKEN
        self._addresses = {at: who for at, who in self._addresses.items() if who != account}
        self._addresses[address] = account
        return Kept.KEPT

    async def account_at(self, address: str) -> str:
        return self._addresses.get(address, "")

    async def address(self, account: str) -> str:
        return next((at for at, who in self._addresses.items() if who == account), "")

    async def remove_address(self, account: str, usable: Usable) -> bool:
        mine = await self.address(account) or None
        return self._remove(account, self._addresses, mine, usable)

    def _remove(self, account: str, rows: dict[Any, Any], name: Any, usable: Usable) -> bool:
        if name is None:
            return True
        before, row = self._ways(account, usable), rows.pop(name)
        if before and not self._ways(account, usable):
            rows[name] = row
            return False
        return True

    def _ways(self, account: str, usable: Usable) -> int:
        """How many ways in an account has that last and are of use."""
        here = [one for one in self._identities.values() if one.issuer == usable.issuer]
        owners = [one.account for one in here]
        if usable.passkeys:
            owners += [one.account for one in self._passkeys.values()]
        if usable.mail:
            owners += self._addresses.values()
        return owners.count(account) + len(self._recovery.get(account, ((), 0))[0])


def _goes_back(kept: int, count: int) -> bool:
    return count <= kept and bool(count or kept)
