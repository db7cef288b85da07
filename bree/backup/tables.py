"""The ledger's tables as they were at one moment, copied out and in by PostgreSQL itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bree.backup.file import Broken, Reader, Writer
from bree.ledger import upgrade
from bree.ledger.schema import NEWEST, Found, find
from bree.ledger.tables import metadata

KIND = "ledger"
TABLES = tuple(table.name for table in metadata.sorted_tables)
"""In an order in which each comes after those it refers to."""

SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
COLUMNS = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = 'bree' AND table_name = $1 ORDER BY ordinal_position
"""
SERIAL = "SELECT pg_get_serial_sequence('bree.{table}', 'id')"
NUMBERED = tuple(
    table.name for table in metadata.sorted_tables if any(c.identity for c in table.columns)
)
"""The tables whose rows get a number, which goes on after the highest."""

ENDED = "SELECT id FROM bree.matches"


class Copied(NamedTuple):
    """What was copied of the ledger."""

    schema: int
    columns: dict[str, list[str]]
    ended: set[str]  # the matches that it has


async def copy_out(connection: Any, to: Writer) -> Copied:
    """Copy every table, all of one moment."""
    await connection.execute(SNAPSHOT)
    found = await find(connection)
    columns = {}
    for table in TABLES:
        columns[table] = [row[0] for row in await connection.fetch(COLUMNS, table)]
        with to.part(f"{KIND}/{table}") as part:

            async def write(data: bytes, part: Any = part) -> None:
                part.write(data)

            said = await connection.copy_from_table(
                table, schema_name="bree", columns=columns[table], output=write, format="binary"
            )
            part.rows = int(said.split()[-1])
    ended = {row[0] for row in await connection.fetch(ENDED)}
    await connection.execute("COMMIT")
    return Copied(found.schema, columns, ended)


async def state_of(connection: Any) -> tuple[Found, bool]:
    """What is there, and whether there is anybody or anything in it."""
    found = await find(connection)
    if not found.schema:
        return found, False
    asked = "SELECT EXISTS (SELECT FROM bree.accounts) OR EXISTS (SELECT FROM bree.matches)"
    return found, bool(await connection.fetchval(asked))


async def copy_in(connection: Any, source: Reader) -> None:
    """Write every table into a ledger that has nobody; in the transaction that is under way.

    It belongs to no store then, until it meets one.
    """
    schema, columns = int(source.said["schema"]), source.said["columns"]
    if schema > NEWEST:
        raise Broken(
            f"{source.path} has a ledger of schema {schema}, and this version knows none after "
            f"{NEWEST}; it needs a newer version of Bree"
        )
    await connection.execute("DROP SCHEMA IF EXISTS bree CASCADE")
    await connection.execute("CREATE SCHEMA bree")
    await connection.execute(upgrade.script(0, f"{schema:04d}"))
    await connection.execute("DELETE FROM bree.platform")  # a ledger begins with one of its own
    for table, part in _parts(source):
        with source.open(part) as rows:
            await _unguarded(connection, table, "DISABLE")
            await connection.copy_to_table(
                table, schema_name="bree", columns=columns[table], source=rows, format="binary"
            )
            await _unguarded(connection, table, "ENABLE")
    for table in NUMBERED:
        if table in columns:
            serial = await connection.fetchval(SERIAL.format(table=table))
            highest = f"SELECT coalesce(max(id), 0) + 1 FROM bree.{table}"  # noqa: S608
            await connection.execute(f"SELECT setval('{serial}', ({highest}))")
    await connection.execute("UPDATE bree.platform SET store = ''")
    if schema < NEWEST:
        await connection.execute(upgrade.script(schema))


def _parts(source: Reader) -> Iterator[tuple[str, str]]:
    known = source.named(KIND)
    for table in source.said["columns"]:
        part = f"{KIND}/{table}"
        if part not in known or not table.isidentifier():
            raise Broken(f"{source.path}: {part} is missing")
        yield table, part


async def _unguarded(connection: Any, table: str, how: str) -> None:
    """What guards a table against changes does not guard it against its own rows."""
    await connection.execute(f"ALTER TABLE bree.{table} {how} TRIGGER USER")


async def differences(connection: Any, source: Reader) -> list[str]:
    """Which tables have not what was copied, in words."""
    wrong = []
    for table, part in _parts(source):
        number = await connection.fetchval(f"SELECT count(*) FROM bree.{table}")  # noqa: S608
        if number != source.parts[part].rows:
            wrong.append(f"{table} has {number} rows and not {source.parts[part].rows}")
    return wrong
