"""A client of a cluster, whose slots are moved and whose masters are killed under it."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager, suppress
from itertools import count

import pytest

from bree.redis.address import RedisAddress
from bree.redis.client import Away, Quorum, RedisClient, Unsure
from bree.redis.clients import client_of
from bree.redis.resp import ReplyError
from bree.redis.script import Script
from bree.redis.slots import slot_of, tag_of
from tests.host.engines import in_loop
from tests.redis_cluster import redis_cluster
from tests.redis_server import free_port

PATIENCE = 5
LONG = 20
PAIR = Script.of("return {redis.call('INCR', KEYS[1]), redis.call('INCR', KEYS[2])}")


@pytest.fixture(scope="module")
def cluster(shared_cluster):
    """Two masters whose slots may be moved."""
    return shared_cluster


@pytest.fixture(scope="module")
def group():
    """Masters with a replica each, which are promoted and come back."""
    with redis_cluster(masters=3, replicas=1) as group:
        yield group


@asynccontextmanager
async def asking(cluster, replicas=0, patience=PATIENCE):
    """A client of it."""
    client = client_of(cluster.url, patience, Quorum(replicas, 500))
    try:
        yield client
    finally:
        await client.close()


def other(cluster, key):
    """A master that has not this key."""
    owner = cluster.owner(slot_of(key))
    return next(node for node in cluster.masters() if node is not owner)


async def in_thread(work, *arguments):
    """Something of the cluster that takes a while."""
    return await asyncio.to_thread(work, *arguments)


async def until(ask):
    """What is answered once nobody is away any more."""
    async with asyncio.timeout(LONG):
        while True:
            with suppress(Away, Unsure):
                return await ask()
            await asyncio.sleep(0.02)


@in_loop
async def test_each_key_is_asked_for_where_it_is(cluster):
    """One at a time, and many at once in their order, with refusals among them."""
    async with asking(cluster) as client:
        keys = [f"each:{n}" for n in range(50)]
        for n, key in enumerate(keys):
            assert "OK" == await client.call("SET", key, n)

        assert [str(n) for n in range(50)] == await client.many([("GET", key) for key in keys])
        good, bad = await client.many([("GET", "each:1"), ("LPUSH", "each:2", "x")])
        assert "1" == good
        assert isinstance(bad, ReplyError)
        assert "WRONGTYPE" == bad.kind
        assert {True} == {node.say("DBSIZE") > 5 for node in cluster.masters()}


@in_loop
async def test_whoever_has_a_slot_now_is_found(cluster):
    """After it was moved, whether all at once or some of its keys are still to come."""
    key = "{moved}:1"
    async with asking(cluster) as client:
        await client.call("SET", key, "there")
        await in_thread(cluster.move, [slot_of(key)], other(cluster, key))

        assert "there" == await client.call("GET", key)
        assert ["there"] == await client.many([("GET", key)])


@in_loop
async def test_while_a_slot_is_moved_its_keys_are_found_at_both_nodes(cluster):
    """What has gone over, what has not, and what is new; also by those who ask for many."""
    slot = slot_of("{moving}")
    async with asking(cluster) as client:
        for n in range(10):
            await client.call("SET", f"{{moving}}:{n}", n)
        cluster.begin_move(slot, other(cluster, "{moving}"))
        try:
            assert 4 == cluster.move_some_keys(slot, 4)
            wanted = [("GET", f"{{moving}}:{n}") for n in range(10)]

            assert [str(n) for n in range(10)] == [await client.call(*one) for one in wanted]
            assert [str(n) for n in range(10)] == await client.many(wanted)
            assert "OK" == await client.call("SET", "{moving}:new", "new")
            assert "new" == await client.call("GET", "{moving}:new")
        finally:
            await in_thread(cluster.end_move, slot)
        assert "new" == await client.call("GET", "{moving}:new")


@in_loop
async def test_what_needs_keys_that_are_apart_waits_until_they_are_together(cluster):
    """And is done once."""
    keys = ["{apart}:a", "{apart}:b"]
    slot = slot_of(keys[0])
    async with asking(cluster) as client:
        await PAIR.run(client.call, keys, ())
        cluster.begin_move(slot, other(cluster, keys[0]))
        cluster.move_some_keys(slot, 1)
        waiting = asyncio.create_task(PAIR.run(client.call, keys, ()))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        await in_thread(cluster.end_move, slot)

        assert [2, 2] == await waiting


@in_loop
async def test_nobody_waits_for_ever_for_keys_that_stay_apart(cluster):
    """What is told then is that the slot is being moved, which changes nothing."""
    keys = ["{stays}:a", "{stays}:b"]
    slot = slot_of(keys[0])
    async with asking(cluster, patience=0.3) as client:
        await PAIR.run(client.call, keys, ())
        cluster.begin_move(slot, other(cluster, keys[0]))
        try:
            cluster.move_some_keys(slot, 1)
            with pytest.raises(ReplyError, match="TRYAGAIN"):
                await PAIR.run(client.call, keys, ())
        finally:
            await in_thread(cluster.end_move, slot)
        assert ["1", "1"] == await client.many([("GET", key) for key in keys])


@in_loop
async def test_who_listens_hears_all_channels_wherever_they_go(cluster):
    """And is told when he may have missed something."""
    channels = [f"{{channel:{n}}}:moves" for n in range(20)]
    async with asking(cluster) as client:
        news = client.listen(channels)
        assert await anext(news) is None
        for channel in channels:
            await client.call(*client.publication(channel, channel))
        assert set(channels) == {await anext(news) for _ in channels}

        moved = channels[3]
        await in_thread(cluster.move, [slot_of(moved)], other(cluster, moved))
        assert await anext(news) is None
        for channel in channels:
            await client.call(*client.publication(channel, channel))
        assert set(channels) == {await anext(news) for _ in channels}
        await news.aclose()


@in_loop
async def test_of_what_is_away_the_rest_is_told_if_that_is_enough():
    """And nothing where it is not, or where nobody is there."""
    with redis_cluster(masters=2, replicas=0) as cluster:
        async with asking(cluster, patience=1) as client:
            keys = [f"{{{tag_of(cluster.slots_of(node)[0])}}}" for node in cluster.masters()]
            for key in keys:
                await client.call("SET", key, "here")
            wanted = [("GET", key) for key in keys]
            cluster.masters()[1].kill()
            with pytest.raises((Away, Unsure)):
                await client.many(wanted)

            assert ["here", None] == await client.many(wanted, partly=True)
            cluster.nodes[0].kill()
            with pytest.raises((Away, Unsure)):
                await client.many(wanted, partly=True)


@in_loop
async def test_the_fullest_node_speaks_for_all(cluster):
    """As what is full there takes nothing more, whatever room others have."""
    full = cluster.masters()[1]
    async with asking(cluster) as client:
        full.say("CONFIG", "SET", "maxmemory", "200mb")
        try:
            assert "maxmemory:209715200" in await client.figures()
        finally:
            full.say("CONFIG", "SET", "maxmemory", "0")


@in_loop
async def test_a_cluster_that_is_not_there_is_away():
    """Certainly: nothing was carried out. What was named is no cluster, it may be."""
    async with client_closing(f"redis+cluster://127.0.0.1:{free_port()}") as client:
        with pytest.raises(Away, match="cannot be asked"):
            await client.call("GET", "a")


@in_loop
async def test_a_server_that_is_no_cluster_is_said_to_be_none(shared_redis):
    """It says so itself."""
    async with client_closing(f"redis+cluster://127.0.0.1:{shared_redis.port}") as client:
        with pytest.raises(Away, match="cluster support disabled"):
            await client.call("GET", "a")


@asynccontextmanager
async def client_closing(url):
    """A client of what is there, or is not."""
    client = client_of(url, 1)
    try:
        yield client
    finally:
        await client.close()


# Masters that are lost.


@in_loop
async def test_whoever_is_promoted_is_asked_and_nothing_acknowledged_is_lost(group):
    """Those who ask meanwhile are told that it was not done, or that nobody knows."""
    async with asking(group, replicas=1, patience=2) as client:
        key = "{promoted}"
        old = group.owner(slot_of(key))
        acknowledged: set[int] = set()

        async def write():
            for n in count():
                with suppress(Away, Unsure, ReplyError):
                    await client.call_safely("SADD", key, n)
                    acknowledged.add(n)
                await asyncio.sleep(0)

        writing = asyncio.create_task(write())
        await asyncio.sleep(0.2)
        old.kill()
        await in_thread(group.until_promoted, old)
        old.start()
        await in_thread(group.until_whole)
        before = len(acknowledged)
        await until(lambda: client.call_safely("SET", "{promoted}:again", 1))
        writing.cancel()

        kept = await until(lambda: client.call("SMEMBERS", key))
        assert before > 0
        assert acknowledged <= set(map(int, kept))


@in_loop
async def test_who_listens_hears_whoever_is_promoted(group):
    """After he was told that he may have missed something; and all find the new one."""
    channel = "{promoted:channel}:moves"
    async with asking(group, patience=LONG) as client, asking(group) as plain:
        await plain.call("GET", channel)
        news = client.listen([channel])
        assert await anext(news) is None
        old = group.owner(slot_of(channel))
        old.kill()
        async with asyncio.timeout(LONG):
            assert await anext(news) is None
        await until(lambda: plain.call(*plain.publication(channel, "still here")))
        async with asyncio.timeout(LONG):
            while (said := await anext(news)) is None:
                pass
        assert "still here" == said
        await news.aclose()
        old.start()
        await in_thread(group.until_whole)


@in_loop
async def test_a_planned_change_of_masters_loses_no_call(group):
    """What the old one refuses, the new one does."""
    key = "{planned}"
    async with asking(group, replicas=1, patience=LONG) as client:
        await client.call_safely("SET", key, 0)
        await in_thread(group.failover, group.owner(slot_of(key)))
        assert 1 == await until(lambda: client.call_safely("INCR", key))
        await in_thread(group.until_whole)


@in_loop
async def test_what_replicas_lack_is_not_acknowledged_at_any_node(group):
    """Nor what was read before they have it; and no node holds up another."""
    async with asking(group, replicas=1) as client:
        keys = [f"{{{tag_of(group.slots_of(node)[1])}}}:lag" for node in group.masters()]
        for key in keys:
            await client.call_safely("SET", key, "old")
        lagging = group.replicas_of(group.masters()[0])[0]
        group.stall(lagging)
        try:
            with pytest.raises(Unsure, match="too few replicas"):
                await client.call_safely("SET", keys[0], "new")
            with pytest.raises(Away, match="too few replicas"):
                await client.read("GET", keys[0], may_be_lost=bool)
            for key in keys[1:]:
                assert "OK" == await client.call_safely("SET", key, "new")
                assert "new" == await client.read("GET", key, may_be_lost=bool)
        finally:
            group.unstall(lagging)
        assert "new" == await until(lambda: client.read("GET", keys[0], may_be_lost=bool))
        await in_thread(group.until_whole)


async def read_safely(client, keys):
    """Read these, and return once none of what was read can be lost."""
    async with client.fenced():
        for key in keys:
            await client.call("GET", key)


@in_loop
async def test_all_that_was_read_is_safe_once_a_fence_has_been_passed(group):
    """At each node that was read of, and only there."""
    async with asking(group, replicas=1) as client:
        keys = [f"{{{tag_of(group.slots_of(node)[2])}}}:fenced" for node in group.masters()]
        for key in keys:
            await client.call_safely("SET", key, "old")
        lagging = group.replicas_of(group.masters()[0])[0]
        group.stall(lagging)
        try:
            await read_safely(client, keys[1:])
            with pytest.raises((Away, Unsure)):
                await read_safely(client, keys[:2])
        finally:
            group.unstall(lagging)
        await until(lambda: client.read("GET", keys[0], may_be_lost=bool))
        await in_thread(group.until_whole)


@in_loop
async def test_a_fence_whose_slot_is_moved_is_put_elsewhere(group):
    """It needs no slot in particular."""
    async with asking(group, replicas=1) as client:
        key = f"{{{tag_of(group.slots_of(group.masters()[0])[5])}}}:read"
        await client.call_safely("SET", key, "here")
        await client.read("GET", key, may_be_lost=bool)
        node = group.masters()[0]
        fence = max(group.slots_of(node))
        group.begin_move(fence, group.masters()[1])
        try:
            group.move_some_keys(fence, 100)
            assert "here" == await client.read("GET", key, may_be_lost=bool)
            async with client.fenced():
                await client.call("GET", key)
        finally:
            await in_thread(group.end_move, fence)
        assert "here" == await client.read("GET", key, may_be_lost=bool)
        await in_thread(group.until_whole)


@in_loop
async def test_a_master_that_stood_still_and_was_replaced_acknowledges_nothing(group):
    """It may not know yet, when it goes on, that it is none any more."""
    async with asking(group, replicas=1, patience=2) as client:
        key = "{stood:still}"
        await client.call_safely("SET", key, "old")
        old = group.owner(slot_of(key))
        os.kill(old.pid, signal.SIGSTOP)
        asked = asyncio.create_task(client.call_safely("SET", key, "lost"))
        try:
            await in_thread(group.until_promoted, old)
        finally:
            os.kill(old.pid, signal.SIGCONT)
        with suppress(Unsure, Away):
            await asked
            pytest.fail("it was acknowledged by nobody who has it")
        assert "OK" == await until(lambda: client.call_safely("SET", key, "new"))
        await in_thread(group.until_whole)
        assert "new" == await client.read("GET", key, may_be_lost=bool)


@in_loop
async def test_one_node_of_a_cluster_is_no_store(cluster):
    """Whoever names it as one server is told so, in words that pass on."""
    wrong = other(cluster, "{bree:epoch}")
    client = RedisClient(RedisAddress(port=wrong.port), PATIENCE)
    with pytest.raises(ReplyError, match="MOVED"):
        await client.call("GET", "{bree:epoch}")
    await client.close()
