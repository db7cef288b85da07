"""Starts a Redis whose disk may be full, or that may find other files than it left.

    store_start.py DIRECTORY PROGRAM ARGUMENT…

Design. DIRECTORY is the chaos's and holds what it wants of the next start. `limit` has the most
bytes that a file may have; while it is there, a Redis that is started again finds its disk as full
as before. `next` is a directory that takes the place of `now`, the one that Redis keeps its files
in: empty, or a copy that was taken earlier. A write beyond the limit fails as on a full disk, with
an error instead of a signal.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
from pathlib import Path


def main(directory: Path, command: list[str]) -> None:
    """Become the program."""
    limit, fresh, now = (directory / name for name in ("limit", "next", "now"))
    if fresh.exists():
        kept = now.readlink()
        shutil.rmtree(kept)
        fresh.rename(kept)
    if limit.exists():
        most = int(limit.read_text(encoding="ascii"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.execv(command[0], command)  # noqa: S606  # the program that the platform starts


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
