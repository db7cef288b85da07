"""One of several servers for tests, in a folder of its own: started, killed, stopped, spoken to."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.redis_server import free_port

HOST = "127.0.0.1"
PATIENCE = 20.0
ANSWER_SECONDS = 2.0


class Node:
    """One server or Sentinel."""

    def __init__(
        self, program: str, folder: Path, kind: str, text: str, port: int = 0, password: str = ""
    ) -> None:
        folder.mkdir()
        self.folder, self.port, self.password = folder, port or free_port(), password
        self._file = folder / "conf"
        self._text = text
        self._command = [program, str(self._file), *(["--sentinel"] if kind == "sentinel" else [])]
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def __repr__(self) -> str:
        return f"{self.folder.name}:{self.port}"

    def write(self, **more: object) -> None:
        """Write the file that it begins with, and keeps what it learns in."""
        self._file.write_text(self._text.format(port=self.port, folder=self.folder, **more))

    def write_all(self, text: str) -> None:
        """Begin with this instead."""
        self._file.write_text(text)

    def add(self, line: str) -> None:
        """Tell it something more in its file."""
        self._file.write_text(self._file.read_text() + line + "\n")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        return self._process is not None

    @property
    def hears(self) -> bool:
        """Whether it runs, and does not stand still."""
        return self.runs and not self._stopped

    def begin(self) -> None:
        """Start it, and wait for nothing."""
        assert self._process is None
        self._process = subprocess.Popen(self._command)
        self._stopped = False

    def start(self) -> None:
        """Start it, and return when it answers."""
        self.begin()
        self.until_answers()

    def until_answers(self) -> None:
        wait_until(self.answers, f"{self} does not start")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Stop it as a machine that swaps."""
        self._stopped = True
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        self._stopped = False
        if self._process is not None:
            os.kill(self.pid, signal.SIGCONT)

    @contextmanager
    def connection(self) -> Iterator[redis.Redis]:
        """A client that tries everything once."""
        with redis.Redis(
            HOST,
            self.port,
            password=self.password or None,
            decode_responses=True,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            driver_info=None,
        ) as client:
            yield client

    def say(self, *words: object) -> object:
        """What it replies to a command."""
        with self.connection() as client:
            return client.execute_command(*words)

    def say_all(self, commands: Sequence[Sequence[object]]) -> list[object]:
        """What it replies to several, which it hears at once."""
        with self.connection() as client:
            pipe = client.pipeline(transaction=False)
            for words in commands:
                pipe.execute_command(*words)
            return pipe.execute()

    def answers(self) -> bool:
        with suppress(redis.RedisError):
            return self.say("PING") is not None
        return False

    def offset(self) -> int:
        """How much of the stream of changes it has."""
        said = self.say("INFO", "replication")
        assert isinstance(said, dict)
        return int(said.get("slave_repl_offset", said["master_repl_offset"]))


def wait_until(is_so: object, complaint: str) -> None:
    """Return when it is so; nobody tells when a server of others has come so far."""
    assert callable(is_so)
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise RuntimeError(complaint)
        time.sleep(0.02)
