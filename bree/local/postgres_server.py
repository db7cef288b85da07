"""The PostgreSQL of a local run: its data, and what it is told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bree.local.postgres_program import Identity, Program, called, find, identity
from bree.local.settings import HOST, CannotStart, LocalSettings
from bree.local.state import POSTGRES, State

OWNER = "bree"
"""The role that owns the database, and its name."""

PASSWORD = "postgres_password"  # noqa: S105  # where it is kept

MAKING_SECONDS = 120.0

CONFIGURATION = """\
include '{data}/postgresql.conf'
hba_file = '{rules}'
listen_addresses = '{host}'
port = {port}
unix_socket_directories = ''
max_connections = 200
shared_buffers = '64MB'
password_encryption = 'scram-sha-256'
fsync = on
full_page_writes = on
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
log_destination = 'stderr'
logging_collector = off
log_line_prefix = '%m [%p] '
"""

RULES = """\
host {name} {name} {host}/32 scram-sha-256
"""
"""One role is let in, to one database, from this machine."""

FIRST_WORDS = """\
CREATE ROLE {name} LOGIN PASSWORD '{password}';
CREATE DATABASE {name} OWNER {name} TEMPLATE template0;
"""
"""Each in a line, as PostgreSQL reads them where nobody else is served."""

FULL = re.compile(r"No space left on device|[Qq]uota exceeded")


def choose(settings: LocalSettings) -> Program:
    """The program for the data that there is, or for new ones."""
    data = folder_of(settings.state) / "data"
    kept = _version(data)
    program = find(settings.postgres_server, kept)
    if kept and program.major != kept:
        raise CannotStart(
            f"PostgreSQL {kept} has kept the ledger in {data}, and {program.folder} has "
            f"{program.major}, which cannot read it: install PostgreSQL {kept} beside it, or carry "
            "the data over with pg_upgrade"
        )
    return program


def folder_of(root: Path) -> Path:
    """Where a state directory has what PostgreSQL keeps."""
    return root.absolute() / POSTGRES


def _version(data: Path) -> int:
    """Of which version the data are; 0 if there are none yet."""
    try:
        said = (data / "PG_VERSION").read_text(encoding="ascii").strip()
        return int(said)
    except FileNotFoundError:
        if data.exists() and any(data.iterdir()):
            raise CannotStart(f"{data} is no data of PostgreSQL; move it away") from None
        return 0
    except (OSError, ValueError):
        raise CannotStart(f"{data}/PG_VERSION cannot be read; put a backup in its place") from None


def prepare(settings: LocalSettings, state: State) -> tuple[str, ...]:
    """Make the data if there are none, and write the configuration; the command that serves."""
    program = choose(settings)
    folder = folder_of(state.root)
    data = folder / "data"
    runs_as = identity(program, folder)
    if not _version(data):
        _make(program, runs_as, data, state.secret(PASSWORD))
    elif not (state.root / PASSWORD).exists():
        raise CannotStart(f"{state.root / PASSWORD} is missing; put its backup in its place")
    state.secret(PASSWORD)
    _own(data, runs_as)
    conf = _configure(folder, settings.postgres_port)
    arguments = ("-D", str(data), "-c", f"config_file={conf}")
    return (*runs_as.prefix, program.tool("postgres"), *arguments)


def _make(program: Program, runs_as: Identity, data: Path, password: str) -> None:
    """New data, whole or not at all."""
    for left in data.parent.glob("making-*"):
        shutil.rmtree(left, ignore_errors=True)
    making = data.parent / f"making-{os.getpid()}"
    try:
        _tell(
            [
                *runs_as.prefix, program.tool("initdb"), "-D", str(making), "-U", "postgres",
                "--auth=reject", "--encoding=UTF8", "--locale=C", "--data-checksums",
            ]
        )  # fmt: skip
        _tell(
            [*runs_as.prefix, program.tool("postgres"), "--single", "-D", str(making), "postgres"],
            FIRST_WORDS.format(name=OWNER, password=password),
        )
        if data.exists():
            data.rmdir()
        making.rename(data)
        _sync(data.parent)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _tell(command: list[str], words: str = "") -> None:
    """Have a program of PostgreSQL do something; or say why it does not."""
    try:
        done = subprocess.run(  # noqa: S603  # the program of whoever runs this
            command, input=words, env=environment(), capture_output=True, text=True, check=False,
            timeout=MAKING_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotStart(f"PostgreSQL cannot make its data: {error}") from None
    if FULL.search(done.stdout + done.stderr):
        raise CannotStart("the disk is full: make room for PostgreSQL, or set BREE_STATE elsewhere")
    faults = re.findall(r"^.*(?:ERROR|FATAL|PANIC|error): .*$", done.stderr, re.MULTILINE)
    if done.returncode or faults:
        why = faults[0] if faults else f"it ended with code {done.returncode}"
        raise CannotStart(f"PostgreSQL cannot make its data: {why}")


def _own(data: Path, runs_as: Identity) -> None:
    """See that the data are of who serves them; root's may become a stand-in's, and come back."""
    wanted = os.geteuid() if runs_as.owner is None else runs_as.owner
    has = data.stat().st_uid
    if has == wanted:
        return
    if os.geteuid() or has not in (0, *_lent(data)):
        raise CannotStart(
            f"{data} belongs to {called(has)}; run Bree as that user, or set BREE_STATE elsewhere"
        )
    for path in (data, *data.rglob("*")):
        os.chown(path, wanted, -1, follow_symlinks=False)


def _lent(data: Path) -> set[int]:
    """To whom root has lent the data: the folder around it is still root's."""
    return {data.stat().st_uid} if data.parent.stat().st_uid == 0 else set()


def _configure(folder: Path, port: int) -> Path:
    conf, rules = folder / "bree.conf", folder / "bree.hba"
    rules.write_text(RULES.format(name=OWNER, host=HOST), encoding="utf-8")
    places = {"data": _quoted(folder / "data"), "rules": _quoted(rules)}
    conf.write_text(CONFIGURATION.format(host=HOST, port=port, **places), encoding="utf-8")
    return conf


def _quoted(path: Path) -> str:
    """A path, as it stands between quotes in a configuration."""
    return str(path).replace("\\", "\\\\").replace("'", "''")


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def environment() -> Mapping[str, str]:
    """What its programs are told: nothing of a user's own settings for PostgreSQL."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


def url(port: int, password: str) -> str:
    """Where that server is, and how to be let in."""
    return f"postgresql://{OWNER}:{password}@{HOST}:{port}/{OWNER}"
