"""The state directory: one run at a time, secrets that stay and stay secret, logs that end."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys

import pytest

from bree.local import state as states
from bree.local.settings import CannotStart
from bree.local.state import SECRETS, State, birth, running
from tests.local.parts import left_of


def test_secrets_stay_the_same_and_are_the_owners_alone(settings, state):
    """Matches of an earlier run need the key of that run; nobody else may read it."""
    first = {name: state.secret(name) for name in SECRETS}
    state.close()
    second = State(settings.state)

    assert first == {name: second.secret(name) for name in SECRETS}
    assert len(set(first.values())) == len(SECRETS)
    assert {0o600} == {(second.root / name).stat().st_mode & 0o777 for name in SECRETS}
    assert second.root.stat().st_mode & 0o777 == 0o700
    second.close()


def test_a_fate_key_is_32_bytes(state):
    """Engines are given it as hexadecimal digits."""
    assert re.fullmatch(r"[0-9a-f]{64}", state.secret("fate_key"))


def test_a_damaged_secret_is_not_replaced(state):
    """A new key would make every running match impossible to go on with."""
    state.secret("fate_key")
    (state.root / "fate_key").write_text("half of i")

    with pytest.raises(CannotStart, match="fate_key is damaged"):
        state.secret("fate_key")


def test_a_secret_that_others_can_read_is_refused(state):
    """The sentence says how to mend it."""
    state.secret("platform_token")
    (state.root / "platform_token").chmod(0o644)

    with pytest.raises(CannotStart, match="chmod 600"):
        state.secret("platform_token")


def test_a_second_run_is_told_so_in_one_sentence(settings, state):
    """It names the process that has the directory."""
    with pytest.raises(CannotStart, match=f"already running on .*, as process {os.getpid()}$"):
        State(settings.state)


def test_a_directory_that_cannot_be_written_is_told(tmp_path):
    """A file in its place is one of the ways."""
    (tmp_path / "file").touch()

    with pytest.raises(CannotStart, match="cannot be written"):
        State(tmp_path / "file")


def test_a_process_is_known_by_its_birth(state):
    """A number that another process has now is not taken for the part that had it."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as child:
        state.note("one", child.pid)
        alive = running(state.root)
        child.kill()

    assert alive == {"one": child.pid}
    assert not running(state.root)

    state.parts["one"] = (os.getpid(), "another birth")
    state.note("two", None)

    assert birth(os.getpid())
    assert not running(state.root)


def test_a_torn_list_of_processes_is_none(state):
    """Whatever was left in it, the next run starts."""
    (state.root / "processes").write_text('{"one": [12')

    assert not running(state.root)
    assert state.end_leftovers() == []


def test_a_long_log_is_put_aside(state, monkeypatch):
    """A log does not grow with every run."""
    monkeypatch.setattr(states, "LARGEST_LOG", 10)
    log = state.log("one")
    log.write_text("more than ten characters")

    assert not state.log("one").exists()
    assert (state.root / "logs" / "one.log.1").exists()


OUTLIVED = """
import os, signal, socket, time
with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    if not os.fork():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(server.getsockname()[1], flush=True)
    time.sleep(600)
"""


def test_what_a_part_has_made_is_ended_with_it_by_the_next_run(state):
    """Else it would have a port that the next run needs, though the part itself has gone."""
    command = [sys.executable, "-c", OUTLIVED]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as part:
        port = int(part.stdout.readline())
        state.note("one", part.pid)

        assert ["one"] == state.end_leftovers()
        assert not left_of(part.pid)
    with socket.create_server(("127.0.0.1", port)):
        pass
