"""A platform that belongs to a test: started, stopped and hurt at will."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import grpc

from bree.engine.v1.engine_pb2_grpc import EngineServiceStub
from bree.local.state import running
from tests.local.parts import places

ROOT = Path(__file__).resolve().parent.parent.parent
UP = "Bree is running"
START_SECONDS = 60


SOON = {"PYTHONUNBUFFERED": "1", "OTEL_BSP_SCHEDULE_DELAY": "100"}
"""What is said comes at once, and so do spans, which otherwise come after five seconds."""


class Down(Exception):
    """The platform ended, or did not start; with all that it said."""


class Platform:
    """`bree run` on a state directory and ports of its own."""

    def __init__(self, state: Path, games: Sequence[str] = (), **settings: object) -> None:
        """Of all games, unless some are named."""
        self.state = state
        self.settings = {
            **places(state),
            "games": ",".join(games),
            "new_accounts_burst": 1000,
            **settings,
        }
        self.gateway = f"127.0.0.1:{self.settings['gateway_port']}"
        self.said: list[str] = []
        self.process: subprocess.Popen[str] | None = None
        self.seconds = 0.0  # that the last start took

    def start(self, *arguments: str) -> Platform:
        """Start, and wait until it says that it is running."""
        began = time.monotonic()
        self.launch(*arguments)
        while UP not in self.line(START_SECONDS):
            pass
        self.seconds = time.monotonic() - began
        return self

    def launch(self, *arguments: str) -> None:
        """Start, and do not wait."""
        self._lines: queue.Queue[str | None] = queue.Queue()
        given = {f"BREE_{name.upper()}": str(value) for name, value in self.settings.items()}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bree", "run", *arguments],
            cwd=ROOT,
            env={**os.environ, **SOON, **given},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        reading = (self.process, self._lines)
        self._reader = threading.Thread(target=self._read, args=reading, daemon=True)
        self._reader.start()

    def _read(self, process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        with process.stdout:
            for line in process.stdout:
                self.said.append(line.rstrip())
                lines.put(line.rstrip())
        lines.put(None)

    def line(self, seconds: float) -> str:
        """The next line that it says."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            line = None
        if line is None:
            raise Down("\n".join(self.said))
        return line

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; its exit code."""
        if self.process is None:
            return 0
        self.process.send_signal(sign)
        return self.end()

    def end(self) -> int:
        """The exit code of a platform that is ending."""
        code = self.process.wait(120)
        self._reader.join()
        self.process = None
        return code

    def parts(self) -> dict[str, int]:
        """What runs, each with its process."""
        return running(self.state)

    def kill(self, name: str) -> int:
        """Kill one part as no handler can prevent; the process that it was."""
        pid = self.parts()[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def secret(self, name: str) -> str:
        """What only parts of the platform know."""
        return (self.state / name).read_text(encoding="ascii").strip()

    def engine(self, number: int) -> tuple[EngineServiceStub, tuple[tuple[str, str], ...]]:
        """A replica, counted from 0, and what must be said to be let in."""
        channel = grpc.insecure_channel(f"127.0.0.1:{self.settings['engine_port'] + number}")
        return EngineServiceStub(channel), (
            ("authorization", f"Bearer {self.secret('platform_token')}"),
        )

    def broker(self) -> str:
        """The address of its Redis."""
        return f"redis://:{self.secret('redis_password')}@127.0.0.1:{self.settings['redis_port']}/0"
