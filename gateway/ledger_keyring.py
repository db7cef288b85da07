"""Passkeys, identities and addresses in the ledger.

Design. Each change begins by locking its account, so that what is counted stays so until it is
done. They are no part of an account's copy, and raise no version.
"""

from __future__ import annotations

from typing import Any

from bree.ledger.link import Ledger, Undo
from gateway.documents import Account
from gateway.keyring import Identity, Kept, Passkey, Usable
from gateway.ledger_accounts import new_account

LOCK = "SELECT id FROM bree.accounts WHERE id = $1 AND token_hash <> '' FOR UPDATE"
LOCK_BY = """
SELECT id FROM bree.accounts a WHERE id = $1 AND token_hash <> '' AND (token_hash = $2
  OR EXISTS (SELECT FROM bree.sessions s WHERE s.account = a.id AND s.token_hash = $2)) FOR UPDATE
"""
WAYS = """
SELECT (SELECT count(*) FROM bree.recovery_codes WHERE account = $1)
  + (SELECT count(*) FROM bree.passkeys WHERE account = $1 AND $2)
  + (SELECT count(*) FROM bree.identities WHERE account = $1 AND issuer = $3)
  + (SELECT count(*) FROM bree.addresses WHERE account = $1 AND $4)
"""

PASSKEY = """
SELECT id, account, public_key, sign_count, name, transports, created_ms, used_ms, eligible,
  backed_up
FROM bree.passkeys
"""
NEW_PASSKEY = """
INSERT INTO bree.passkeys (id, account, public_key, sign_count, name, transports, created_ms,
  used_ms, eligible, backed_up)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING
"""
PASSKEY_USED = """
UPDATE bree.passkeys SET sign_count = $3, used_ms = greatest(used_ms, $4), backed_up = $5
WHERE id = $1 AND account = $2 AND (sign_count < $3 OR sign_count = 0 AND $3 = 0) RETURNING id
"""

IDENTITY = """
SELECT issuer, subject, account, label, created_ms, used_ms FROM bree.identities
"""
NEW_IDENTITY = """
INSERT INTO bree.identities (issuer, subject, account, label, created_ms, used_ms)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (issuer, subject) DO NOTHING
"""
OWNER = "SELECT account FROM bree.identities WHERE issuer = $1 AND subject = $2"
IDENTITY_USED = """
UPDATE bree.identities SET label = $4, used_ms = greatest(used_ms, $5)
WHERE issuer = $1 AND subject = $2 AND account = $3
"""

NEW_ADDRESS = """
INSERT INTO bree.addresses (address, account, created_ms) VALUES ($1, $2, $3)
ON CONFLICT (address) DO NOTHING
"""
AT = "SELECT account FROM bree.addresses WHERE address = $1"


