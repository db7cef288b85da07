"""The faults of a cluster: what was acknowledged is there after each, and the cluster is whole."""

from __future__ import annotations

import random

import pytest

from bree.local.parts import Part
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

REPLACED = {"kill a master, its link stalled", "pause a master", "promote a replica"}
HALFWAY = {"move slots, kill their target", "move slots, kill their source"}
MOVED = {"move slots", "move slots at once", *HALFWAY}

BRIEF = Lengths(stalled=0.3, paused=2.0, away=0.1)
ENOUGH = 4


@pytest.fixture(scope="module")
def cluster():
    with redis_cluster() as running:
        yield running


def hurt(cluster, kind):
    """Those who wrote all the time while that was done; and what it changed for them."""
    losses = ClusterLosses(cluster, random.Random(kind), BRIEF)
    if kind not in losses.kinds:
        pytest.skip("servers before Valkey 8 or 9 cannot do so")
    masters = cluster.masters()
    for master in masters:
        master.say("FLUSHALL")  # of those who wrote before
    tags = [key_in(cluster.slots_of(master)) for master in masters]
    with (
        writers(cluster, tags) as careful,
        writers(cluster, [f"{tag}hasty" for tag in tags], replicas=0) as hasty,
    ):
        until_more([*careful, *hasty])
        before = [cluster.owner(writer.slot) for writer in careful]
        losses.kinds[kind]()
        until_more([*careful, *hasty])
    after = [cluster.owner(writer.slot) for writer in careful]
    is_moved = [*map(cluster.shard_of, before)] != [*map(cluster.shard_of, after)]
    return careful, hasty, {*masters} != {*cluster.masters()}, is_moved


def until_more(writing):
    """Wait until each was acknowledged something more."""
    wanted = [len(writer.acknowledged) + ENOUGH for writer in writing]

    def is_so():
        return all(len(one.acknowledged) >= n for one, n in zip(writing, wanted, strict=True))

    wait_until(is_so, "nothing is acknowledged")


@pytest.mark.parametrize("kind", sorted(REPLACED | MOVED))
def test_what_was_acknowledged_survives(cluster, kind):
    """While those who write are sent from one master to another; who waits for none may lose."""
    careful, hasty, is_replaced, is_moved = hurt(cluster, kind)

    assert [set()] * 3 == [writer.lost() for writer in careful]
    assert (kind in REPLACED | HALFWAY, kind in MOVED) == (is_replaced, is_moved)
    assert cluster.is_whole()
    if "stalled" in kind:
        assert any(writer.lost() for writer in hasty)


def test_a_world_on_a_cluster_has_a_broker_of_its_own(tmp_path):
    """Who speaks to the store is told of the cluster, and how many replicas are waited for."""

    class Cluster:
        url = "redis+cluster://c:1"

    own = {"BREE_STORE_URL": "redis://a:1", "BREE_BROKER_URL": "redis://a:1"}
    kinds = ["redis", "engine", "worker", "gateway"]
    world = ClusterWorld(tmp_path, print, Cluster(), 1)
    parts = world.wanted([Part(kind, kind, (), 1, environment=own) for kind in kinds])
    stores = {part.kind: part.environment["BREE_STORE_URL"] for part in parts}

    assert [*kinds] == [*stores]
    assert [Cluster.url] * 2 == [stores["engine"], stores["gateway"]]
    assert "redis://a:1" == stores["worker"]
    assert {"redis://a:1"} == {part.environment["BREE_BROKER_URL"] for part in parts}
    assert "1" == world.settings_of_parts["BREE_STORE_REPLICAS"]
