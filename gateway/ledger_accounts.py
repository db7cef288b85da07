"""Accounts in the ledger: their tokens, sessions and login codes.

Design. Each change is a transaction that begins by locking the account, raises its version and puts
its copy into the outbox; whoever made it keeps the copy in Redis at once. What gives somebody more
is done once the ledger has it. What takes something away is done when the older copy is gone, too;
if that cannot be had, nobody says that it is done. What somebody is given for a proof he is given
if that proof still stands within the transaction, however lately it was looked at before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog

from bree.ledger import names as kept_names
from bree.ledger.link import Ledger, Undo
from bree.process.statuses import Denied
from gateway.account_copies import Copies, Kept, sessions_of
from gateway.documents import Account, Credentials, Proof, Session

log = structlog.get_logger()

ACCOUNT = """a.id, a.name, a.guest, a.created_ms, a.first_name,
  a.bot, a.no_bots, a.banned_ms, a.muted_ms, a.leaving_ms, a.terms"""
"""The columns of which an `Account` is made, in its order."""

KEPT = """
SELECT ACCOUNT, a.token_hash, a.version,
  (SELECT json_agg(json_build_array(s.id, s.token_hash, s.created_ms, s.used_ms, s.device))
    FROM bree.sessions s WHERE s.account = a.id)::text,
  (SELECT json_agg(json_build_array(
      t.id, t.token_hash, t.created_ms, t.used_ms, t.name, t.scope))
    FROM bree.tokens t WHERE t.account = a.id)::text
FROM bree.accounts a WHERE a.id = $1
""".replace("ACCOUNT", ACCOUNT)
NAMED = """
SELECT n.name, ACCOUNT
FROM bree.names n JOIN bree.accounts a ON a.id = n.account WHERE n.name = ANY($1::text[])
  AND NOT (a.token_hash = '' AND n.until_ms > 0)
""".replace("ACCOUNT", ACCOUNT)
THESE = """
SELECT ACCOUNT FROM bree.accounts a WHERE a.id = ANY($1::text[])
""".replace("ACCOUNT", ACCOUNT)
LOCKED = "SELECT name, guest, token_hash, renamed_ms FROM bree.accounts WHERE id = $1 FOR UPDATE"

NEW_ACCOUNT = """
INSERT INTO bree.accounts (id, name, guest, created_ms, first_name, token_hash)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
"""
NEW_NAME = "INSERT INTO bree.names (name, account) VALUES ($1, $2) ON CONFLICT DO NOTHING"
OWNER = "SELECT account FROM bree.names WHERE name = $1"
CHANGED = """
WITH changed AS (UPDATE bree.accounts SET version = version + 1 WHERE id = $1 RETURNING id)
INSERT INTO bree.outbox (kind, account, at_ms)
SELECT 'account', id, extract(epoch FROM clock_timestamp()) * 1000 FROM changed
"""

HASH_OF = "SELECT token_hash FROM bree.sessions WHERE account = $1 AND id = $2"
NEW_SESSION = """
INSERT INTO bree.sessions (account, id, token_hash, created_ms, used_ms, device)
VALUES ($1, $2, $3, $4, $5, $6)
"""
CROWDED_OUT = """
DELETE FROM bree.sessions WHERE account = $1 AND id IN (
  SELECT id FROM bree.sessions WHERE account = $1 ORDER BY used_ms DESC, id OFFSET $2)
"""
USED = """
WITH used AS (
  UPDATE bree.sessions SET used_ms = $4
  WHERE account = $1 AND id = $2 AND token_hash = $3 AND used_ms < $4 RETURNING account)
