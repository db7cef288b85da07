"""Matches that are over or closed: from the store to the ledger, each record verified.

Design. A record is made as engines make it and replayed from the first draw to its head; what its
engine keeps of it is packed, written, read again and compared with what the store has. Only then
the match is taken from the store: from its engine's part first, and its document last, by which it
is found. A match that is in the ledger already is compared all the same: an import that was broken
off goes on there. What is over but not settled yet stays: it is settled, and leaves, by itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bree.importing.old_store import (
    MATCH,
    OldStore,
    account_key,
    list_key,
    match_key,
    rating_key,
)
from bree.importing.report import Report
from bree.ledger.link import Ledger
from bree.ledger.packing import pack, unpack
from gateway.documents import Match, Outcome, State, match_of, text_of
from services import rules_of
from services.core.errors import Refused
from services.core.replaying import replay
from services.host.kept import Unreadable, as_settled, packed, unpacked
from services.host.matches import promised
from services.host.queries import whole_record
from services.host.serialization import DUE, ENDED, SETUP, LogEntry, Setup
from services.host.store import RedisStore, Stored

MATCHES = """
INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc, settled)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING
"""
SEATS = """
INSERT INTO bree.seats (account, match, created_ms, game, state) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account, match) DO NOTHING
"""
RECORDS = """
INSERT INTO bree.records (match, record, kept, head, revision) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (match) DO NOTHING
"""
NOTES = """
INSERT INTO bree.notes (match, team, number, account, label, seat, text, at_ms, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (match, team, number) DO NOTHING
"""
KEPT = """
SELECT m.id, m.doc, r.record, r.kept, r.head, r.revision
FROM bree.matches m LEFT JOIN bree.records r ON r.match = m.id WHERE m.id = ANY($1::text[])
"""


class Unproved(Exception):
    """Why a match cannot be moved."""


class Ended(NamedTuple):
    """A match that is to be moved."""

    match: Match
    notes: Sequence[tuple[Any, ...]]
    stored: Stored | None = None  # nothing of one that was closed, or that its engine has let go
    text: str = ""  # of its record

    def rows(self) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Its own rows: of the match, and of its seats."""
        m = self.match
        ended = m.created_ms
        if self.stored is not None:
            setup, lines = Setup.of(self.stored.fields[SETUP]), self.stored.lines
            ended = setup.created + (LogEntry.of(lines[-1]).at if lines else 0)
        row = (m.id, m.game, str(m.state), m.created_ms, ended, text_of(m), m.settled)
        sat = {seat.account for seat in m.seats if seat.account} | set(m.left)
        return [row], [(one, m.id, m.created_ms, m.game, str(m.state)) for one in sorted(sat)]

    def record(self) -> list[tuple[Any, ...]]:
        """Its record, and what its engine keeps beside it."""
        if self.stored is None:
            return []
        kept, stored = packed(self.stored, self.text), self.stored
        both = pack(self.text.encode()), pack(kept)
        return [(self.match.id, *both, stored.head, stored.revision)]


class Past:
    """Moves what is over."""

    def __init__(
        self,
        old: OldStore,
        ledger: Ledger,
        stores: Mapping[str, RedisStore],
        keys: Sequence[bytes],
        report: Report,
    ) -> None:
        self.old, self.ledger, self.stores, self.report = old, ledger, stores, report
        self.keys = keys

    async def move(self) -> None:
        """Move all that is over or closed."""
        async for batch in self.old.found(MATCH):
            await self._batch(batch)

    async def _batch(self, ids: Sequence[str]) -> None:
        texts = await self.old.many([("HGET", match_key(match), "doc") for match in ids])
        found = [match_of(text) for text in texts if text]
        marks = await self.old.many(
            [("GET", rating_key(match.game, f"settled:{match.id}")) for match in found]
        )
        kept = {row[0]: row for row in await self.ledger.read("imported", KEPT, list(ids))}
        ended = []
        for match, mark in zip(found, marks, strict=True):
            try:
                one = await self._ended(match, mark or "", kept)
            except Unproved as error:
                self.report.leave(f"match {match.id}", str(error))
            else:
                ended += [one] if one else []
        await self._write(ended)

    # What is to be moved.

    async def _ended(self, match: Match, mark: str, kept: Mapping[str, Any]) -> Ended | None:
        """A match as it is to be moved; nothing if it stays."""
        if match.state is State.CLOSED:
            return Ended(match, await self._notes(match))
        settled = match.settled or mark
        if not settled:
            self.report.live += 1
            return None
        if match.game not in self.stores:
            raise Unproved(f"no rules of {match.game!r} are here")
        stored = await self.stores[match.game].load(match.id)
        if stored is None:
            return await self._let_go(match, kept)
        text, outcome = self._verified(match, stored)
        match = replace(match, state=State.OVER, outcome=match.outcome or outcome, settled=settled)
        if match.outcome != outcome:
            raise Unproved("its record ends otherwise than the gateway has noted")
        return Ended(match, await self._notes(match), stored, text)

    async def _let_go(self, match: Match, kept: Mapping[str, Any]) -> Ended:
        """A match that an import was broken off at, when its engine had let it go."""
        if match.id not in kept or kept[match.id]["record"] is None:
            raise Unproved("its engine has no such match")
        return Ended(match_of(kept[match.id]["doc"]), await self._notes(match))

    def _verified(self, match: Match, stored: Stored) -> tuple[str, Outcome]:
        """The text of a match's record, every entry of it replayed, and how it ended."""
        if not stored.fields.get(ENDED):
            raise Unproved("its engine says that it is not over")
        rules = rules_of(match.game)
        setup = Setup.of(stored.fields[SETUP])
        secret = promised(self.keys, match.id, setup.commitment)
        if secret is None:
            raise Unproved("it began with another fate key")
        record = whole_record(match.game, stored, secret)
        try:
            replay(record, rules)
        except Refused as error:
            raise Unproved(f"its record does not verify: {error}") from error
        if record.aborted or record.scores is None:
            return record.text(), Outcome(2, ())
        return record.text(), Outcome(1, tuple(zip(record.seats, record.scores, strict=True)))

    async def _notes(self, match: Match) -> list[tuple[Any, ...]]:
        names = [team.name for team in match.teams]
        asked = [
            ("ZRANGE", match_key(match.id, f"notes:{name}"), 0, -1, "WITHSCORES") for name in names
        ]
        rows = []
        for name, flat in zip(names, await self.old.many(asked), strict=True):
            for text, number in zip(flat[::2], flat[1::2], strict=True):
                account, label, seat, said, at_ms, request = json.loads(text)
                note = (account, label, seat, said, at_ms, request)
                rows.append((match.id, name, int(float(number)), *note))
        return rows

    # Moving.

    async def _write(self, ended: Sequence[Ended]) -> None:
        records = {one.match.id: one.record() for one in ended}

        async def write(connection: Any) -> None:
            rows = [one.rows() for one in ended]
            await connection.executemany(MATCHES, [row for match, _ in rows for row in match])
            await connection.executemany(SEATS, [row for _, seats in rows for row in seats])
            await connection.executemany(RECORDS, [row for one in records.values() for row in one])
            await connection.executemany(NOTES, [row for one in ended for row in one.notes])

        await self.ledger.write("import matches", write)
        rows = await self.ledger.read("imported", KEPT, [one.match.id for one in ended])
        kept = {row["id"]: row for row in rows}
        for one in ended:
            if _is_kept(one, kept.get(one.match.id)):
                await self._take(one)
            else:
                self.report.leave(f"match {one.match.id}", "the ledger has it otherwise")

    async def _take(self, one: Ended) -> None:
        """Take a match from the store; its document, by which it is found, goes with the last."""
        match, stored = one.match, one.stored
        if stored is not None:
            store, due = self.stores[match.game], stored.fields.get(DUE, "").split()
            if not await store.forget(match.id, stored.version, due, stored.head):
                self.report.leave(f"match {match.id}", "it has changed meanwhile")
                return
        people = {seat.account for seat in match.seats if seat.account} | set(match.left)
        lists = [list_key(match.game, state) for state in State]
        lists += [account_key(who, part) for who in people for part in ("live", "seated")]
        lists += [account_key(who, "open") for who in (match.creator, f"{match.creator}.alone")]
        gone: list[tuple[Any, ...]] = [("ZREM", key, match.id) for key in lists]
        gone += [("DEL", match_key(match.id, f"notes:{team.name}")) for team in match.teams]
        gone += [("DEL", rating_key(match.game, f"settled:{match.id}"))]
        await self.old.many([*gone, ("DEL", match_key(match.id))], whole=True)
        kind = "closed matches" if match.state is State.CLOSED else "finished matches"
        self.report.moved[kind] += 1


def _is_kept(one: Ended, row: Any) -> bool:
    """Whether the ledger has a match to the letter."""
    if row is None or row["doc"] != text_of(one.match):
        return False
    if one.stored is None:
        return (row["record"] is None) is (one.match.state is State.CLOSED)
    if row["record"] is None:
        return False
    try:
        again = unpacked(unpack(row["kept"]), unpack(row["record"]).decode())
    except (Unreadable, ValueError):
        return False
    named = (row["head"], row["revision"]) == (one.stored.head, one.stored.revision)
    return named and again == as_settled(one.stored)
