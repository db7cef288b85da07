"""What a server has made works in its folder, and may outlive it: who does, and how it is ended.

PostgreSQL's processes are sessions of their own, so the group of the first of them has no other.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def strays(folder: Path, program: str) -> list[int]:
    """The processes of this program that work in a folder."""
    folder = folder.resolve()
    if (PROC / "self").exists():
        return [pid for pid in _numbers() if _works_in(pid, folder, program)]
    return list(_listed(folder, program))


def _numbers() -> Iterator[int]:
    return (int(each.name) for each in PROC.glob("[0-9]*"))


def _works_in(pid: int, folder: Path, program: str) -> bool:
    try:
        place = (PROC / str(pid) / "cwd").readlink()
        runs = (PROC / str(pid) / "exe").readlink()
    except OSError:
        return False
    return place == folder and runs.name.split()[0] == program  # it may say ` (deleted)`


def _listed(folder: Path, program: str) -> Iterator[int]:
    """Those that were told the folder, where a system does not tell in which one they work."""
    ps = shutil.which("ps")
    if ps is None:
        return
    command = [ps, "-A", "-ww", "-o", "pid=,command="]
    found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # no word of anyone's
    for line in found.stdout.splitlines():
        pid, _, said = line.strip().partition(" ")
        if f"{program} -D {folder} " in f"{said} ":
            yield int(pid)


def end_strays(folder: Path, program: str) -> list[int]:
    """End them at once; which they were."""
    found = strays(folder, program)
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return found
