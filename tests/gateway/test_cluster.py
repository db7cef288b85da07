"""Gateways whose store is a cluster: what is told, what is confirmed, and what one server loses."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import accept
from bree.process.statuses import Denied
from bree.redis.clients import client_of
from bree.redis.script import Script
from gateway.keys import NEWS_CHANNELS, match_key, news_channel
from gateway.redis_link import SCRIPTS
from gateway.store import RedisStore
from tests.gateway.test_failover import patiently, reads
from tests.gateway.test_store import MATCH
from tests.gateway.test_store_lost import EMPTY, watched
from tests.gateway.town import reason, refusal
from tests.redis_cluster import redis_cluster as clusters
from tests.redis_cluster import slot_of


@pytest.fixture
def own_cluster():
    """Two masters with a replica each."""
    with clusters(masters=2, replicas=1) as cluster:
        yield cluster


@pytest.fixture
def store_of(fresh_cluster, ledger_url):
    return watched(fresh_cluster, ledger_url)


async def test_matches_are_played_and_heard_of_at_another_gateway(town):
    """All that goes over the store: seats, lists, news, notes of what is over."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    stream = town.same(rosie, other).stream(pb.ListenQuestionsRequest())
    matches = {await town.running_match(rosie, sam, length=1) for _ in range(4)}
    assert matches == {(await stream.next()).match for _ in matches}
    for match in matches:
        await town.act(rosie, match, "red")
    listed = await town.same(sam, other).ask(pb.ListMatchesRequest(mine=True))

    assert matches == {match.id for match in listed.matches}


async def test_nothing_goes_on_once_one_server_was_emptied(town, fresh_cluster):
    """Whatever it had: of what is gone nobody says that there was none."""
    rosie = await town.account()
    homes = {}
    while len(homes) < 2:
        match = await town.open_match(rosie)
        homes[home_of(fresh_cluster, match)] = match
    kept = homes.pop(fresh_cluster.owner(slot_of("{bree:epoch}")))
    [(other, lost)] = homes.items()
    await town.store.monitor.look(add=True)
    other.say("FLUSHALL")
    for match in (lost, kept):
        denied = await refusal(rosie.ask(pb.GetMatchRequest(match=match)))
        assert ("UNAVAILABLE", EMPTY) == (denied.reason, denied.metadata)
    assert 0 == await asyncio.to_thread(accept.main, [], fresh_cluster.url)
    await town.store.monitor.look()

    assert kept == (await rosie.ask(pb.GetMatchRequest(match=kept))).match.id
    assert "UNKNOWN_MATCH" == await reason(rosie.ask(pb.GetMatchRequest(match=lost)))


def home_of(cluster, match):
    """The server that has a match."""
    return cluster.owner(slot_of(match_key(match)))


async def test_what_was_found_is_confirmed_when_its_own_server_has_replicas(own_cluster):
    """Another one that has none holds up nobody."""
    careless = RedisStore(own_cluster.url)
    finds = (lambda store: store.add_match(MATCH), reads)
    stores = [RedisStore(own_cluster.url, 1, 300) for _ in finds]
    home = home_of(own_cluster, MATCH.id)
    [behind] = own_cluster.replicas_of(home)
    elsewhere = next(n for n in map(str, range(99)) if home_of(own_cluster, n) is not home)
    for store in stores:
        await reads(store)
    behind.pause()  # its connection stays
    await careless.add_match(MATCH)
    for store, find in zip(stores, finds, strict=True):
        for _ in range(2):
            with pytest.raises(Denied, match="too few replicas") as caught:
                await find(store)
            assert "OUTCOME_UNKNOWN" == caught.value.reason
        async with store.fenced():
            assert await store.match(elsewhere) is None
    behind.go_on()
    for store, find in zip(stores, finds, strict=True):
        assert MATCH == await patiently(lambda: find(store))  # noqa: B023 (it is over by then)
        await store.close()
    await careless.close()


def test_news_of_one_thing_go_one_way():
    """For ever, as gateways of two versions may tell and hear them; and they are spread."""
    assert NEWS_CHANNELS[0] == "bree:g:{news:00}"
    assert ("bree:g:{news:15}", "bree:g:{news:00}") == (news_channel("h-abc"), news_channel(""))
    assert {*NEWS_CHANNELS} == {news_channel(f"h-{n}") for n in range(200)}


@pytest.mark.parametrize(
    ("name", "before", "given", "left"),
    [
        ("keep_copy", ("HSET", "version", 1, "x", "y"), (2, 60, "name", "Rosie"), ["name"]),
        ("forget", ("ZADD", 1, "m-1"), ("m-1", 1, "m-2", 1), None),
        ("forget_request", ("HSET", " m-1", "r", "r", "m-1 d"), ("m-1",), None),
    ],
)
async def test_what_empties_a_key_is_whole_while_its_slot_is_moved(
    fresh_cluster, name, before, given, left
):
    """A key that is empty is gone, and a script may not ask for it at its old place again."""
    client, key = client_of(fresh_cluster.url, 5), f"{{{name}}}:moves"
    command, *values = before
    await client.call(command, key, *values)
    slot = slot_of(key)
    home = fresh_cluster.owner(slot)
    target = next(node for node in fresh_cluster.masters() if node is not home)
    fresh_cluster.begin_move(slot, target)
    try:
        assert 1 == await Script.read(SCRIPTS, name).run(client.call, [key], given)
    finally:
        await asyncio.to_thread(fresh_cluster.end_move, slot)

    assert left is None or {"version", *left} == set(await client.call("HKEYS", key))
    assert bool(left) == await client.call("EXISTS", key)
    await client.close()
