"""Quotas of calls that look into the past: paid by how much of it had to be gone through.

Design. An engine that is asked for the past goes through all of it, whoever asks and however little
he is told. How much that was is known from the answer; so it is paid afterwards, out of the same
bucket as the call itself, and who is in debt is refused until it is paid off. For nobody to run up
a debt at once, those of his calls that may be dear go one after the other. An answer to `Act` is no
older than what was known when it was asked for, unless the act is a repetition.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from bree.engine.v1 import engine_pb2 as engine
from bree.process.statuses import Denied
from gateway.documents import Account
from gateway.limits import KeyedLock, TokenBuckets

ENTRIES_A_CALL = 12
"""How many entries of a record are gone through for the price of a plain call."""

LOOKUP_PRICE = 5
"""The price of finding out in the store what was done, or of a whole record."""

RECENT_ENTRIES, RECENT_HEADS = 8, 32
"""What an engine is sure to know of a match without going through it: entries, and heads."""

NEAR_ENTRIES = 32
"""How many entries are gone through for a position of a past that was looked at of late."""

FOLLOWING_PRICE = 0.3
"""The price of following a seat for a listener."""

UNHEARD_OF = -1
"""The revision of a match of which nothing has been heard: before all others."""

MOST_MATCHES = 20_000
MOST_LOOKED_AT = 16
REST_SECONDS = 0.05


class Known(NamedTuple):
    """How far a match had come when it was last heard of, and its heads of late, shortened."""

    revision: int
    heads: deque[int]


class Quota:
    """What accounts have left, and what they are charged for."""

    def __init__(self, calls: TokenBuckets) -> None:
        self.calls = calls
        self._lock = KeyedLock()
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._looked_at: OrderedDict[str, None] = OrderedDict()  # matches whose past was, of late

    @asynccontextmanager
    async def costly(self, account: Account, *what: str) -> AsyncIterator[None]:
        """Make a call that may be dear, after those of this kind; refused to those in debt."""
        async with self._lock.hold((account.id, *what)):
            self.calls.take(account.id, 0)
            yield

    def charge(self, account: Account, price: float) -> None:
        """Charge an account for what was done."""
        self.calls.charge(account.id, price)

    def charge_past(self, account: Account, entries: int) -> None:
        """Charge it for a number of entries that were gone through."""
        self.calls.charge(account.id, entries / ENTRIES_A_CALL)

    def charge_look(self, account: Account, match: str) -> None:
        """Charge it for a position of the past: for the whole of it, where it is new to us."""
        is_near = match in self._looked_at
        self.charge_past(account, NEAR_ENTRIES if is_near else max(0, self.revision(match)))
        self._looked_at[match] = None
        self._looked_at.move_to_end(match)
        if len(self._looked_at) > MOST_LOOKED_AT:
            self._looked_at.popitem(last=False)

    async def paid_off(self, account: Account) -> None:
        """Wait until what an account owes is paid off."""
        while True:
            try:
                self.calls.take(account.id, 0)
            except Denied as denied:
                rest = int(denied.metadata["retry_after_ms"]) / 1000
                await asyncio.sleep(max(REST_SECONDS, rest))
            else:
                return

    # What is known of matches.

    def revision(self, match: str) -> int:
        """How far a match has come at least."""
        known = self._known.get(match)
        return known.revision if known else UNHEARD_OF

    def note(self, match: str, standing: engine.Standing) -> None:
        """Remember where a match stands."""
        known = self._known.get(match) or Known(UNHEARD_OF, deque(maxlen=RECENT_HEADS))
        if standing.head and standing.revision > known.revision:
            known.heads.append(_short(standing.head))
        newer = max(known.revision, standing.revision)
        self._known[match] = known._replace(revision=newer)
        self._known.move_to_end(match)
        if len(self._known) > MOST_MATCHES:
            self._known.popitem(last=False)

    def charge_refusal(self, account: Account, match: str, head: str, denied: Denied) -> None:
        """Charge an account for having a head looked for that is none of late."""
        if not head:
            return
        known = self._known.get(match)
        if denied.reason == "HISTORY_CHANGED":
            self.charge_past(account, int(denied.metadata.get("revision", 0)))
            self._known.pop(match, None)
        elif known and _short(head) not in known.heads:
            self.charge_past(account, known.revision)


def _short(head: str) -> int:
    return int(head[-16:], 16)