UPDATE bree.accounts SET version = version + 1 WHERE id IN (SELECT account FROM used) RETURNING id
"""
CODE = """
INSERT INTO bree.login_codes (account, code, until_ms) VALUES ($1, $2, $3)
ON CONFLICT (account) DO UPDATE SET code = excluded.code, until_ms = excluded.until_ms
"""
USED_TOKEN = USED.replace("bree.sessions", "bree.tokens")
NO_CODE = "DELETE FROM bree.login_codes WHERE account = $1"
CODE_USED = """
DELETE FROM bree.login_codes WHERE account = $1 AND code = $2
RETURNING until_ms > extract(epoch FROM clock_timestamp()) * 1000
"""

RECOVERED = "DELETE FROM bree.recovery_codes WHERE account = $1 AND code = $2 RETURNING true"
WORTHLESS = (
    "DELETE FROM bree.sessions WHERE account = $1",
    "DELETE FROM bree.tokens WHERE account = $1",
    "DELETE FROM bree.recovery_codes WHERE account = $1",
    NO_CODE,
)
"""What is worth nothing any more once an account has no token of its own."""

Change = Callable[[Any], Awaitable[None]]
"""What is changed of an account, on a connection on which it is locked."""


class AccountsInLedger:
    """The part of a `contract.Store` that concerns accounts."""

    ledger: Ledger
    copies: Copies

    async def add_account(self, account: Account, token_hash: str) -> bool:
        await self.copies.prove()  # else one would be made whose token nobody is told

        async def make(connection: Any) -> Kept | bool:
            return await new_account(connection, account, token_hash)

        made = await self.ledger.write("add_account", make)
        if isinstance(made, Kept):
            await self._try_to_keep(made)
        return bool(made)

    # Looking.

    async def credentials(self, account: str, *, surely: bool = False) -> Credentials | None:
        kept = await self._kept(account, surely=surely)
        return kept.credentials if kept else None

    async def session(self, account: str, session: str, *, surely: bool = False) -> Session | None:
        kept = await self._kept(account, surely=surely)
        return kept.session(session) if kept else None

    async def sessions(self, account: str) -> list[Session]:
        kept = await self._kept(account, surely=True)
        return [one for one in kept.sessions if not one.is_token] if kept else []

    async def tokens(self, account: str) -> list[Session]:
        kept = await self._kept(account, surely=True)
        return [one for one in kept.sessions if one.is_token] if kept else []

    async def token_hashes(self, account: str) -> set[str]:
        kept = await self._kept(account)
        if kept is None or not kept.token_hash:  # then nothing else is worth anything either
            return set()
        hashes = (kept.token_hash, *(session.token_hash for session in kept.sessions))
        return {one for one in hashes if one}

    async def _kept(self, account: str, *, surely: bool = False) -> Kept | None:
        """An account by its copy, or else as it is; an older copy if the ledger is away."""
        copy = None if surely else await self.copies.of(account)
        if copy and copy.is_fresh:
            return copy
        if copy is None:
            await self.copies.prove()
        try:
            found = await self._found(account)
        except Denied:
            if copy is None:
                raise
            return copy
        if found:
            await self._try_to_keep(found)
        return found

    async def _try_to_keep(self, kept: Kept) -> None:
        """Keep a copy; if that cannot be, there is none, or an older one."""
        try:
            await self.copies.keep(kept)
        except Denied as denied:
            log.info("copy not kept", account=kept.account.id, reason=denied.reason)

    async def _found(self, account: str) -> Kept | None:
        return _kept_of(await self.ledger.row("account", KEPT, account))

    async def deliver_copy(self, account: str) -> None:
        """Have the copy of an account be as new as itself."""
        found = await self._found(account)
        if found:
            await self.copies.keep(found)

    async def accounts(self, ids: Sequence[str]) -> list[Account | None]:
        copies = await self.copies.of_all(ids)
        found = {copy.account.id: copy.account for copy in copies if copy}
        missing = [account for account in ids if account not in found]
        if missing:
            rows = await self.ledger.read("accounts", THESE, missing)
            found |= {row[0]: Account(*row) for row in rows}
        return [found.get(account) for account in ids]

    async def account_named(self, name: str) -> Account | None:
        [found] = await self.accounts_named([name])
        return found

    async def accounts_named(self, names: Sequence[str]) -> list[Account | None]:
        lowered = [name.lower() for name in names]
        rows = await self.ledger.read("named", NAMED, lowered) if names else []
        found = {row[0]: Account(*row[1:]) for row in rows}
        return [found.get(name) for name in lowered]

    # Changes.

    async def swap_token(self, account: str, old: str, new: str, session: str = "") -> bool:
        async def swap(connection: Any) -> None:
            kept = await connection.fetchrow(LOCKED, account)
            if kept is None or (kept["token_hash"] != new and not kept["token_hash"]):
                raise Undo(value=False)
            if kept["token_hash"] == new:  # the answer to the first try was lost
                raise Undo(value=True)
            if not await stands(connection, account, kept, Proof(old, session)):
                raise Undo(value=False)
            await _give_token(connection, account, new)

        return await self._changed("swap_token", account, swap, takes=True)

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
        row = (session.id, session.token_hash, session.created_ms, session.used_ms, session.device)

        async def begin(connection: Any) -> None:
            kept = await connection.fetchrow(LOCKED, account)
            if await connection.fetchval(HASH_OF, account, session.id) == session.token_hash:
                raise Undo(value=True)  # the answer to the first try was lost
            if not await stands(connection, account, kept, by):
                raise Undo(value=False)
            for query, proof in ((CODE_USED, code), (RECOVERED, recovery)):
                if proof and not await connection.fetchval(query, account, proof):
                    raise Undo(value=False)
            await connection.execute(CROWDED_OUT, account, most - 1)
            await connection.execute(NEW_SESSION, account, *row)

        return await self._changed("add_session", account, begin)

    async def use_session(self, account: str, session: Session, now_ms: int) -> None:
        query = USED_TOKEN if session.is_token else USED

        async def use(connection: Any) -> Kept | None:
            await connection.fetchrow(LOCKED, account)
            used = (account, session.id, session.token_hash, now_ms)
            if not await connection.fetchval(query, *used):
                raise Undo(None)
            return await _found(connection, account)

        kept = await self.ledger.write("use_session", use)
        if kept:
            await self._try_to_keep(kept)

    async def end_sessions(self, account: str, sessions: Sequence[str]) -> int:
        ended = 0

        async def end(connection: Any) -> None:
            nonlocal ended
            await connection.fetchrow(LOCKED, account)
            query = "DELETE FROM bree.sessions WHERE account = $1 AND id = ANY($2::text[])"
            ended = int((await connection.execute(query, account, list(sessions))).split()[-1])

        if sessions:
            await self._changed("end_sessions", account, end, takes=True)
        return ended

    async def keep_code(
        self, account: str, code: str, until_ms: int, by: Proof | None = None
    ) -> bool:
        async def keep(connection: Any) -> bool:
            kept = await connection.fetchrow(LOCKED, account)
            if not await stands(connection, account, kept, by):
                raise Undo(value=False)
            await connection.execute(CODE, account, code, until_ms)
            return True

        return await self.ledger.write("keep_code", keep)

    async def account_of_code(self, code: str) -> str:
        query = "SELECT account FROM bree.login_codes WHERE code = $1"
        row = await self.ledger.row("account_of_code", query, code)
        return str(row[0]) if row else ""

    async def _changed(
        self, what: str, account: str, change: Change, *, takes: bool = False
    ) -> bool:
        """Change an account, and its copy; whether that was possible."""

        async def work(connection: Any) -> Kept | bool:
            await change(connection)
            return await after(connection, account)

        done = await self.ledger.write(what, work)
        if not done:
            return False
        if takes:
            await self._follow(account, done)
        elif isinstance(done, Kept):
            await self._try_to_keep(done)
        return True

    async def _follow(self, account: str, done: Kept | bool) -> None:
        """Have no copy of an account that is older than what was done now, or was before."""
        try:
            if isinstance(done, Kept):
                await self.copies.keep(done)
            else:
                await self.deliver_copy(account)
        except Denied:
            try:
                await self.copies.drop(account)
            except Denied as denied:
                raise Denied("OUTCOME_UNKNOWN", denied.message) from None


async def new_account(connection: Any, account: Account, token_hash: str) -> Kept:
    """Keep a new account, in the transaction that is under way; undone if its name is taken."""
    first = await kept_names.first_name(connection, account.id, account.name)
    values = (account.id, account.name, account.guest, account.created_ms)
    await connection.execute(NEW_ACCOUNT, *values, first, token_hash)
    await take_name(connection, account.id, account.name, taken=False)
    return await after(connection, account.id)


async def after(connection: Any, account: str) -> Kept:
    """An account that was changed, once that is noted."""
    await connection.execute(CHANGED, account)
    found = await _found(connection, account)
    if found is None:  # there is no such account, so nothing was changed
        raise Undo(value=False)
    return found


async def stands(connection: Any, account: str, kept: Any, by: Proof | None) -> bool:
    """Whether an account that is locked may be used, and a proof of it is still worth something."""
    if kept is None or not kept["token_hash"]:
        return False
    if by is None:
        return True
    held = await connection.fetchval(HASH_OF, account, by.session) if by.session else None
    return by.token_hash == (held if by.session else kept["token_hash"])


async def take_name(connection: Any, account: str, name: str, *, taken: object) -> None:
    """Have a name be an account's; nothing happens, and that comes of it, if it is another's."""
    await connection.execute(NEW_NAME, name.lower(), account)
    if await connection.fetchval(OWNER, name.lower()) != account:
        raise Undo(taken)


async def _give_token(connection: Any, account: str, new: str) -> None:
    """Give an account another token; an empty one ends all that it had."""
    await connection.execute("UPDATE bree.accounts SET token_hash = $2 WHERE id = $1", account, new)
    for end in () if new else WORTHLESS:
        await connection.execute(end, account)


async def _found(connection: Any, account: str) -> Kept | None:
    return _kept_of(await connection.fetchrow(KEPT, account))


def _kept_of(row: Any) -> Kept | None:
    if row is None:
        return None
    *account, token_hash, version, sessions, tokens = row
    held = sessions_of(sessions) + sessions_of(tokens)
    return Kept(version, Account(*account), token_hash, held)