class KeyringInLedger:
    """The part of a `keyring.KeyringStore` that is in the ledger."""

    ledger: Ledger

    # Passkeys.

    async def add_passkey(self, passkey: Passkey, most: int, by: str) -> Kept:
        async def add(connection: Any) -> Kept:
            if not await connection.fetchval(LOCK_BY, passkey.account, by):
                return Kept.REFUSED
            mine = "SELECT id FROM bree.passkeys WHERE account = $1"
            held = [row["id"] for row in await connection.fetch(mine, passkey.account)]
            if len(held) >= most and passkey.id not in held:
                return Kept.FULL
            await connection.execute(NEW_PASSKEY, *passkey)
            whose = "SELECT account FROM bree.passkeys WHERE id = $1"
            owner = await connection.fetchval(whose, passkey.id)
            return Kept.KEPT if owner == passkey.account else Kept.TAKEN

        return await self.ledger.write("add_passkey", add)

    async def passkey(self, passkey: str) -> Passkey | None:
        row = await self.ledger.row("passkey", PASSKEY + "WHERE id = $1", passkey)
        return Passkey(*row) if row else None

    async def passkeys(self, account: str) -> list[Passkey]:
        query = PASSKEY + "WHERE account = $1 ORDER BY created_ms, id"
        return [Passkey(*row) for row in await self.ledger.read("passkeys", query, account)]

    async def use_passkey(self, passkey: Passkey, now_ms: int) -> bool:
        used = (passkey.id, passkey.account, passkey.sign_count, now_ms, passkey.backed_up)

        async def use(connection: Any) -> bool:
            return bool(await connection.fetchval(PASSKEY_USED, *used))

        return await self.ledger.write("use_passkey", use)

    async def remove_passkey(self, account: str, passkey: str, usable: Usable) -> bool:
        query = "DELETE FROM bree.passkeys WHERE account = $1 AND id = $2"
        return await self._remove("remove_passkey", account, usable, query, passkey)

    # Identities.

    async def add_identity(self, identity: Identity, most: int, by: str) -> Kept:
        async def add(connection: Any) -> Kept:
            if not await connection.fetchval(LOCK_BY, identity.account, by):
                return Kept.REFUSED
            owner = await connection.fetchval(OWNER, identity.issuer, identity.subject)
            count = "SELECT count(*) FROM bree.identities WHERE account = $1"
            if not owner and await connection.fetchval(count, identity.account) >= most:
                return Kept.FULL
            await connection.execute(NEW_IDENTITY, *identity)
            owner = await connection.fetchval(OWNER, identity.issuer, identity.subject)
            return Kept.KEPT if owner == identity.account else Kept.TAKEN

        return await self.ledger.write("add_identity", add)

    async def add_account_of(self, account: Account, token_hash: str, identity: Identity) -> str:
        async def make(connection: Any) -> str:
            await new_account(connection, account, token_hash)
            await connection.execute(NEW_IDENTITY, *identity)
            owner = await connection.fetchval(OWNER, identity.issuer, identity.subject)
            if owner != account.id:  # whose account is kept with it already, and no other
                raise Undo(str(owner))
            return account.id

        return await self.ledger.write("add_account_of", make) or ""

    async def identity(self, issuer: str, subject: str) -> Identity | None:
        query = IDENTITY + "WHERE issuer = $1 AND subject = $2"
        row = await self.ledger.row("identity", query, issuer, subject)
        return Identity(*row) if row else None

    async def identities(self, account: str) -> list[Identity]:
        query = IDENTITY + "WHERE account = $1 ORDER BY created_ms, issuer, subject"
        return [Identity(*row) for row in await self.ledger.read("identities", query, account)]

    async def use_identity(self, identity: Identity, now_ms: int) -> None:
        named = (identity.issuer, identity.subject, identity.account, identity.label)

        async def use(connection: Any) -> None:
            await connection.execute(IDENTITY_USED, *named, now_ms)

        await self.ledger.write("use_identity", use)

    async def remove_identity(
        self, account: str, issuer: str, subject: str, usable: Usable
    ) -> bool:
        query = "DELETE FROM bree.identities WHERE account = $1 AND issuer = $2 AND subject = $3"
        return await self._remove("remove_identity", account, usable, query, issuer, subject)

    # Addresses.

    async def add_address(self, account: str, address: str, now_ms: int, by: str) -> Kept:
        async def add(connection: Any) -> Kept:
            if not await connection.fetchval(LOCK_BY, account, by):
                return Kept.REFUSED
            older = "DELETE FROM bree.addresses WHERE account = $1 AND address <> $2"
            await connection.execute(older, account, address)
            await connection.execute(NEW_ADDRESS, address, account, now_ms)
            if await connection.fetchval(AT, address) != account:
                raise Undo(Kept.TAKEN)
            return Kept.KEPT

        return await self.ledger.write("add_address", add)

    async def account_at(self, address: str) -> str:
        row = await self.ledger.row("account_at", AT, address)
        return str(row[0]) if row else ""

    async def address(self, account: str) -> str:
        query = "SELECT address FROM bree.addresses WHERE account = $1"
        row = await self.ledger.row("address", query, account)
        return str(row[0]) if row else ""

    async def remove_address(self, account: str, usable: Usable) -> bool:
        query = "DELETE FROM bree.addresses WHERE account = $1"
        return await self._remove("remove_address", account, usable, query)

    async def _remove(
        self, what: str, account: str, usable: Usable, query: str, *named: str
    ) -> bool:
        async def remove(connection: Any) -> bool:
            await connection.fetchrow(LOCK, account)
            before = await connection.fetchval(WAYS, account, *usable)
            await connection.execute(query, account, *named)
            if before and not await connection.fetchval(WAYS, account, *usable):
                raise Undo(value=False)
            return True

        return await self.ledger.write(what, remove)
