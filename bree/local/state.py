"""The state directory: what is kept between runs, the lock of a run, and the processes it has."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from bree.local.settings import CannotStart
from bree.local.strays import end_strays, strays

SECRETS: Mapping[str, tuple[Callable[[], str], str]] = {
    "platform_token": (lambda: secrets.token_urlsafe(32), r"[\w-]{43}"),
    "redis_password": (lambda: secrets.token_urlsafe(32), r"[\w-]{43}"),
    "postgres_password": (lambda: secrets.token_urlsafe(32), r"[\w-]{43}"),
    "fate_key": (lambda: secrets.token_hex(32), r"[0-9a-f]{64}"),
}
"""What nobody else may read: how each is made, and what it looks like."""

MEMORY = "memory"

POSTGRES = "postgres"
"""The part that ends with all it has made, and in order, on SIGINT; and its folder."""

LARGEST_LOG = 16 << 20
"""A log that has grown larger is put aside when its process starts."""

PATIENCE = 5.0
LAST_SECONDS = 1.0
"""Seconds that a process has to end after it was asked to."""


class State:
    """A state directory that belongs to this run for as long as it is open."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self.parts: dict[str, tuple[int, str]] = {}
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            for name in ("logs", "redis", POSTGRES, "metrics"):
                (self.root / name).mkdir(exist_ok=True, mode=0o700)
            self._lock = self._locked()
        except OSError as error:
            raise CannotStart(f"{self.root} cannot be written: {error.strerror}") from None

    def _locked(self) -> IO[str]:
        lock = (self.root / "lock").open("a+", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            pid = lock.read().strip() or "unknown"
            lock.close()
            raise CannotStart(f"already running on {self.root}, as process {pid}") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        return lock

    def close(self) -> None:
        """Let another run have the directory."""
        self._lock.close()

    def secret(self, name: str) -> str:
        """A secret of this platform, made when it is first needed."""
        make, form = SECRETS[name]
        path = self.root / name
        if not path.exists():
            _write(path, make() + "\n")
        value = path.read_text(encoding="ascii", errors="replace").strip()
        if not re.fullmatch(form, value):
            raise CannotStart(f"{path} is damaged; put its backup in its place")
        if path.stat().st_mode & 0o077:
            raise CannotStart(f"{path} can be read by others; run: chmod 600 {path}")
        return value

    def passwords(self) -> dict[str, str]:
        """Those of the servers, by the names of their parts."""
        return {name: self.secret(f"{name}_password") for name in ("redis", POSTGRES)}

    def log(self, name: str) -> Path:
        """The file for what a part says, with room for more."""
        path = self.root / "logs" / f"{name}.log"
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
        return path

    def metrics(self, name: str) -> Path:
        """Where the processes of a part put their figures together."""
        return self.root / "metrics" / name

    def store_is_new(self) -> bool:
        """Whether no part has ever known the store of this directory."""
        return not any(self.memory.glob("*.json"))

    @property
    def memory(self) -> Path:
        """Where parts write down what they know of the store, to know it again if it is lost."""
        return self.root / MEMORY

    # The processes of the run, for whoever must end what a run left behind when it was cut off.

    def note(self, name: str, pid: int | None) -> None:
        """Remember the process of a part, or that it has none."""
        if pid is None:
            self.parts.pop(name, None)
        else:
            self.parts[name] = (pid, birth(pid))
        _write(self.root / "processes", json.dumps(self.parts, indent=1) + "\n")

    def end_leftovers(self) -> list[str]:
        """End what an earlier run could not, with all that it made; the names of those parts."""
        left = running(self.root)
        for sign in (signal.SIGTERM, signal.SIGKILL):
            for name, pid in running(self.root).items():
                end_group(pid, stop_sign(name) if sign == signal.SIGTERM else sign)
            _until(lambda: not running(self.root), PATIENCE)
        # What a part has made may outlive it by a moment, and have its ports.
        for pid in left.values():
            end_group(pid, signal.SIGKILL)
        _until(lambda: not any(map(_has_members, left.values())), LAST_SECONDS)
        self._free_data()
        return sorted(left)

    def _free_data(self) -> None:
        """Nobody works on PostgreSQL's data, whatever a file that was left there says."""
        self.end_strays_of(POSTGRES)
        data = self.root / POSTGRES / "data"
        _until(lambda: not strays(data, POSTGRES), LAST_SECONDS)
        if not strays(data, POSTGRES):  # its number may be another process's by now
            (data / "postmaster.pid").unlink(missing_ok=True)

    def end_strays_of(self, name: str) -> None:
        """End what a part has made that is of no group of its own."""
        if name == POSTGRES:
            end_strays(self.root / POSTGRES / "data", POSTGRES)


def known_runs(root: Path) -> list[str]:
    """The runs of the store that parts have written down."""
    runs = set()
    for path in (root / MEMORY).glob("*.json"):
        with contextlib.suppress(OSError, ValueError, KeyError):  # the others know it as well
            runs.add(str(json.loads(path.read_text(encoding="ascii"))["run"]))
    return sorted(runs)


def running(root: Path) -> dict[str, int]:
    """The parts that run on a state directory, each with its process."""
    try:
        noted = json.loads((root / "processes").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return {name: pid for name, (pid, born) in noted.items() if born and birth(pid) == born}


def birth(pid: int) -> str:
    """When a process began, in words that no other process of this number has; empty if none is."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return "" if Path("/proc/self").exists() else _listed(pid)
    return "" if fields[0] == "Z" else fields[19]


def _listed(pid: int) -> str:
    ps = shutil.which("ps")
    if ps is None:
        return ""
    found = subprocess.run(  # noqa: S603  # a number is all that is added
        [ps, "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()


def stop_sign(name: str) -> signal.Signals:
    """What asks a part to end. PostgreSQL would wait for those who talk to it, if it were asked."""
    return signal.SIGINT if name == POSTGRES else signal.SIGTERM


def end_group(pid: int, sign: signal.Signals) -> None:
    """Send a signal to a part with all the processes that it has made."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, sign)


def _has_members(group: int) -> bool:
    """Whether a part, or something that it has made, is still there; also what nobody waits for."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _until(done: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.05)


def _write(path: Path, text: str) -> None:
    """Write a file that only its owner may read: whole or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
