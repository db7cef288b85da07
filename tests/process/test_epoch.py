"""A store that lost something, by what processes know of it: on a real Redis."""

from __future__ import annotations

import pytest
import redis

from bree.process import accept
from bree.process.epoch import ANOTHER, EMPTY, KEYS, SCRIPT, WENT_BACK, Epoch
from bree.process.statuses import Denied
from bree.process.store_monitor import recall, remember
from tests.redis_server import redis_server


@pytest.fixture(scope="module")
def server():
    with redis_server() as started:
        yield started


@pytest.fixture
def store(server):
    with redis.Redis(port=server.port, decode_responses=True) as client:
        client.flushall()
        yield client


def look(epoch, store, *, add=True):
    probe = epoch.probe(add=add)
    epoch.hear(probe, store.eval(SCRIPT, len(KEYS), *KEYS, *probe.arguments))
    if epoch.has_to_tell:
        probe = epoch.probe(tell=True)
        epoch.hear(probe, store.eval(SCRIPT, len(KEYS), *KEYS, *probe.arguments))
    return epoch


def known(store, **given):
    """A process that has looked often."""
    epoch = look(Epoch(is_new=True, **given), store)
    for _ in range(5):
        look(epoch, store)
    return epoch


def backup(store):
    return {key: store.dump(key) for key in KEYS}


def restore(store, kept):
    for key, value in kept.items():
        store.restore(key, 0, value, replace=True)


def is_refused(epoch):
    if not epoch.trouble:
        epoch.check()
        return ""
    with pytest.raises(Denied) as caught:
        epoch.check()
    denied = caught.value
    assert ("UNAVAILABLE", {"part": "store", "why": epoch.trouble}) == (
        denied.reason,
        denied.metadata,
    )
    return denied.message


def test_a_new_store_is_begun_by_those_who_are_told_that_it_is_new(store):
    """The others wait for that, and know it then."""
    waits = look(Epoch(), store)
    assert EMPTY == waits.trouble
    assert not store.exists(*KEYS)
    begins = look(Epoch(is_new=True), store)

    assert not is_refused(begins)
    assert not is_refused(look(waits, store))
    assert begins.run == waits.run == look(Epoch(is_new=True), store).run


def test_a_store_that_is_what_it_was_is_in_order(store):
    """However many processes look, and if they add nothing."""
    epochs = [known(store) for _ in range(3)]
    for _ in range(100):
        for epoch in epochs:
            assert "" == look(epoch, store).trouble
    for epoch in epochs:
        assert "" == look(epoch, store, add=False).trouble


def test_an_emptied_store_is_not_taken_for_a_new_one(store):
    """Not by who knew it, and by nobody who comes later, even told that it is new."""
    epoch = known(store)
    store.flushall()
    assert EMPTY == look(epoch, store).trouble
    assert "the store is empty" in is_refused(epoch)

    assert EMPTY == look(Epoch(is_new=True), store).trouble
    assert not store.hexists(KEYS[0], "run")
    accept.accept(store, [])
    assert not is_refused(look(epoch, store))
    assert not is_refused(look(Epoch(), store))


@pytest.mark.parametrize("others", [0, 1, 40])
def test_a_store_that_went_back_is_found_out_whoever_came_first(store, others):
    """Others may have added more than was lost; it is still not what this process added."""
    epoch = known(store, may_lose_ms=0)
    kept = backup(store)
    look(epoch, store)
    restore(store, kept)
    stranger = Epoch()
    for _ in range(others):
        look(stranger, store)
    place = store.hget(KEYS[0], "place")
    assert WENT_BACK == look(epoch, store).trouble
    assert "gone back in time" in is_refused(epoch)
    look(epoch, store)
    assert place == store.hget(KEYS[0], "place")

    assert WENT_BACK == look(stranger, store).trouble
    assert WENT_BACK == look(Epoch(), store).trouble
    accept.accept(store, [])
    for one in (epoch, stranger):
        assert not is_refused(look(one, store))
        assert not is_refused(look(one, store))


