"""How an act of an admin is noted, and whom it is told.

Design. What is an act of the ledger alone is one transaction of the store. What needs an engine is
noted as meant first, then done, and then noted as done, together with the notices; requests to
engines may be sent again and are carried out once. So whoever dies in between leaves an act that is
seen to be unfinished, and whoever repeats it ends it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from bree.ledger.audit import BEGIN, END, Deed
from bree.process.statuses import Denied
from gateway.contract import Store
from gateway.desk.contract import Notice, NoticeKind
from gateway.desk.notices import Notices
from gateway.documents import Account, Match
from gateway.matches import now_ms
from gateway.refusals import unknown_account

Done = TypeVar("Done")

KEPT_MS = 90 * 86_400_000
"""How long somebody is told what was done with his account, or a match of his."""

UNSURE = "OUTCOME_UNKNOWN"


class Acts:
    """Notes acts and tells of them."""

    def __init__(self, store: Store, notices: Notices) -> None:
        self.store, self.notices = store, notices

    async def account(self, account_id: str) -> Account:
        """The account with this id; refused if there is none."""
        [found] = await self.store.accounts([account_id])
        if found is None:
            raise unknown_account(account_id)
        return found

    async def on_match(
        self,
        admin: Account,
        match: Match,
        what: str,
        why: str,
        work: Callable[[], Awaitable[Done]],
    ) -> Done:
        """Do something with a match, and have its people told; `what` says what is done."""
        said = f"{what}, match {match.id}"
        begun = await self.store.give(deed(admin, f"{BEGIN} {said}", why), ())
        begin = f"{END} {begun.noted.n}"
        try:
            done = await work()
        except Denied as denied:
            if denied.reason != UNSURE:  # else it stays unfinished, as it may be
                await self.store.give(deed(admin, f"{begin} refused: {said}", denied.reason), ())
            raise
        told = [_notice(who, match, what, why) for who in _people(match)]
        given = await self.store.give(deed(admin, f"{begin} done: {said}", why), told)
        await self.notices.tell(given.notices)
        return done


def deed(admin: Account, what: str, why: str) -> Deed:
    """What an admin does, as it is noted."""
    return Deed(now_ms(), f"{admin.id} {admin.name}", what, why)


def named(account: Account) -> str:
    """An account, in the words of the audit log."""
    return f"account {account.id} {account.name}"


def _notice(account: str, match: Match, what: str, why: str) -> Notice:
    now = now_ms()
    text = f"The host has had this done with match {match.id}: {what}."
    return Notice(now, now + KEPT_MS, account, NoticeKind.MATCH, match.id, text, why)


def _people(match: Match) -> Iterable[str]:
    return sorted({seat.account for seat in match.seats if seat.account})
