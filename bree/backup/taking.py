"""Taking a backup while people play.

Design. What is live is read first and the ledger last, all of one moment. So what is over and has
left the live store meanwhile is in the ledger; and what is in both is taken from the ledger, for it
can only have ended since. The moment that a backup is of is when it was begun: whatever was
acknowledged before is in it, and of what came later as much as came before its own reading.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from bree import __version__
from bree.backup import live, tables
from bree.backup.file import Writer
from bree.ledger.refusals import TROUBLES, sentence
from bree.ledger.schema import find, trouble
from bree.ledger.upgrade import connected
from bree.process.epoch import FATE_KEYS
from bree.redis.clients import FAILURES, Client, client_of
from bree.redis.connection import Quorum

STARTED = {"starting", "running", "over"}
"""The states of the gateway's document of a match that an engine may have."""

PARTING_SECONDS = 2.0
PATIENCE_SECONDS = 30.0
"""How long a store may keep one reply to itself."""

REPLICAS_MS = 10_000
"""How long replicas are waited for, to whom a whole store is new."""


class Refused(Exception):
    """What was not done, and why, in a sentence."""

    def __init__(self, why: str, *, is_away: bool = False) -> None:
        self.is_away = is_away
        super().__init__(why)


class Where(NamedTuple):
    """The servers of a platform."""

    store: str
    ledger: str
    replicas: int = 0  # of the store, which are to have what is written

    @asynccontextmanager
    async def live(self) -> AsyncIterator[Client]:
        """A client of the live store."""
        try:
            store = client_of(self.store, PATIENCE_SECONDS, Quorum(self.replicas, REPLICAS_MS))
        except ValueError as error:
            raise Refused(f"the store has no sensible URL: {error}") from None
        try:
            yield store
        finally:
            await store.close()

    @asynccontextmanager
    async def sql(self) -> AsyncIterator[Any]:
        """A connection to the ledger."""
        connection = await connected(self.ledger)
        try:
            yield connection
        finally:
            try:
                await connection.close(timeout=PARTING_SECONDS)
            except TROUBLES:  # it has gone already
                connection.terminate()


class Taken(NamedTuple):
    """What a backup has."""

    path: Path
    live: int  # matches that are live
    ended: int  # matches that are over
    accounts: int


async def back_up(where: Where, folder: Path, more: Mapping[str, Any]) -> Taken:
    """Write a backup of a platform into a folder, under a name with the time of its beginning.

    Its manifest says `more` as well.
    """
    began = time.time_ns() // 1_000_000
    name = f"bree-{datetime.fromtimestamp(began / 1000, UTC):%Y-%m-%dT%H-%M-%SZ}.backup"
    with _begun(folder / name) as writer:
        try:
            return await _written(where, writer, began, more)
        except FAILURES as error:
            raise Refused(f"the store cannot be read: {error}", is_away=True) from None
        except TROUBLES as error:
            raise Refused(sentence(error), is_away=True) from None
        except OSError as error:
            raise Refused(f"{writer.path} cannot be written: {error.strerror}") from None


def _begun(path: Path) -> Writer:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Writer(path)
    except OSError as error:
        raise Refused(f"{path.parent} cannot be written: {error.strerror}") from None


async def _written(where: Where, to: Writer, began: int, more: Mapping[str, Any]) -> Taken:
    async with where.sql() as connection:
        if why := trouble(await find(connection)):
            raise Refused(why)
        async with where.live() as store:
            epoch = await live.epoch(store)
            if not epoch.get("run"):
                raise Refused("the store is empty, or no host has accepted it; see docs/store.md")
            fate, pasts = await live.members(store, FATE_KEYS), await live.pasts(store)
            found, documents = await _read_live(store, to, began)
        copied = await tables.copy_out(connection, to)
    with to.part("live/ended") as part:
        for match in sorted((found | documents) & copied.ended):
            part.add({"match": match})
    to.finish(
        {
            **more,
            "version": __version__,
            "taken_ms": began,
            "run": epoch["run"],
            "follows": epoch.get("follows", ""),
            "pasts": sorted(pasts),
            "fate_keys": fate,
            "schema": copied.schema,
            "columns": copied.columns,
        }
    )
    rows = {part.name: part.rows for part in to.parts}
    ended = rows[f"{tables.KIND}/matches"]
    return Taken(to.path, len(found - copied.ended), ended, rows[f"{tables.KIND}/accounts"])


async def _read_live(store: Client, to: Writer, now_ms: int) -> tuple[set[str], set[str]]:
    """Write down all that is live; which matches engines have, and the gateway."""
    found: set[str] = set()
    started: dict[str, str] = {}  # by match its game; empty for those that have not
    with to.part("live/matches") as part:
        async for one in live.matches(store):
            part.add(one)
            found.add(one.match)
    with to.part("live/documents") as part:
        async for key in live.keys(store, documents=True, now_ms=now_ms):
            part.add(key)
            started |= _started(key)
    with to.part("live/lists") as part:
        async for key in live.keys(store, documents=False, now_ms=now_ms):
            part.add(key)
    with to.part("live/late") as part:
        for match, game in started.items():
            late = await live.match(store, game, match) if game and match not in found else None
            if late:
                part.add(late)
                found.add(late.match)
    return found, set(started)


def _started(key: live.Key) -> dict[str, str]:
    """A match of the gateway's, and its game if an engine may have it."""
    said = json.loads(dict(zip(key.value[::2], key.value[1::2], strict=True))["doc"])
    return {said["id"]: said["game"] if said["state"] in STARTED else ""}
