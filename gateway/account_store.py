"""Accounts on Redis: their names, tokens, sessions and login codes.

Design. A name points to an account and is never taken from it, and each change of an account is one
script within its hash tag. A guest's new name is in two places: first the account notes which name
it asks for, then the name is made to point to it, and only then does the account bear it. Whoever
breaks off in between has changed nothing that anybody sees, and may ask again.
"""

from __future__ import annotations

from collections.abc import Sequence

from bree.process.statuses import Denied
from gateway.contract import CLAIM_MS, Claim
from gateway.documents import Account, Credentials, Session
from gateway.redis_link import RedisLink

PREFIX = "bree:g:"
FIELDS = ("name", "guest", "created", "token", "first")


def account_key(account: str, part: str = "") -> str:
    """The key of an account, or of one of its lists: open, asked, live, ended, seated, sessions."""
    return f"{PREFIX}{{a:{account}}}{part and ':' + part}"


def name_key(name: str) -> str:
    """The key that says whose name this is."""
    return f"{PREFIX}{{n:{name.lower()}}}"


def code_key(code: str) -> str:
    """The key that says for which account a login code was made."""
    return f"{PREFIX}{{c:{code}}}"


class AccountsOnRedis(RedisLink):
    """The part of a `contract.Store` that concerns accounts."""

    async def add_account(self, account: Account, token_hash: str) -> bool:
        await self.prove()  # or a name would be given away again
        # The account comes first: nobody finds it before the name points to it.
        key = account_key(account.id)
        fields = ("name", account.name, "guest", int(account.guest), "created", account.created_ms)
        await self._tell("HSET", key, *fields, "token", token_hash)
        try:
            if await self._name(account.id, account.name):
                return True
        except Denied as denied:
            if denied.reason == "UNAVAILABLE":  # it certainly has no name, and never will
                await self._tell("DEL", key)
            raise
        await self._tell("DEL", key)
        return False

    async def _name(self, account: str, name: str) -> bool:
        """Make a name point to an account; False if it points to another one."""
        if await self._tell("SET", name_key(name), account, "NX"):
            return True
        # The answer to the first attempt may have been lost.
        return bool(await self._ask("GET", name_key(name)) == account)

    async def credentials(self, account: str) -> Credentials | None:
        [found] = await self._credentials([account])
        if found is None:
            await self.prove()
        return found

    async def _credentials(self, ids: Sequence[str]) -> list[Credentials | None]:
        if not ids:
            return []
        if len(ids) == 1:
            rows = [await self._ask("HMGET", account_key(ids[0]), *FIELDS)]
        else:
            asked = [("HMGET", account_key(account), *FIELDS) for account in ids]
            rows = await self._many(asked, "UNAVAILABLE")
        return [_credentials(account, row) for account, row in zip(ids, rows, strict=True)]

    async def accounts(self, ids: Sequence[str]) -> list[Account | None]:
        return [found and found.account for found in await self._credentials(ids)]

    async def account_named(self, name: str) -> Account | None:
        account = await self._ask("GET", name_key(name))
        found = await self.credentials(account) if account else None
        return found.account if found and _bears(found.account, name) else None

    async def accounts_named(self, names: Sequence[str]) -> list[Account | None]:
        if not names:
            return []
        asked = [("GET", name_key(name)) for name in names]
        ids = [found or "" for found in await self._many(asked, "UNAVAILABLE")]
        found = await self.accounts(ids)
        return [
            account if account and _bears(account, name) else None
            for account, name in zip(found, names, strict=True)
        ]

    async def claim_name(self, account: str, name: str) -> Claim:
        await self.prove()  # or a name would be given away again
        key = account_key(account)
        begun = await self._run("begin_claim", [key], name, CLAIM_MS)
        if begun != "begun":
            return Claim(begun)
        is_his = await self._name(account, name)
        ended = Claim(await self._run("end_claim", [key], name, int(is_his)))
        return ended if is_his else Claim.TAKEN

    async def swap_token(self, account: str, old: str, new: str, session: str = "") -> bool:
        keys = [account_key(account), account_key(account, "sessions")]
        return bool(await self._run("swap_token", keys, old, new, session))

    async def token_hashes(self, account: str) -> set[str]:
        asked = [
            ("HGET", account_key(account), "token"),
            ("HVALS", account_key(account, "sessions")),
        ]
        token, rows = await self._many(asked, "UNAVAILABLE")
        if token is None:
            await self.prove()
        return {hashed for hashed in (token, *(row.partition(" ")[0] for row in rows)) if hashed}

    # Sessions.

    async def add_session(self, account: str, session: Session, most: int, code: str = "") -> bool:
        keys = [account_key(account), account_key(account, "sessions")]
        row = (session.token_hash, session.created_ms, session.used_ms, session.device)
        kept = " ".join(map(str, row))
        return bool(await self._run("add_session", keys, session.id, kept, most, code))

    async def session(self, account: str, session: str) -> Session | None:
        row = await self._ask("HGET", account_key(account, "sessions"), session)
        if row is None:
            await self.prove()
            return None
        return _session(session, row)

    async def sessions(self, account: str) -> list[Session]:
        flat = await self._ask("HGETALL", account_key(account, "sessions"))
        return [_session(session, row) for session, row in flat.items()]

    async def use_session(self, account: str, session: Session, now_ms: int) -> None:
        keys = [account_key(account, "sessions")]
        await self._run("use_session", keys, session.id, session.token_hash, now_ms)

    async def end_sessions(self, account: str, sessions: Sequence[str]) -> int:
        if not sessions:
            return 0
        return int(await self._tell("HDEL", account_key(account, "sessions"), *sessions))

    async def keep_code(self, account: str, code: str, until_ms: int) -> None:
        if code:  # first of all it can be found, and only then it counts
            await self._tell("SET", code_key(code), account, "PXAT", until_ms)
            await self._tell("HSET", account_key(account), "code", f"{code} {until_ms}")
        else:
            await self._tell("HDEL", account_key(account), "code")

    async def account_of_code(self, code: str) -> str:
        return str(await self._ask("GET", code_key(code)) or "")


def _credentials(account: str, row: Sequence[str | None]) -> Credentials | None:
    name, guest, created, token, first = row
    if name is None:
        return None
    found = Account(account, name, guest == "1", int(created or 0), first or "")
    return Credentials(found, token or "")


def _bears(account: Account, name: str) -> bool:
    """Whether a name is an account's, and not only kept for it until it gets it."""
    return name.lower() in (account.name.lower(), account.first_name.lower())


def _session(session: str, row: str) -> Session:
    token_hash, created, used, device = row.split(" ", 3)
    return Session(session, token_hash, int(created), int(used), device)
