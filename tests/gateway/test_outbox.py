"""What follows from a settled match elsewhere, though whoever settled it did no more."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import replace

import pytest

from bree.ledger import outbox as rows
from bree.process.statuses import Denied
from gateway import outbox as outboxes
from gateway.documents import Account, State
from gateway.matches import Matches
from gateway.outbox import Outbox
from tests.gateway.stores import joined
from tests.gateway.test_store import MATCH, RECORDED

RUNNING = replace(MATCH, state=State.RUNNING, outcome=None)
WAITING = "SELECT kind, delivered_ms IS NULL, tries FROM bree.outbox ORDER BY id"


@pytest.fixture
def store_of(fresh_redis, ledger_url):
    return joined(fresh_redis, ledger_url)


async def settled(store):
    """A match that was settled by somebody who then died."""
    await store.add_match(RUNNING)
    await store.list_match(RUNNING, State.RUNNING)
    await store.enter("a1", RUNNING, 100, 9)
    over = Matches.ended(RUNNING, MATCH.outcome, "counted")
    assert (await store.settle(over, [], RECORDED)).now


def delivering(store):
    return Outbox(store, Matches(store, None, 9))


async def waiting(store):
    return [tuple(row) for row in await store.ledger.read("test", WAITING)]


async def test_what_a_dead_gateway_left_undone_is_done(store):
    """The match leaves the lists of what is live, and all gateways are told; once is enough."""
    await settled(store)
    assert State.RUNNING is (await store.match(MATCH.id)).state
    async with aclosing(store.news()) as news:
        assert "listening" == (await anext(news)).kind
        await delivering(store).deliver()
        assert ("changed", MATCH.id) == (await anext(news))[:2]
    found = await store.match(MATCH.id)

    assert (State.OVER, MATCH.outcome, "counted") == (found.state, found.outcome, found.settled)
    assert [] == await store.listed("hopscotch", State.RUNNING, None, 9)
    assert [] == await store.live("a1")
    assert [MATCH.id] == [entry.name for entry in await store.ended("a1")]
    assert [("over", False, 1)] == await waiting(store)


async def test_delivering_twice_changes_nothing_more(store):
    """Nor does delivering what has left Redis since."""
    await settled(store)
    for leave in (False, True):
        if leave:
            await store.take_out(MATCH)
        await store.ledger.read("test", "UPDATE bree.outbox SET delivered_ms = NULL")
        before = await _seen(store)
        for _ in range(2):
            await delivering(store).deliver()
            await store.ledger.read("test", "UPDATE bree.outbox SET delivered_ms = NULL")
        assert leave == (before == await _seen(store))

    assert not await store._redis.exists("bree:g:{i:hopscotch}:over")


async def _seen(store):
    lists = [await store.listed("hopscotch", state, None, 9) for state in State]
    return lists, await store.live("a1"), await store.ended("a1"), await store.match(MATCH.id)


async def test_whoever_is_killed_while_delivering_leaves_it_to_others(store, store_of):
    """At once, and another one does not deliver what he has in hand."""
    await settled(store)
    began, killed, other = asyncio.Event(), delivering(store), store_of()

    async def hang(_):
        began.set()
        await asyncio.Event().wait()

    killed._ways = {"over": hang}
    dying = asyncio.ensure_future(killed.deliver())
    await began.wait()
    assert 0 == await rows.deliver(other.ledger, lambda _: None), "they are in hand"
    dying.cancel()
    with suppress(asyncio.CancelledError):
        await dying
    async with asyncio.timeout(10):
        while [("over", False, 1)] != await waiting(store):
            await delivering(other).deliver()
    await other.close()

    assert State.OVER is (await store.match(MATCH.id, past=False)).state


async def test_what_cannot_be_delivered_is_put_off_and_holds_up_nobody(store, monkeypatch):
    """It is tried again after a while, longer each time; a bug is counted and tried again, too."""
    await settled(store)
    await store.add_account(Account("b1", "Rosie"), "hash")
    outbox = delivering(store)
    real, said = outbox._ways["over"], iter([Denied("UNAVAILABLE", "away"), KeyError("bug")])

    async def fail(row):
        if error := next(said, None):
            raise error
        await real(row)

    outbox._ways["over"] = fail
    await outbox.deliver()
    assert [("over", True, 1), ("account", False, 1)] == await waiting(store)
    await outbox.deliver()
    assert ("over", True, 1) == (await waiting(store))[0], "it rests"
    for tries in (2, 3):
        await store.ledger.read("test", "UPDATE bree.outbox SET next_ms = 0")
        await outbox.deliver()
        assert ("over", tries < 3, tries) == (await waiting(store))[0]


async def test_of_an_account_the_oldest_is_delivered_first(store):
    """Others are not kept waiting by one that does not go."""
    for account in ("a1", "a2"):
        await store.add_account(Account(account, f"name-{account}"), "hash")
        await store.swap_token(account, "hash", "other")
    seen = []

    async def take(found):
        seen.append([row.account for row in found])
        return {row.id for row in found if row.account == "a2"}

    await rows.deliver(store.ledger, take)
    await rows.deliver(store.ledger, take)
    assert [["a1", "a2"], ["a2"]] == seen


async def test_what_was_delivered_long_ago_is_forgotten(store, monkeypatch):
    """And nothing else; it is kept for a week."""
    await settled(store)
    await store.add_account(Account("b1", "Rosie"), "hash")
    monkeypatch.setattr(outboxes, "COUNT_SECONDS", 0.0)
    await delivering(store).deliver()
    await store.ledger.read(
        "test",
        "UPDATE bree.outbox SET delivered_ms = delivered_ms - $1 - 1 WHERE kind = 'account'",
        outboxes.WEEK_MS,
    )
    await delivering(store).deliver()

    assert [("over", False, 1)] == await waiting(store)
