"""A primary, two replicas and Sentinels: what was acknowledged is there after each failover.

Nothing is acknowledged, told or confirmed before a replica has it. The last test of appends shows
that what these tests look for happens where that is not waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress

import grpc
import pytest

from bree.process.store_monitor import StoreMonitor
from bree.redis.client import Quorum
from services.host.store import Away, Change, RedisStore, Unsure
from tests.host.callers import acknowledged, count, crowd, tried
from tests.host.engines import in_loop, refused, replica, settings
from tests.redis_group import RedisGroup, redis_group
from tests.redis_server import redis_program

CALLERS = 32
BEFORE, STALLED, AFTER = 400, 400, 400
"""Appends that are acknowledged before, tried while a link is stalled, acknowledged afterwards."""

LONG = 40.0
UNSURE = ("OUTCOME_UNKNOWN", grpc.StatusCode.UNAVAILABLE)
UNAVAILABLE = ("UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)

pytestmark = pytest.mark.skipif(redis_program() is None, reason="there is no server here")


@pytest.fixture
def group():
    """With one Sentinel alone, who need not ask others: that is quicker."""
    with redis_group(sentinels=1) as running:
        yield running


@pytest.fixture
def whole_group():
    with redis_group() as running:
        yield running


@asynccontextmanager
async def stores(group: RedisGroup, number: int = 1, replicas: int = 1, ms: int = 2000):
    """So many engines' stores that wait for replicas, which are there."""
    made = [RedisStore(group.url, "skirmish", 5, Quorum(replicas, ms)) for _ in range(number)]
    try:
        for store in made:
            await ready(store)
        yield made
    finally:
        for store in made:
            await store.close()


