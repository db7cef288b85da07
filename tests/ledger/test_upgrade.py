"""How a ledger is made and upgraded, and what is refused; on every PostgreSQL that is here."""

from __future__ import annotations

import asyncio
import hashlib
import json

import asyncpg
import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from bree.ledger import schema
from bree.ledger.tables import metadata
from bree.ledger.upgrade import Refused, script, status, upgrade, upgraded

CATALOG = """
SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
  coalesce(pg_get_expr(d.adbin, d.adrelid), ''), a.attidentity::text,
  coalesce((SELECT collname FROM pg_collation WHERE oid = a.attcollation), '')
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'bree'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
  AND c.relname <> 'alembic_version'
UNION ALL
SELECT 'index', tablename, indexname, indexdef, '', '', '', '' FROM pg_indexes
WHERE schemaname = 'bree' AND tablename <> 'alembic_version'
UNION ALL
SELECT 'constraint', c.relname, conname, pg_get_constraintdef(k.oid), '', '', '', ''
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE connamespace = 'bree'::regnamespace AND contype IN ('p', 'f', 'u', 'c')
  AND c.relname <> 'alembic_version'
"""
EVERYTHING = """
SELECT c.relname::text, c.xmin::text FROM pg_class c
WHERE c.relnamespace = to_regnamespace('bree') ORDER BY 1
"""


def asked(url, *commands):
    """The rows of the last of these commands."""

    async def ask():
        connection = await asyncpg.connect(url)
        try:
            for command in commands:
                rows = await connection.fetch(command)
            return [tuple(row) for row in rows]
        finally:
            await connection.close()

    return asyncio.run(ask())


def test_migrations_make_the_tables_as_they_are_described(ledger_url, postgres):
    """Column by column, with indexes, keys and how text is compared."""
    dialect = postgresql.dialect()
    made = ["CREATE SCHEMA bree"]
    for table in metadata.sorted_tables:
        made.append(str(CreateTable(table).compile(dialect=dialect)))
        made += [str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes]
    with postgres.fresh() as described:
        expected = set(asked(described, *made, CATALOG))

    assert expected == set(asked(ledger_url, CATALOG))
    assert 100 < len(expected)


def test_a_ledger_is_made_once(database):
    """A second upgrade changes nothing, and each that did something is in the audit log."""
    with pytest.raises(Refused, match="the ledger is empty; run: bree ledger upgrade"):
        status(database)
    assert f"the ledger has schema {schema.NEWEST} now; it had none" == upgrade(database)
    before = asked(database, EVERYTHING)
    assert "there is nothing to do" in upgrade(database)

    assert before == asked(database, EVERYTHING)
    assert "of no store yet" in status(database)
    assert [("bree ledger upgrade", "upgrade", f"from schema 0 to {schema.NEWEST}")] == asked(
        database, "SELECT who, what, why FROM bree.audit"
    )


async def test_of_several_that_upgrade_at_once_one_does(database):
    """The others find it done."""
    said = await asyncio.gather(*(upgraded(database) for _ in range(4)))

    assert 1 == sum("now" in one for one in said)
    assert 3 == sum("nothing to do" in one for one in said)


def test_an_upgrade_that_fails_leaves_nothing(database, monkeypatch):
    """Not even the tables of the migrations that went well."""
    broken = script(0) + "CREATE TABLE bree.accounts (id int);"
    monkeypatch.setattr("bree.ledger.upgrade.script", lambda *_: broken)
    with pytest.raises(Refused, match="already exists"):
        upgrade(database)

    assert [] == asked(database, EVERYTHING)


def test_tables_of_somebody_else_are_left(database):
    """A schema of this name that is no ledger is neither used nor changed."""
    asked(database, "CREATE SCHEMA bree", "CREATE TABLE bree.accounts (id int)")
    before = asked(database, EVERYTHING)
    for refused in (status, upgrade):
        with pytest.raises(Refused, match="is no ledger; it has other tables"):
            refused(database)

    assert before == asked(database, EVERYTHING)


def test_a_newer_ledger_is_left(ledger_url):
    """Unless it says that older processes may use it; and nobody takes it back."""
    asked(ledger_url, "UPDATE bree.alembic_version SET version_num = '0007'")
    asked(ledger_url, "UPDATE bree.platform SET serves = 7")
    before = asked(ledger_url, EVERYTHING)
    for refused in (status, upgrade):
        with pytest.raises(Refused, match="the ledger has schema 7, and this process knows none"):
            refused(ledger_url)
    asked(ledger_url, "UPDATE bree.platform SET serves = 1")
    assert "schema 7" in status(ledger_url)
    with pytest.raises(Refused, match="it stays as it is"):
        upgrade(ledger_url)

    assert before == asked(ledger_url, EVERYTHING)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (schema.Found(3, 3), "needs 4 at least; run: bree ledger upgrade"),
        (schema.Found(4, 4), ""),
        (schema.Found(6, 6), ""),
        (schema.Found(7, 7), "knows none after 6"),
        (schema.Found(9, 6), ""),
        (schema.Found(tables=0), "is empty"),
        (schema.Found(tables=2), "is no ledger"),
    ],
)
def test_a_process_knows_which_schemas_it_can_use(found, said):
    """From an oldest to a newest, and newer ones that do it no harm."""
    why = schema.trouble(found, 4, 6)

    assert (said in why) if said else not why


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda url: url.replace("bree@", "nobody@"), "does not let us in"),
        (lambda url: url.rpartition("/")[0] + "/nowhere", "database does not exist"),
        (lambda _: "postgresql://bree@127.0.0.1:1/bree", "is away"),
    ],
)
def test_a_ledger_that_cannot_be_asked_is_told_in_a_sentence(database, change, said):
    """And by neither command in another way."""
    for asking in (status, upgrade):
        with pytest.raises(Refused, match=said):
            asking(change(database))


def test_the_audit_log_is_one_chain_that_nobody_changes(ledger_url):
    """Each row binds the one before; what was written stays."""
    note = "INSERT INTO bree.audit (at_ms, who, what, why) VALUES (1, $$a\"\\b$$, 'x', 'ü\n')"
    asked(ledger_url, note, note.replace("(1,", "(2,"))
    rows = asked(ledger_url, "SELECT n, at_ms, who, what, why, before, hash FROM bree.audit")
    before = ""
    for number, row in enumerate(rows, 1):
        *said, kept = row
        text = json.dumps(said, ensure_ascii=False)
        assert (number, before) == (row[0], row[5])
        assert hashlib.sha256(text.encode()).hexdigest() == kept
        before = kept
    assert 3 == len(rows)
    for change in (
        "UPDATE bree.audit SET why = ''",
        "DELETE FROM bree.audit",
        "TRUNCATE bree.audit",
        "UPDATE bree.audit SET why = '' WHERE n = 99",
    ):
        with pytest.raises(asyncpg.PostgresError, match="is not changed"):
            asked(ledger_url, change)

    assert rows == asked(
        ledger_url, "SELECT n, at_ms, who, what, why, before, hash FROM bree.audit"
    )
