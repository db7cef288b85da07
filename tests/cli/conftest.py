"""A terminal in which `bree` runs, inside this process, in a folder of its own."""

from __future__ import annotations

import io
import random
import sys
from contextlib import redirect_stdout
from typing import NamedTuple

import pytest

from cli.main import main


class Outcome(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def bree(tmp_path, monkeypatch, capsys):
    """Run `bree` with these arguments, these lines piped into it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments, says=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(says))
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


def answers(seed, most=14):
    """Enough numbers to answer any game with; those that name no answer are asked again."""
    numbers = random.Random(seed)
    return "".join(f"{numbers.randint(1, most)}\n" for _ in range(20_000))


def played(folder, says):
    """The text of the record of a game that was played with these answers."""
    path = folder / "played.record"
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.setattr(sys, "stdin", io.StringIO(says))
        main(["play", "confrontation", "--seed", "0b", "--record", str(path)])
    return path.read_text()


@pytest.fixture(scope="session")
def finished_text(tmp_path_factory):
    return played(tmp_path_factory.mktemp("finished"), answers(3))


@pytest.fixture(scope="session")
def left_text(tmp_path_factory):
    return played(tmp_path_factory.mktemp("left"), "1\n1\n1\n1\n12\n")


@pytest.fixture
def finished(tmp_path, finished_text):
    """The record of a whole game that `good` has played against a bot."""
    path = tmp_path / "game.record"
    path.write_text(finished_text)
    return path


@pytest.fixture
def left(tmp_path, left_text):
    """The record of a game that was left at Good's second move."""
    path = tmp_path / "left.record"
    path.write_text(left_text)
    return path