async def ready(store: RedisStore) -> None:
    """Return when replicas answer; one that follows since now may still be busy with its log."""
    async with asyncio.timeout(LONG):
        while True:
            with suppress(Away, Unsure):
                return await store.add_fate_key("any")
            await asyncio.sleep(0.02)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for others; nobody tells how far they have come."""
    async with asyncio.timeout(LONG):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def play_through(group: RedisGroup, stalled: int, replicas: int):
    """Append while some links are stalled and the primary is killed; what came of it."""
    async with stores(group, replicas=replicas, ms=300) as [store]:
        callers, over = await crowd(store, CALLERS), asyncio.Event()
        playing = [asyncio.create_task(caller.run(over)) for caller in callers]
        await until(lambda: acknowledged(callers) >= BEFORE)
        primary = group.primary()
        for behind in group.replicas()[:stalled]:
            group.stall(behind)
        already = tried(callers)
        await until(lambda: tried(callers) >= already + STALLED)
        primary.kill()
        promoted = await asyncio.to_thread(group.until_promoted, primary)
        already = acknowledged(callers)
        await until(
            lambda: acknowledged(callers) >= already + AFTER or any(one.has_lost for one in callers)
        )
        over.set()
        await asyncio.wait(playing)
        return await count(store, callers), promoted


@in_loop
async def test_the_most_advanced_replica_goes_on(whole_group):
    """One of two heard nothing more: the Sentinels promote the other, and nothing is lost."""
    group = whole_group
    behind = group.replicas()[0]
    found, promoted = await play_through(group, stalled=1, replicas=1)

    assert (0, 0, 0) == found[1:]
    assert behind is not promoted
    assert found.acknowledged >= BEFORE + AFTER


@in_loop
async def test_what_no_replica_has_was_not_acknowledged(group):
    """Both heard nothing more, so whoever appended meanwhile was told that nobody is sure."""
    found, _ = await play_through(group, stalled=2, replicas=1)

    assert (0, 0, 0) == found[1:]
    assert found.acknowledged >= BEFORE + AFTER


@in_loop
async def test_without_a_replica_waited_for_moves_are_lost(group):
    """The same, and acknowledged moves are gone: so the others could fail."""
    found, _ = await play_through(group, stalled=2, replicas=0)

    assert found.lost > 0


@in_loop
async def test_replicas_are_waited_for_once_for_all_who_append_together(group):
    """And not once for each."""
    async with stores(group) as [store]:
        callers, over = await crowd(store, CALLERS), asyncio.Event()
        playing = [asyncio.create_task(caller.run(over)) for caller in callers]
        await until(lambda: acknowledged(callers) >= 20 * CALLERS)
        over.set()
        await asyncio.wait(playing)
        said = group.primary().say("INFO", "commandstats")

        assert said["cmdstat_wait"]["calls"] * 4 < acknowledged(callers)


@in_loop
async def test_without_replicas_nothing_is_acknowledged_and_it_goes_on_when_one_is_back(group):
    """First nobody is sure, then it is refused at once; what is known is read all the while."""
    change = Change(("one",), {"due": "x"}, head="aa")
    async with stores(group, ms=1000) as [store]:
        news = store.listen()
        assert await anext(news) is None
        assert await store.append("m", 0, change)
        assert ("m", 1) == await anext(news)
        for behind in group.replicas():
            behind.pause()
        hears = asyncio.ensure_future(anext(news))
        with pytest.raises(Unsure):
            await store.append("m", 1, change, "aa")
        with pytest.raises(Away, match="too few replicas"):
            await store.append("other", 0, change)
        with pytest.raises(Away, match="too few replicas"):
            await store.load("m", 1, 1, "aa")  # there is more, which may be lost
        assert not hears.done()
        for behind in group.replicas():
            behind.go_on()

        async def loaded():
            async with asyncio.timeout(LONG):
                while True:
                    try:
                        return await store.load("m", 1, 1, "aa")
                    except Away:
                        await asyncio.sleep(0.02)

        found = await loaded()
        assert (2, ["one"]) == (found.version, list(found.lines))
        assert ("m", 2) == await hears
        assert await store.load("other") is None


@in_loop
async def test_nobody_is_told_or_confirmed_what_only_the_primary_has(group):
    """Neither by news nor by a view nor by the answer to a repeated request, on any engine."""
    async with stores(group, 2) as [here, there], replica(here) as one, replica(there) as two:
        await one.create()
        asked = await one.question("gondor")
        watching = two.watch(seat="mordor")
        told = [await watching.read()]
        for behind in group.replicas():
            behind.pause()
        act = ("gondor", asked.number, asked.choices[0].action.text, "r1")
        await refused(one.act(*act), *UNSURE)
        await refused(one.act(*act), *UNAVAILABLE)
        await refused(two.act(*act), *UNAVAILABLE)
        await refused(two.view("mordor"), *UNAVAILABLE)
        hears = asyncio.create_task(watching.read())
        assert not (await asyncio.wait([hears], timeout=0.2))[0]
        for behind in group.replicas():
            behind.go_on()
        told.append(await hears)
        done = await two.act(*act)

        assert told[1].standing.revision > told[0].standing.revision
        assert done == await one.act(*act)
        watching.cancel()


@in_loop
async def test_a_change_that_was_never_told_is_found(group):
    """Its engine died before the news of it left: the others look from time to time."""
    async with stores(group, 2) as [here, there], replica(here) as one, replica(there) as two:
        await one.create()
        here.channel = "of nobody"
        watching = two.watch(seat="mordor")
        before = await watching.read()
        await one.play("gondor", "r1")
        hears = asyncio.create_task(watching.read())
        await two.engine.hub.look_once()

        assert (await hears).standing.revision > before.standing.revision
        watching.cancel()


@in_loop
async def test_a_primary_that_was_replaced_meanwhile_is_left(whole_group):
    """It stood still and wakes up as a primary: nobody hears anything of it any more."""
    group = whole_group
    async with stores(group) as [store]:
        callers, over = await crowd(store, CALLERS), asyncio.Event()
        playing = [asyncio.create_task(caller.run(over)) for caller in callers]
        await until(lambda: acknowledged(callers) >= BEFORE)
        old = group.primary()
        old.pause()
        new = await asyncio.to_thread(group.until_promoted, old)
        old.go_on()
        already = acknowledged(callers)
        await until(lambda: acknowledged(callers) >= already + AFTER)
        over.set()
        await asyncio.wait(playing)
        found = await count(store, callers)

        assert (0, 0, 0) == found[1:]
        assert new is group.primary()


@in_loop
async def test_a_primary_that_became_a_replica_is_left():
    """It says so, which is certain; and the next change goes to whoever is the primary now."""
    change = Change(("one",), {"due": "x"})
    with redis_group(replicas=1, sentinels=1) as group:
        async with stores(group) as [store]:
            assert await store.append("m", 0, change)
            group.swap()
            with pytest.raises(Away, match="is a replica"):
                await store.append("m", 1, change)
            await until(lambda: group.followers(group.primary()) == 1)
            await ready(store)

            assert await store.append("m", 1, change)


@in_loop
async def test_who_listens_follows_too(group):
    """The channel is that of the primary, whoever it is."""
    async with stores(group) as [store]:
        news = store.listen()
        assert await anext(news) is None
        old = group.primary()
        old.kill()
        with pytest.raises(Away):
            await anext(news)
        await asyncio.to_thread(group.until_promoted, old)
        again = store.listen()
        assert await anext(again) is None
        appended = asyncio.create_task(appends(store))

        assert ("m", 1) == await anext(again)
        await appended
        await again.aclose()


@pytest.mark.parametrize(("replicas", "has_lost"), [(1, False), (0, True)])
@in_loop
async def test_only_a_real_loss_is_noted(group, replicas, has_lost):
    """A marker that no replica has is not remembered, so it is not missed after a failover."""
    async with stores(group, replicas=replicas, ms=500) as [store]:
        given = settings(store_new=True)
        store.monitor = StoreMonitor(given, given.epoch(), store, "skirmish")
        await beat(store.monitor, add=True)
        known = len(store.monitor.epoch.markers)
        await until(lambda: group.followers(group.primary()) == 2)
        for behind in group.replicas():
            group.stall(behind)
        for _ in range(3):
            with suppress(Away, Unsure):
                await store.monitor.look(add=True)
        assert has_lost == (len(store.monitor.epoch.markers) > known)
        newest = store.monitor.epoch.markers[0]
        old = group.primary()
        old.kill()
        await asyncio.to_thread(group.until_promoted, old)
        await beat(store.monitor)

        assert has_lost == (newest != store.monitor.epoch.markers[0])
        assert "" == store.monitor.epoch.trouble
        await beat(store.monitor, add=True)
        assert newest != store.monitor.epoch.markers[0]


async def beat(monitor: StoreMonitor, *, add: bool = False) -> None:
    """Look, as soon as that can be."""
    async with asyncio.timeout(LONG):
        while True:
            with suppress(Away, Unsure):
                await monitor.look(add=add)
                return
            await asyncio.sleep(0.02)


async def appends(store: RedisStore) -> None:
    """Begin a match, as soon as that can be."""
    async with asyncio.timeout(LONG):
        while True:
            try:
                if await store.append("m", 0, Change(("one",), {"due": "x"}, head="aa")):
                    return
            except Away:
                await asyncio.sleep(0.02)
            except Unsure:
                return
