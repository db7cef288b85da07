"""A terminal in which `bree` runs, inside this process, in a folder of its own."""

from __future__ import annotations

import io
import itertools
import os
import random
import sys
import time
from contextlib import redirect_stdout
from typing import NamedTuple

import pytest

from bree.cli.main import main
from bree.cli.online import link
from bree.client.client import Client
from tests.cli.terminal import ROOT, Terminal
from tests.cli.town import Town

_numbers = itertools.count(1)


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
    for name in [name for name in os.environ if name.startswith("BREE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(link, "SHORT", 0.5)

    def run(*arguments, says=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(says))
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


def until(true, patience=20):
    """Wait until something is so that another process does."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


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


@pytest.fixture
def env(tmp_path):
    """What a program at a terminal is told; none of it by whoever runs the tests."""
    clean = {name: v for name, v in os.environ.items() if not name.startswith("BREE_")}
    config = str(tmp_path / "config")
    more = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80", "XDG_CONFIG_HOME": config}
    return clean | more


@pytest.fixture
def terminal(tmp_path, env):
    """Opens terminals in which a command runs."""
    opened = []

    def at(*arguments):
        opened.append(Terminal(tmp_path, env, *arguments))
        return opened[-1]

    yield at
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def town():
    """A platform, for as long as the tests last."""
    town = Town()
    yield town
    town.close()


@pytest.fixture
def ann(bree, town, request):
    """Somebody who is logged in at the terminal; her name."""
    name = f"ann{next(_numbers)}-{os.getpid()}"
    assert 0 == bree("login", "--at", town.address, "--name", name).code
    return name


@pytest.fixture
def bob(town):
    """Somebody else, who needs no terminal."""
    with Client(town.address, patience=20) as client:
        client.name = f"bob{next(_numbers)}-{os.getpid()}"
        client.register(client.name)
        yield client
