"""What the desk keeps, in memory: what `ledger.py` does, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bree.ledger.audit import Deed, Line, Noted, hash_of
from gateway.account_memory import AccountsInMemory
from gateway.desk.contract import (
    Facts,
    Filed,
    Flag,
    Given,
    Gone,
    Notice,
    Renamed,
    Report,
    Wanted,
    Ways,
)
from gateway.documents import Account, Credentials


class DeskInMemory(AccountsInMemory):
    """The part of a `contract.Store` that concerns the desk."""

    def __init__(self) -> None:
        super().__init__()
        self._audit: list[Line] = []
        self._notices: list[Notice] = []
        self._reports: list[Report] = []

    # Accounts.

    async def find_accounts(
        self, wanted: Wanted, after: tuple[int, str] | None, most: int
    ) -> list[Account]:
        every = sorted(
            (kept.account for kept in self._accounts.values()),
            key=lambda account: (account.created_ms, account.id),
            reverse=True,
        )
        found = [account for account in every if _is(account, wanted)]
        return [a for a in found if after is None or (a.created_ms, a.id) < after][:most]

    async def account_facts(self, account: str) -> Facts:
        kept, held = self._accounts.get(account), await self.sessions(account)
        used = max((session.used_ms for session in held), default=0)
        ways = (
            Ways("token", int(bool(kept and kept.token_hash))),
            Ways("session", len(held), used),
        )
        about = [report for report in self._reports if report.about == account]
        open_ones = sum(not report.closed_ms for report in about)
        return Facts(tuple(way for way in ways if way.number), 0, open_ones, len(about))

    async def rename_by_host(
        self, account: str, name: str, deed: Deed, notice: Notice
    ) -> tuple[Renamed, Given | None]:
        kept = self._accounts.get(account)
        if kept is None:
            return Renamed.GONE, None
        if self._names.setdefault(name.lower(), account) != account:
            return Renamed.TAKEN, None
        was = kept.account
        new = replace(was, name=name, guest=False, first_name=was.first_name or was.name)
        self._accounts[account] = Credentials(new, kept.token_hash)
        return Renamed.RENAMED, await self.give(deed, [notice])

    async def shut(
        self, account: str, how: Flag, until_ms: int, deed: Deed, notice: Notice
    ) -> Given | None:
        kept = self._accounts.get(account)
        if kept is None:
            return None
        if how is Flag.BANNED:
            new = replace(kept.account, banned_ms=until_ms)
        else:
            new = replace(kept.account, muted_ms=until_ms)
        self._accounts[account] = Credentials(new, kept.token_hash)
        return await self.give(deed, [notice])

    async def delete_by_host(self, account: str, deed: Deed) -> Gone | None:
        kept = self._accounts.get(account)
        if kept is None:
            return None
        gone = Account(account, f"gone-{account[:10]}", created_ms=kept.account.created_ms)
        self._accounts[account] = Credentials(gone, "")
        self._sessions.pop(account, None)
        names = {name: "" for name, one in self._names.items() if one == account}
        self._names.update(names)  # nobody else gets them
        await self.give(deed, [])
        return Gone(gone.name, 0)

    async def why_banned(self, account: str) -> str:
        whys = [n.why for n in self._notices if (n.account, n.kind) == (account, "banned")]
        return whys[-1] if whys else ""

    # What is noted.

    async def give(self, deed: Deed, notices: Sequence[Notice]) -> Given:
        for line in self._audit:
            if Deed(line.at_ms, line.who, line.what, line.why) == deed:
                return Given(Noted(line.n, is_new=False), ())
        before = self._audit[-1].hash if self._audit else ""
        line = Line(len(self._audit) + 1, *deed, before, "")
        self._audit.append(line._replace(hash=hash_of(line)))
        first = len(self._notices) + 1
        told = tuple(notice._replace(number=first + n) for n, notice in enumerate(notices))
        self._notices += told
        return Given(Noted(line.n, is_new=True), told)

    async def audit(self, after: int, most: int) -> list[Line]:
        return self._audit[after : after + most]

    # Notices.

    async def notices_to(self, account: str, now_ms: int, before: int, most: int) -> list[Notice]:
        found = [
            notice
            for notice in reversed(self._notices)
            if notice.account in ("", account)
            if notice.until_ms > now_ms and notice.number < before
        ]
        return found[:most]

    # Reports.

    async def file_report(self, report: Report, most: int, since_ms: int) -> Filed:
        mine = [one for one in self._reports if one.by == report.by]
        for one in mine:
            if not one.closed_ms and one[1:6] == report[1:6]:
                return Filed(one.number)
        late = sorted(one.at_ms for one in mine if one.at_ms > since_ms)[-most:]
        if len(late) >= most:
            return Filed(wait_ms=late[0] - since_ms)
        self._reports.append(report._replace(number=len(self._reports) + 1))
        return Filed(len(self._reports))

    async def reports(self, about: str, place: int, most: int, *, only_open: bool) -> list[Report]:
        found = [one for one in self._reports if about in ("", one.about)]
        if only_open:
            return [one for one in found if not one.closed_ms and one.number > place][:most]
        return [one for one in reversed(found) if one.number < place][:most]

    async def close_report(self, number: int, by: str, verdict: str, deed: Deed) -> Report | None:
        if not 1 <= number <= len(self._reports):
            return None
        report = self._reports[number - 1]
        if not report.closed_ms:
            report = report._replace(closed_ms=deed.at_ms, closed_by=by, verdict=verdict)
            self._reports[number - 1] = report
            await self.give(deed, [])
        return report


def _is(account: Account, wanted: Wanted) -> bool:
    flags = {
        Flag.BANNED: account.banned_ms > wanted.now_ms,
        Flag.MUTED: account.muted_ms > wanted.now_ms,
        Flag.LEAVING: account.leaving_ms > 0,
        Flag.BOT: account.bot,
    }
    is_named = account.name.lower().startswith(wanted.prefix)
    return is_named and wanted.id in ("", account.id) and all(flags[one] for one in wanted.flags)
