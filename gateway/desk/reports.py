"""Reports: what players say of each other, and what the host makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from bree.gateway.v1 import desk_pb2 as desk
from bree.process.statuses import Denied
from gateway import fields, page_tokens
from gateway.contract import Store
from gateway.desk import messages
from gateway.desk.acts import deed
from gateway.desk.contract import Report
from gateway.documents import Account, ListEntry, Match
from gateway.matches import Matches, now_ms
from gateway.refusals import invalid, unknown_account

MOST_A_DAY, DAY_MS = 10, 86_400_000
"""How often an account may report: a person seldom has more to say, and each is read by one."""

LONGEST_TEXT = 1000
LATEST = 1 << 62


class Reports:
    """Keeps reports and closes them."""

    def __init__(self, store: Store, matches: Matches) -> None:
        self.store, self.matches = store, matches

    # For players.

    async def file(
        self, account: Account, r: desk.ReportAccountRequest
    ) -> desk.ReportAccountResponse:
        text = fields.line("text", r.text, LONGEST_TEXT, least=0)
        kind = messages.REPORT_KINDS.get(r.kind)
        if kind is None:
            raise invalid("kind", "kind is a value of ReportKind that names something")
        about = await self._named(account, r.account)
        if r.match:
            _check_sits(await self.matches.read(fields.match_id(r.match)), about)
        now = now_ms()
        report = Report(now, account.id, about.id, r.match, kind, text)
        filed = await self.store.file_report(report, MOST_A_DAY, now - DAY_MS)
        if filed.wait_ms:
            raise _too_many(filed.wait_ms)
        return desk.ReportAccountResponse(report=filed.number)

    async def _named(self, account: Account, name: str) -> Account:
        if fields.player(name).startswith(fields.BOT):
            raise invalid("account", "hosted bots are the host's own")
        found = await self.store.account_named(name)
        if found is None:
            raise unknown_account(name)
        if found.id == account.id:
            raise invalid("account", "account is somebody else's")
        return found

    # For the host.

    async def listed(self, _: Account, r: desk.ListReportsRequest) -> desk.ListReportsResponse:
        size = fields.page_size(r.page_size)
        if r.about:
            fields.account_id(r.about)
        which = ("reports", r.about, r.all)
        after = page_tokens.decode(r.page_token, *which)
        place = page_tokens.whole(after) if after else LATEST * r.all
        found = await self.store.reports(r.about, place, size + 1, only_open=not r.all)
        last = ListEntry(found[size - 1].number, "") if found[size:] else None
        return desk.ListReportsResponse(
            reports=await self._shown(found[:size]),
            next_page_token=page_tokens.encode(last, *which),
        )

    async def close(self, admin: Account, r: desk.CloseReportRequest) -> desk.CloseReportResponse:
        verdict = fields.line("verdict", r.verdict, fields.LONGEST_WHY)
        by, said = f"{admin.id} {admin.name}", deed(admin, f"close report {r.report}", verdict)
        if not 1 <= r.report < LATEST:
            raise _no_report(r.report)
        report = await self.store.close_report(r.report, by, verdict, said)
        if report is None:
            raise _no_report(r.report)
        if (report.closed_by, report.verdict) != (by, verdict):
            message = f"report {r.report} was closed by {report.closed_by}"
            raise Denied("NOT_ALLOWED", message, needs="an open report")
        [shown] = await self._shown([report])
        return desk.CloseReportResponse(report=shown)

    async def _shown(self, reports: Sequence[Report]) -> list[desk.Report]:
        ids = sorted({who for report in reports for who in (report.by, report.about)})
        found = await self.store.accounts(ids)
        names = {who.id: who.name for who in found if who}
        return [messages.report(report, names) for report in reports]


def _check_sits(match: Match, about: Account) -> None:
    if not match.seats_of(about) and about.id not in match.left:
        raise invalid("match", f"{about.name} has no part in this match")


def _too_many(wait_ms: int) -> Denied:
    return Denied(
        "RATE_LIMITED",
        "that is enough for today",
        limit=f"{MOST_A_DAY} reports a day",
        retry_after_ms=wait_ms,
    )


def _no_report(number: int) -> Denied:
    return invalid("report", f"there is no report {number}")
