"""All that a platform keeps of one person: given out, and taken away.

Design. What others have a part in stays: a match that was played stays played, and the ratings of
opponents are theirs. Of the person who goes only a word remains in it that says nothing, the same
everywhere; and the records lose the lines that name him, while the marks that bind the history
stay, so that they still verify. What it leads to is in the outbox: copies in the live store follow.
A name is kept from others for a time when its bearer is gone, and leads to nobody.

Who has played much cannot be struck out of all of it at once. So there is a first step, after
which the account is nobody's, as many as are needed that each take a page of matches, and a last
one. Each may be repeated, and all of them together may be one transaction.
"""

from __future__ import annotations

import json
import secrets
import time
from typing import Any, NamedTuple

from bree.ledger.names import GAMES
from bree.ledger.packing import pack, unpack

Place = tuple[int, str]
"""Where a page of a list ends: when a match was made, and its name."""

ACCOUNT = """
SELECT a.id, a.name, a.first_name, a.guest, a.created_ms
FROM bree.names n JOIN bree.accounts a ON a.id = n.account
WHERE n.name = lower($1) AND NOT (a.token_hash = '' AND n.until_ms > 0)
"""
MATCH = """
SELECT m.id, m.doc, r.record FROM bree.matches m LEFT JOIN bree.records r ON r.match = m.id
WHERE m.id = $1
"""
LOCKED = """
SELECT name, first_name, leaving_ms FROM bree.accounts WHERE id = $1 FOR UPDATE
"""
SEATS = """
SELECT created_ms, match FROM bree.seats
WHERE account = $1 AND (created_ms, match) < ($2, $3::text)
ORDER BY created_ms DESC, match DESC LIMIT $4
"""
MADE = """
SELECT id, doc FROM bree.matches
WHERE substring(doc, '"creator":"([^"]*)"') = $1 AND id > $2 ORDER BY id LIMIT $3
"""

GONE = """
UPDATE bree.accounts SET name = $2, first_name = '', token_hash = '', terms = '', guest = false,
  no_bots = false, renamed_ms = 0, leaving_ms = $3, version = version + 1
WHERE id = $1
"""
KEPT_FROM_OTHERS = """
UPDATE bree.names SET until_ms = $2 WHERE account = $1 AND (until_ms = 0 OR until_ms > $2)
"""
FORGET = (
    "DELETE FROM bree.sessions WHERE account = $1",
    "DELETE FROM bree.login_codes WHERE account = $1",
    "UPDATE bree.outbox SET payload = '' WHERE account = $1",
    "DELETE FROM bree.tokens WHERE account = $1",
    "DELETE FROM bree.recovery_codes WHERE account = $1",
    "DELETE FROM bree.passkeys WHERE account = $1",
    "DELETE FROM bree.identities WHERE account = $1",
    "DELETE FROM bree.addresses WHERE account = $1",
    "DELETE FROM bree.notices WHERE account = $1",
)
CALLED = (
    "UPDATE bree.results SET account = $2, player = $2 WHERE account = $1",
    "UPDATE bree.reports SET by_account = $2, text = '' WHERE by_account = $1",
    "UPDATE bree.reports SET about = $2, text = '', verdict = '' WHERE about = $1",
)
PLAYER = tuple(
    f"UPDATE bree.{table} SET player = $2 WHERE game = ANY({GAMES}) AND player = $1"  # noqa: S608 (ours)
    for table in ("ratings", "rating_history")
)
UNSAID = """
UPDATE bree.notes SET label = '', text = '', request_id = '' WHERE match = $1 AND account = $2
"""
TOLD = """
INSERT INTO bree.outbox (kind, account, at_ms)
VALUES ('account', $1, extract(epoch FROM clock_timestamp()) * 1000)
"""
DONE = """
UPDATE bree.accounts SET leaving_ms = 0, version = version + 1 WHERE id = $1 AND leaving_ms = $2
RETURNING name
"""
NOTED = """
INSERT INTO bree.audit (at_ms, who, what, why)
VALUES (extract(epoch FROM clock_timestamp()) * 1000, $1, 'delete account', $2)
"""

BEGUN = 1
"""In the place of when an account is to be deleted: that has begun."""

NAME_DAYS = 90
"""For how long nobody else gets the name of somebody who is gone."""

PAGE = 50
LATEST: Place = (1 << 62, "")
"""No match is made later."""

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


class Struck(NamedTuple):
    """What a step has come to: where the next one begins, and what it has struck him out of."""

    after: Place | None
    matches: int
    named: list[str]


class Deleted(NamedTuple):
    """What is left of an account."""

    pseudonym: str
    matches: int
    named: list[str]  # matches whose records bind the name itself, and keep it


async def person(connection: Any, name: str) -> Person | None:
    """Whoever bears this name, in capitals or not."""
    row = await connection.fetchrow(ACCOUNT, name)
    return Person(*row) if row else None


async def delete(connection: Any, who: Person, by: str) -> Deleted:
    """Take somebody away, in the transaction that is under way."""
    pseudonym = await begin(connection, who.id)
    found, named = 0, list[str]()
    after: Place | None = LATEST
    while after:
        struck = await strike(connection, who.id, pseudonym, after)
        found, named, after = found + struck.matches, named + struck.named, struck.after
    last = ""
    while last := await strike_made(connection, who.id, pseudonym, last):
        pass
    await finish(connection, who.id, by)
    return Deleted(pseudonym, found, named)


async def begin(connection: Any, account: str) -> str:
    """Make an account nobody's; the word by which it is called from now on."""
    row = await connection.fetchrow(LOCKED, account)
    if row["leaving_ms"] == BEGUN:
        return str(row["name"])
    pseudonym = PSEUDONYM + secrets.token_hex(5)
    await connection.execute(GONE, account, pseudonym, BEGUN)
    await connection.execute(KEPT_FROM_OTHERS, account, _in_days(NAME_DAYS))
    for forget in FORGET:
        await connection.execute(forget, account)
    for call in CALLED:
        await connection.execute(call, account, pseudonym)
    for rename in PLAYER:
        await connection.execute(rename, row["first_name"] or row["name"], pseudonym)
    await connection.execute(TOLD, account)
    return pseudonym


async def strike(connection: Any, account: str, pseudonym: str, after: Place) -> Struck:
    """Strike somebody out of the next matches in which he sat."""
    rows = [tuple(row) for row in await connection.fetch(SEATS, account, *after, PAGE)]
    sat = [match for _, match in rows]
    named = [match for match in sat if not await _strike(connection, match, account, pseudonym)]
    return Struck(rows[-1] if len(rows) == PAGE else None, len(sat), named)


async def strike_made(connection: Any, account: str, pseudonym: str, after: str) -> str:
    """Strike somebody out of the next matches that he opened; the last of them, or nothing."""
    rows = await connection.fetch(MADE, account, after, PAGE)
    for match, doc in rows:
        await _rewrite(connection, match, doc, account, pseudonym)
    return str(rows[-1][0]) if len(rows) == PAGE else ""


async def finish(connection: Any, account: str, by: str) -> None:
    """Note that somebody is gone, once."""
    if pseudonym := await connection.fetchval(DONE, account, BEGUN):
        await connection.execute(TOLD, account)
        await connection.execute(NOTED, by, pseudonym)


async def _strike(connection: Any, name: str, account: str, pseudonym: str) -> bool:
    """Strike him out of a match; whether its record names him no longer."""
    match = await connection.fetchrow(MATCH, name)
    seats = await _rewrite(connection, match["id"], match["doc"], account, pseudonym)
    await connection.execute(UNSAID, name, account)
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


def _in_days(days: int) -> int:
    return round(1000 * (time.time() + days * 86_400))
