"""What is told to whoever starts the platform can be typed as it stands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bree.local.screen import typed

BIN = Path(sys.executable).parent


@pytest.fixture
def found(monkeypatch, tmp_path):
    """A folder of programs, which a shell looks through first; nobody is in a clone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_a_program_that_no_shell_finds_has_its_path(found):
    assert f"{BIN}/bree top" == typed("bree top")


def test_in_the_clone_the_path_is_short(found, monkeypatch):
    monkeypatch.chdir(BIN.parents[1])

    assert f"{BIN.parent.name}/bin/bree top" == typed("bree top")


def test_a_program_that_a_shell_finds_is_typed_by_its_name(found):
    """As an installer puts a link to it where a shell looks."""
    (found / "bree").symlink_to(BIN / "bree")

    assert "bree top" == typed("bree top")


def test_another_program_of_that_name_is_not_ours(found):
    """Such as a Python that has no Bree, though it is the one that ours was made from."""
    (found / "python").symlink_to(BIN / "python")
    (found / "bree").write_text("#!/bin/sh\n")
    (found / "bree").chmod(0o755)

    assert f"{BIN}/bree top" == typed("bree top")
    assert f"{BIN}/python -m bree" == typed("python -m bree")
