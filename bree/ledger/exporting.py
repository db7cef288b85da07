"""All that a ledger keeps of one person, given out in pieces that fit into memory.

Design. What there is a bounded number of is one reading of one moment. Of what may be much a page
at a time is read: of the history of ratings what had come by that moment, by the versions of the
ratings; of matches those that were over by then. Nothing of it is another person's, but for what
everyone may see of a match; and no hash that proves anything.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from bree.ledger.names import GAMES
from bree.ledger.packing import unpack
from bree.ledger.people import LATEST, MATCH, Person, Place

Fetch = Callable[..., Awaitable[Sequence[Any]]]
"""From a query and its values to the rows."""

PAGE = 500
HIGHEST = (1 << 63) - 1

WHOLE = """
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at_ms,
  (SELECT row_to_json(t) FROM (
    SELECT id, name, first_name, guest, created_ms, bot, renamed_ms, banned_ms, muted_ms, leaving_ms
    FROM bree.accounts WHERE id = $1) t)::text AS account,
  (SELECT json_build_object('no_bots', no_bots) FROM bree.accounts WHERE id = $1)::text AS wishes,
  (SELECT nullif(terms, '') FROM bree.accounts WHERE id = $1) AS terms,
  (SELECT json_agg(t) FROM (
    SELECT name, until_ms FROM bree.names WHERE account = $1 ORDER BY name) t)::text AS names,
  (SELECT json_agg(t) FROM (
    SELECT device, created_ms, used_ms FROM bree.sessions WHERE account = $1
    ORDER BY created_ms, id) t)::text AS sessions,
  (SELECT json_agg(t) FROM (
    SELECT name, scope, created_ms, used_ms FROM bree.tokens WHERE account = $1
    ORDER BY created_ms, id) t)::text AS tokens,
  (SELECT json_agg(t) FROM (
    SELECT name, transports, created_ms, used_ms, eligible, backed_up
    FROM bree.passkeys WHERE account = $1
    ORDER BY created_ms, id) t)::text AS passkeys,
  (SELECT json_agg(t) FROM (
    SELECT issuer, subject, label, created_ms, used_ms FROM bree.identities WHERE account = $1
    ORDER BY issuer, subject) t)::text AS identities,
  (SELECT json_agg(t) FROM (
    SELECT address, created_ms FROM bree.addresses WHERE account = $1) t)::text AS addresses,
  (SELECT json_agg(t) FROM (
    SELECT created_ms FROM bree.recovery_codes WHERE account = $1
    ORDER BY created_ms) t)::text AS recovery_codes,
  (SELECT json_agg(t) FROM (
    SELECT r.game, r.matches, r.mu, r.sigma, r.ordinal, r.version FROM bree.ratings r
    WHERE r.game = ANY(GAMES) AND r.player = $2
    ORDER BY r.game) t)::text AS ratings
""".replace("GAMES", GAMES)
"""One statement, so it is one moment."""

HISTORY = """
SELECT game, match, at_ms, version, mu_before, sigma_before, ordinal_before, mu, sigma, ordinal
FROM bree.rating_history
WHERE player = $1 AND game = $2 AND version <= $3 AND (at_ms, version) > ($4, $5)
ORDER BY at_ms, version LIMIT $6
"""
REPORTS = """
SELECT id, at_ms, match, kind, text, closed_ms FROM bree.reports
WHERE by_account = $1 AND (at_ms, id) > ($2, $3) ORDER BY at_ms, id LIMIT $4
"""
NOTICES = """
SELECT id, until_ms, at_ms, text FROM bree.notices
WHERE account = $1 AND (until_ms, id) > ($2, $3) ORDER BY until_ms, id LIMIT $4
"""
OVER = """
SELECT s.created_ms, s.match FROM bree.seats s JOIN bree.matches m ON m.id = s.match
WHERE s.account = $1 AND m.ended_ms <= $2 AND (s.created_ms, s.match) < ($3, $4::text)
ORDER BY s.created_ms DESC, s.match DESC LIMIT $5
"""
NOTES = """
SELECT seat, text, at_ms FROM bree.notes WHERE match = $1 AND account = $2 ORDER BY number
"""

Row = dict[str, Any]


async def whole(fetch: Fetch, who: Person) -> dict[str, Any]:
    """What there is a bounded number of, as it is at one moment."""
    [row] = await fetch(WHOLE, who.id, who.player)
    found = {part: json.loads(row[part] or "[]") for part in row.keys() if part != "at_ms"}  # noqa: SIM118
    found["terms"] = found["terms"] or {}
    return {"at_ms": row["at_ms"], **found, "player": who.player}


async def history(fetch: Fetch, kept: dict[str, Any]) -> AsyncIterator[list[Row]]:
    """How ratings came to be what they are: a page of a game at a time."""
    for rating in kept["ratings"]:
        which = (kept["player"], rating["game"], rating["version"])
        async for page in _pages(fetch, HISTORY, which, ("at_ms", "version")):
            yield page


async def reports(fetch: Fetch, account: str) -> AsyncIterator[list[Row]]:
    """What he has reported to the host."""
    async for page in _pages(fetch, REPORTS, (account,), ("at_ms", "id")):
        yield page


async def notices(fetch: Fetch, account: str) -> AsyncIterator[list[Row]]:
    """What the host has told him."""
    async for page in _pages(fetch, NOTICES, (account,), ("until_ms", "id")):
        yield page


async def _pages(
    fetch: Fetch, query: str, which: Sequence[Any], place: tuple[str, str]
) -> AsyncIterator[list[Row]]:
    at = (-HIGHEST, -HIGHEST)
    while page := [dict(row) for row in await fetch(query, *which, *at, PAGE)]:
        yield page
        if len(page) < PAGE:
            return
        at = (page[-1][place[0]], page[-1][place[1]])


async def over(fetch: Fetch, account: str, before_ms: int) -> AsyncIterator[str]:
    """The matches in which he sat and that were over by then, the newest first."""
    after: Place = LATEST
    while rows := await fetch(OVER, account, before_ms, *after, PAGE):
        for _, match in rows:
            yield match
        if len(rows) < PAGE:
            return
        after = (rows[-1][0], rows[-1][1])


async def everything(fetch: Fetch, who: Person) -> dict[str, Any]:
    """All of it but matches, however much that is."""
    kept = await whole(fetch, who)
    parts = {"rating_history": history(fetch, kept), "reports": reports(fetch, who.id)}
    parts["notices"] = notices(fetch, who.id)
    for part, pages in parts.items():
        kept[part] = [row async for page in pages for row in page]
    said = [
        {"match": match, **dict(row)}
        async for match in over(fetch, who.id, HIGHEST)
        for row in await fetch(NOTES, match, who.id)
    ]
    return {**kept, "notes": said}


async def match(fetch: Fetch, name: str) -> tuple[str, str] | None:
    """The document of a match that is kept for good, and its record if it has one."""
    rows = await fetch(MATCH, name)
    return (rows[0]["doc"], unpack(rows[0]["record"] or b"").decode()) if rows else None
