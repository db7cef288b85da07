"""The beat with which a process looks after its store, on a real Redis."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
import redis
from prometheus_client import REGISTRY

from bree.process.epoch import EMPTY, KEYS, SCRIPT, keys_at
from bree.process.statuses import Denied
from bree.process.store_monitor import StoreMonitor, StoreSettings, StoreTime
from tests.redis_server import redis_server


class Asked:
    """A store as a part of the platform asks it."""

    away = (redis.RedisError,)

    def __init__(self, client):
        self.client = client
        self.servers, self.begun = [], set()

    async def look(self, arguments, place=""):
        keys = keys_at(place)
        return self.client.eval(SCRIPT, len(keys), *keys, *arguments)

    async def places(self):
        return {place: place in self.begun for place in self.servers}

    async def begin(self, place):
        self.begun.add(place)

    async def figures(self):
        said = self.client.info()
        return "\n".join(f"{name}:{value}" for name, value in said.items())


@pytest.fixture
def client():
    with (
        redis_server() as server,
        redis.Redis(port=server.port, decode_responses=True) as made,
    ):
        yield made
        made.config_set("save", "")  # else one that cannot write would not end


def monitor(client, **given):
    settings = StoreSettings(platform_token="x" * 16, store_new=True, **given)
    return StoreMonitor(settings, settings.epoch(), Asked(client), "part")


def figure(name, **labels):
    return REGISTRY.get_sample_value(f"bree_store_{name}", labels)


def beat(one, times=1):
    for _ in range(times):
        asyncio.run(one._beat())


def test_each_beat_adds_a_bead_and_the_first_is_written_down(client, tmp_path):
    """With the run, in a file for each part; what comes soon after it is written later."""
    one = monitor(client, store_memory=str(tmp_path / "memory"))
    beat(one, 3)
    kept = json.loads((tmp_path / "memory" / "part.json").read_text())

    assert ["3", one.epoch.run] == client.hmget(KEYS[0], "place", "run")
    assert [3, 2, 1] == [marker.place for marker in one.epoch.markers]
    assert (one.epoch.run, [list(one.epoch.markers[-1])]) == (kept["run"], kept["beads"])
    again = monitor(client, store_memory=str(tmp_path / "memory"))
    assert (one.epoch.run, [1]) == (
        again.epoch.run,
        [kept.place for kept in again.epoch.markers],
    )


def test_a_store_that_takes_no_changes_is_looked_at_all_the_same(client):
    """It is in order, and its time is known; there is no marker for that."""
    one = monitor(client)
    beat(one)
    client.config_set("min-replicas-to-write", 1)
    one.time = StoreTime()
    one.time._ahead = 0.0
    beat(one, 2)

    assert "" == one.epoch.trouble
    assert "1" == client.hget(KEYS[0], "place")
    assert abs(one.time() - 1000 * client.time()[0]) < 60_000


def test_a_doubt_that_cannot_be_noted_is_a_doubt(client):
    """What was known is still known, for when the right store is back."""
    one = monitor(client)
    beat(one, 2)
    run = one.epoch.run
    client.delete(*KEYS)
    client.config_set("min-replicas-to-write", 1)
    beat(one, 2)

    assert ("empty", run) == (one.epoch.trouble, one.epoch.run)
    assert 1 == figure("in_doubt")
    assert not client.exists(KEYS[0])


def test_the_room_of_a_store_is_shown(client):
    """Its memory, its disk, and whether it could write there."""
    client.config_set("maxmemory", "64mb")
    one = monitor(client, store_disk_bytes=1 << 30)
    beat(one)

    assert 64 << 20 == figure("memory_limit_bytes")
    assert 100_000 < figure("memory_bytes") < 64 << 20
    assert 0 < figure("log_bytes") < 1 << 20
    assert 1 << 30 == figure("disk_bytes")
    assert [0, 0, 0] == [figure("write_fails", of=of) for of in ("log", "log_rewrite", "snapshot")]


def test_a_disk_that_cannot_be_written_is_shown(client, tmp_path):
    """As soon as the store knows."""
    gone = tmp_path / "gone"
    gone.mkdir()
    client.config_set("dir", str(gone))
    gone.rmdir()
    client.bgsave()
    until = time.monotonic() + 10
    while client.info("persistence")["rdb_last_bgsave_status"] == "ok":
        assert time.monotonic() < until
        time.sleep(0.01)
    beat(monitor(client))

    assert (1, 0) == (figure("write_fails", of="snapshot"), figure("write_fails", of="log"))


def test_time_is_what_the_store_said_by_a_steady_clock(monkeypatch):
    """In the middle of the round trip; whatever the machine's own clock says, then or later."""
    steady = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: steady[0])
    monkeypatch.setattr(time, "time", lambda: 5.0)
    now = StoreTime()
    assert 5_000 == now()
    now.take(1_700_000_000_000, 98.0, 100.0)
    monkeypatch.setattr(time, "time", lambda: 9e9)
    steady[0] = 101.5

    assert 1_700_000_002_500 == now()


