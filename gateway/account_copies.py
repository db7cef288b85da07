"""Copies of accounts in Redis, by which people are known while the ledger is away.

Design. A copy is whole: the account with its token and its sessions, as they were at one version of
it, and a newer one is never replaced by an older one. It is dropped when nobody has asked for so
long, and looked up again in the ledger when it is older than `FRESH_SECONDS` and the ledger is
there: so even a copy that Redis has set back is not believed for long. How old it is follows from
how long it will yet be kept, so no clock is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gateway.documents import Account, Credentials, Session
from gateway.keys import account_key
from gateway.redis_link import RedisLink

FIELDS = ("version", "name", "guest", "created", "token", "first", "sessions", "tokens", "more")
FRESH_SECONDS = 300


class Kept(NamedTuple):
    """An account with all that proves it."""

    version: int
    account: Account
    token_hash: str
    sessions: tuple[Session, ...]
    is_fresh: bool = True

    @property
    def credentials(self) -> Credentials:
        """Itself and the hash of its own token."""
        return Credentials(self.account, self.token_hash)

    def session(self, session: str) -> Session | None:
        """The session with this id."""
        return next((one for one in self.sessions if one.id == session), None)


class Copies:
    """The copies on one Redis."""

    def __init__(self, redis: RedisLink, seconds: int) -> None:
        self._redis, self._seconds = redis, seconds

    async def prove(self) -> None:
        """Refuse if this Redis is not the one that is known."""
        await self._redis.prove()

    async def of(self, account: str) -> Kept | None:
        """The copy of an account, if there is one."""
        key = account_key(account)
        row, left = await self._redis.many([("HMGET", key, *FIELDS), ("TTL", key)])
        return _kept(account, row, is_fresh=int(left) > self._seconds - FRESH_SECONDS)

    async def of_all(self, accounts: Sequence[str]) -> list[Kept | None]:
        """The copies of several."""
        rows = await self._redis.many([("HMGET", account_key(one), *FIELDS) for one in accounts])
        return [_kept(account, row) for account, row in zip(accounts, rows, strict=True)]

    async def drop(self, account: str) -> None:
        """Have no copy of an account."""
        await self._redis.drop(account_key(account))

    async def keep(self, kept: Kept) -> None:
        """Put a copy in the place of an older one."""
        account = kept.account
        more = (account.bot, account.no_bots)
        until = (account.banned_ms, account.muted_ms, account.leaving_ms)
        fields = (
            *("name", account.name, "guest", int(account.guest), "created", account.created_ms),
            *("token", kept.token_hash, "first", account.first_name),
            *("sessions", _text_of(one for one in kept.sessions if not one.is_token)),
            *("tokens", _text_of(one for one in kept.sessions if one.is_token)),
            *("more", json.dumps((*more, *until, account.terms))),
        )
        key = [account_key(account.id)]
        await self._redis.run("keep_copy", key, kept.version, self._seconds, *fields)


def _kept(account: str, row: Sequence[Any], *, is_fresh: bool = True) -> Kept | None:
    version, name, guest, created, token, first, sessions, tokens, more = row
    if version is None or name is None:  # there is none, or it is not yet a copy of anything
        return None
    found = Account(
        account, name, guest == "1", int(created or 0), first or "", *json.loads(more or "[]")
    )
    held = sessions_of(sessions) + sessions_of(tokens)
    # A gateway that knows of nothing more may have made it: then it is looked up in the ledger.
    return Kept(int(version), found, token or "", held, is_fresh and more is not None)


def _text_of(sessions: Iterable[Session]) -> str:
    rows = [
        [s.id, s.token_hash, s.created_ms, s.used_ms, s.device, *filter(None, [s.scope])]
        for s in sessions
    ]
    return json.dumps(rows, ensure_ascii=False)


def sessions_of(text: str | None) -> tuple[Session, ...]:
    """The sessions that are kept as this text."""
    return tuple(Session(*one) for one in json.loads(text or "[]"))
