"""The names of all keys: of one server, and of a cluster whose slots are moved under the scan."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

import pytest

from bree.redis import scanning
from bree.redis.client import Away, Unsure
from bree.redis.clients import client_of
from bree.redis.scanning import ClusterScan, Own, Picture
from bree.redis.sentinels import Address
from bree.redis.slots import SLOTS, Layout, Range, tag_of
from tests.host.engines import in_loop
from tests.redis_server import free_port

MANY = 1500
ONE, TWO = Address("127.0.0.1", 1), Address("127.0.0.1", 2)


@pytest.fixture(autouse=True)
def _restless(monkeypatch):
    monkeypatch.setattr(scanning, "REST_SECONDS", 0)


@asynccontextmanager
async def asking(url):
    client = client_of(url, 5)
    try:
        yield client
    finally:
        await client.close()


async def names(client, pattern):
    return [name async for name in client.names(pattern)]


@pytest.mark.parametrize("kind", ["shared_redis", "shared_cluster"])
def test_each_key_that_fits_is_named_once(kind, request):
    """However many there are, and wherever they are."""
    url = request.getfixturevalue(kind).url

    @in_loop
    async def test():
        async with asking(url) as client:
            keys = [f"scan:each:{{{n}}}" for n in range(MANY)]
            await client.many([("SET", key, 1) for key in [*keys, "scan:other", "xscan:each:{1}"]])
            found = Counter(await names(client, "scan:each:*"))
            await client.many([("UNLINK", key) for key in [*keys, "scan:other", "xscan:each:{1}"]])

            assert Counter(keys) == found
            assert [] == await names(client, "scan:each:*")

    test()


@in_loop
async def test_a_scan_ends_with_its_connection(shared_redis, monkeypatch):
    """Another one may lead to a server to which its place means something else."""
    monkeypatch.setattr(scanning, "AT_ONCE", 1)
    async with asking(shared_redis.url) as client, asking(shared_redis.url) as killer:
        keys = [f"scan:ends:{n}" for n in range(50)]
        await client.many([("SET", key, 1) for key in keys])
        me = await client.call("CLIENT", "ID")
        found = client.names("scan:ends:*")
        first = await anext(found)
        await killer.call("CLIENT", "KILL", "ID", me)
        with pytest.raises((Away, Unsure)):
            async for _ in found:
                pass

        assert first in keys
        assert set(keys) == set(await names(client, "scan:ends:*"))


@in_loop
async def test_nobody_is_no_keys():
    """A store that is away has not nothing."""
    for scheme in ("redis", "redis+cluster"):
        async with asking(f"{scheme}://127.0.0.1:{free_port()}") as client:
            with pytest.raises(Away):
                await names(client, "*")


# Slots that are moved.


class Moves:
    """What happens before each node that is scanned, when it is its turn."""

    def __init__(self, monkeypatch, *steps):
        self.steps, self.scanned = list(steps), []
        of_one = ClusterScan._of_one

        async def after_a_step(scan, node, pattern):
            self.scanned.append(node)
            if self.steps:
                step = self.steps.pop(0)
                await asyncio.to_thread(step)
            async for name in of_one(scan, node, pattern):
                yield name

        monkeypatch.setattr(ClusterScan, "_of_one", after_a_step)


def nothing():
    """Happens."""


@pytest.fixture
def split(shared_cluster):
    """The node that is scanned first, the one that is scanned last, and a slot of that one."""
    first, last = sorted(shared_cluster.masters(), key=lambda node: node.port)
    slot = shared_cluster.slots_of(last)[7]
    yield first, last, slot
    shared_cluster.end_moves()


async def put(client, slot, name):
    keys = [f"{name}:{{{tag_of(slot)}}}:{n}" for n in range(5)]
    await client.many([("SET", key, 1) for key in keys])
    return keys


@in_loop
async def test_what_goes_to_where_was_looked_already_is_found(shared_cluster, split, monkeypatch):
    """Its slot is moved when one node was scanned and the other was not."""
    first, _, slot = split
    moves = Moves(monkeypatch, nothing, lambda: shared_cluster.move([slot], first))
    async with asking(shared_cluster.url) as client:
        keys = await put(client, slot, "scan:goes")

        assert Counter(keys) == Counter(await names(client, "scan:goes:*"))
        assert 3 == len(moves.scanned), "the node that has it now is scanned again, and no other"


@in_loop
async def test_what_is_half_moved_is_found_when_it_is_moved(shared_cluster, split, monkeypatch):
    """Nobody else has its slot before that, but some of its keys are elsewhere."""
    first, _, slot = split

    def begin():
        shared_cluster.begin_move(slot, first)
        shared_cluster.move_some_keys(slot, 2)

    Moves(monkeypatch, nothing, begin, nothing, lambda: shared_cluster.end_move(slot))
    async with asking(shared_cluster.url) as client:
        keys = await put(client, slot, "scan:half")

        assert Counter(keys) == Counter(await names(client, "scan:half:*"))


@in_loop
async def test_what_is_never_moved_wholly_is_said(shared_cluster, split, monkeypatch):
    """Some of its keys may not have been seen, so no scan has an end that can be believed."""
    first, _, slot = split
    monkeypatch.setattr(scanning, "MOST_ROUNDS", 3)
    async with asking(shared_cluster.url) as client:
        shared_cluster.begin_move(slot, first)
        with pytest.raises(Away, match=f"slot {slot} is being moved"):
            await names(client, "scan:never:*")
        shared_cluster.end_move(slot)

        assert [] == await names(client, "scan:never:*")


class Pretended:
    """A cluster of nodes that were made up, and a client of one of them."""

    def __init__(self, *said):
        self.said = list(said)  # who has how many of the first slots, by each look
        self.nodes = "the cluster"

    async def look(self):
        self.said.pop(0)

    async def known(self):
        known = self.said[0]
        return Layout(Range(*ends, node, 1) for node, ends in known.items())

    def client(self, node):
        return PretendedNode(self, node)


class PretendedNode:
    def __init__(self, cluster, node):
        self.cluster, self.node = cluster, node

    async def call(self, *_):
        first, last = self.cluster.said[0][self.node]
        return f"id at myself,master - 0 0 1 connected {first}-{last}\n"

    async def names(self, _):
        if self.node == TWO:
            raise Away("it is gone")
        yield "a"
        if TWO not in self.cluster.said[0]:
            yield "b"


@in_loop
async def test_a_master_that_was_emptied_and_left_is_not_missed():
    """What it had is where its slots are. One that still has them is missed."""
    both, whole = {ONE: (0, 99), TWO: (100, SLOTS - 1)}, {ONE: (0, SLOTS - 1)}
    emptied, away = Pretended(both, whole, whole, whole), Pretended(both, both)
    found = [name async for name in ClusterScan(emptied, emptied.client).names("*")]

    assert ["a", "b"] == found
    with pytest.raises(Away, match="it is gone"):
        async for _ in ClusterScan(away, away.client).names("*"):
            pass


NODES = """\
07c3 127.0.0.1:30004@31004 slave e7d1 0 1426238317239 4 connected
e7d1 127.0.0.1:30001@31001,host myself,master - 0 0 9 connected 0-2 7 [3->-6ec2] [9-<-07c3] 11-12
6ec2 127.0.0.1:30003@31003 master - 0 1426238318243 3 connected 20-30
"""


def test_a_node_says_what_it_has_itself():
    """Of others it may have heard late; a replica has nothing."""
    own = Own.of(NODES)

    assert (9, {0, 1, 2, 7, 11, 12}, {3, 9}) == own
    assert (0, set(), set()) == Own.of(NODES.replace("myself,master", "myself,slave"))
    assert (0, set(), set()) == Own.of("")


def test_of_two_who_have_a_slot_the_later_one_has_it():
    """And one who has had it back meanwhile has another configuration by then."""
    before = Picture({ONE: Own(1, frozenset({5, 6}), frozenset())})
    both = Picture(
        {ONE: Own(1, frozenset({5, 6}), frozenset()), TWO: Own(2, frozenset({5}), set())}
    )
    back = Picture({ONE: Own(3, frozenset({5, 6}), frozenset())})

    assert [TWO] == both.nodes([5])
    assert {5, 7} == both.moved(before, [5, 6, 7])
    assert {5, 6} == back.moved(before, [5, 6])
