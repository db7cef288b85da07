"""The local run as a whole: its check, its stop, and what it does for those who watch it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.process.statuses import denied_by
from services import GAMES
from tests.e2e.platform import ROOT, Platform
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


def test_an_emptied_store_is_not_a_new_one_and_is_accepted_by_a_command(other):
    """Everything had stopped meanwhile; what parts knew of the store is kept apart from it."""
    other.settings |= {"store_look_seconds": 0.2}
    other.start()
    made = account_of(other, "Belladonna")
    assert other.stop() == 0
    for path in (other.state / "redis").rglob("*"):
        if path.is_file():
            path.unlink()
    other.start()
    with pytest.raises(grpc.RpcError) as caught:
        account_of(other, "Belladonna")
    assert "the store is empty" in caught.value.details()
    denied = denied_by(caught.value)
    assert ("UNAVAILABLE", "empty") == (denied.reason, denied.metadata["why"])
    given = {f"BREE_{name.upper()}": str(value) for name, value in other.settings.items()}
    command = [sys.executable, "-m", "bree", "run", "--accept-store"]
    said = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **given}, check=True, capture_output=True, text=True
    ).stdout

    assert "the store is accepted as it is" in said
    again = until(lambda: account_of(other, "Belladonna"))
    assert made.account.id != again.account.id


def account_of(platform, name):
    """A new account of this name."""
    with grpc.insecure_channel(platform.gateway) as channel:
        request = pb.CreateAccountRequest(name=name)
        return rpc.AccountServiceStub(channel).CreateAccount(request, timeout=10)


def until(work):
    """What comes of it once it is not refused."""
    ends = time.monotonic() + 20
    while True:
        try:
            return work()
        except grpc.RpcError:
            assert time.monotonic() < ends
            time.sleep(0.1)
