"""Versions of Bree to run beside each other: this tree, or a revision in a tree of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bree.local.parts import Part

ROOT = Path(__file__).resolve().parents[2]
MARK = "CHAOS_VERSION"
"""The variable by which a process tells of which version it is."""

OURS = ("engine", "gateway", "worker", "sweeper")
"""The kinds of parts that have a version; the others are servers of somebody else's making."""

MAKE_SECONDS = 300.0


@dataclass(frozen=True)
class Version:
    """A tree of sources that parts can be started from."""

    name: str
    tree: Path

    def of(self, part: Part) -> Part:
        """The same part, of this version."""
        if part.kind not in OURS:
            return part
        environment = {**part.environment, MARK: self.name}
        before = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = ":".join(filter(None, (before, str(self.tree))))
        return replace(part, command=self.command(*part.command[-2:]), environment=environment)

    def command(self, *arguments: str) -> tuple[str, ...]:
        """How Python is started in this tree; what is imported is found in its folder first."""
        return ("env", "-C", str(self.tree), sys.executable, *arguments)

    def migrate(self, environment: Mapping[str, str]) -> str:
        """Bring the ledger to the schema of this version; what was said of it, or nothing."""
        if not (self.tree / "bree/ledger").is_dir() or not environment.get("BREE_LEDGER_URL"):
            return ""
        done = subprocess.run(
            self.command("-m", "bree", "ledger", "upgrade"), env=dict(environment),
            capture_output=True, text=True, check=False, timeout=MAKE_SECONDS,
        )  # fmt: skip
        assert 0 == done.returncode, done.stderr
        return done.stdout.strip()


def version_of(pid: int) -> str:
    """Of which version a process is."""
    told = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    marks = [one.partition(b"=")[2].decode() for one in told if one.startswith(MARK.encode())]
    return marks[0] if marks else ""


@contextmanager
def version(name: str, revision: str, folder: Path) -> Iterator[Version]:
    """This tree as it is, or a revision, checked out with its messages made, and taken away."""
    if not revision:
        yield Version(name, ROOT)
        return
    tree = folder / name
    _git("worktree", "add", "--detach", "--force", str(tree), revision)
    try:
        subprocess.run(
            [sys.executable, "scripts/protos.py"], cwd=tree, check=True, timeout=MAKE_SECONDS
        )
        yield Version(name, tree)
    finally:
        shutil.rmtree(tree, ignore_errors=True)
        _git("worktree", "prune")


def _git(*arguments: str) -> None:
    git = shutil.which("git") or "git"
    subprocess.run([git, *arguments], cwd=ROOT, check=True, capture_output=True)
