"""A store and a ledger belong together: what is answered where another one is met."""

from __future__ import annotations

import asyncio

import pytest
import redis

from bree.process import accept
from bree.process.epoch import KEYS
from bree.process.statuses import Denied
from bree.process.store_monitor import StoreMonitor
from gateway.documents import Account
from gateway.kin import Kin
from tests.gateway.stores import joined
from tests.gateway.test_store_lost import told
from tests.ledgers import begun

ANOTHER_STORE = "this ledger belongs to another store than this one"
ANOTHER_LEDGER = "this store belongs to another ledger than this one"


@pytest.fixture
def platform(fresh_redis, loop):
    """What makes a store that a gateway looks after, on the ledger with this URL."""
    made = []

    def opened(ledger_url, server=fresh_redis):
        store = joined(server, ledger_url)()
        settings = told(store_new=True)
        store.monitor = StoreMonitor(settings, settings.epoch(), store, "gateway")
        store.ledger.kin = Kin(store)
        made.append(store)
        return store

    yield opened
    for store in made:
        loop.run(store.close())


async def meets(store, number=0):
    """Why a store and its ledger do not go together; nothing if they do."""
    try:
        await store.add_account(Account(f"a{number}", f"name-{number}"), "hash")
    except Denied as denied:
        return f"{denied.reason} {denied.metadata['part']}: {denied.message}"
    return ""


async def accounts(store):
    return (await store.ledger.row("test", "SELECT count(*) FROM bree.accounts"))[0]


async def test_they_note_each_other_when_they_meet(platform, ledger_url, fresh_redis):
    """And go on together after that, whoever looks."""
    store = platform(ledger_url)
    assert "" == await meets(store, 1)
    with redis.Redis(port=fresh_redis.port, decode_responses=True) as client:
        kept = client.hgetall(KEYS[0])
    assert store.ledger.found.word == kept["ledger"]
    other = platform(ledger_url)
    assert "" == await meets(other, 2)

    assert kept["run"] == (await other.ledger.look()).store


async def test_two_platforms_on_one_ledger_are_refused(platform, ledger_url, own_redis):
    """The second finds out before it has changed anything, and the first goes on."""
    first, second = platform(ledger_url), platform(ledger_url, own_redis)
    assert "" == await meets(first, 1)
    for _ in range(2):
        assert f"UNAVAILABLE ledger: {ANOTHER_STORE}" in await meets(second, 2)
    assert "accept" in await meets(second, 2)

    assert "" == await meets(first, 3)
    assert 2 == await accounts(first)


async def test_another_ledger_under_a_platform_is_refused(platform, ledger_url, own_postgres):
    """Even an empty one: everybody's account would be gone."""
    assert "" == await meets(platform(ledger_url), 1)
    other = platform(await apart(own_postgres))

    assert ANOTHER_LEDGER in await meets(other, 2)


async def test_a_store_that_was_accepted_anew_goes_on_with_its_ledger(
    platform, ledger_url, fresh_redis
):
    """If it says what it follows; else the host has to say which ledger is meant."""
    first = platform(ledger_url)
    assert "" == await meets(first, 1)
    with redis.Redis(port=fresh_redis.port, decode_responses=True) as client:
        accept.accept(client, [])
        assert "" == await meets(platform(ledger_url), 2)
        client.flushall()
        accept.accept(client, [])
        assert ANOTHER_STORE in await meets(platform(ledger_url), 3)
        said = await run_apart(accept.accept, client, [], ledger_url)

    assert "with its ledger" in said
    last = platform(ledger_url)
    assert "" == await meets(last, 3)
    [row] = await last.ledger.read("test", "SELECT what FROM bree.audit ORDER BY n DESC LIMIT 1")
    assert "accept" == row[0]


async def test_nothing_is_accepted_with_a_ledger_that_is_away(fresh_redis, capsys):
    """The store stays as it was."""
    with redis.Redis(port=fresh_redis.port, decode_responses=True) as client:
        client.hset(KEYS[0], "run", "kept")
        nowhere = "postgresql://bree@127.0.0.1:1/bree"
        assert 1 == await run_apart(accept.main, [], fresh_redis.url, nowhere)

        assert {"run": "kept"} == client.hgetall(KEYS[0])
    assert "BREE_LEDGER_URL: the ledger is away" in capsys.readouterr().err


async def run_apart(what, *given):
    """What a command does that has a loop of its own."""
    return await asyncio.to_thread(what, *given)


async def apart(server):
    return await run_apart(begun, server)
