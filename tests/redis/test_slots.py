"""Which node has which key, and whom to believe of several that say different things."""

from __future__ import annotations

import pytest

from bree.redis.address import Nodes
from bree.redis.sentinels import Address
from bree.redis.slots import (
    SLOTS,
    Layout,
    Range,
    Redirection,
    epochs_of,
    ranges_of,
    redirection,
    slot_of,
    slot_of_command,
    tag_of,
)

HERE, THERE = Address("10.0.0.1", 7000), Address("10.0.0.2", 7000)


@pytest.mark.parametrize(
    ("key", "same_as"),
    [
        ("{bree:duel:p017}:due", "bree:duel:p017"),
        ("a{b}{c}", "b"),
        ("{}whole", "{}whole"),
        ("{open", "{open"),
        ("a}b{c}", "c"),
    ],
)
def test_a_key_is_where_its_first_tag_is(key, same_as):
    """And one without a tag is where all of it is."""
    assert slot_of(same_as) == slot_of(key)


def test_slots_are_those_that_servers_mean(shared_cluster):
    """For any text."""
    for key in ("bree", "{bree:epoch}", "Éowyn", "", "x" * 500):
        assert slot_of(key) == shared_cluster.masters()[0].say("CLUSTER", "KEYSLOT", key)


def test_every_slot_has_a_tag():
    """So that a node can be told something that changes nothing of anybody's."""
    assert [slot_of(f"{{{tag_of(slot)}}}:fence") for slot in range(SLOTS)] == [*range(SLOTS)]


def test_a_command_is_where_its_first_key_is():
    """Which comes later where a script is run."""
    assert slot_of("k") == slot_of_command(("HGET", "k", "field"))
    assert slot_of("k") == slot_of_command(("EVALSHA", "digest", 2, "k", "{k}l", "argument"))


def test_the_latest_configuration_is_believed():
    """Whoever is cut off goes on telling what was."""
    for ranges in ([Range(0, 99, HERE, 3), Range(50, 50, THERE, 4)],) * 2:
        layout = Layout(reversed(ranges))

        assert (HERE, THERE, HERE) == tuple(map(layout.node, (49, 50, 51)))
        assert {HERE: 0, THERE: 50} == layout.nodes()
        assert [50] == [*layout.slots(THERE)]
        assert layout.node(100) is None


def test_who_is_said_to_have_a_slot_has_it_from_then_on():
    """Whoever had it has the others, or is none of them any more."""
    layout = Layout([Range(0, 2, HERE, 3)])
    assert {HERE: 0} == layout.nodes()
    layout.give(0, THERE)

    assert {HERE: 1, THERE: 0} == layout.nodes()
    for slot in (1, 2):
        layout.give(slot, THERE)
    assert {THERE: 0} == layout.nodes()
    assert [] == [*layout.slots(HERE)]


def test_what_nodes_say_is_understood():
    """One may not know its own address; then it is where it was asked."""
    slots = [
        [0, 5, ["", 7000, "aa", []], ["10.0.0.9", 7000, "cc", []]],
        [6, 6, ["10.0.0.2", 7000, "bb", []]],
    ]
    nodes = (
        "aa :7000@17000 myself,master - 0 0 7 connected 0-5\n"
        "bb 10.0.0.2:7000@17000,name master - 0 0 8 connected 6\n"
    )

    assert {"aa": 7, "bb": 8} == epochs_of(nodes)
    assert [Range(0, 5, HERE, 7), Range(6, 6, THERE, 8)] == ranges_of(HERE, slots, nodes)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("MOVED 3999 10.0.0.2:7000", Redirection(3999, THERE)),
        ("ASK 1 [::1]:6381", Redirection(1, Address("::1", 6381))),
        ("MOVED 1 :7001", Redirection(1, Address("10.0.0.1", 7001))),
        ("MOVED 1 ?:7001", Redirection(1, Address("10.0.0.1", 7001))),
    ],
)
def test_redirections_are_understood(said, meant):
    """Whoever knows only a port means where he is himself."""
    assert meant == redirection(said, HERE)


def test_a_cluster_is_named_by_some_of_its_nodes():
    """With a password and TLS where there are any, and without databases."""
    nodes = Nodes.of("rediss+cluster://me:p%40ss@10.0.0.1:7000,redis-1,[::1]:7")

    assert nodes is not None
    assert (HERE, Address("redis-1", 6379), Address("::1", 7)) == nodes.seeds
    way = nodes.to(HERE)
    assert ("10.0.0.1", 7000, True, "me", "p@ss") == (
        way.host, way.port, way.tls, way.user, way.password
    )  # fmt: skip
    assert "p@ss" not in str(nodes)
    assert Nodes.of("redis://10.0.0.1") is None


@pytest.mark.parametrize("url", ["://", "://a:99999", "://a b", "://a/1", "://a?x=y", "://a,,b"])
def test_one_that_is_named_badly_is_refused(url):
    """With how it is done."""
    with pytest.raises(ValueError, match="a cluster is named as redis"):
        Nodes.of(f"redis+cluster{url}")
