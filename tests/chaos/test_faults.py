"""Each fault does what it says to what is really there, and its end undoes it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from bree.local import redis_server
from bree.local.parts import Part
from tests.chaos import faults, lost
from tests.chaos.wire import Wire
from tests.chaos.world import EDGE, World, _doubled, kind_of
from tests.guard import children
from tests.local.parts import free_ports

SOON = 10.0


def until(true):
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def state_of(pid):
    """The letter of a process's state."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@contextlib.contextmanager
def sleeping(program="import time; time.sleep(60)"):
    """A world whose one part sleeps."""
    command = [sys.executable, "-c", program]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        yield SimpleNamespace(running=lambda: {"duel-1": process.pid}), process
    finally:
        process.kill()
        process.wait()


def test_a_paused_part_is_stopped_until_the_end():
    with sleeping() as (world, process):
        fault = faults.Pause(world, "duel-1", 5)

        asyncio.run(fault.begin())
        until(lambda: state_of(process.pid) == "T")
        asyncio.run(fault.end())
        until(lambda: state_of(process.pid) != "T")


def test_what_a_paused_part_has_made_is_stopped_with_it():
    """Also what is a group of its own, as each process of a database is."""
    child = "import time; time.sleep(60)"
    parent = (
        "import subprocess, sys, time;"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True);"
        "time.sleep(60)"
    )
    with sleeping(parent) as (world, process):
        until(lambda: children(process.pid))
        (made,) = children(process.pid)
        fault = faults.Pause(world, "duel-1", 5)
        try:
            asyncio.run(fault.begin())
            until(lambda: state_of(made) == "T")
            asyncio.run(fault.end())
            until(lambda: state_of(made) != "T")
        finally:
            os.kill(made, signal.SIGKILL)


def test_a_killed_part_is_dead():
    with sleeping() as (world, process):
        asyncio.run(faults.Kill(world, "duel-1", 0).begin())

        assert -9 == process.wait(SOON)


def wires():
    named = ("gateway>duel-1", "gateway-2>duel-2", "gateway>store", "worker-1>duel-1")
    return {name: Wire(name, 1) for name in named}


BAD = {
    faults.Delay: lambda wire: wire.delay > 0,
    faults.Throttle: lambda wire: wire.rate > 0,
    faults.Cut: lambda wire: wire.refuses,
    faults.Hold: lambda wire: not wire._passes.is_set(),
    faults.Lapse: lambda wire: not wire._passes.is_set(),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize(
    ("place", "hurt"),
    [
        ("gateway>engine", {"gateway>duel-1", "gateway-2>duel-2"}),
        ("gateway>store", {"gateway>store"}),
        ("worker-1>duel-1", {"worker-1>duel-1"}),
    ],
)
def test_a_fault_of_wires_makes_those_bad_and_no_others_until_its_end(kind, place, hurt):
    """A place is one wire, or all between two kinds of parts."""
    world = SimpleNamespace(wires=wires())
    for wire in world.wires.values():
        wire.release()
    fault = kind(world, place, 3)

    asyncio.run(fault.begin())
    bad = {name for name, wire in world.wires.items() if BAD[kind](wire)}
    asyncio.run(fault.end())

    assert hurt == bad
    assert not any(BAD[kind](wire) for wire in world.wires.values())


# Of a real Redis, started as the chaos starts it.


class Store:
    """A world that is a store."""

    def __init__(self, home: Path) -> None:
        self.edge, self.root = home / "edge", home / "state"
        for made in (self.edge, self.root / "redis"):
            made.mkdir(parents=True)
        (self.edge / "now").symlink_to(self.root / "redis")
        (self.port,) = free_ports(1)
        program = redis_server.find("", self.root)
        conf = redis_server.configure(self.root, self.port, "password")
        start = (sys.executable, str(EDGE / "store_start.py"), str(self.edge))
        self.command = [*start, program.path, str(conf)]
        self.process = None

    def running(self):
        return {"redis": self.process.pid}

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        asyncio.run(self.back("redis"))

    def stop(self):
        self.process.kill()
        self.process.wait()

    @contextlib.asynccontextmanager
    async def redis(self):
        once = Retry(NoBackoff(), 0)
        client = Redis(port=self.port, password="password", socket_timeout=2, retry=once)
        try:
            yield client
        finally:
            await client.aclose()

    async def back(self, _):
        async with asyncio.timeout(SOON):
            while not await self.says("PING"):  # noqa: ASYNC110  # of another process
                await asyncio.sleep(0.01)

    async def says(self, *words):
        """Whether it does as it is told."""
        try:
            async with self.redis() as redis:
                return await redis.execute_command(*words)
        except (RedisError, OSError):
            return None


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path)
    store.start()
    yield store
    store.stop()


