"""The faults of a cluster: what was acknowledged is there after each, and the cluster is whole."""

from __future__ import annotations

import random

import pytest

from tests.chaos.cluster import ClusterLosses, ClusterWorld
from tests.chaos.losses import Lengths
from tests.chaos.writers import writers
from tests.redis_cluster import key_in, redis_cluster
from tests.redis_node import wait_until
from tests.redis_server import redis_program

pytestmark = [
    pytest.mark.skipif(redis_program() is None, reason="there is no server here"),
    pytest.mark.xdist_group("hurt cluster"),
]

STALLED = "kill a master, its link stalled"
REPLACED = {STALLED, "pause a master", "promote a replica"}
HALFWAY = {"move slots, kill their target", "move slots, kill their source"}
MOVED = {"move slots", "move slots at once", *HALFWAY}
UNCHANGED = {"kill a replica"}

BRIEF = Lengths(stalled=0.3, paused=2.5, away=0.1)
ENOUGH = 20


@pytest.fixture(scope="module")
def cluster():
    with redis_cluster() as running:
        yield running


def written(cluster, kind, replicas=1):
    """What those who write all the time have lost when that was done; and who serves them."""
    losses = ClusterLosses(cluster, random.Random(kind), BRIEF)
    if kind not in losses.kinds:
        pytest.skip("servers before Valkey 8 or 9 cannot do so")
    for master in cluster.masters():
        master.say("FLUSHALL")  # of those who wrote before
    tags = [key_in(cluster.slots_of(master)) for master in cluster.masters()]
    masters, lost = {*cluster.masters()}, set()
    with writers(cluster, tags, replicas) as writing:
        until_more(writing)
        owners = [cluster.owner(writer.slot) for writer in writing]
        losses.kinds[kind]()
        until_more(writing)
    for writer in writing:
        lost |= writer.lost()
    shards = [cluster.shard_of(node) for node in owners]
    now = [cluster.shard_of(cluster.owner(writer.slot)) for writer in writing]
    return lost, masters != {*cluster.masters()}, shards != now


def until_more(writing):
    """Wait until each was acknowledged something more."""
    wanted = [len(writer.acknowledged) + ENOUGH for writer in writing]

    def is_so():
        return all(len(one.acknowledged) >= n for one, n in zip(writing, wanted, strict=True))

    wait_until(is_so, "nothing is acknowledged")


@pytest.mark.parametrize("kind", sorted(REPLACED | MOVED | UNCHANGED))
def test_what_was_acknowledged_survives(cluster, kind):
    """While those who write are sent from one master to another."""
    lost, is_replaced, is_moved = written(cluster, kind)

    assert set() == lost
    assert (kind in REPLACED | HALFWAY, kind in MOVED) == (is_replaced, is_moved)
    assert cluster.is_whole()


def test_what_no_replica_has_is_lost(cluster):
    """So whoever does not wait for one loses what was told to a master that is killed."""
    lost, is_replaced, _ = written(cluster, STALLED, replicas=0)

    assert lost
    assert is_replaced


def test_a_world_on_a_cluster_has_a_broker_of_its_own(tmp_path):
    """Its parts are told of the cluster alone, and how many replicas are waited for."""

    class Cluster:
        url = "redis+cluster://c:1"

    world = ClusterWorld(tmp_path, print, Cluster(), 1)

    assert {
        "BREE_STORE_URL": Cluster.url,
        "BREE_STORE_REPLICAS": "1",
        "BREE_STORE_NEW": "yes",
    } == world.settings_of_parts
