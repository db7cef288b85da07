"""A store that was emptied under an engine: what it says of the matches that it knew."""

from __future__ import annotations

import grpc

from bree.process import accept
from bree.process.store_monitor import StoreMonitor
from services.host.fate_keys import fingerprint, why_not
from services.host.store import RedisStore
from tests.host.engines import MATCH, in_loop, refused, replica, settings

UNAVAILABLE = ("UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)
EMPTY = {"part": "store", "why": "empty"}


@in_loop
async def test_a_match_of_an_emptied_store_is_not_called_unknown(own_redis):
    """Whoever hears that might give it up; and none of its moves is answered."""
    store = RedisStore(own_redis.url, "skirmish")
    given = settings(store_new=True)
    store.monitor = StoreMonitor(given, given.epoch(), store, "skirmish")
    await store.monitor.look()
    async with replica(store) as engine:
        await engine.create()
        asked = await engine.question("gondor")
        own_redis.say("FLUSHALL")
        denied = await refused(engine.view("gondor"), *UNAVAILABLE, **EMPTY)
        assert "the store is empty" in denied.message
        text = asked.choices[0].action.text
        await refused(engine.act("gondor", asked.number, text, "r1"), *UNAVAILABLE, **EMPTY)
        await refused(engine.create("s-match-2"), *UNAVAILABLE, **EMPTY)
        await refused(engine.view("", "s-match-none"), *UNAVAILABLE, **EMPTY)
        assert b"*0" not in own_redis.say("HGETALL", "{bree:epoch}")
        accept.main([], own_redis.url)
        await store.monitor.look()
        await refused(engine.view("gondor"), "UNKNOWN_MATCH", grpc.StatusCode.NOT_FOUND)

        assert await engine.create(MATCH + "-new")
    await store.close()


def test_a_fingerprint_tells_keys_apart_and_nothing_else():
    """The same for the same key, short, and not of the key's own digits."""
    key = bytes(range(32))
    assert fingerprint(key) == fingerprint(bytes(range(32)))
    assert fingerprint(key) != fingerprint(bytes(32))
    assert 16 == len(fingerprint(key))
    assert key.hex()[:8] not in fingerprint(key)


@in_loop
async def test_one_of_the_keys_must_be_that_of_the_store(own_redis):
    """A new one is put before it, and is known alone from then on; a lost one is forgotten."""
    store, old, new, other = RedisStore(own_redis.url, "skirmish"), b"o" * 32, b"n" * 32, b"x" * 32
    assert "" == await why_not(store, [old])
    assert "began with another key" in await why_not(store, [new])
    assert "" == await why_not(store, [new, old])
    assert "" == await why_not(store, [new])
    assert "" == await why_not(store, [old])
    assert await why_not(store, [other])
    accept.main(["--lost-key"], own_redis.url)

    assert "" == await why_not(store, [other])
    assert {fingerprint(other)} == await store.fate_keys()
    await store.close()