def test_a_moment_may_be_lost_without_anybody_being_asked(store):
    """As a failover loses it; a process that has just begun knows what was before it, too."""
    before = known(store)
    kept = backup(store)
    look(before, store)
    young = look(Epoch(), store)
    restore(store, kept)
    for epoch in (before, young):
        places = [marker.place for marker in look(epoch, store).markers]
        assert not is_refused(epoch)
        assert sorted(places, reverse=True) == places
        assert "" == look(epoch, store).trouble
        assert "" == look(epoch, store).trouble


def test_more_than_that_is_not_lost_in_silence(store):
    """Nor is something of which nobody knows how much it is."""
    epoch = known(store, may_lose_ms=1000)
    kept = backup(store)
    look(epoch, store)
    marker = epoch.markers[0]
    epoch.markers[0] = marker._replace(at=marker.at + 1001)
    restore(store, kept)
    assert WENT_BACK == look(epoch, store).trouble

    store.delete(*KEYS)
    lost = known(store)
    store.delete(KEYS[1])
    store.hset(KEYS[0], "place", 0)
    assert WENT_BACK == look(lost, store).trouble


def test_two_looks_at_once_do_not_disturb_each_other(store):
    """What one was asked before the other added, and answered after it, is no loss."""
    epoch = known(store, may_lose_ms=0)
    early, late = epoch.probe(add=False), epoch.probe(add=True)
    answers = [store.eval(SCRIPT, 2, *KEYS, *asked.arguments) for asked in (early, late)]
    epoch.hear(late, answers[1])
    epoch.hear(early, answers[0])

    assert "" == look(epoch, store).trouble


def test_a_process_that_was_away_for_long_cannot_tell_and_goes_on(store):
    """The store keeps only the latest 4096 markers."""
    epoch = known(store, may_lose_ms=0)
    store.hincrby(KEYS[0], "place", 5000)
    store.delete(KEYS[1])
    store.lpush(KEYS[1], *(f"word{n} 1" for n in range(4096)))

    assert "" == look(epoch, store).trouble
    assert 4096 == store.llen(KEYS[1])


def test_another_store_is_not_taken_for_the_one_that_is_known(store):
    """And nothing is noted in it: it may be somebody else's."""
    epoch = known(store)
    store.flushall()
    known(store)
    assert ANOTHER == look(epoch, store).trouble
    look(epoch, store)
    assert not store.hexists(KEYS[0], "doubt")

    assert accept.accept(store, [epoch.run])
    assert not is_refused(look(epoch, store))


def test_the_store_that_was_known_is_in_order_when_it_is_back(store):
    """Somebody had mounted an old volume, and put the right one back."""
    epoch = known(store, may_lose_ms=0)
    old = backup(store)
    look(epoch, store)
    right = backup(store)
    restore(store, old)
    assert WENT_BACK == look(epoch, store).trouble
    restore(store, right)

    assert not is_refused(look(epoch, store))


def test_what_was_known_outlives_the_process(store, tmp_path):
    """Whoever starts after everything had stopped finds out as well."""
    path = tmp_path / "state" / "gateway.json"
    epoch = known(store)
    kept = backup(store)
    look(epoch, store)
    remember(path, epoch)

    def anew(**given):
        one = Epoch(is_new=True, **given)
        recall(path, one)
        return look(one, store)

    assert not is_refused(anew())
    restore(store, kept)
    assert WENT_BACK == anew(may_lose_ms=0).trouble
    store.flushall()
    assert EMPTY == anew().trouble
    store.flushall()
    path.write_text("{")
    assert not is_refused(anew())


def test_the_host_accepts_a_store_by_a_command(store, server, monkeypatch, capsys):
    """It says what it did, and what keeps it from it."""
    epoch = known(store)
    store.flushall()
    look(epoch, store)
    look(epoch, store)
    monkeypatch.setenv("BREE_STORE_URL", server.url)
    assert 0 == accept.main([])
    assert f"after {epoch.run}" in capsys.readouterr().out
    assert not is_refused(look(epoch, store))

    monkeypatch.setenv("BREE_STORE_URL", "redis://127.0.0.1:1/0")
    assert 1 == accept.main([])
    assert capsys.readouterr().err.startswith("BREE_STORE_URL: ")
