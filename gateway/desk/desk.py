"""The desk: which method of its services has its logic where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gateway.accounts import Accounts
from gateway.catalog import Catalog
from gateway.desk.accounts import DeskAccounts
from gateway.desk.acts import Acts
from gateway.desk.matches import DeskMatches
from gateway.desk.notices import Notices
from gateway.desk.papers import Papers
from gateway.desk.reports import Reports
from gateway.listing import Listing
from gateway.lobby import Lobby
from gateway.matches import Matches
from gateway.settings import GatewaySettings

Table = Mapping[str, Mapping[str, Callable[..., Any]]]


class Desk(NamedTuple):
    """The parts of the desk."""

    accounts: DeskAccounts
    matches: DeskMatches
    papers: Papers
    reports: Reports
    notices: Notices

    @classmethod
    def of(
        cls,
        settings: GatewaySettings,
        acts: Acts,
        accounts: Accounts,
        matches: Matches,
        parts: tuple[Listing, Lobby, Catalog],
    ) -> Desk:
        """A desk in this gateway."""
        key = settings.platform_token.get_secret_value().encode()
        return cls(
            accounts=DeskAccounts(acts, accounts, parts[1]),
            matches=DeskMatches(acts, matches, parts, key),
            papers=Papers(acts, matches.engines),
            reports=Reports(acts.store, matches),
            notices=acts.notices,
        )

    def table(self) -> Table:
        """The methods of its services, by name."""
        return {
            "DeskService": self._of_accounts() | self._of_matches() | self._of_papers(),
            "ReportService": {"ReportAccount": self.reports.file},
            "NoticeService": {"ListNotices": self.notices.listed},
        }

    def _of_accounts(self) -> dict[str, Callable[..., Any]]:
        return {
            "FindAccounts": self.accounts.find,
            "GetAccountForDesk": self.accounts.show,
            "RenameByHost": self.accounts.rename,
            "MuteAccount": self.accounts.mute,
            "LiftMute": self.accounts.lift_mute,
            "BanAccount": self.accounts.ban,
            "LiftBan": self.accounts.lift_ban,
            "DeleteByHost": self.accounts.delete,
        }

    def _of_matches(self) -> dict[str, Callable[..., Any]]:
        return {
            "FindMatchesForDesk": self.matches.find,
            "LookAtMatch": self.matches.look,
            "AbortMatch": self.matches.abort,
            "AdjudicateMatch": self.matches.adjudicate,
            "HandOverSeatByHost": self.matches.hand_over,
            "GiveBackSeatByHost": self.matches.give_back,
            "HoldMatch": self.matches.hold,
            "ReleaseMatch": self.matches.release,
            "ReplayMatch": self.matches.replay,
        }

    def _of_papers(self) -> dict[str, Callable[..., Any]]:
        return {
            "ListReports": self.reports.listed,
            "CloseReport": self.reports.close,
            "GetQueues": self.papers.queues,
            "PostNotice": self.papers.post,
            "ListPostedNotices": self.papers.posted,
            "ListAudit": self.papers.audit,
        }
