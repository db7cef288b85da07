"""Brings a ledger to the schema that this version of Bree uses, and says which one it has.

Design. All migrations that are missing are one transaction under a lock, so that a ledger has one
schema or another and never half of one, whoever upgrades at the same time. They are written down
first, as SQL, and sent by the same library that processes ask the ledger with.
"""

from __future__ import annotations

import asyncio
import io
from importlib.resources import as_file, files
from typing import Any

import asyncpg
from alembic import command
from alembic.config import Config

from bree.ledger.refusals import TROUBLES, is_away, sentence
from bree.ledger.schema import NEWEST, Found, find, foreign, trouble

LOCK = "SELECT pg_advisory_xact_lock(hashtext('bree.upgrade'))"
CONNECT_SECONDS, UPGRADE_SECONDS = 10.0, 600.0

NOTE = """
INSERT INTO bree.audit (at_ms, who, what, why)
VALUES (extract(epoch FROM clock_timestamp()) * 1000, $1, $2, $3)
"""


class Refused(Exception):
    """A ledger that was not upgraded, or cannot be asked; in a sentence."""

    def __init__(self, why: str, *, is_away: bool = False) -> None:
        self.is_away = is_away
        super().__init__(why)


def upgrade(url: str, who: str = "bree ledger upgrade") -> str:
    """Upgrade the ledger at this URL if it needs it; what was done, in a sentence."""
    return asyncio.run(upgraded(url, who))


def status(url: str) -> str:
    """Which schema the ledger at this URL has, in a sentence; raises `Refused` if it is no good."""
    return asyncio.run(_status(url))


async def upgraded(url: str, who: str = "bree ledger upgrade") -> str:
    """The same as `upgrade`, for those who have a loop."""
    try:
        connection = await connected(url)
        try:
            async with asyncio.timeout(UPGRADE_SECONDS), connection.transaction():
                return await _upgraded(connection, who)
        finally:
            connection.terminate()
    except TROUBLES as error:
        raise Refused(sentence(error), is_away=is_away(error)) from None


async def _upgraded(connection: Any, who: str) -> str:
    await connection.execute(LOCK)
    found = await find(connection)
    if foreign(found):
        raise Refused(foreign(found))
    if found.schema > NEWEST:
        raise Refused(trouble(found) or _stays(found))
    if found.schema == NEWEST:
        return f"the ledger has schema {NEWEST}; there is nothing to do"
    await connection.execute("CREATE SCHEMA IF NOT EXISTS bree")
    await connection.execute(script(found.schema))
    now = await find(connection)
    assert now.schema == NEWEST, now
    await connection.execute(NOTE, who, "upgrade", f"from schema {found.schema} to {NEWEST}")
    return f"the ledger has schema {NEWEST} now; it had {found.schema or 'none'}"


def _stays(found: Found) -> str:
    return f"the ledger has schema {found.schema}, which is newer than {NEWEST}; it stays as it is"


async def _status(url: str) -> str:
    try:
        connection = await connected(url)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                found = await find(connection)
        finally:
            connection.terminate()
    except TROUBLES as error:
        raise Refused(sentence(error), is_away=is_away(error)) from None
    if why := trouble(found):
        raise Refused(why)
    kin = f"of the store with run {found.store}" if found.store else "of no store yet"
    return f"the ledger has schema {found.schema} of {NEWEST}; it is {found.word}, {kin}"


async def connected(url: str) -> Any:
    """A connection of one's own."""
    return await asyncpg.connect(url, timeout=CONNECT_SECONDS, command_timeout=UPGRADE_SECONDS)


def script(schema: int, to: str = "head") -> str:
    """The migrations that are missing after this schema, as SQL."""
    written = io.StringIO()
    with as_file(files("bree.ledger") / "migrations") as folder:
        config = Config(output_buffer=written, stdout=io.StringIO())
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        command.upgrade(config, f"{schema:04d}:{to}" if schema else to, sql=True)
    return written.getvalue()
