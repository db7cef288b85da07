"""Runs a program for as long as whoever started this holds its standard input; then ends it.

    python tests/guard.py FOLDER COMMAND...

So a program of a test ends when the test's process does, even if that was killed: the pipe closes.
PostgreSQL ends at once, with all that it has made, on SIGQUIT. The folder is taken away with it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PATIENCE = 10.0


def children(pid: int) -> list[int]:
    """The processes that a process has made; a server's own have made none."""
    return [child for child, parent in _pairs() if parent == pid]


def _pairs() -> Iterator[tuple[int, int]]:
    """Every process with the one that made it."""
    if not Path("/proc/self").exists():
        command = [shutil.which("ps") or "ps", "-A", "-o", "pid=,ppid="]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        for line in found.stdout.splitlines():
            child, parent = line.split()
            yield int(child), int(parent)
        return
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            yield int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])


def signal_all(pids: list[int], sign: signal.Signals) -> None:
    """Send a signal to processes of which some may be gone."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, sign)


def main(folder: str, *command: str) -> int:
    """The code with which the program ended; the folder stays if somebody is left who wants it."""
    left = threading.Event()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as program:
        sys.stdout.write(f"{program.pid}\n")
        sys.stdout.flush()

        def watch() -> None:
            while os.read(0, 1):
                pass
            left.set()
            family = [program.pid, *children(program.pid)]
            signal_all(family, signal.SIGCONT)  # a test may have let them pause
            program.send_signal(signal.SIGQUIT)
            with suppress(subprocess.TimeoutExpired):
                program.wait(PATIENCE)
            signal_all([pid for pid in family if program.returncode is None], signal.SIGKILL)

        threading.Thread(target=watch, daemon=True).start()
        code = program.wait()
    if left.is_set():
        shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
