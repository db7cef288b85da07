"""What the desk needs of a store, in words of its own.

Design. Each act is one method and one transaction: what it changes, its line in the audit log, and
the notices to whom it concerns. The same act, sent twice, is done and noted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from bree.ledger.audit import Deed, Line, Noted
from gateway.documents import Account


class NoticeKind(StrEnum):
    """What a notice is about."""

    NEWS = "news"
    BANNED = "banned"
    MUTED = "muted"
    ACCOUNT = "account"  # what else was done with it
    MATCH = "match"


class Notice(NamedTuple):
    """Something that the host tells."""

    at_ms: int
    until_ms: int
    account: str  # whom; empty: everybody
    kind: NoticeKind
    match: str
    text: str
    why: str
    number: int = 0


class Given(NamedTuple):
    """The line of an act, and the notices that were given with it, with their numbers."""

    noted: Noted
    notices: tuple[Notice, ...]


class Ways(NamedTuple):
    """How many proofs of one kind an account has, and when one was last used, if that is kept."""

    kind: str
    number: int
    used_ms: int = 0


class Facts(NamedTuple):
    """What the host is told of an account beside itself."""

    ways: tuple[Ways, ...]
    ended: int  # matches that are over or closed, and kept
    open_reports: int
    all_reports: int


class Flag(StrEnum):
    """What an account may be."""

    BANNED = "banned"
    MUTED = "muted"
    LEAVING = "leaving"
    BOT = "bot"


class Wanted(NamedTuple):
    """Which accounts are looked for."""

    prefix: str  # in small letters
    id: str
    flags: tuple[Flag, ...]
    now_ms: int


class Renamed(StrEnum):
    """What came of giving an account another name."""

    RENAMED = "renamed"
    TAKEN = "taken"  # somebody else has it
    GONE = "gone"  # there is no such account


class Gone(NamedTuple):
    """What is left of an account that was deleted."""

    pseudonym: str
    matches: int


class Report(NamedTuple):
    """What a player has said about another one."""

    at_ms: int
    by: str
    about: str
    match: str
    kind: str
    text: str
    number: int = 0
    closed_ms: int = 0
    closed_by: str = ""
    verdict: str = ""


class Filed(NamedTuple):
    """What came of a report: its number, or how long its author has to wait."""

    number: int = 0
    wait_ms: int = 0


class DeskStore(Protocol):
    """Notices, reports, the audit log, and accounts as the host changes them."""

    # Accounts.

    async def find_accounts(
        self, wanted: Wanted, after: tuple[int, str] | None, most: int
    ) -> list[Account]:
        """The next accounts, the newest first, after one by the time and the id."""

    async def account_facts(self, account: str) -> Facts:
        """What the host is told of an account."""
        ...

    async def rename_by_host(
        self, account: str, name: str, deed: Deed, notice: Notice
    ) -> tuple[Renamed, Given | None]:
        """Give an account another name; the one that it had leads to it, and to nobody else."""
        ...

    async def shut(
        self, account: str, how: Flag, until_ms: int, deed: Deed, notice: Notice
    ) -> Given | None:
        """Ban or mute an account until then; nothing if there is none."""

    async def delete_by_host(self, account: str, deed: Deed) -> Gone | None:
        """Delete an account for ever; nothing if there is none."""

    async def why_banned(self, account: str) -> str:
        """The reason of the last ban of an account, or nothing."""
        ...

    # What is noted.

    async def give(self, deed: Deed, notices: Sequence[Notice]) -> Given:
        """Note something that was done, or is meant, and tell whom it concerns."""
        ...

    async def audit(self, after: int, most: int) -> list[Line]:
        """The next lines of the audit log."""

    # Notices.

    async def notices_to(self, account: str, now_ms: int, before: int, most: int) -> list[Notice]:
        """Those to everybody and to this account with lower numbers, the latest first.

        At a time of 0 also those that count no more; without an account those to everybody.
        """

    # Reports.

    async def file_report(self, report: Report, most: int, since_ms: int) -> Filed:
        """Keep a report, unless the same one is open, or its author has made as many since then."""
        ...

    async def reports(self, about: str, place: int, most: int, *, only_open: bool) -> list[Report]:
        """The next open ones after that number, the oldest first; or all before it, the latest."""

    async def close_report(self, number: int, by: str, verdict: str, deed: Deed) -> Report | None:
        """Close a report, unless somebody else has; gives it as it is then."""
