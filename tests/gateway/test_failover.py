"""The gateway's store with a primary, two replicas and Sentinels: what it was told stays so."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace

import pytest

from bree.process.statuses import Denied
from gateway.store import RedisStore
from tests.gateway.test_store import MATCH
from tests.redis_group import redis_group
from tests.redis_node import wait_until
from tests.redis_server import redis_program

WRITERS, BEFORE, STALLED, AFTER = 8, 60, 24, 60
LONG = 40.0

pytestmark = pytest.mark.skipif(redis_program() is None, reason="there is no server here")


@pytest.fixture
def group():
    with redis_group(sentinels=1) as running:
        yield running


async def until(is_so):
    """Wait for others; nobody tells how far they have come."""
    async with asyncio.timeout(LONG):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class Writers:
    """They make matches, and keep whose making was acknowledged."""

    def __init__(self, store):
        self.store, self.numbers = store, itertools.count()
        self.made, self.tried, self.refused = [], 0, set()

    async def run(self, over):
        while not over.is_set():
            match = replace(MATCH, id=f"h-{next(self.numbers)}")
            while not over.is_set():
                self.tried += 1
                try:
                    assert match == await self.store.add_match(match)
                except Denied as denied:
                    self.refused.add(denied.reason)
                    await asyncio.sleep(0.02)
                else:
                    self.made.append(match)
                    break


async def lost_of(group, replicas):
    """How many matches were acknowledged, and are gone after a failover with stalled links."""
    store, over = RedisStore(group.url, replicas, 200), asyncio.Event()
    writers = Writers(store)
    writing = [asyncio.create_task(writers.run(over)) for _ in range(WRITERS)]
    await until(lambda: len(writers.made) >= BEFORE)
    for behind in group.replicas():
        group.stall(behind)
    already = writers.tried
    await until(lambda: writers.tried >= already + STALLED)
    old = group.primary()
    old.kill()
    await asyncio.to_thread(group.until_promoted, old)
    already = len(writers.made)
    await until(lambda: len(writers.made) >= already + AFTER)
    over.set()
    await asyncio.wait(writing)
    for task in writing:
        task.result()
    assert writers.refused <= {"UNAVAILABLE", "OUTCOME_UNKNOWN"}
    found = await store.matches([match.id for match in writers.made])
    await store.close()
    return sum(match is None for match in found)


async def test_no_match_that_was_acknowledged_is_lost(group):
    """Both replicas heard nothing more before the primary was killed."""
    assert 0 == await lost_of(group, 1)


async def test_without_a_replica_waited_for_matches_are_lost(group):
    """The same: so the other could fail."""
    assert await lost_of(group, 0) > 0


async def test_what_was_found_done_is_confirmed_when_replicas_have_it(group):
    """A name that is his already, a match that is there: perhaps on the primary alone."""
    careless = RedisStore(group.url)
    finds = (lambda store: store.add_match(MATCH), reads)
    stores = [RedisStore(group.url, 1, 300) for _ in finds]
    for store in stores:
        await reads(store)
    for behind in group.replicas():
        behind.pause()
    await careless.add_match(MATCH)
    for store, find in zip(stores, finds, strict=True):
        for _ in range(2):  # the second time it is known
            with pytest.raises(Denied, match="too few replicas") as caught:
                await find(store)
            assert "OUTCOME_UNKNOWN" == caught.value.reason
        assert MATCH == await store.match(MATCH.id)
    for behind in group.replicas():
        behind.go_on()
    for store, find in zip(stores, finds, strict=True):
        assert MATCH == await patiently(lambda: find(store))  # noqa: B023 (it is over by then)
        await store.close()
    await careless.close()


async def reads(store):
    """What is there, once it cannot be lost."""
    async with store.fenced():
        return await store.match(MATCH.id)


async def patiently(work):
    """What comes of it when it is not refused any more."""
    async with asyncio.timeout(LONG):
        while True:
            try:
                return await work()
            except Denied:
                await asyncio.sleep(0.02)


async def test_a_primary_that_became_a_replica_is_left():
    """The second try goes to whoever is the primary now."""
    with redis_group(replicas=1, sentinels=1) as group:
        store = RedisStore(group.url, 1, 2000)
        assert MATCH == await store.add_match(MATCH)
        group.swap()
        await until(lambda: group.followers(group.primary()) == 1)

        assert MATCH == await patiently(lambda: reads(store))
        assert MATCH == await patiently(lambda: store.add_match(MATCH))
        await store.close()


async def test_what_was_read_of_a_former_primary_is_not_confirmed():
    """The one that is the primary now may never have had it; read again, it is confirmed."""
    with redis_group(replicas=1, sentinels=1) as group:
        store = RedisStore(group.url, 1, 2000)
        async with store.fenced():
            await store.add_match(MATCH)

        async def confirmed():
            async with store.fenced():
                assert MATCH == await store.match(MATCH.id)
                group.swap()
                wait_until(lambda: group.followers(group.primary()) == 1, "no replica")

        with pytest.raises(Denied, match="another primary"):
            await confirmed()
        async with store.fenced():
            assert MATCH == await store.match(MATCH.id)
        await store.close()


async def test_news_come_from_whoever_is_the_primary(group):
    """Nobody listens to one that was replaced."""
    store = RedisStore(group.url, 1, 300)
    news = store.news()
    assert "listening" == (await anext(news)).kind
    old = group.primary()
    old.kill()
    await asyncio.to_thread(group.until_promoted, old)
    async with asyncio.timeout(LONG):
        assert "listening" == (await anext(news)).kind
    await news.aclose()
    await store.close()
