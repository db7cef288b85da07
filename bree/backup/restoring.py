"""Bringing a platform back from a backup, into servers that have nobody yet.

Design. Both servers are looked at first, and nothing is touched unless they are empty. The live
store is written while it has no run, so that no process takes it for a store; then the ledger, in
one transaction; and last of all the store gets a run, which follows that of the backup. Whoever is
cut off begins again with the same file: a mark in the store says that what is there is half of it.

Time stands still between a backup and its restoring: what somebody had left to think of, he has.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bree.backup import live, tables
from bree.backup.file import Reader
from bree.backup.live import Key, LiveMatch
from bree.backup.taking import Refused, Where
from bree.ledger.refusals import TROUBLES, sentence
from bree.ledger.schema import foreign
from bree.redis.clients import FAILURES, Client
from bree.redis.connection import Unsure
from services.host.serialization import CLOCK, DUE, ENDED, SETUP, Due

MARK = "{bree:epoch}:restoring"
"""The key that says of which backup a half is there."""

CREATED, CLOCKS = 1, 3
"""Where the setup of a match has when it was created, and its clock."""

UNSURE = (
    "all is restored, but the store may not keep the last of it ({}): if the platform finds it "
    "empty, run the same command again"
)
NOT_EMPTY = "nothing is touched: restore into an empty one"
NOTE = """
INSERT INTO bree.audit (at_ms, who, what, why)
VALUES (extract(epoch FROM clock_timestamp()) * 1000, 'bree restore', 'restore', $1)
"""
DONE = "SELECT EXISTS (SELECT FROM bree.audit WHERE what = 'restore' AND why = $1)"


class Restored(NamedTuple):
    """What came back."""

    live: list[LiveMatch]
    ended: int
    accounts: int
    run: str


async def restore(where: Where, source: Reader) -> Restored:
    """Bring back everything that a backup has; refuses if there is anything yet."""
    source.check()
    try:
        async with where.live() as store, where.sql() as connection:
            return await _restored(store, connection, source)
    except FAILURES as error:
        raise Refused(f"the store cannot be written: {error}", is_away=True) from None
    except TROUBLES as error:
        raise Refused(sentence(error), is_away=True) from None


async def _restored(store: Client, connection: Any, source: Reader) -> Restored:
    mark = f"{source.said['run']} {source.said['taken_ms']}"
    has_ledger = await _look(store, connection, source, mark)
    await live.empty(store)
    await store.call_safely("SET", MARK, mark)
    ended = _ended(source)
    found = [one async for one in _put_live(store, source, ended)]
    if not has_ledger:
        async with connection.transaction():
            await tables.copy_in(connection, source)
            wrong = await tables.differences(connection, source)
            if wrong:
                raise Refused(f"the ledger did not take everything: {'; '.join(wrong)}")
            await connection.execute(NOTE, mark)
    if why := await _difference(store, found, _keys(source, ended)):
        raise Refused(f"the store did not take everything: {why}")
    run = await _accept(store, source)
    rows = {name: part.rows for name, part in source.parts.items()}
    return Restored(found, rows["ledger/matches"], rows["ledger/accounts"], run)


async def _look(store: Client, connection: Any, source: Reader, mark: str) -> bool:
    """Refuse unless both are empty, or have a part of this backup; whether the ledger has all."""
    found, has_somebody = await tables.state_of(connection)
    if why := foreign(found):
        raise Refused(why)
    begun = await store.call("GET", MARK)
    if begun not in (None, mark):
        raise Refused(f"half of another backup is in the store; {NOT_EMPTY}")
    if begun is None and await live.has_something(store):
        raise Refused(f"the store is not empty; {NOT_EMPTY}")
    is_done = bool(found.schema and begun and await connection.fetchval(DONE, mark))
    if has_somebody and not is_done:
        raise Refused(f"the ledger is not empty; {NOT_EMPTY}")
    return is_done


# What was live.


def _ended(source: Reader) -> set[str]:
    """The matches that the ledger has: whatever was live of them is over."""
    return {row["match"] for row in source.rows("live/ended")}


async def _put_live(store: Client, source: Reader, ended: set[str]) -> AsyncIterator[LiveMatch]:
    later = time.time_ns() // 1_000_000 - int(source.said["taken_ms"])
    for part in ("live/matches", "live/late"):
        for rows in _some(LiveMatch(*row) for row in source.rows(part)):
            found = [_put_off(one, later) for one in rows if one.match not in ended]
            await live.put_matches(store, found)
            for one in found:
                yield one
    for keys in _keys(source, ended):
        await live.put_keys(store, keys)


def _keys(source: Reader, ended: set[str]) -> Iterator[list[Key]]:
    """The gateway's keys that are to come back, some at once."""
    for part in ("live/documents", "live/lists"):
        for rows in _some(Key(*row) for row in source.rows(part)):
            yield [key for key in rows if not _is_of(key, ended)]


def _some(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Rows, so many at once."""
    batch: list[Any] = []
    for row in rows:
        batch.append(row)
        if len(batch) == live.AT_ONCE:
            yield batch
            batch = []
    yield batch


def _is_of(key: Key, ended: set[str]) -> bool:
    """Whether a key is the gateway's document, or a note, of a match that the ledger has."""
    named = live.OF_MATCH.match(key.name)
    return bool(named and named["match"] in ended)


def _put_off(one: LiveMatch, ms: int) -> LiveMatch:
    """A match in which nobody has lost time since."""
    setup = json.loads(one.fields[SETUP])
    if not setup[CLOCKS] or ENDED in one.fields:
        return one
    setup[CREATED] += ms
    changed = {SETUP: json.dumps(setup, separators=(",", ":"))}
    if DUE in one.fields:
        changed[DUE] = " ".join(_later(member, ms) for member in one.fields[DUE].split())
    return one._replace(fields=one.fields | changed)


def _later(member: str, ms: int) -> str:
    due = Due.of(member)
    return due._replace(since=due.since + ms).member() if due.kind == CLOCK else member


async def _difference(
    store: Client, found: Iterable[LiveMatch], keys: Iterable[Sequence[Key]]
) -> str:
    """A match or a key that is not there as it should be, in words."""
    for one in found:
        if await live.match(store, one.game, one.match) != one:
            return f"match {one.match} is not there as it was"
    for some in keys:
        lasting = [key for key in some if not key.until_ms]
        there = await asyncio.gather(*(live.key(store, key.name, 0) for key in lasting))
        for key, now in zip(lasting, there, strict=True):
            if now is None or now.content() != key.content():
                return f"{key.name} is not there as it was"
    return ""


async def _accept(store: Client, source: Reader) -> str:
    """Give the store a run, which follows the one that the backup is of."""
    run = secrets.token_hex(8)
    known = {source.said["run"], *source.said["follows"].split(), *source.said.get("pasts", ())}
    try:
        await live.begin(store, run, " ".join(sorted(known)), source.said["fate_keys"], MARK)
    except Unsure as error:
        raise Refused(UNSURE.format(error), is_away=True) from None
    return run
