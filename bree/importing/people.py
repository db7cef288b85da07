"""Accounts with their tokens, sessions, codes and names, and ratings: from the store to the ledger.

Design. A batch is one transaction of the ledger, is read there again and compared, and only then
taken from the store. What the ledger has otherwise stays in the store, and is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bree.importing.old_store import (
    ACCOUNT,
    BATCH,
    NAME,
    PREFIX,
    RATINGS,
    OldStore,
    account_key,
    code_key,
    rating_key,
)
from bree.importing.report import Report
from bree.ledger.link import Ledger

ACCOUNTS = """
INSERT INTO bree.accounts (id, name, first_name, guest, created_ms, token_hash)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
"""
ACCOUNTS_KEPT = """
SELECT id, name, first_name, guest, created_ms, token_hash FROM bree.accounts
WHERE id = ANY($1::text[])
"""
SESSIONS = """
INSERT INTO bree.sessions (account, id, token_hash, created_ms, used_ms, device)
SELECT id, $2, $3, $4::bigint, $5::bigint, $6 FROM bree.accounts WHERE id = $1
ON CONFLICT (account, id) DO NOTHING
"""
SESSIONS_KEPT = """
SELECT account, id, token_hash, created_ms, used_ms, device FROM bree.sessions
WHERE account = ANY($1::text[])
"""
CODES = """
INSERT INTO bree.login_codes (account, code, until_ms)
SELECT id, $2, $3::bigint FROM bree.accounts WHERE id = $1 ON CONFLICT (account) DO NOTHING
"""
NAMES = """
INSERT INTO bree.names (name, account)
SELECT $1, id FROM bree.accounts WHERE id = $2 ON CONFLICT (name) DO NOTHING
"""
NAMES_KEPT = "SELECT name, account FROM bree.names WHERE name = ANY($1::text[])"
RATED = """
INSERT INTO bree.ratings (game, player, version, matches, mu, sigma, ordinal)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (game, player) DO NOTHING
"""
RATED_KEPT = """
SELECT game, player, version, matches, mu, sigma, ordinal FROM bree.ratings
WHERE game = $1 AND player = ANY($2::text[])
"""

DIFFERS = "the ledger has it otherwise"


class People:
    """Moves who is known, and what is known of them."""

    def __init__(self, old: OldStore, ledger: Ledger, report: Report) -> None:
        self.old, self.ledger, self.report = old, ledger, report

    async def move(self) -> None:
        """Move them all."""
        now = await self.old.now_ms()
        async for batch in self.old.found(ACCOUNT):
            await self._accounts(batch, now)
        async for batch in self.old.found(NAME):
            await self._names(batch)
        async for batch in self.old.found(RATINGS):
            for game in batch:
                await self._ratings(game)

    # Accounts.

    async def _accounts(self, ids: Sequence[str], now: int) -> None:
        fields = await self.old.many([("HGETALL", account_key(one)) for one in ids])
        rows = await self.old.many([("HGETALL", account_key(one, "sessions")) for one in ids])
        found = [
            _of(account, kept, sessions)
            for account, kept, sessions in zip(ids, fields, rows, strict=True)
            if "name" in kept and "version" not in kept  # else it is a copy of one in the ledger
        ]

        async def write(connection: Any) -> None:
            await connection.executemany(ACCOUNTS, [one.row for one in found])
            await connection.executemany(SESSIONS, [row for one in found for row in one.sessions])
            codes = [(one.id, *one.code) for one in found if one.code and one.code[1] > now]
            await connection.executemany(CODES, codes)

        await self.ledger.write("import accounts", write)
        moved = [one for one in found if await self._is_kept(one)]
        await self.old.many([command for one in moved for command in one.taken()])
        self.report.moved["accounts"] += len(moved)

    async def _is_kept(self, one: _Account) -> bool:
        rows = await self.ledger.read("imported account", ACCOUNTS_KEPT, [one.id])
        kept = await self.ledger.read("imported sessions", SESSIONS_KEPT, [one.id])
        if [tuple(row) for row in rows] == [one.row] and set(map(tuple, kept)) >= set(one.sessions):
            return True
        self.report.leave(f"account {one.row[1]}", DIFFERS)
        return False

    # Names.

    async def _names(self, names: Sequence[str]) -> None:
        owners = await self.old.many([("GET", f"{PREFIX}{{n:{name}}}") for name in names])
        rows = [(name, owner) for name, owner in zip(names, owners, strict=True) if owner]
        await self.ledger.write("import names", lambda c: c.executemany(NAMES, rows))
        kept = dict(map(tuple, await self.ledger.read("imported names", NAMES_KEPT, list(names))))
        moved = [name for name, owner in rows if kept.get(name) == owner]
        for name, owner in rows:
            if kept.get(name) != owner:
                why = DIFFERS if name in kept else "nobody has it: its account is not there"
                self.report.leave(f"name {name}", why)
        await self.old.many([("DEL", f"{PREFIX}{{n:{name}}}") for name in moved])
        self.report.moved["names"] += len(moved)

    # Ratings.

    async def _ratings(self, game: str) -> None:
        kept = await self.old.hash(rating_key(game, "ratings"))
        rows = [_rating(game, player, row) for player, row in sorted(kept.items())]
        for at in range(0, len(rows), BATCH):
            await self._rated(game, rows[at : at + BATCH])

    async def _rated(self, game: str, rows: Sequence[tuple[Any, ...]]) -> None:
        await self.ledger.write("import ratings", lambda c: c.executemany(RATED, rows))
        players = [row[1] for row in rows]
        found = await self.ledger.read("imported ratings", RATED_KEPT, game, players)
        kept = set(map(tuple, found))
        moved = [row[1] for row in rows if row in kept]
        for row in rows:
            if row not in kept:
                self.report.leave(f"rating of {row[1]} in {game}", DIFFERS)
        if moved:
            taken = [("HDEL", rating_key(game, "ratings"), *moved)]
            taken.append(("ZREM", rating_key(game, "leaders"), *moved))
            await self.old.many(taken, whole=True)
        self.report.moved["ratings"] += len(moved)


class _Account(NamedTuple):
    """An account as its rows."""

    id: str
    row: tuple[Any, ...]
    sessions: tuple[tuple[Any, ...], ...]
    code: tuple[str, int] | None

    def taken(self) -> list[tuple[str, ...]]:
        """What takes it from the store; the account itself comes last."""
        code = [code_key(self.code[0])] if self.code else []
        keys = [*code, account_key(self.id, "sessions"), account_key(self.id)]
        return [("DEL", key) for key in keys]


def _of(account: str, kept: dict[str, str], sessions: dict[str, str]) -> _Account:
    is_guest, created = kept.get("guest") == "1", int(kept.get("created") or 0)
    row = (account, kept["name"], kept.get("first", ""), is_guest, created, kept.get("token", ""))
    code, _, until = kept.get("code", "").partition(" ")
    return _Account(
        account,
        row,
        tuple(_session(account, session, text) for session, text in sessions.items()),
        (code, int(until)) if until.isdecimal() else None,
    )


def _session(account: str, session: str, text: str) -> tuple[Any, ...]:
    token_hash, created, used, device = text.split(" ", 3)
    return account, session, token_hash, int(created), int(used), device


def _rating(game: str, player: str, row: str) -> tuple[Any, ...]:
    version, matches, mu, sigma, ordinal = row.split(" ")
    return game, player, int(version), int(matches), float(mu), float(sigma), float(ordinal)
