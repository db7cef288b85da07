"""What a command found done, which others may have done: that replicas have it, too."""

from __future__ import annotations

import asyncio

import pytest

from bree.redis.address import RedisAddress
from bree.redis.client import Quorum, Unsure
from bree.redis.clients import client_of
from bree.redis.connection import FENCE, connect
from bree.redis.slots import tag_of
from tests.host.engines import in_loop
from tests.redis_cluster import redis_cluster
from tests.redis_group import redis_group

PATIENCE = 5
NOBODY = Quorum(0, 20, finds=True)
"""Needs no replicas, and finds out all the same whether they could have it."""


@in_loop
async def test_one_change_goes_out_behind_all_that_leave_together(own_redis, monkeypatch):
    """It is the last of them, so that it covers what each of them has found."""
    connection, sent = await connect(RedisAddress.of(own_redis.url), PATIENCE), []
    monkeypatch.setattr(connection, "transport", Noting(connection.transport, sent))
    asked = [connection.send_safely(("GET", f"{n}"), NOBODY) for n in range(3)]
    asked.append(connection.fence(NOBODY))
    asked += [connection.send(("GET", "3")), connection.send_safely(("GET", "4"), NOBODY)]
    await asyncio.gather(*asked)
    [data] = sent

    assert data.index(b"$4\r\nWAIT") > data.rindex(FENCE[1].encode()) > data.rindex(b"GET")
    sent.clear()
    await connection.send_safely(("GET", "a"), Quorum(0, 20))
    assert FENCE[1].encode() not in sent[0], "who does not ask for it has no more sent"
    connection.abort()
    await connection.closed.wait()


class Noting:
    """A transport, and what was written to it."""

    def __init__(self, transport, sent):
        self.transport, self.sent = transport, sent

    def write(self, data):
        self.sent.append(data)
        self.transport.write(data)

    def abort(self):
        self.transport.abort()


@in_loop
async def test_what_cannot_be_fenced_is_not_confirmed(own_redis):
    """However many replicas there are; what was refused itself is just that."""
    connection = await connect(RedisAddress.of(own_redis.url), PATIENCE)
    assert 1 == await connection.send_safely(("SADD", "found", "a"), NOBODY)
    own_redis.say("CONFIG", "SET", "maxmemory", "1")
    asked = [("SISMEMBER", "found", "a"), ("SADD", "found", "b"), ("SREM", "found", "a")]
    said = await asyncio.gather(
        *(connection.send_safely(one, NOBODY) for one in asked), return_exceptions=True
    )
    assert [Unsure, Unsure] == [type(said[0]), type(said[2])]
    assert {"OOM"} == {said[1].kind, said[0].refused.kind, said[2].refused.kind}
    own_redis.say("CONFIG", "SET", "maxmemory", "0")

    assert 0 == await connection.send_safely(("SISMEMBER", "found", "a"), NOBODY)
    connection.abort()
    await connection.closed.wait()


@in_loop
async def test_a_primary_that_is_none_any_more_is_left_though_nothing_was_changed():
    """It may still be read, and knows nothing of what others have done since."""
    with redis_group(replicas=1, sentinels=1) as group:
        client = client_of(group.url, PATIENCE, Quorum(1, 500, finds=True))
        assert None is await client.call_safely("GET", "found")
        await asyncio.to_thread(group.swap)
        with pytest.raises(Unsure, match="READONLY"):
            await client.call_safely("GET", "found")
        async with asyncio.timeout(20):
            while not await set_there(client):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert "there" == await client.call_safely("GET", "found")
        await client.close()


async def set_there(client):
    try:
        return await client.call_safely("SET", "found", "there")
    except Exception:  # noqa: BLE001 (whatever it is, it is not done)
        return None


@in_loop
async def test_a_node_whose_fence_is_moved_away_has_another_one():
    """Once that is known: the first call is not confirmed, as nothing was fenced."""
    with redis_cluster(masters=2, replicas=1) as cluster:
        client = client_of(cluster.url, PATIENCE, Quorum(1, 2000, finds=True))
        node, there = cluster.masters()
        key, fence = f"{{{tag_of(cluster.slots_of(node)[5])}}}:x", max(cluster.slots_of(node))
        await client.call_safely("SET", key, "here")
        cluster.begin_move(fence, there)
        cluster.move_some_keys(fence, 100)
        with pytest.raises(Unsure, match="not confirmed: ASK"):
            await client.call_safely("GET", key)
        assert "here" == await client.call_safely("GET", key)
        await client.close()
