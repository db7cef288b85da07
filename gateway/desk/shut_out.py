"""Who is banned, and who is muted: looked at where every call is admitted, and nowhere else."""

from __future__ import annotations

from collections import OrderedDict

import structlog

from bree.process.statuses import Denied
from gateway.contract import Store
from gateway.desk.words import day
from gateway.documents import Account
from gateway.matches import now_ms

log = structlog.get_logger()

ONES_OWN = frozenset(
    {
        *("GetAccount", "ListNotices", "ExportData", "DeleteAccount", "KeepAccount"),
        *("ListSessions", "EndSession", "EndAllSessions", "ListTokens", "EndToken"),
    }
)
"""What somebody who is banned may still do: look at what is his, and leave."""

TO_OTHERS = frozenset({"SayNote", "ClaimName", "RenameAccount"})
"""What others read of an account."""

MOST_KEPT = 10_000
LONGEST = 200
"""How much of a reason a refusal tells: it travels in headers. The notice has all of it."""


class ShutOut:
    """Refuses those whom the host has shut out."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._whys: OrderedDict[tuple[str, int], str] = OrderedDict()

    async def check(self, account: Account, method: str) -> None:
        """Refuse an account what it may not do now."""
        now = now_ms()
        if account.banned_ms > now and method not in ONES_OWN:
            raise await self.refusal(account)
        if account.muted_ms > now and method in TO_OTHERS:
            raise muted(account)

    async def refusal(self, account: Account) -> Denied:
        """That an account is banned, until when and why."""
        key = account.id, account.banned_ms
        if key not in self._whys:
            try:
                self._whys[key] = await self.store.why_banned(account.id)
            except Denied as denied:  # he is told at least until when
                log.info("reason not looked up", reason=denied.reason)
                return banned(account, "")
            if len(self._whys) > MOST_KEPT:
                self._whys.popitem(last=False)
        return banned(account, self._whys[key])


def is_banned(account: Account) -> bool:
    """Whether an account is banned now."""
    return account.banned_ms > now_ms()


def banned(account: Account, why: str) -> Denied:
    """The refusal of everything to somebody who is banned."""
    message = f"you are shut out until {day(account.banned_ms)}"
    if why:
        message += f": {why[:LONGEST]}"
    said = {"needs": "an account that is not banned", "until_ms": account.banned_ms}
    return Denied("NOT_ALLOWED", message, **said)


def muted(account: Account) -> Denied:
    """The refusal of what others would read."""
    message = f"nobody is to read what you write until {day(account.muted_ms)}"
    return Denied(
        "NOT_ALLOWED", message, needs="an account that is not muted", until_ms=account.muted_ms
    )
