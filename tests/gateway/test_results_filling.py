"""Matches without results get them, wherever they come from, and get them once."""

from __future__ import annotations

import asyncio
import json

import pytest

from bree.ledger import people as leaving
from bree.ledger import retention
from gateway import results_filling
from gateway.documents import Account
from gateway.results_filling import ResultsFilling
from gateway.settings import GatewaySettings
from tests.gateway.played import LIVE, PAIRS, keep, match, people
from tests.gateway.stores import joined

SETTINGS = GatewaySettings(
    platform_token="x" * 16, engines="hopscotch=a:1;chess=b:1", _env_file=None
)
ALL = "SELECT * FROM bree.results ORDER BY match, seat"


@pytest.fixture
def store_of(fresh_redis, ledger_url):
    return joined(fresh_redis, ledger_url)


@pytest.fixture
def filling(store):
    return ResultsFilling(SETTINGS, store)


async def rows(store):
    return [tuple(row) for row in await store.ledger.read("test", ALL)]


PLAYED = [
    match(0, ("Ann", "Bob"), (1, 0), clock=LIVE),
    match(1, ("Ann", "bot:novice"), ()),
    match(2, ("Ann", "Bob", "Cleo", "bot:novice"), (1, 0, 1, 0), teams=PAIRS),
]


async def test_they_are_the_same_as_at_the_settlement(store, filling):
    """To the last column, whenever they are made, and again none are made."""
    await people(store)
    for played in PLAYED:
        await keep(store, played, length=17)
    before = await rows(store)
    await store.ledger.write("test", lambda c: c.execute("DELETE FROM bree.results"))
    assert [] == await rows(store)

    assert 3 == await filling.fill(pause=0)
    assert 8 == len(before)
    assert before == await rows(store)
    assert 0 == await filling.fill(pause=0)


async def test_whatever_is_missing_is_found(store, filling, monkeypatch):
    """In the middle of others, a piece at a time, also by several at once."""
    monkeypatch.setattr(results_filling, "AT_ONCE", 4)
    await people(store)
    for number in range(23):
        played = match(number, ("Ann", "Bob"), (1, 0))
        await keep(store, played, results=number % 3 > 0)
    both = filling, ResultsFilling(SETTINGS, store)
    done = await asyncio.gather(*(each.fill(pause=0) for each in both))

    assert 8 == sum(done)
    assert 46 == len(await rows(store))


async def test_a_first_name_is_what_ratings_are_kept_under(store, filling):
    """Whatever the seat was called: a guest has claimed a name since, or before."""
    await store.add_account(Account("id-ann", "badger-1", guest=True), "hash")
    await store.claim_name("id-ann", "Ann")
    await keep(store, match(1, ("Ann", "bot:novice"), (1, 0)), results=False)
    await filling.fill(pause=0)

    assert {"badger-1", "bot:novice"} == {row[4] for row in await rows(store)}


async def test_what_nobody_can_read_stops_no_other(store, filling):
    """It is left without results."""
    await people(store)
    for number in range(3):
        await keep(store, match(number, ("Ann", "Bob"), (1, 0)), results=False)
    broken = json.dumps({"id": "h-0001"})
    change = "UPDATE bree.matches SET doc = $1 WHERE id = 'h-0001'"
    await store.ledger.write("test", lambda c: c.execute(change, broken))

    assert 2 == await filling.fill(pause=0)
    assert {"h-0000", "h-0002"} == {row[0] for row in await rows(store)}


async def test_results_go_with_their_match(store, filling):
    """Where a host keeps matches for a time only."""
    await people(store)
    for number in range(2):
        await keep(store, match(number, ("Ann", "Bob"), (1, 0)))
    await retention.drop(store.ledger, ["h-0000"])

    assert {"h-0001"} == {row[0] for row in await rows(store)}


async def test_whoever_leaves_leaves_his_results_without_a_name(store, filling):
    """What the opponent has played stays his; and what is filled in later knows no name either."""
    await people(store)
    await keep(store, match(0, ("Ann", "Bob"), (1, 0)))
    await keep(store, match(1, ("Ann", "Bob"), (1, 0)), results=False)

    async def leave(connection):
        who = await leaving.person(connection, "Ann")
        return (await leaving.delete(connection, who, "test")).pseudonym

    pseudonym = await store.ledger.write("test", leave)
    await filling.fill(pause=0)

    assert {("red", pseudonym), ("blue", "Bob")} == {(row[1], row[4]) for row in await rows(store)}
    assert 4 == len(await rows(store))
