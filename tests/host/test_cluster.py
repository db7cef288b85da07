"""Engines whose store is a cluster: when one of its servers loses what it had; wrong names."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import grpc
import pytest

from bree.process import accept
from bree.process.store_monitor import StoreMonitor
from services.host.store import Change, RedisStore, partition_of
from tests.host.engines import in_loop, refused, replica, settings
from tests.redis_cluster import redis_cluster, slot_of

UNAVAILABLE = ("UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)


@in_loop
async def test_nothing_goes_on_once_one_server_was_emptied(capsys):
    """Wherever its match is, until the host accepts it; then what is left goes on."""
    with redis_cluster(masters=2, replicas=0) as cluster:
        store = RedisStore(cluster.url, "skirmish")
        given = settings(store_new=True)
        store.monitor = StoreMonitor(given, given.epoch(), store, "skirmish")
        await store.monitor.look()
        epoch = cluster.owner(slot_of("{bree:epoch}"))
        other = next(node for node in cluster.masters() if node is not epoch)
        async with replica(store) as engine:
            kept, lost = here(cluster, epoch), here(cluster, other)
            for match in (kept, lost):
                await engine.create(match)
            other.say("FLUSHALL")
            await store.monitor.look()  # as is done every other second
            for match in (kept, lost):
                await refused(engine.view("", match), *UNAVAILABLE, part="store", why="empty")
            assert 0 == accept.main([], cluster.url)
            assert "all 2 servers of it" in capsys.readouterr().out
            await store.monitor.look()

            assert "" == store.monitor.trouble
            assert await engine.view("", kept)
            await refused(engine.view("", lost), "UNKNOWN_MATCH", grpc.StatusCode.NOT_FOUND)
        await store.close()


def here(cluster, node):
    """The name of a match that is kept there."""
    for n in range(1000):
        partition = partition_of(f"s-match-{n}")
        if cluster.owner(slot_of(f"{{bree:skirmish:p{partition:03}}}")) is node:
            return f"s-match-{n}"
    raise AssertionError(node)


@in_loop
async def test_a_change_is_whole_while_its_slot_is_moved(shared_cluster):
    """Though it takes away all that was due there, and puts something else in its place."""
    store = RedisStore(shared_cluster.url, "skirmish")
    slot = slot_of(f"{{bree:skirmish:p{partition_of('s-moves'):03}}}")
    old, new = "bot|s-moves|1", "bot|s-moves|2"
    assert await store.append("s-moves", 0, Change(["a"], {"setup": "s"}, (), [(1, old)]))
    target = next(
        node for node in shared_cluster.masters() if node is not shared_cluster.owner(slot)
    )
    shared_cluster.begin_move(slot, target)
    try:
        assert await store.append("s-moves", 1, Change(["b"], {}, [old], [(1, new)]))
        assert await store.append("s-moves", 2, Change(["c"], {}, [new], [(1, new)]))
    finally:
        await asyncio.to_thread(shared_cluster.end_move, slot)

    assert [new] == await store.claim(1000, 2000, 10)
    assert ["a", "b", "c"] == (await store.load("s-moves")).lines
    await store.close()


@pytest.mark.parametrize("has_the_epoch", [True, False])
def test_an_engine_that_names_one_node_says_so_and_ends(shared_cluster, has_the_epoch):
    """Whichever node that is: it would wait for ever for what others have."""
    epoch = shared_cluster.owner(slot_of("{bree:epoch}"))
    node = next(one for one in shared_cluster.masters() if (one is epoch) is has_the_epoch)
    url = f"redis://127.0.0.1:{node.port}"
    given = {"BREE_STORE_URL": url, "BREE_FATE_KEY": "ab" * 32, "BREE_LISTEN": "127.0.0.1:0"}
    given |= {"BREE_PLATFORM_TOKEN": "x" * 16, "BREE_METRICS_PORT": "0"}
    ended = subprocess.run(
        [sys.executable, "-m", "services.duel"],
        env={**os.environ, **given}, capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip

    assert 1 <= ended.returncode <= 2
    assert "is one node of a cluster: a cluster is named as redis+cluster://" in ended.stderr


@pytest.mark.parametrize("broker", ["", "redis+cluster://127.0.0.1:7000"])
def test_a_cluster_is_no_broker(broker):
    """Tasks need one server, which has to be named."""
    with pytest.raises(ValueError, match="BREE_BROKER_URL"):
        settings(store_url="redis+cluster://127.0.0.1:7000", broker_url=broker)
