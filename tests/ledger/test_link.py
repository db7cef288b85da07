"""A ledger that goes away, refuses or lags, and comes back: what is answered, and when."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import asyncpg
import pytest

from bree.ledger import link as links
from bree.ledger.link import Ledger, Undo
from bree.ledger.schema import NEWEST
from bree.process.statuses import Denied
from tests.ledgers import begun
from tests.postgres_server import PATIENCE

COUNT = "SELECT count(*) FROM bree.names"
NOTED = "SELECT why FROM bree.audit WHERE what = 'test' ORDER BY n"


def noting(word, then=None):
    """What adds a line that repeating it does not add again."""

    async def note(connection):
        await connection.execute(
            "INSERT INTO bree.audit (at_ms, who, what, why) SELECT 1, 'test', 'test', $1::text "
            "WHERE NOT EXISTS (SELECT FROM bree.audit WHERE why = $1::text)",
            word,
        )
        if then:
            await then(connection)
        return word

    return note


async def denied(asked):
    """The refusal of what is asked."""
    with pytest.raises(Denied) as caught:
        await asked
    return caught.value


async def patiently(asked):
    """Ask until it is answered."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await asked()
            except Denied:
                await asyncio.sleep(0.05)


async def noted(ledger):
    return [row[0] for row in await ledger.read("test", NOTED)]


async def test_what_is_done_is_done_as_a_whole(ledger_url):
    """What is undone, refused or wrong changes nothing."""
    ledger = Ledger(ledger_url, 2)

    async def undo(_):
        raise Undo(7)

    async def refuse(_):
        raise Denied("NOT_ALLOWED", "no")

    async def err(connection):
        await connection.execute("SELECT 1 / 0")

    assert "one" == await ledger.write("test", noting("one"))
    assert 7 == await ledger.write("test", noting("two", undo))
    assert "NOT_ALLOWED" == (await denied(ledger.write("test", noting("three", refuse)))).reason
    for _ in range(5):
        with pytest.raises(asyncpg.DivisionByZeroError):
            await ledger.write("test", noting("four", err))

    assert ["one"] == await noted(ledger)
    await ledger.close()


async def test_a_fault_of_ours_is_no_ledger_that_is_away(ledger_url):
    """It is raised as it is, and the next call is answered."""
    ledger = Ledger(ledger_url, 2)
    with pytest.raises(asyncpg.InterfaceError):
        await ledger.read("test", "SELECT $1::int")

    assert [] == await noted(ledger)
    await ledger.close()


async def test_a_server_that_was_killed_is_found_again(own_postgres):
    """By those who asked before, without a restart; meanwhile they are told at once."""
    ledger = Ledger(begun_apart(own_postgres), 4)
    await ledger.write("test", noting("one"))
    own_postgres.kill()
    refused = await denied(ledger.write("test", noting("two")))
    assert ("UNAVAILABLE", {"part": "ledger"}) == (refused.reason, refused.metadata)
    assert "UNAVAILABLE" == (await denied(ledger.read("test", COUNT))).reason
    own_postgres.start()
    await patiently(lambda: ledger.write("test", noting("three")))

    assert ["one", "three"] == await noted(ledger)
    await ledger.close()


async def test_a_server_that_was_restarted_between_two_calls_is_not_noticed(own_postgres):
    """The first connection that turns out to be dead is replaced."""
    ledger = Ledger(begun_apart(own_postgres), 4)
    await asyncio.gather(*(ledger.read("test", "SELECT pg_sleep(0.1)") for _ in range(4)))
    own_postgres.kill()
    own_postgres.start()

    assert "one" == await ledger.write("test", noting("one"))
    await ledger.close()


async def test_a_server_that_is_silent_keeps_nobody_waiting(own_postgres):
    """The first who ask wait for as long as was set, and those after them not at all."""
    ledger = Ledger(begun_apart(own_postgres), 4, seconds=1.0)
    await ledger.write("test", noting("one"))
    own_postgres.pause()
    async with asyncio.timeout(PATIENCE):
        first = await asyncio.gather(
            *(denied(ledger.write("test", noting("two"))) for _ in range(8))
        )
    assert {"the ledger does not answer"} == {one.message for one in first}
    ledger._again_at = time.monotonic() + PATIENCE
    asked = asyncio.ensure_future(denied(ledger.read("test", COUNT)))
    await asyncio.sleep(0)
    assert asked.done(), "it did not even try"
    ledger._again_at = 0
    own_postgres.resume()
    await patiently(lambda: ledger.write("test", noting("three")))

    assert ["one", "three"] == [word for word in await noted(ledger) if word != "two"]
    await ledger.close()


async def test_a_commit_whose_answer_is_lost_is_of_unknown_outcome(own_postgres):
    """It may have been done; all before that certainly was not."""
    ledger = Ledger(begun_apart(own_postgres), 4, seconds=1.0)

    async def pause(_):
        own_postgres.pause()

    refused = await denied(ledger.write("test", noting("one", pause)))
    assert "OUTCOME_UNKNOWN" == refused.reason
    own_postgres.resume()
    await patiently(lambda: ledger.write("test", noting("one")))

    assert ["one"] == await noted(ledger)
    await ledger.close()


async def test_a_commit_whose_connection_breaks_is_made_sure_of(own_postgres):
    """It is done once more, and what was done already is found."""
    ledger = Ledger(begun_apart(own_postgres), 4)
    tried = []

    async def break_once(connection):
        tried.append(await connection.fetchval("SELECT pg_backend_pid()"))
        if len(tried) == 1:
            execute = connection._con.execute if hasattr(connection, "_con") else connection.execute
            await execute("COMMIT")  # it is done, and its answer is what is lost
            os.kill(tried[0], signal.SIGTERM)

    assert "one" == await ledger.write("test", noting("one", break_once))
    assert 2 == len(tried)
    assert ["one"] == await noted(ledger)
    await ledger.close()


