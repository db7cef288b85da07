"""The beat with which a process looks after its store, on a real Redis."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
import redis
from prometheus_client import REGISTRY

from bree.process.epoch import KEYS, SCRIPT
from bree.process.store_monitor import StoreMonitor, StoreSettings, StoreTime
from tests.redis_server import redis_server


class Asked:
    """A store as a part of the platform asks it."""

    away = (redis.RedisError,)

    def __init__(self, client):
        self.client = client

    async def look(self, arguments):
        return self.client.eval(SCRIPT, len(KEYS), *KEYS, *arguments)

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
