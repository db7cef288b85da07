"""`bree` as a program at a pseudo-terminal, read until it waits for what is expected."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BREE = [sys.executable, "-m", "bree"]
AT_A_SHELL = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from bree.cli.main import main
sys.exit(main())
"""
"""Control-C reaches a program at a terminal, even where the tests themselves are deaf to it."""

PATIENCE = 30.0


class Terminal:
    """`bree` at a pseudo-terminal; what it prints is read until it waits for what is expected."""

    def __init__(self, folder, env, *arguments):
        self.master, slave = pty.openpty()
        self.screen = ""
        self.has_ended = False
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_A_SHELL, *arguments],
            cwd=folder,
            env=env,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    def until(self, pattern):
        """Read on until the screen shows this; what was printed before it is forgotten."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.screen)):
            assert time.monotonic() < deadline, self.screen
            self.screen += self._read()
        said, self.screen = self.screen[: found.end()], self.screen[found.end() :]
        return said

    def _read(self):
        try:
            return self.decoder.decode(os.read(self.master, 65536))
        except OSError:  # the program has gone
            self.process.wait(PATIENCE)
            assert not self.has_ended, self.screen
            self.has_ended = True
            return "\nEND"

    def type(self, keys):
        os.write(self.master, keys.encode())

    def close(self):
        self.process.kill()
        code = self.process.wait(PATIENCE)
        os.close(self.master)
        return code

    def interrupt_until(self, pattern):
        """Press Control-C until the screen shows this, as a person does who sees no answer.

        A signal that arrives between a prompt and the wait for keys is noticed at the next one.
        """
        for _ in range(10):
            self.process.send_signal(signal.SIGINT)
            until = time.monotonic() + PATIENCE / 10
            while (left := until - time.monotonic()) > 0:
                if found := re.search(pattern, self.screen):
                    return self.screen[: found.end()]
                self.screen += self._read_for(left)
        raise AssertionError(self.screen)

    def _read_for(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        return self._read() if ready else ""