def does(store, *words):
    return bool(asyncio.run(store.says(*words)))


@pytest.mark.parametrize("kind", [faults.FullMemory, faults.ReadOnly])
def test_a_store_that_refuses_to_write_still_reads_and_writes_again_at_the_end(store, kind):
    """Out of memory, or following one who is not there: what was written can be read."""
    assert does(store, "SET", "here", "before" * 100_000)
    fault = kind(store, "redis", 3)

    asyncio.run(fault.begin())
    assert not does(store, "SET", "here", "meanwhile")
    assert does(store, "GET", "here")
    asyncio.run(fault.end())
    assert does(store, "SET", "here", "after")


def test_a_store_on_a_full_disk_ends_and_again_after_each_start_until_there_is_room(store):
    """It cannot promise to keep what it cannot write; what it has promised is there afterwards."""
    assert does(store, "SET", "kept", "yes")
    fault = faults.FullDisk(store, "redis", 3)

    asyncio.run(fault.begin())
    for _ in range(2):
        assert not does(store, "SET", "more", "x" * 1000)
        assert store.process.wait(SOON) == 1
        store.start()
    asyncio.run(fault.end())

    assert does(store, "SET", "more", "x" * 1000)
    assert does(store, "GET", "kept")


def test_a_store_finds_the_files_that_were_put_in_place_of_its_own(store, tmp_path):
    """`next` is taken once: a copy of earlier, and afterwards what it writes itself."""
    assert does(store, "SET", "early", "yes")
    asyncio.run(lost.kept_of(store, tmp_path / "edge" / "next"))
    assert does(store, "SET", "late", "yes")

    store.stop()
    store.start()

    assert does(store, "GET", "early")
    assert not does(store, "GET", "late")
    assert does(store, "SET", "later", "yes")
    store.stop()
    store.start()
    assert does(store, "GET", "later")


def test_a_clock_is_wrong_for_as_long_as_it_is_told(tmp_path):
    """Another process reads the time of day before, while and after its clock is put wrong."""
    world = SimpleNamespace(edge=tmp_path, _clock=lambda name: tmp_path / f"clock-{name}")
    put = World.put_clock_wrong
    (tmp_path / "clock-duel-1").write_bytes(struct.pack("q", 0))
    program = "import sys, time\nfor _ in sys.stdin: print(time.time_ns(), flush=True)"
    environment = {**os.environ, "PYTHONPATH": str(EDGE), "CHAOS_CLOCK": f"{tmp_path}/clock-duel-1"}
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    read = []
    with subprocess.Popen([sys.executable, "-c", program], env=environment, **piped) as process:
        for wrong in (0, 1200, -1200, 0):
            put(world, "duel-1", wrong)
            process.stdin.write("\n")
            process.stdin.flush()
            read.append(int(process.stdout.readline()) / 1e9 - time.time())
        process.stdin.close()

    assert [0, 1200, -1200, 0] == [60 * round(apart / 60) for apart in read]


def part(name, port, metrics):
    environment = {"BREE_GATEWAY": "127.0.0.1:7000", "BREE_LISTEN": f"127.0.0.1:{port}"}
    http = 7180 if name == "gateway" else 0
    return Part(name, kind_of(name), ("true",), port, metrics, http, environment)


def test_a_second_gateway_has_ports_of_its_own_and_everybody_is_told_of_both():
    """Workers call either; nothing else is changed."""
    parts = [part("gateway", 7000, 9100), part("worker-1", 0, 9101)]

    doubled = _doubled(parts, 9100)

    assert ["gateway", "worker-1", "gateway-2"] == [made.name for made in doubled]
    assert {"127.0.0.1:7000,127.0.0.1:7001"} == {
        made.environment["BREE_GATEWAY"] for made in doubled
    }
    assert (7001, 9102) == (doubled[-1].port, doubled[-1].metrics)
    assert "127.0.0.1:7001" == doubled[-1].environment["BREE_LISTEN"]
    assert (7179, "127.0.0.1:7179") == (
        doubled[-1].http, doubled[-1].environment["BREE_HTTP_LISTEN"]
    )  # fmt: skip
