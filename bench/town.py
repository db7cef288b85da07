"""The processes that are measured: a platform of their own for them, and the echo beside it."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HOST = "127.0.0.1"
PORTS = 20  # in a row: the gateway, Redis, a few engines, and the metrics of all parts

NO_LIMITS = {
    "BREE_CALLS_A_SECOND": "1000000",
    "BREE_CALLS_BURST": "1000000",
    "BREE_MOST_OPEN": "100000",
    "BREE_MOST_MATCHES": "100000",
}
"""One account plays for many here."""


class Town:
    """A platform that runs for a measurement alone."""

    def __init__(self, state: str, **settings: str) -> None:
        self.ports = free_ports(PORTS)
        self.gateway, self.http = f"{HOST}:{self.ports[0]}", f"{HOST}:{self.ports[7]}"
        self.state = Path(state)
        self.log = Path(state) / "local.log"
        self.environment = {
            **os.environ,
            **NO_LIMITS,
            "BREE_STATE": state,
            "BREE_GATEWAY_PORT": str(self.ports[0]),
            "BREE_HTTP_PORT": str(self.ports[7]),
            "BREE_REDIS_PORT": str(self.ports[1]),
            "BREE_ENGINE_PORT": str(self.ports[2]),
            "BREE_POSTGRES_PORT": str(self.ports[6]),
            "BREE_METRICS_PORT": str(self.ports[8]),
            "BREE_LOG_LEVEL": "error",
            **settings,
        }

    @property
    def store(self) -> str:
        """Where its store is, and how to be let in."""
        password = (self.state / "redis_password").read_text("utf-8").strip()
        return f"redis://:{password}@{HOST}:{self.ports[1]}/0"

    @property
    def ledger(self) -> str:
        """The same of its ledger."""
        password = (self.state / "postgres_password").read_text("utf-8").strip()
        return f"postgresql://bree:{password}@{HOST}:{self.ports[6]}/bree"

    def start(self) -> None:
        """Start it, and wait until it is well."""
        with self.log.open("wb") as output:
            command = [sys.executable, "-m", "bree", "run"]
            self.process = subprocess.Popen(  # noqa: S603  # this project's own program
                command, env=self.environment, stdout=output, stderr=output
            )
        until = time.monotonic() + 60
        while "is running on" not in self.log.read_text("utf-8"):
            if self.process.poll() is not None or time.monotonic() > until:
                said = self.log.read_text("utf-8")[-400:]
                raise SystemExit(f"the platform did not start: {said}")
            time.sleep(0.1)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def spent(self) -> float:
        """Seconds of processor time that its processes have taken so far."""
        return sum(map(_seconds, _children(self.process.pid)))

    def spent_by(self, kind: str) -> float:
        """The same for its processes of one kind."""
        return sum(_seconds(pid) for pid in _children(self.process.pid) if _kind(pid) == kind)

    def program(self, word: str) -> str:
        """What one of its processes runs whose name begins so; a Redis may be a Valkey."""
        names = (word, {"redis": "valkey"}.get(word, word))
        (pid,) = [p for p in _children(self.process.pid) if _kind(p).startswith(names)]
        return str(Path(f"/proc/{pid}/exe").resolve())

    def memory(self) -> dict[str, float]:
        """The resident memory of each kind of process, in MiB; of several, the largest."""
        found: dict[str, float] = {}
        for pid in _children(self.process.pid):
            kind = _kind(pid)
            pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
            mib = pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
            found[kind] = max(mib, found.get(kind, 0))
        return found


@contextmanager
def platform(**settings: str) -> Iterator[Town]:
    """A platform of its own, with these variables set."""
    with tempfile.TemporaryDirectory() as state:
        town = Town(state, **settings)
        town.start()
        try:
            yield town
        finally:
            town.stop()


def _children(pid: int) -> Iterator[int]:
    """All processes that a process has started, and those that these have."""
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text("utf-8").split()):
            yield child
            yield from _children(child)


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kind(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_text("utf-8").split("\0")
    if "-m" in words:
        return words[words.index("-m") + 1].removeprefix("services.")
    return Path(words[0].split()[0]).name


def free_ports(number: int) -> range:
    """Free ports in a row."""
    while True:
        first = random.SystemRandom().randrange(20000, 60000)
        try:
            for port in range(first, first + number):
                with socket.socket() as probe:
                    probe.bind((HOST, port))
        except OSError:
            continue
        return range(first, first + number)


# The echo.


class Echo(NamedTuple):
    """An echo with two hops."""

    address: str
    request: bytes
    pids: tuple[int, int]

    def spent(self) -> float:
        """Seconds of processor time that its processes have taken so far."""
        return sum(map(_seconds, self.pids))


@contextmanager
def echo(asked: int, answered: int) -> Iterator[Echo]:
    """An echo of requests of `asked` bytes and answers of `answered` bytes."""
    with _hop("end", str(answered)) as (last, end), _hop("forward", last) as (first, forward):
        yield Echo(first, b"x" * asked, (end, forward))


@contextmanager
def _hop(kind: str, argument: str) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "bench.echo", kind, argument]
    with subprocess.Popen(  # noqa: S603  # this project's own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"{HOST}:{int(process.stdout.readline())}", process.pid
        assert process.stdin is not None
        process.stdin.close()
