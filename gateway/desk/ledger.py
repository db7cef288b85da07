"""What the desk keeps, in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.ledger import audit, people
from bree.ledger.audit import Deed, Line
from bree.ledger.link import Ledger, Undo
from gateway.desk.contract import (
    Facts,
    Filed,
    Flag,
    Given,
    Gone,
    Notice,
    NoticeKind,
    Renamed,
    Report,
    Wanted,
    Ways,
)
from gateway.documents import Account
from gateway.ledger_accounts import ACCOUNT, LOCKED, NEW_NAME, OWNER, AccountsInLedger

NEWEST = (1 << 62, "")
"""Where the list of accounts begins."""

CONDITIONS = {
    Flag.BANNED: "a.banned_ms > 0 AND a.banned_ms > $5::bigint",
    Flag.MUTED: "a.muted_ms > 0 AND a.muted_ms > $5::bigint",
    Flag.LEAVING: "a.leaving_ms > 0",
    Flag.BOT: "a.bot",
}
FOUND = """
SELECT ACCOUNT FROM bree.accounts a
WHERE (a.created_ms, a.id) < ($1::bigint, $2::text)
  AND ($4::text = '' OR a.id = $4::text) AND $5::bigint >= 0 AND FLAGS
ORDER BY a.created_ms DESC, a.id DESC LIMIT $3
""".replace("ACCOUNT", ACCOUNT)

NAMED_SO = """
a.id IN (SELECT account FROM bree.names WHERE name >= $6::text AND name < $6::text || '~')
  AND starts_with(lower(a.name), $6::text)
"""
"""No name has a letter that comes after a tilde; an account may have other names than its own."""

WAYS = """
SELECT 'token', count(*), 0 FROM bree.accounts WHERE id = $1 AND token_hash <> ''
UNION ALL SELECT 'session', count(*), coalesce(max(used_ms), 0)
  FROM bree.sessions WHERE account = $1
UNION ALL SELECT 'program', count(*), coalesce(max(used_ms), 0)
  FROM bree.tokens WHERE account = $1
UNION ALL SELECT 'recovery', count(*), 0 FROM bree.recovery_codes WHERE account = $1
UNION ALL SELECT 'passkey', count(*), coalesce(max(used_ms), 0)
  FROM bree.passkeys WHERE account = $1
UNION ALL SELECT 'identity', count(*), coalesce(max(used_ms), 0)
  FROM bree.identities WHERE account = $1
UNION ALL SELECT 'mail', count(*), 0 FROM bree.addresses WHERE account = $1
"""
COUNTS = """
SELECT (SELECT count(*) FROM bree.seats WHERE account = $1),
  (SELECT count(*) FROM bree.reports WHERE about = $1 AND closed_ms = 0),
  (SELECT count(*) FROM bree.reports WHERE about = $1)
"""

RENAMED = """
UPDATE bree.accounts SET name = $2, guest = false,
  first_name = CASE WHEN first_name = '' THEN name ELSE first_name END WHERE id = $1
"""
SHUT = {
    Flag.BANNED: "UPDATE bree.accounts SET banned_ms = $2 WHERE id = $1",
    Flag.MUTED: "UPDATE bree.accounts SET muted_ms = $2 WHERE id = $1",
}
WHY = """
SELECT why FROM bree.notices WHERE account = $1 AND kind = 'banned' ORDER BY id DESC LIMIT 1
"""

TOLD = """
INSERT INTO bree.notices (at_ms, until_ms, account, kind, match, text, why)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
"""
NOTICES = """
SELECT at_ms, until_ms, account, kind, match, text, why, id FROM bree.notices
WHERE account = ANY($1::text[]) AND until_ms > $2 AND id < $3 ORDER BY id DESC LIMIT $4
"""

REPORT = "at_ms, by_account, about, match, kind, text, id, closed_ms, closed_by, verdict"
AUTHOR = "SELECT id FROM bree.accounts WHERE id = $1 FOR UPDATE"
SAME = """
SELECT id FROM bree.reports
WHERE (by_account, about, match, kind, text) = ($1::text, $2::text, $3::text, $4::text, $5::text)
  AND closed_ms = 0 LIMIT 1
"""
FILED_SINCE = """
SELECT count(*), min(at_ms) FROM (SELECT at_ms FROM bree.reports
  WHERE by_account = $1 AND at_ms > $2 ORDER BY at_ms DESC LIMIT $3) r
"""
FILE = """
INSERT INTO bree.reports (at_ms, by_account, about, match, kind, text)
VALUES ($1, $2, $3, $4, $5, $6) RETURNING id
"""
OPEN_REPORTS = """
SELECT REPORT FROM bree.reports WHERE closed_ms = 0 AND id > $1 AND ($2::text = '' OR about = $2)
ORDER BY id LIMIT $3
""".replace("REPORT", REPORT)
ALL_REPORTS = """
SELECT REPORT FROM bree.reports WHERE id < $1 AND ($2::text = '' OR about = $2)
ORDER BY id DESC LIMIT $3
""".replace("REPORT", REPORT)
ONE_REPORT = "SELECT REPORT FROM bree.reports WHERE id = $1 FOR UPDATE".replace("REPORT", REPORT)
CLOSED = """
UPDATE bree.reports SET closed_ms = $2, closed_by = $3, verdict = $4 WHERE id = $1
RETURNING REPORT
""".replace("REPORT", REPORT)


def found(wanted: Wanted) -> str:
    """The query that finds accounts."""
    conditions = [CONDITIONS[flag] for flag in wanted.flags]
    conditions += [NAMED_SO] if wanted.prefix else []
    return FOUND.replace("FLAGS", " AND ".join(conditions) or "true")


class DeskInLedger(AccountsInLedger):
    """The part of a `contract.Store` that concerns the desk."""

    ledger: Ledger

    # Accounts.

    async def find_accounts(
        self, wanted: Wanted, after: tuple[int, str] | None, most: int
    ) -> list[Account]:
        prefix = [wanted.prefix] if wanted.prefix else []
        values = (*(after or NEWEST), most, wanted.id, wanted.now_ms, *prefix)
        query = found(wanted)
        return [Account(*row) for row in await self.ledger.read("find_accounts", query, *values)]

    async def account_facts(self, account: str) -> Facts:
        ways = await self.ledger.read("ways", WAYS, account)
        counts = await self.ledger.row("facts", COUNTS, account)
        return Facts(tuple(Ways(*row) for row in ways if row[1]), *counts)

    async def rename_by_host(
        self, account: str, name: str, deed: Deed, notice: Notice
    ) -> tuple[Renamed, Given | None]:
        done: tuple[Renamed, Given | None] = Renamed.GONE, None

        async def rename(connection: Any) -> None:
            nonlocal done
            if await connection.fetchrow(LOCKED, account) is None:
                raise Undo(value=False)
            await connection.execute(NEW_NAME, name.lower(), account)
            if await connection.fetchval(OWNER, name.lower()) != account:
                done = Renamed.TAKEN, None
                raise Undo(value=False)
            await connection.execute(RENAMED, account, name)
            done = Renamed.RENAMED, await _given(connection, deed, [notice])

        await self._changed("rename_by_host", account, rename, takes=True)
        return done

    async def shut(
        self, account: str, how: Flag, until_ms: int, deed: Deed, notice: Notice
    ) -> Given | None:
        given: Given | None = None

        async def shut(connection: Any) -> None:
            nonlocal given
            if await connection.fetchrow(LOCKED, account) is None:
                raise Undo(value=False)
            await connection.execute(SHUT[how], account, until_ms)
            given = await _given(connection, deed, [notice])

        done = await self._changed("shut", account, shut, takes=True)
        return given if done else None

    async def delete_by_host(self, account: str, deed: Deed) -> Gone | None:
        async def delete(connection: Any) -> Gone | None:
            kept = await connection.fetchrow(LOCKED, account)
            if kept and kept["name"].startswith(people.PSEUDONYM):  # the answer was lost
                return Gone(kept["name"], 0)
            who = kept and await people.person(connection, kept["name"])
            if not who:
                return None
            gone = await people.delete(connection, who, deed.who)
            await audit.note(connection, deed)
            return Gone(gone.pseudonym, gone.matches)

        gone = await self.ledger.write("delete_by_host", delete)
        if gone:
            await self._follow(account, done=True)
        return gone

    async def why_banned(self, account: str) -> str:
        row = await self.ledger.row("why_banned", WHY, account)
        return str(row[0]) if row else ""

    # What is noted.

    async def give(self, deed: Deed, notices: Sequence[Notice]) -> Given:
        return await self.ledger.write("give", lambda c: _given(c, deed, notices))

    async def audit(self, after: int, most: int) -> list[Line]:
        return [Line(*row) for row in await self.ledger.read("audit", audit.LINES, after, most)]

    # Notices.

    async def notices_to(self, account: str, now_ms: int, before: int, most: int) -> list[Notice]:
        whose = ["", account] if account else [""]
        rows = await self.ledger.read("notices_to", NOTICES, whose, now_ms, before, most)
        return [_notice(row) for row in rows]

    # Reports.

    async def file_report(self, report: Report, most: int, since_ms: int) -> Filed:
        said = (report.by, report.about, report.match, report.kind, report.text)

        async def file(connection: Any) -> Filed:
            await connection.execute(AUTHOR, report.by)
            if same := await connection.fetchval(SAME, *said):
                return Filed(same)
            count, oldest = await connection.fetchrow(FILED_SINCE, report.by, since_ms, most)
            if count >= most:
                return Filed(wait_ms=oldest - since_ms)
            return Filed(await connection.fetchval(FILE, report.at_ms, *said))

        return await self.ledger.write("file_report", file)

    async def reports(self, about: str, place: int, most: int, *, only_open: bool) -> list[Report]:
        query = OPEN_REPORTS if only_open else ALL_REPORTS
        return [
            Report(*row) for row in await self.ledger.read("reports", query, place, about, most)
        ]

    async def close_report(self, number: int, by: str, verdict: str, deed: Deed) -> Report | None:
        async def close(connection: Any) -> Report | None:
            row = await connection.fetchrow(ONE_REPORT, number)
            if row is None or row["closed_ms"]:
                return Report(*row) if row else None
            closed = await connection.fetchrow(CLOSED, number, deed.at_ms, by, verdict)
            await audit.note(connection, deed)
            return Report(*closed)

        return await self.ledger.write("close_report", close)


async def _given(connection: Any, deed: Deed, notices: Sequence[Notice]) -> Given:
    """Note a deed and tell whom it concerns, on a connection; what was told before is not again."""
    noted, told = await audit.note(connection, deed), []
    for notice in notices if noted.is_new else ():
        number = await connection.fetchval(TOLD, *notice[:-1])
        told.append(notice._replace(number=number))
    return Given(noted, tuple(told))


def _notice(row: Sequence[Any]) -> Notice:
    at_ms, until_ms, account, kind, *more = row
    return Notice(at_ms, until_ms, account, NoticeKind(kind), *more)
