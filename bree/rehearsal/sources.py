"""The matches of a platform, a few at a time: those that run, and those that are over.

Design. Everything is read while people play, and nothing is written. A sample is taken by a number
that each match has for a seed, so the same seed takes the same matches. What has ended, and is in
the live store and in the ledger, is taken from the first.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from bree.backup import live
from bree.redis.clients import Client
from bree.rehearsal.judging import Case
from services.host.matches import promised
from services.host.serialization import SETUP, Setup
from services.host.store import Stored

AT_ONCE = 40
"""Matches that are read, and judged, together."""

SOME = """
SELECT match FROM bree.records r JOIN bree.matches m ON m.id = r.match
WHERE $1::text[] IS NULL OR m.game = ANY($1::text[]) ORDER BY md5(r.match || $2::text) LIMIT $3
"""
ALL = """
SELECT match FROM bree.records r JOIN bree.matches m ON m.id = r.match
WHERE r.match > $2::text AND ($1::text[] IS NULL OR m.game = ANY($1::text[]))
ORDER BY r.match LIMIT $3
"""
RECORDS = """
SELECT m.game, m.id, r.record, r.kept
FROM bree.records r JOIN bree.matches m ON m.id = r.match WHERE r.match = ANY($1::text[])
"""


class Wanted(NamedTuple):
    """Which matches are wanted."""

    games: Sequence[str] = ()  # none: of all games
    sample: int = 0  # so many of those that run, and of those that are over; 0: all
    seed: str = ""


async def running(
    store: Client, keys: Sequence[bytes], wanted: Wanted, seen: set[str]
) -> AsyncIterator[Case]:
    """Those in the live store, whose names are noted as seen."""
    names = _names(store, wanted)
    if wanted.sample:
        chosen = await _sampled(names, wanted)
        for game, match in chosen:
            async for case in _one(store, keys, game, match, seen):
                yield case
        return
    async with aclosing(names):
        async for game, match in names:
            async for case in _one(store, keys, game, match, seen):
                yield case


async def _one(
    store: Client, keys: Sequence[bytes], game: str, match: str, seen: set[str]
) -> AsyncIterator[Case]:
    found = await live.match(store, game, match)
    if found is None:
        return  # it has left meanwhile, and is in the ledger
    seen.add(match)
    version = int(found.fields["version"])
    stored = Stored(version, len(found.lines), found.lines, found.fields, found.head)
    commitment = Setup.of(found.fields[SETUP]).commitment
    yield Case(game, match, promised(keys, match, commitment) or b"", stored)


async def _names(store: Client, wanted: Wanted) -> Any:
    async with aclosing(store.names(live.ENGINES)) as names:
        async for name in names:
            named = live.HEAD.fullmatch(name)
            if named and (not wanted.games or named["game"] in wanted.games):
                yield named["game"], named["match"]


async def _sampled(names: Any, wanted: Wanted) -> list[tuple[str, str]]:
    """So many of the names, which never all are in memory."""
    kept: list[tuple[bytes, str, str]] = []
    async with aclosing(names):
        async for game, match in names:
            number = hashlib.md5((match + wanted.seed).encode(), usedforsecurity=False).digest()
            entry = (bytes(255 - byte for byte in number), game, match)  # the largest goes first
            if len(kept) < wanted.sample:
                heapq.heappush(kept, entry)
            else:
                heapq.heappushpop(kept, entry)
    return [(game, match) for _, game, match in kept]


async def finished(sql: Any, wanted: Wanted, seen: Collection[str]) -> AsyncIterator[Case]:
    """Those in the ledger, but for what was seen in the live store."""
    games = list(wanted.games) or None
    if wanted.sample:
        names = [row[0] for row in await sql.fetch(SOME, games, wanted.seed, wanted.sample)]
        for at in range(0, len(names), AT_ONCE):
            for case in await _read(sql, names[at : at + AT_ONCE], seen):
                yield case
        return
    last = ""
    while names := [row[0] for row in await sql.fetch(ALL, games, last, AT_ONCE)]:
        last = names[-1]
        for case in await _read(sql, names, seen):
            yield case


async def _read(sql: Any, names: Sequence[str], seen: Collection[str]) -> list[Case]:
    rows = await sql.fetch(RECORDS, [name for name in names if name not in seen])
    return [Case(game, match, record=record, kept=kept) for game, match, record, kept in rows]
