"""What is generated is ignored, left unread and removed; what somebody wrote never is."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib

import pytest

from tests.package.clones import ROOT, clone_into

WROTE = (
    "bree", "gateway", "services", "workers", "bench", "scripts", "tests", "protos", "deploy",
    "web", "web/src",
)  # fmt: skip

MADE = ("gateway/page", "gateway/pictures/built", "web/gen", "web/node_modules")
"""What the page is made of and with."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy with what is generated, which git keeps."""
    clone = clone_into(tmp_path_factory.mktemp("clone"))
    for contract in (ROOT / "bree").glob("*/v1"):
        shutil.copytree(contract, clone / contract.relative_to(ROOT))
    run(clone, "git", "init", "--quiet")
    run(clone, "git", "add", "--all")
    return clone


def run(folder, *command):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True
    ).stdout.splitlines()  # fmt: skip


def files(folder):
    """Every file below it but those of git."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if path.parts[0] != ".git"}


def is_generated(name):
    return bool(re.match(r"bree/\w+/v1/", name))


def test_git_ignores_what_is_generated_and_no_source(clone):
    """Whatever a new file of ours is called, it is not overlooked."""
    kept, there = set(run(clone, "git", "ls-files")), files(clone)

    assert {name for name in there if is_generated(name)} == there - kept
    for folder in WROTE:
        new = f"{folder}/new_folder/new_file.py"
        ignored = subprocess.run(
            ("/usr/bin/env", "git", "check-ignore", "-q", new), cwd=clone, check=False
        )
        assert 1 == ignored.returncode, new
    for made in MADE:
        ignored = subprocess.run(
            ("/usr/bin/env", "git", "check-ignore", "-q", f"{made}/new_file.ts"),
            cwd=clone,
            check=False,
        )
        assert 0 == ignored.returncode, made


def test_cleaning_removes_what_is_generated_and_no_source(clone):
    """`make clean` leaves a clone as it was."""
    before = files(clone)
    (clone / ".venv").mkdir()
    (clone / ".venv" / "python").touch()
    (clone / "bree" / "__pycache__").mkdir()
    for made in MADE:
        (clone / made).mkdir(parents=True)
        (clone / made / "made.ts").touch()
    run(clone, "make", "clean")

    assert {name for name in before if is_generated(name)} == before - files(clone)
    assert not (clone / ".venv").exists()
    assert not (clone / "bree" / "__pycache__").exists()
    assert [] == [made for made in MADE if (clone / made).exists()]


def test_the_checkers_read_every_source():
    """What ruff and mypy leave out is what is generated, and for types the tests."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]

    assert ["bree/*/v1"] == tools["ruff"]["extend-exclude"]
    assert [r"^bree/\w+/v1/", "^tests/"] == tools["mypy"]["exclude"]
