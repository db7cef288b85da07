"""The clusters that tests have: what they are said to do is what a client meets there."""

from __future__ import annotations

import pytest
import redis

from tests.redis_cluster import key_in, redis_cluster, slot_of
from tests.redis_node import wait_until
from tests.redis_server import redis_program
from tests.redis_slots import SLOTS, Known

pytestmark = [
    pytest.mark.skipif(redis_program() is None, reason="there is no server here"),
    pytest.mark.xdist_group("cluster"),
]

KEYS = 12
LONG_MS, BRIEF_MS = 1500, 200
NODE_TIMEOUT = 1500
"""So much as a busy machine may keep a server from answering the others."""


@pytest.fixture(scope="module")
def running():
    with redis_cluster(node_timeout=NODE_TIMEOUT) as cluster:
        yield cluster


@pytest.fixture
def cluster(running):
    """The same for all, whole again when the next comes."""
    yield running
    running.until_whole()


def filled(master, cluster, name):
    """The keys of one slot of a master, each with its number."""
    first = key_in(cluster.slots_of(master), name)
    keys = [f"{first}{number}" for number in range(KEYS)]
    master.say_all([("SET", key, number) for number, key in enumerate(keys)])
    return slot_of(first), keys


def told(node, *words):
    """What a client hears first: a reply, or the word that sends it elsewhere."""
    with node.connection() as client:
        try:
            return client.execute_command(*words)
        except redis.RedisError as error:
            return type(error).__name__


def at(node, keys):
    """What a node has of these, without being sent elsewhere."""
    return [told(node, "GET", key) for key in keys]


def two(cluster):
    """The master of some slots, and another one."""
    return cluster.masters()[:2]


def test_a_slot_is_named_as_servers_name_it(cluster):
    """By what is between the first braces, or by all where there is nothing."""
    node = cluster.nodes[0]
    for key in ("any", "{bree:7}:match", "a{}b", "}a{b}", "{a", "ü{ü}{x}"):
        assert node.say("CLUSTER", "KEYSLOT", key) == slot_of(key)


def test_a_node_is_read_as_it_describes_itself():
    """With ranges, single slots, and such as come and go."""
    line = "a1 127.0.0.1:7001@7002 myself,master - 0 0 3 connected 5-6 9 [9->-b2] [11-<-b2]"

    assert Known(
        "a1", 7001, {"myself", "master"}, 3, (range(5, 7), range(9, 10)), {9, 11}
    ) == Known.of(line)


def test_each_slot_has_a_master_and_each_master_a_replica(cluster):
    """And whoever asks another master is sent there."""
    masters = cluster.masters()
    served = [slot for master in masters for slot in cluster.slots_of(master)]

    assert [*range(SLOTS)] == sorted(served)
    assert [1, 1, 1] == [len(cluster.replicas_of(master)) for master in masters]
    for master in masters:
        key = key_in(cluster.slots_of(master))
        others = {told(node, "GET", key) for node in cluster.nodes if node is not master}
        assert cluster.owner(slot_of(key)) is master
        assert {"MovedError"} == others


def test_a_slot_on_its_way_is_at_both_ends(cluster):
    """What has gone over is asked for there; several keys together wait until all have."""
    source, target = two(cluster)
    slot, keys = filled(source, cluster, "way")
    cluster.begin_move(slot, target)
    assert [str(number) for number in range(KEYS)] == at(source, keys)
    assert 5 == cluster.move_some_keys(slot, 5)
    halfway = at(source, keys)

    assert 5 == halfway.count("AskError")
    assert "TryAgainError" == told(source, "MGET", *keys)
    assert {"MovedError"} == {*at(target, keys)}
    gone = keys[halfway.index("AskError")]
    asked = target.say_all([("ASKING",), ("GET", gone)])
    assert str(keys.index(gone)) == asked[1]

    cluster.end_move(slot)

    assert cluster.owner(slot) is target
    assert {"MovedError"} == {*at(source, keys)}
    assert [str(number) for number in range(KEYS)] == at(target, keys)


def test_a_script_may_end_in_the_middle_while_its_slot_moves(cluster):
    """If it empties a key and fills it again: what it did before remains, and is no answer."""
    source, target = two(cluster)
    slot, [one, other, *_] = filled(source, cluster, "script")
    source.say_all([("DEL", one), ("ZADD", one, 1, "a")])
    cluster.begin_move(slot, target)
    script = """
        redis.call('SET', KEYS[2], 'done')
        redis.call('ZREM', KEYS[1], 'a')
        return redis.call('ZADD', KEYS[1], 1, 'b')
    """
    with pytest.raises(redis.ResponseError, match="non local key"):
        source.say("EVAL", script, 2, one, other)

    assert ["AskError", "done"] == at(source, [one, other])
    cluster.end_moves()


