"""`bree doctor`: what is installed, which ports are free, and how the platform is."""

from __future__ import annotations

import asyncio
import fcntl
import importlib.util
import os
import platform
import re
import shutil
from collections.abc import Iterator
from importlib import metadata
from typing import NamedTuple

from bree import __version__
from bree.local import postgres_server, redis_server
from bree.local.health import is_free, is_healthy, postgres_answers, redis_answers
from bree.local.parts import SERVERS, Part, outline
from bree.local.postgres_program import identity
from bree.local.settings import DISTRIBUTION, ROOT, CannotStart, LocalSettings
from bree.process.brokers import brokers_of, place_of
from services import GAMES

ROOM = 1 << 30
"""Bytes of disk below which a host should look for more."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    is_well: bool
    what: str
    how: str  # how it is; if it is not well, what to do


def findings(settings: LocalSettings) -> Iterator[Finding]:
    """Everything that a run of the platform on this machine needs, in the order of its needs."""
    yield Finding(True, "bree", f"{__version__}, in {ROOT}")
    yield Finding(True, "python", f"{platform.python_version()}, {platform.machine()}")
    yield _packages()
    yield _messages()
    yield Finding(bool(GAMES), "games", ", ".join(GAMES) or "none")
    yield _redis(settings)
    yield from _brokers(settings)
    yield _postgres(settings)
    yield _state(settings)
    runs = running(settings)
    if runs:
        yield from _platform(settings, runs)
    else:
        yield from _ports(settings)


def _packages() -> Finding:
    try:
        wanted = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return Finding(True, "packages", "not installed as a package: run from its folder")
    names = [re.match(r"[\w.-]+", each) for each in wanted if ";" not in each]
    missing = [name[0] for name in names if name and not _is_installed(name[0])]
    if missing:
        return Finding(False, "packages", f"missing: {', '.join(missing)}; install Bree again")
    return Finding(True, "packages", f"all {len(names)} that every machine needs")


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _messages() -> Finding:
    if importlib.util.find_spec("bree.gateway"):
        return Finding(True, "messages", "generated")
    return Finding(False, "messages", "not generated; run: make protos")


def _redis(settings: LocalSettings) -> Finding:
    if settings.store_url:
        is_there = asyncio.run(redis_answers(settings.store_url))
        return _of_ones_own("redis", "BREE_STORE_URL", is_there=is_there)
    try:
        program = redis_server.find(settings.redis_server, settings.state)
    except CannotStart as trouble:
        return Finding(False, "redis", str(trouble))
    return Finding(True, "redis", f"{program.name} {_dotted(program.version)}, {program.path}")


def _brokers(settings: LocalSettings) -> Iterator[Finding]:
    """Each broker of one's own; without one it is the store."""
    for url in brokers_of(settings.broker_url):
        is_there = asyncio.run(redis_answers(url.replace("redis+socket://", "unix://", 1)))
        what = f"BREE_BROKER_URL at {place_of(url)}"
        yield _of_ones_own("broker", what, is_there=is_there)


def _postgres(settings: LocalSettings) -> Finding:
    if settings.ledger_url:
        is_there = asyncio.run(postgres_answers(settings.ledger_url))
        return _of_ones_own("postgres", "BREE_LEDGER_URL", is_there=is_there)
    try:
        program = postgres_server.choose(settings)
        identity(program, ROOT)
    except CannotStart as trouble:
        return Finding(False, "postgres", str(trouble))
    return Finding(True, "postgres", f"{_dotted(program.version)}, {program.folder}")


def _of_ones_own(what: str, variable: str, *, is_there: bool) -> Finding:
    how = "answers" if is_there else "does not answer, or does not let us in"
    return Finding(is_there, what, f"the one of {variable} {how}")


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _state(settings: LocalSettings) -> Finding:
    """Whether matches can be kept: a folder that may be written, on a disk with room."""
    place = settings.state.absolute()
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return Finding(False, "state", f"{place} cannot be written; set BREE_STATE to another")
    free = shutil.disk_usage(there).free
    if free < ROOM:
        return Finding(False, "state", f"{place} has {free >> 20} MiB left; make room")
    made = "" if there == place else "; made when something runs"
    return Finding(True, "state", f"{place}, {free >> 30} GiB free{made}")


def running(settings: LocalSettings) -> str:
    """The number of the process that runs on the state directory; empty if none does."""
    try:
        with (settings.state / "lock").open(encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return (settings.state / "lock").read_text(encoding="ascii").strip() or "unknown"
    except OSError:
        return ""
    return ""


def _ports(settings: LocalSettings) -> Iterator[Finding]:
    """Nothing runs: whether something could."""
    yield Finding(True, "platform", "does not run; start it with: bree run")
    parts = outline(settings)
    taken = [
        f"{port} for {part.name}, moved by {setting}"
        for part in parts
        for port, setting in part.ports()
        if not is_free(port)
    ]
    if taken:
        yield Finding(False, "ports", f"in use: {'; '.join(taken)}")
    else:
        ports = sorted(port for part in parts for port, _ in part.ports())
        yield Finding(True, "ports", f"{', '.join(_spans(ports))} are free")


def _spans(numbers: list[int]) -> Iterator[str]:
    """Ascending numbers, those that follow each other as one span."""
    begins = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    for first, last in zip(begins, ends, strict=True):
        yield str(first) if first == last else f"{first}-{last}"


def _platform(settings: LocalSettings, process: str) -> Iterator[Finding]:
    """Something runs: how each part of it is."""
    parts = outline(settings)
    well = asyncio.run(_asked(parts, settings))
    unwell = [part.name for part, is_well in zip(parts, well, strict=True) if not is_well]
    if unwell:
        logs = settings.state.absolute() / "logs"
        sentence = f"runs as process {process}, but {', '.join(unwell)} did not answer; see {logs}"
        yield Finding(False, "platform", sentence)
    else:
        sentence = f"runs as process {process}; all {len(parts)} parts are well"
        yield Finding(True, "platform", sentence)


async def _asked(parts: list[Part], settings: LocalSettings) -> list[bool]:
    secrets = {name: settings.state / f"{name}_password" for name in SERVERS}
    passwords = {
        name: path.read_text(encoding="ascii").strip() if path.exists() else ""
        for name, path in secrets.items()
    }
    return await asyncio.gather(*(is_healthy(part, settings, passwords) for part in parts))
