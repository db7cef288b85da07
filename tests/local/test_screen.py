"""What is told to whoever starts the platform can be typed as it stands."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bree.local.parts import outline
from bree.local.screen import Screen, typed
from bree.local.settings import LocalSettings

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


def shown(**given):
    """What is told of a platform with these settings."""
    settings = LocalSettings(state=Path("state"), **given)
    written = io.StringIO()
    Screen(Console(file=written, width=80, highlight=False, soft_wrap=True)).show(
        outline(settings), settings
    )
    return written.getvalue()


def test_the_address_to_open_is_that_of_the_page():
    """It comes first, in a sentence; where programs find the gateway comes after it."""
    told = shown(http_port=7999, gateway_port=7998)

    assert "Bree is running on http://127.0.0.1:7999; ready in" in told
    assert 0 < told.index("http://127.0.0.1:7999") < told.index("127.0.0.1:7998, by gRPC")
    assert "…" not in told, "every address can be read in a terminal of the usual width"


def test_over_tls_the_address_says_so(tmp_path):
    for name in ("key", "certificate"):
        (tmp_path / name).write_text("-----BEGIN A TEST-----")
    pair = {"tls_key": str(tmp_path / "key"), "tls_certificate": str(tmp_path / "certificate")}

    assert "Bree is running on https://127.0.0.1:7080;" in shown(**pair)
