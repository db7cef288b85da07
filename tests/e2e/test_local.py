"""The local run as a whole: its check, its stop, and what it does for those who watch it."""

from __future__ import annotations

import os
import signal

import pytest

from services import GAMES
from tests.e2e.platform import Platform
from tests.local.parts import left_of


@pytest.fixture
def other(tmp_path):
    """A platform of this test's own, not yet started."""
    platform = Platform(tmp_path / "state")
    yield platform
    platform.stop()


def test_the_check_plays_a_match_and_stops(other):
    """Its exit code says that the platform works; nothing is left running."""
    other.launch("--check")

    assert other.end() == 0, "\n".join(other.said)
    assert any(line.startswith("bree: checked: a match of ") for line in other.said)
    assert other.said[-1] == "bree: stopped"
    assert not other.parts()


def test_a_check_that_fails_says_so_with_its_exit_code(other):
    """A platform whose workers leave one queue alone cannot score, and does not pass."""
    other.settings |= {"queues": "scoring", "check_seconds": 4}
    other.launch("--check")

    assert other.end() == 1
    assert any("the check failed: the match was not over" in line for line in other.said)


def test_ctrl_c_stops_everything(other):
    """It is healthy, tells where it is, and ends without leaving a process or a lock behind."""
    other.start()
    parts = other.parts()
    kinds = {name.partition("-")[0] for name in parts}
    code = other.stop(signal.SIGINT)

    assert kinds == {"redis", *GAMES, "gateway", "worker", "sweeper"}
    assert any(other.gateway in line for line in other.said)
    assert code == 0
    assert not [pid for pid in parts.values() if left_of(pid)]


def test_a_run_that_was_cut_off_is_taken_over(other):
    """Its supervisor is killed; the next run ends what is left, and starts on the same state."""
    other.start()
    parts = other.parts()
    os.kill(other.process.pid, signal.SIGKILL)
    other.end()

    assert left_of(parts["gateway"])
    other.start()
    assert any("an earlier run was cut off" in line for line in other.said)
    assert not [pid for pid in parts.values() if left_of(pid)]
