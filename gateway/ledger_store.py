"""The store of the gateway: what is live on Redis, what outlives it in the ledger, as one.

Design. A match is looked up in Redis first. It is in the ledger before it leaves Redis, so whoever
looks into Redis first and into the ledger then misses nothing; what is found in both is one. Lists
that the ledger has a part of are merged by the order that both have: the time, then the name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from typing_extensions import override

from bree.ledger.link import Ledger
from gateway.account_copies import Copies
from gateway.archive_store import ArchiveOnBoth
from gateway.desk.ledger import DeskInLedger
from gateway.documents import ListEntry, Match, State, match_of
from gateway.ledger_keyring import KeyringInLedger
from gateway.ledger_names import NamesInLedger
from gateway.ledger_personal import PersonalInLedger
from gateway.ledger_programs import ProgramsInLedger
from gateway.ledger_ratings import RatingsInLedger
from gateway.ledger_results import ResultsInLedger
from gateway.ledger_ways import WaysInLedger
from gateway.once_redis import OnceOnRedis

COPY_SECONDS = 7 * 86_400

LATEST_MS = 1 << 62
"""No match is made later."""

PAST = (State.OVER, State.CLOSED)
"""The states of which the ledger has matches."""

DOC = "SELECT doc FROM bree.matches WHERE id = $1"
DOCS = "SELECT id, doc FROM bree.matches WHERE id = ANY($1::text[])"
LISTED = """
SELECT created_ms, id FROM bree.matches WHERE game = $1 AND state = $2
ORDER BY created_ms DESC, id DESC LIMIT $3
"""
LISTED_AFTER = """
SELECT created_ms, id FROM bree.matches
WHERE game = $1 AND state = $2 AND (created_ms, id) < ($3, $4::text)
ORDER BY created_ms DESC, id DESC LIMIT $5
"""
SEATED = """
SELECT created_ms, match FROM bree.seats WHERE account = $1
ORDER BY created_ms DESC, match DESC LIMIT $2
"""
SEATED_AFTER = """
SELECT created_ms, match FROM bree.seats
WHERE account = $1 AND (created_ms, match) < ($2, $3::text)
ORDER BY created_ms DESC, match DESC LIMIT $4
"""


class LedgerStore(
    DeskInLedger,
    NamesInLedger,
    WaysInLedger,
    ProgramsInLedger,
    PersonalInLedger,
    KeyringInLedger,
    OnceOnRedis,
    RatingsInLedger,
    ResultsInLedger,
    ArchiveOnBoth,
):
    """A `contract.Store` on one Redis server and one ledger."""

    def __init__(
        self,
        url: str,
        ledger: Ledger,
        copy_seconds: int = COPY_SECONDS,
        replicas: int = 0,
        replica_ms: int = 1000,
    ) -> None:
        super().__init__(url, replicas, replica_ms)
        self.ledger = ledger
        self.copies = Copies(self, copy_seconds)

    @override
    async def match(self, match: str, *, past: bool = True) -> Match | None:
        found = await super().match(match)
        if found or not past:
            return found
        return await self.past_match(match) or await self.surely(match)

    async def past_match(self, match: str) -> Match | None:
        """A match as the ledger has it."""
        row = await self.ledger.row("match", DOC, match)
        return match_of(row[0]) if row else None

    @override
    async def matches(self, ids: Sequence[str], *, past: bool = True) -> list[Match | None]:
        found = await super().matches(ids)
        missing = [match for match, kept in zip(ids, found, strict=True) if kept is None]
        if not missing or not past:
            return found
        rows = await self.ledger.read("matches", DOCS, missing)
        known = {row[0]: match_of(row[1]) for row in rows}
        return [kept or known.get(match) for match, kept in zip(ids, found, strict=True)]

    @override
    async def listed(
        self, game: str, state: State, after: ListEntry | None, most: int
    ) -> list[ListEntry]:
        live = await super().listed(game, state, after, most)
        if state not in PAST:
            return live
        query, place = (LISTED_AFTER, _place(after)) if after else (LISTED, ())
        rows = await self.ledger.read("listed", query, game, state, *place, most)
        return _merged(live, rows, most)

    @override
    async def seated(
        self, account: str, after: ListEntry | None, most: int, *, past: bool = True
    ) -> list[ListEntry]:
        live = await super().seated(account, after, most)
        if not past:
            return live
        query, place = (SEATED_AFTER, _place(after)) if after else (SEATED, ())
        rows = await self.ledger.read("seated", query, account, *place, most)
        return _merged(live, rows, most)

    @override
    async def close(self) -> None:
        await super().close()
        await self.ledger.close()


def _place(after: ListEntry) -> tuple[int, str]:
    """A place in a list, by whole milliseconds that the ledger can have."""
    whole = math.ceil(max(-LATEST_MS, min(LATEST_MS, after.score)))
    return whole, after.name if whole == after.score else ""


def _merged(
    live: Iterable[ListEntry], rows: Iterable[Sequence[object]], most: int
) -> list[ListEntry]:
    """The first of two lists together; `most` is that of each."""
    past = (ListEntry(float(str(row[0])), str(row[1])) for row in rows)
    return sorted({*live, *past}, reverse=True)[:most]
