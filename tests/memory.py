"""Where tests keep their files: in memory, if there is enough of it, so that none waits for a disk.

Each PostgreSQL that is made writes a thousand files, and each Redis waits for the disk with every
command. What is killed leaves the same behind in memory as on a disk: only a power cut would tell
them apart. Whoever sets TMPDIR says himself where.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108  # what is made in it has names of its own
ROOM = 4 << 30
"""Bytes that must be free."""


def use_memory() -> None:
    """From now on, also in all processes that are started."""
    if "TMPDIR" not in os.environ and serves(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def serves(folder: Path) -> bool:
    """Whether there is room, and programs may be run from there."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC
