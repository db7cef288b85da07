"""All that a platform keeps of one person: given out, and taken away.

Design. What others have a part in stays: a match that was played stays played, and the ratings of
opponents are theirs. Of the person who goes only a word remains in it that says nothing, the same
everywhere; and the records lose the lines that name him, while the marks that bind the history
stay, so that they still verify. It is one transaction, with what it leads to in the outbox: copies
in the live store follow. A name is free again when its bearer is gone.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from bree.ledger.packing import pack, unpack

ACCOUNT = """
SELECT a.id, a.name, a.first_name, a.guest, a.created_ms
FROM bree.names n JOIN bree.accounts a ON a.id = n.account
WHERE n.name = lower($1) AND lower($1) IN (lower(a.name), lower(a.first_name))
"""
LOCKED = "SELECT name, first_name FROM bree.accounts WHERE id = $1 FOR UPDATE"
SESSIONS = "SELECT device, created_ms, used_ms FROM bree.sessions WHERE account = $1 ORDER BY id"
RATINGS = """
SELECT game, matches, mu, sigma, ordinal FROM bree.ratings WHERE player = $1 ORDER BY game
"""
HISTORY = """
SELECT game, match, at_ms, mu, sigma, ordinal FROM bree.rating_history
WHERE player = $1 ORDER BY game, at_ms
"""
NOTES = """
SELECT match, seat, text, at_ms FROM bree.notes WHERE account = $1 ORDER BY match, number
"""
SEATS = "SELECT match FROM bree.seats WHERE account = $1 ORDER BY created_ms, match"
MATCH = """
SELECT m.id, m.doc, r.record FROM bree.matches m LEFT JOIN bree.records r ON r.match = m.id
WHERE m.id = $1
"""
MADE = "SELECT id, doc FROM bree.matches WHERE doc LIKE $1"

GONE = """
UPDATE bree.accounts SET name = $2, first_name = '', token_hash = '', version = version + 1
WHERE id = $1
"""
FORGET = (
    "DELETE FROM bree.sessions WHERE account = $1",
    "DELETE FROM bree.login_codes WHERE account = $1",
    "DELETE FROM bree.names WHERE account = $1",
    "UPDATE bree.notes SET label = '', text = '', request_id = '' WHERE account = $1",
    "UPDATE bree.outbox SET payload = '' WHERE account = $1",
)
PLAYER = (
    "UPDATE bree.ratings SET player = $2 WHERE player = $1",
    "UPDATE bree.results SET player = $2 WHERE player = $1",
    "UPDATE bree.rating_history SET player = $2 WHERE player = $1",
)
TOLD = """
INSERT INTO bree.outbox (kind, account, at_ms)
VALUES ('account', $1, extract(epoch FROM clock_timestamp()) * 1000)
"""
NOTED = """
INSERT INTO bree.audit (at_ms, who, what, why)
VALUES (extract(epoch FROM clock_timestamp()) * 1000, $1, 'delete account', $2)
"""

PSEUDONYM = "gone-"


class Person(NamedTuple):
    """An account, by whichever of its names it was asked for."""

    id: str
    name: str
    first_name: str
    is_guest: bool
    created_ms: int

    @property
    def player(self) -> str:
        """Under which name the ratings are kept."""
        return self.first_name or self.name


class Deleted(NamedTuple):
    """What is left of an account."""

    pseudonym: str
    matches: int
    named: list[str]  # matches whose records bind the name itself, and keep it


async def person(connection: Any, name: str) -> Person | None:
    """Whoever bears this name, in capitals or not."""
    row = await connection.fetchrow(ACCOUNT, name)
    return Person(*row) if row else None


# Given out.


async def exported(connection: Any, who: Person) -> dict[str, Any]:
    """Everything of his but the records of his matches."""
    return {
        "account": who._asdict() | {"player": who.player},
        "sessions": await _rows(connection, SESSIONS, who.id),
        "ratings": await _rows(connection, RATINGS, who.player),
        "rating_history": await _rows(connection, HISTORY, who.player),
        "notes": await _rows(connection, NOTES, who.id),
    }


async def _rows(connection: Any, query: str, *values: str) -> list[dict[str, Any]]:
    return [dict(row) for row in await connection.fetch(query, *values)]


async def matches(connection: Any, who: Person) -> AsyncIterator[tuple[dict[str, Any], str]]:
    """Each of his matches, and its record if it has one."""
    for seat in await connection.fetch(SEATS, who.id):
        row = await connection.fetchrow(MATCH, seat["match"])
        yield json.loads(row["doc"]), unpack(row["record"] or b"").decode()


# Taken away.


async def delete(connection: Any, who: Person, by: str) -> Deleted:
    """Take somebody away, in the transaction that is under way."""
    pseudonym = PSEUDONYM + secrets.token_hex(5)
    row = await connection.fetchrow(LOCKED, who.id)
    names = {row["name"], row["first_name"]} - {""}
    sat = [row["match"] for row in await connection.fetch(SEATS, who.id)]
    named = [match for match in sat if not await _strike(connection, match, who.id, pseudonym)]
    for match, doc in await connection.fetch(MADE, f'%"creator":"{who.id}"%'):
        await _rewrite(connection, match, doc, who.id, pseudonym)
    await connection.execute(GONE, who.id, pseudonym)
    for forget in FORGET:
        await connection.execute(forget, who.id)
    for name in names:
        for rename in PLAYER:
            await connection.execute(rename, name, pseudonym)
    await connection.execute(TOLD, who.id)
    await connection.execute(NOTED, by, pseudonym)
    return Deleted(pseudonym, len(sat), named)


async def _strike(connection: Any, name: str, account: str, pseudonym: str) -> bool:
    """Strike him out of a match; whether its record names him no longer."""
    match = await connection.fetchrow(MATCH, name)
    seats = await _rewrite(connection, match["id"], match["doc"], account, pseudonym)
    if not match["record"]:
        return True
    text = unpack(match["record"]).decode()
    struck = without_players(text, seats)
    if struck != text:
        query = "UPDATE bree.records SET record = $2 WHERE match = $1"
        await connection.execute(query, match["id"], pack(struck.encode()))
    return not (seats and text.startswith("bree record 1\n"))


async def _rewrite(
    connection: Any, match: str, doc: str, account: str, pseudonym: str
) -> list[str]:
    """Give him the pseudonym in the document of a match; the seats at which he sat."""
    said = json.loads(doc)
    seats = [seat for seat in said["seats"] if seat.get("account") == account]
    for seat in seats:
        seat["label"] = pseudonym
    if said.get("creator") == account:
        said["creator_name"] = pseudonym
    text = json.dumps(said, separators=(",", ":"))
    await connection.execute("UPDATE bree.matches SET doc = $2 WHERE id = $1", match, text)
    return [seat["name"] for seat in seats]


def without_players(record: str, seats: list[str]) -> str:
    """A record without the lines that say who sat at these seats; marks stay."""
    heads = tuple(f"player {seat} " for seat in seats)
    lines = record.splitlines(keepends=True)
    return "".join(line for line in lines if not (heads and line.startswith(heads)))