async def test_what_takes_too_long_is_ended_where_it_runs(ledger_url):
    """And nobody else is told that the ledger is away."""
    ledger = Ledger(ledger_url, 2, seconds=0.5)
    refused = await denied(ledger.read("test", "SELECT pg_sleep(30)"))
    assert "the ledger takes too long" == refused.message

    assert [] == await noted(ledger)
    await ledger.close()


async def test_two_that_wait_for_each_other_both_come_to_an_end(ledger_url):
    """PostgreSQL ends one of them, which is done again."""
    one, other = Ledger(ledger_url, 4), Ledger(ledger_url, 4)
    await one.write("test", lambda c: c.execute(
        "INSERT INTO bree.accounts SELECT id, id, '', true, 1, '' FROM unnest(ARRAY['a', 'b']) id"
    ))  # fmt: skip
    both = asyncio.Barrier(2)
    met = []

    def locking(*ids):
        async def lock(connection):
            lock = "SELECT id FROM bree.accounts WHERE id = $1 FOR UPDATE"
            await connection.fetch(lock, ids[0])
            if len(met) < 2:
                met.append(ids)
                await both.wait()
            await connection.fetch(lock, ids[1])
            return ids

        return lock

    found = await asyncio.gather(
        one.write("test", locking("a", "b")), other.write("test", locking("b", "a"))
    )

    assert [("a", "b"), ("b", "a")] == found
    for each in (one, other):
        await each.close()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("53100", "the ledger's disk is full"),
        ("53200", "the ledger lacks room"),
        ("25006", "the ledger takes no changes"),
        ("42501", "the ledger does not allow this to us"),
        ("58030", "the ledger cannot use its disk"),
    ],
)
async def test_what_a_server_refuses_for_a_while_is_a_sentence(ledger_url, code, said):
    """It was not carried out, nothing is left of it, and reading goes on."""
    ledger = Ledger(ledger_url, 2)
    await ledger.read(
        "test",
        f"""
        CREATE FUNCTION bree.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$""",
    )
    refuse = "CREATE TRIGGER refuse BEFORE INSERT ON bree.names EXECUTE FUNCTION bree.refuse()"
    await ledger.read("test", refuse)

    async def name(connection):
        await connection.execute("INSERT INTO bree.names VALUES ('a', 'b')")

    refused = await denied(ledger.write("test", noting("one", name)))

    assert ("UNAVAILABLE", said) == (refused.reason, refused.message)
    assert [] == await noted(ledger)
    await ledger.close()


async def test_a_ledger_that_only_reads_says_so(ledger_url):
    """As a standby does."""
    ledger = Ledger(ledger_url, 2)
    name = ledger_url.rpartition("/")[2]
    await ledger.read("test", f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    await ledger.close()
    refused = await denied(ledger.write("test", noting("one")))

    assert ("UNAVAILABLE", "the ledger takes no changes") == (refused.reason, refused.message)
    assert [] == await noted(ledger)
    await ledger.close()


async def test_a_server_with_too_many_callers_says_so(own_postgres):
    """Until some have gone."""
    url = begun_apart(own_postgres)
    own_postgres.stop()
    own_postgres.settings = (*own_postgres.settings, "max_connections=5",
                             "superuser_reserved_connections=0", "max_wal_senders=0")  # fmt: skip
    own_postgres.start()
    others = [await asyncpg.connect(url) for _ in range(5)]
    ledger = Ledger(url, 2)
    assert "the ledger has too many callers" == (await denied(ledger.read("test", COUNT))).message
    for other in others:
        await other.close()
    await patiently(lambda: ledger.read("test", COUNT))
    await ledger.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE bree.alembic_version SET version_num = '0009'", "knows none after"),
        ("UPDATE bree.alembic_version SET version_num = '0000'", "is no ledger"),
        ("DELETE FROM bree.platform", "is no ledger"),
    ],
)
async def test_another_schema_is_noticed_while_running(ledger_url, monkeypatch, change, said):
    """Nothing is asked of it meanwhile, and it goes on by itself when it fits again."""
    monkeypatch.setattr(links, "LOOK_SECONDS", 0.0)
    ledger = Ledger(ledger_url, 2)
    await ledger.write("test", noting("one"))
    other = await asyncpg.connect(ledger_url)
    await other.execute("UPDATE bree.platform SET serves = 9")
    kept = await other.fetchrow("SELECT * FROM bree.platform")
    await other.execute(change)
    for _ in range(2):
        refused = await denied(ledger.write("test", noting("two")))
        assert said in refused.message
        assert {"part": "ledger"} == refused.metadata
    await other.execute("UPDATE bree.alembic_version SET version_num = $1", f"{NEWEST:04}")
    await other.execute(
        "INSERT INTO bree.platform VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING", *kept
    )

    assert "three" == await ledger.write("test", noting("three"))
    assert ["one", "three"] == await noted(ledger)
    await other.close()
    await ledger.close()


async def test_who_gives_up_leaves_nothing_behind(ledger_url):
    """Neither a change nor a connection that others lack."""
    ledger = Ledger(ledger_url, 2)
    for _ in range(5):
        begun_one = asyncio.Event()

        async def hang(_, begun_one=begun_one):
            begun_one.set()
            await asyncio.Event().wait()

        asking = asyncio.ensure_future(ledger.write("test", noting("one", hang)))
        await begun_one.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert asking.cancelled()

    assert [] == await noted(ledger)
    await ledger.close()


def begun_apart(server):
    """A new ledger, made while a loop runs."""
    import concurrent.futures  # noqa: PLC0415  # only here

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(begun, server).result()
