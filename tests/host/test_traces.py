"""What a trace tells of a store: which script ran, and nothing that it was given."""

from __future__ import annotations

import pytest

from bree.process import traces
from bree.redis.resp import ReplyError
from services.host.store import Change, RedisStore
from tests.host.engines import in_loop

ASKS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def kept():
    """The spans that have ended."""
    spans = []
    traces.use(traces.Sampler(spans.append))
    yield spans
    traces.use(None)


@in_loop
async def test_scripts_are_named_and_nothing_of_them_is_told(shared_redis, kept):
    """The first call of a script that Redis does not know takes two."""
    store = RedisStore(shared_redis.url, "traced")
    traces.arrive("Service/Method", [(traces.PARENT, ASKS)])
    await store.append("m-1", 0, Change(lines=["good\tsecret"], fields={"setup": "s"}))
    await store.load("m-1")
    await store.census(1)
    await store.close()
    names = [span.name for span in kept]

    assert {"store append", "store load", "store 4 census"} <= set(names)
    assert {span.context.trace for span in kept} == {ASKS.split("-")[1]}
    assert all(span.notes.keys() <= {"status"} for span in kept)
    assert not [name for name in names if "secret" in name or "m-1" in name]


@in_loop
async def test_a_command_that_fails_is_seen_in_the_trace(shared_redis, kept):
    """By the name of the error alone."""
    store = RedisStore(shared_redis.url, "traced")
    await store._client.call("SET", "traced", "secret")
    traces.arrive("Service/Method", [(traces.PARENT, ASKS)])
    with pytest.raises(ReplyError):
        await store._client.call("LPUSH", "traced", "secret")
    await store.close()

    assert [("store LPUSH", {"status": "ReplyError"}, True)] == [
        (span.name, span.notes, span.failed) for span in kept
    ]