def test_a_slow_answer_does_not_spoil_the_time(monkeypatch):
    """What was measured within a moment is surer, for a while."""
    steady = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: steady[0])
    now = StoreTime()
    now.take(1_000_000, 99.998, 100.0)
    steady[0] = 104.0
    now.take(1_003_999, 100.0, 104.0)  # it was said just before it came
    assert 1_004_001 == now()
    steady[0] = 106.0
    now.take(1_009_000, 105.996, 106.0)  # another machine, three seconds ahead

    assert 1_009_002 == now()


def test_each_server_of_a_cluster_has_a_past_of_its_own(client):
    """One that lost it is found out though all others have theirs, also by who comes later."""
    one = monitor(client)
    one.asked.servers = ["7", "8"]
    beat(one, 2)
    assert ("", {"7", "8"}) == (one.trouble, one.asked.begun)

    client.delete(*keys_at("8"))
    beat(one)
    assert EMPTY == one.trouble
    assert 1 == figure("in_doubt")
    with pytest.raises(Denied, match="the store is empty"):
        one.check()
    later = monitor(client)
    later.asked = one.asked
    beat(later)
    assert EMPTY == later.trouble


def test_a_server_that_is_new_in_a_cluster_begins(client):
    """And one whose slots another has now is forgotten, unless it is in doubt."""
    one = monitor(client)
    one.asked.servers = ["7", "8"]
    beat(one)
    client.delete(*keys_at("7"))
    one.asked.servers = ["9"]
    beat(one)
    assert ("", {"9"}) == (one.trouble, {*one.others})

    client.delete(*keys_at("9"))
    beat(one)
    one.asked.servers = ["7"]
    client.hset(keys_at("7")[0], mapping={"run": "r", "place": 0})
    beat(one)
    assert (EMPTY, {"7", "9"}) == (one.trouble, {*one.others})


def test_two_looks_at_once_may_see_different_servers(client):
    """One forgets what the other is looking at, and neither minds."""
    one = monitor(client)
    seen = iter([["7", "8"], ["7"]])
    waits, goes_on = asyncio.Event(), asyncio.Event()
    look = one.asked.look

    async def slow(arguments, place=""):
        said = await look(arguments, place)
        if place == "8":
            waits.set()
            await goes_on.wait()
        return said

    async def places():
        return dict.fromkeys(next(seen), False)

    async def both():
        one.asked.look, one.asked.places = slow, places
        first = asyncio.create_task(one.look())
        await waits.wait()
        await one.look()
        goes_on.set()
        await first

    asyncio.run(both())
    assert "" == one.trouble


def test_what_servers_of_a_cluster_had_is_written_down(client, tmp_path):
    """So whoever is begun again knows it."""
    where = str(tmp_path / "memory")
    one = monitor(client, store_memory=where)
    one.asked.servers = ["7"]
    beat(one)
    again = monitor(client, store_memory=where)

    assert one.others["7"].run == again.others["7"].run != ""
    assert one.others["7"].markers == again.others["7"].markers