def test_slots_move_with_all_they_hold(cluster):
    """Those that hold something are known, and go with it, also all at once."""
    source, target = two(cluster)
    slot, keys = filled(source, cluster, "all")
    assert slot in cluster.full_slots_of(source)
    empty = next(
        one for one in cluster.slots_of(source) if one not in cluster.full_slots_of(source)
    )
    cluster.move([slot, empty], target)

    assert {slot, empty} <= {*cluster.slots_of(target)}
    assert [str(number) for number in range(KEYS)] == at(target, keys)
    if cluster.can_move_at_once:
        cluster.move_at_once([slot, empty], source)
        assert [str(number) for number in range(KEYS)] == at(source, keys)


def test_a_planned_failover_loses_nothing(cluster):
    """The replica has all that was written, acknowledged or not."""
    old = cluster.masters()[0]
    slot, keys = filled(old, cluster, "plan")
    new = cluster.failover(old)

    assert cluster.owner(slot) is new is not old
    assert [str(number) for number in range(KEYS)] == at(new, keys)
    assert [old] == cluster.replicas_of(new)


def test_a_stalled_replica_gets_nothing_more_and_nobody_notices(cluster):
    """Until it may follow again."""
    master = cluster.masters()[0]
    [replica] = cluster.replicas_of(master)
    key = key_in(cluster.slots_of(master), "stalled")
    before = master.say_all([("SET", key, 1), ("WAIT", 1, LONG_MS)])
    cluster.stall(replica)
    during = master.say_all([("SET", key, 2), ("WAIT", 1, BRIEF_MS)])
    flags = {flag for one in cluster.known_by(master) for flag in one.flags}

    assert [1, 0] == [before[1], during[1]]
    assert {"myself", "master", "slave"} == flags
    assert "1" == replica.say_all([("READONLY",), ("GET", key)])[1]
    cluster.unstall(replica)
    wait_until(lambda: cluster.is_followed(master), "it does not follow again")
    assert "2" == replica.say_all([("READONLY",), ("GET", key)])[1]


def test_who_is_promoted_has_what_it_had_heard(cluster):
    """Of a master that is gone; what it alone knew is gone with it, also when it comes back."""
    old = cluster.masters()[1]
    [replica] = cluster.replicas_of(old)
    key = key_in(cluster.slots_of(old), "promoted")
    old.say_all([("SET", key, 1), ("WAIT", 1, LONG_MS)])
    cluster.stall(replica)
    old.say("SET", key, 2)
    old.kill()
    new = cluster.until_promoted(old)
    cluster.unstall(new)

    assert new is replica
    assert "1" == new.say("GET", key)
    old.start()
    cluster.until_whole()
    assert "1" == old.say_all([("READONLY",), ("GET", key)])[1]


def test_a_move_ends_though_its_target_was_replaced(cluster):
    """By its replica, which has the keys that had gone over; the old one is back before."""
    source, target = two(cluster)
    slot, keys = filled(source, cluster, "lost")
    cluster.begin_move(slot, target)
    cluster.move_some_keys(slot, KEYS // 2)
    wait_until(lambda: cluster.is_followed(target), "its replica lags")
    target.kill()
    new = cluster.until_promoted(target)
    cluster.take_back(target)
    cluster.end_moves()

    assert cluster.owner(slot) is new
    assert [str(number) for number in range(KEYS)] == at(new, keys)
    assert [target] == cluster.replicas_of(new)


def test_a_small_cluster_is_a_whole_one():
    """With a word that it wants from whoever comes."""
    with redis_cluster(masters=2, replicas=0, password="word") as cluster:
        first, second = cluster.masters()
        slot, keys = filled(first, cluster, "small")
        cluster.begin_move(slot, second)
        cluster.move_some_keys(slot, 1)
        cluster.end_move(slot)

        assert (
            f"redis+cluster://:word@127.0.0.1:{first.port},127.0.0.1:{second.port}" == cluster.url
        )
        assert [str(number) for number in range(KEYS)] == at(second, keys)
        second.password = ""
        assert "AuthenticationError" == told(second, "GET", keys[0])
