"""What Redis holds is counted by kind, and what there is more of is named."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from redis.asyncio import Redis

from bench import held
from bench.held import Held, compared, count, until_left
from tests.redis_server import redis_server

KEYS = (
    ("SET", "bree:g:{m:m-1}", "doc"),
    ("SET", "{bree:duel:p001}:m:m-1:head", "head"),
    ("ZADD", "bree:g:{a:ann}:ended", 1, "m-1", 2, "m-2"),
    ("ZADD", "{bree:duel:p001}:due", 1, "leave|m-1"),
    ("HSET", "bree:g:{a:ann}", "name", "Ann", "version", 1),
    ("LPUSH", "{bree:epoch}:beads", "a", "b", "c"),
)
KINDS = {"match": 1, "engine's match": 1, "ended": 2, "due": 1, "account": 2}


def test_what_there_is_is_counted_by_kind():
    """Of lists, sets and hashes each entry counts."""

    async def counted(url):
        async with Redis.from_url(url, decode_responses=True) as redis:
            for command in KEYS:
                await redis.execute_command(*command)
            return await count(redis)

    with redis_server() as server:
        found = asyncio.run(counted(server.url))

    assert {**KINDS, "{bree:epoch}:beads": 3} == found.kinds
    assert len(KEYS) == found.keys
    assert found.memory > found.in_keys > 0


def test_matches_that_do_not_leave_are_named(monkeypatch):
    """They end the measurement; what is no match is not waited for."""
    monkeypatch.setattr(held, "LEFT_SECONDS", -1.0)

    async def left(url):
        async with Redis.from_url(url, decode_responses=True) as redis:
            for command in KEYS[3:]:
                await redis.execute_command(*command)
            await until_left(redis)
            await redis.execute_command(*KEYS[2])
            await until_left(redis, "match")
            await until_left(redis)

    with redis_server() as server, pytest.raises(SystemExit, match=r"'ended': 2"):
        asyncio.run(left(server.url))


def test_what_there_is_more_of_is_named():
    """Memory and keys come first; what became less is not told."""
    before = Held(10, 2048, 512, Counter(live=3, account=4))
    after = Held(20, 3072, 1024, Counter(live=5, account=1, seated=2))
    memory, in_keys, keys, *grown = compared("part", (2, 200), before, after)

    assert (3, 1.5) == (memory.value, memory.ratio)
    assert (1024, 2.0) == (in_keys.value, in_keys.ratio)
    assert (20, 2.0) == (keys.value, keys.ratio)
    assert [("grown: live", 5, "after 2: 3"), ("grown: seated", 2, "after 2: 0")] == [
        (each.name.partition(", ")[2], each.value, each.reference) for each in grown
    ]
    assert "after 200 finished matches" in keys.name
