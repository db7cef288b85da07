"""The audit log: what is added is chained, and what is changed is found; on every PostgreSQL."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from bree.ledger import audit
from bree.ledger.audit import Chain, Deed, Line, Unfinished, unfinished
from bree.ledger.upgrade import upgrade

ODD = 'quoted "so", a \\ and /, tabs\tand\u0001, \u007f, żółw \U0001f409 \u2028 \ud7ff'
WHAT = "ban account a1"


async def connected(url):
    return await asyncpg.connect(url)


async def noted(url, *deeds):
    """Note deeds, one after the other; the lines of the log."""
    connection = await connected(url)
    try:
        for deed in deeds:
            async with connection.transaction():
                await audit.note(connection, deed)
        return await lines_of(connection)
    finally:
        await connection.close()


async def lines_of(connection):
    return [Line(*row) for row in await connection.fetch(audit.LINES, 0, 1000)]


def trouble(lines):
    """What is wrong first, in a sentence."""
    chain = Chain()
    return next(filter(None, map(chain.trouble, lines)), "")


def deeds(number, what=WHAT):
    return [Deed(1000 + n, "a0 Gaffer", what, f"{n}") for n in range(number)]


async def test_every_hash_is_computed_again(ledger_url):
    """Whatever stands in a line; the first one is that of the upgrade."""
    odd = [Deed(-5, ODD, ODD, ODD), Deed(2**62, "", "", "")]
    lines = await noted(ledger_url, *deeds(3), *odd)

    assert "" == trouble(lines)
    assert [1, 2, 3, 4, 5, 6] == [line.n for line in lines]
    assert (ODD, ODD, ODD) == lines[4][2:5]


async def test_a_deed_that_is_sent_twice_is_noted_once(ledger_url):
    """The answer to the first may have been lost."""
    [deed] = deeds(1)
    lines = await noted(ledger_url, deed, deed)
    connection = await connected(ledger_url)
    found = await audit.note(connection, deed)
    await connection.close()

    assert 2 == len(lines)
    assert (2, False) == found


async def test_two_at_once_make_one_chain(ledger_url):
    """Each waits for the other."""
    both = [deeds(20, "by one"), deeds(20, "by another")]
    await asyncio.gather(*(noted(ledger_url, *some) for some in both))
    lines = await noted(ledger_url)

    assert 41 == len(lines)
    assert "" == trouble(lines)


CHANGES = {
    "UPDATE bree.audit SET why = 'other' WHERE n = 3": "line 3 is not what was written",
    "UPDATE bree.audit SET who = 'somebody' WHERE n = 2": "line 2 is not what was written",
    "UPDATE bree.audit SET at_ms = at_ms + 1 WHERE n = 4": "line 4 is not what was written",
    "DELETE FROM bree.audit WHERE n = 3": "line 3 is missing",
    "DELETE FROM bree.audit WHERE n = 1": "line 1 is missing",
    "UPDATE bree.audit SET hash = repeat('0', 64) WHERE n = 2": "line 2 is not what was written",
    "UPDATE bree.audit SET before = repeat('0', 64) WHERE n = 3": "line 3 does not follow line 2",
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_is_changed_behind_the_trigger_is_found(ledger_url, change):
    """By a superuser, who may do that; the line at which the chain breaks is named."""
    await noted(ledger_url, *deeds(4))
    connection = await connected(ledger_url)
    with pytest.raises(asyncpg.PostgresError, match="what the audit log says is not changed"):
        await connection.execute(change)
    await connection.execute("ALTER TABLE bree.audit DISABLE TRIGGER stays")
    await connection.execute(change)
    lines = await lines_of(connection)
    await connection.close()

    assert CHANGES[change] == trouble(lines)


async def test_a_line_whose_hash_is_made_anew_breaks_the_next(ledger_url):
    """Whoever changes one must change all that follow."""
    lines = await noted(ledger_url, *deeds(3))
    changed = lines[1]._replace(why="other")
    lines[1] = changed._replace(hash=audit.hash_of(changed))

    assert "line 3 does not follow line 2" == trouble(lines)


async def test_the_role_that_owns_it_may_add_and_read_and_nothing_else(database, postgres):
    """By its rights, besides by the triggers: these say no even where those are gone."""
    connection = await connected(database)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute("DROP ROLE IF EXISTS keeper")
    await connection.execute("CREATE ROLE keeper LOGIN")
    await connection.execute(f'GRANT CREATE ON DATABASE "{name}" TO keeper')
    user = await connection.fetchval("SELECT current_user")
    url = database.replace(f"//{user}", "//keeper", 1)
    try:
        await asyncio.to_thread(upgrade, url)
        await _refuses_changes(url)
    finally:
        await connection.execute("DROP OWNED BY keeper CASCADE")
        await connection.execute("DROP ROLE keeper")
        await connection.close()


async def _refuses_changes(url):
    keeper = await connected(url)
    try:
        assert "keeper" == await keeper.fetchval("SELECT current_user")
        await audit.note(keeper, *deeds(1))
        await keeper.execute("ALTER TABLE bree.audit DISABLE TRIGGER stays")
        for change in (*CHANGES, "TRUNCATE bree.audit"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await keeper.execute(change)
        lines = await lines_of(keeper)
    finally:
        await keeper.close()
    assert (2, "") == (len(lines), trouble(lines))


def test_what_was_begun_and_not_ended_is_found():
    """What was begun again and ended is done; others are not."""
    whats = [
        "begin abort match m1",
        "ban account a1",
        "begin hold match m2",
        "end 1 done: abort match m1",
        "begin hold match m2",
        "begin hold match m3",
        "end 5 refused: hold match m2",
        "end 99 done: nothing",
    ]
    lines = [Line(n, 0, "", what, "", "", "") for n, what in enumerate(whats, 1)]

    assert (6,) == unfinished(lines)
    found = Unfinished()
    for line in lines[:3]:
        found.take(line)
    assert (1, 3) == found.found
