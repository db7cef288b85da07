"""Which schema a ledger has, and whether this process can use it.

Design. The number of a schema is that of the last migration. A process knows the oldest and the
newest one that it can use; a migration that does older processes no harm says so in `serves`, and
then they go on beside newer ones. A database that is no ledger is left as it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

OLDEST, NEWEST = 2, 2
"""The schemas that this process can use."""

UPGRADE = "run: bree ledger upgrade"

FOUND = """
SELECT to_regclass('bree.alembic_version') IS NOT NULL AND to_regclass('bree.platform') IS NOT NULL,
  (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'bree' AND c.relkind IN ('r', 'p', 'v', 'm', 'f'))
"""
"""Asked of any database: whether it has a ledger, and how many tables are where one would be."""

KNOWN = """
SELECT v.version_num, p.serves, p.word, p.store
FROM bree.alembic_version v CROSS JOIN bree.platform p
"""
"""Asked of a ledger."""


class Found(NamedTuple):
    """What there is where the ledger should be."""

    schema: int = 0  # 0: no ledger
    serves: int = 0
    word: str = ""
    store: str = ""
    tables: int = 0  # in the place of a ledger, where there is none


async def find(connection: Any) -> Found:
    """Look what there is; nothing is changed by it."""
    is_ledger, tables = await connection.fetchrow(FOUND)
    if not is_ledger:
        return Found(tables=tables)
    rows = await connection.fetch(KNOWN)
    if len(rows) != 1 or not rows[0][0].isdecimal() or not int(rows[0][0]):
        return Found(tables=tables)
    number, serves, word, store = rows[0]
    return Found(int(number), serves, word, store)


def trouble(found: Found, oldest: int = OLDEST, newest: int = NEWEST) -> str:
    """Why this process cannot use it, in a sentence; nothing if it can."""
    if not found.schema:
        return foreign(found) or f"the ledger is empty; {UPGRADE}"
    if found.schema < oldest:
        return (
            f"the ledger has schema {found.schema}, and this process needs {oldest} at least; "
            f"{UPGRADE}"
        )
    if min(found.schema, found.serves) > newest:
        return (
            f"the ledger has schema {found.schema}, and this process knows none after {newest}; "
            "it needs a newer version of Bree"
        )
    return ""


def foreign(found: Found) -> str:
    """That it is no ledger of ours, in a sentence; nothing if it is one, or empty."""
    if found.schema or not found.tables:
        return ""
    return "the schema bree of this database is no ledger; it has other tables, which are left"
