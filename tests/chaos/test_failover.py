"""The faults of a group of Redis: each is one loss, and leaves a group that is whole."""

from __future__ import annotations

import random

import pytest

from tests.chaos.group import GroupLosses, GroupWorld
from tests.chaos.losses import Lengths
from tests.redis_group import redis_group
from tests.redis_server import redis_program

needs_servers = pytest.mark.skipif(redis_program() is None, reason="there is no server here")


@needs_servers
def test_a_group_is_whole_after_each_fault():
    """With what all had before."""
    with redis_group(sentinels=1) as group:
        losses = GroupLosses(group, random.Random(1), Lengths(away=0.1))
        group.primary().say("SET", "kept", "1")
        group.until_whole()
        primary = group.primary()
        for kind in ("kill both replicas", "kill a replica", "kill a Sentinel"):
            losses.kinds[kind]()

        assert primary is group.primary()
        assert ["1"] * 3 == [node.say("GET", "kept") for node in group.nodes]


def test_a_world_on_a_group_has_no_redis_of_its_own(tmp_path):
    """Its parts are told of the group's, and how many replicas are waited for."""

    class Group:
        url = "redis+sentinel://s:1/bree"

    world = GroupWorld(tmp_path, print, Group(), 2)
    told = world.settings_of_parts

    assert {Group.url} == {told["BREE_STORE_URL"], told["BREE_BROKER_URL"]}
    assert "2" == told["BREE_STORE_REPLICAS"]
