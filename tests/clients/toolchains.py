"""The bots in other languages, built here; and what is said where they cannot be.

A machine need not have every toolchain: what needs a missing one is skipped, with a word about it.
With BREE_NEED_TOOLCHAINS=1 it fails instead.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "clients"

TOOLS = {"go": ("go",), "ts": ("node", "npm"), "python": ()}
"""What must be installed for the bot of a language."""

COMMANDS = {
    "go": (str(CLIENTS / "go/bin/breebot"),),
    "ts": ("node", str(CLIENTS / "ts/dist/breebot.js")),
    "python": (sys.executable, "-m", "bree.client.example_bot"),
}

VERIFIERS = {
    "go": (str(CLIENTS / "go/bin/verify"),),
    "ts": ("node", str(CLIENTS / "ts/dist/verify-cli.js")),
}
"""What is built beside the bots: the programs that check records."""

MADE = {"go": {"bin", "gen"}, "ts": {"dist", "gen", "node_modules"}}
"""Folders that the build of a language makes."""


def need(tool: str) -> str:
    """The path of a program; without it the test is skipped, or fails where all are insisted on."""
    found = shutil.which(tool)
    if found is None:
        missing(f"{tool} is not installed")
    return found


def missing(sentence: str) -> None:
    """Skip, or fail where nothing may be skipped, as in CI."""
    if os.environ.get("BREE_NEED_TOOLCHAINS") == "1":
        pytest.fail(f"{sentence}, and BREE_NEED_TOOLCHAINS=1 insists on it")
    pytest.skip(sentence)  # honest: a machine without the tool cannot run this, and says so


def bot(language: str) -> tuple[str, ...]:
    """The command of the bot in this language, built if anything it is made of has changed."""
    for tool in TOOLS[language]:
        need(tool)
    if language in MADE:
        with (CLIENTS / language / ".building").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
            if _is_old(Path(COMMANDS[language][-1]), language):
                _build(language)
    return COMMANDS[language]


def verifier(language: str) -> tuple[str, ...]:
    """The command of the verifier in this language, built with the bot."""
    bot(language)
    return VERIFIERS[language]


def _build(language: str) -> None:
    built = subprocess.run(
        [CLIENTS / language / "build"], capture_output=True, text=True, check=False
    )

    assert 0 == built.returncode, built.stdout + built.stderr


def sources(language: str) -> list[Path]:
    """The files of a bot that a person wrote."""
    return [path for path in _written(language) if not _is_verifier(path)]


def verifier_sources(language: str) -> list[Path]:
    """The files of a verifier."""
    return [path for path in _written(language) if _is_verifier(path)]


def _is_verifier(path: Path) -> bool:
    return path.parent.name == "verify" or path.name.startswith("verify")


def _written(language: str) -> list[Path]:
    folder = CLIENTS / language
    made = MADE.get(language, set())
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.relative_to(folder).parts[0] not in {*made, "__pycache__", ".building"}
    ]


def _is_old(product: Path, language: str) -> bool:
    if not all((CLIENTS / language / folder).exists() for folder in MADE[language]):
        return True
    inputs = [*_written(language), *(ROOT / "protos").rglob("*.proto")]
    return not product.exists() or product.stat().st_mtime < max(
        path.stat().st_mtime for path in inputs
    )
