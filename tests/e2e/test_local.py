"""The local run as a whole: its check, its stop, and what it does for those who watch it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.process.statuses import denied_by
from services import GAMES
from tests.e2e.client import GAME
from tests.e2e.platform import ROOT, Platform
from tests.local.parts import left_of

pytestmark = pytest.mark.xdist_group("local")  # they share platforms that have ended


class Run(NamedTuple):
    """A platform that has run and ended, and what was seen of it meanwhile."""

    platform: Platform
    parts: dict[str, int]  # as they were when it was up
    code: int
    said: tuple[str, ...]
    left: tuple[str, ...] = ()  # the parts that outlived it
    made: pb.CreateAccountResponse | None = None


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """A platform of all games on which somebody has an account, ended by Ctrl-C."""
    state = tmp_path_factory.mktemp("interrupted") / "state"
    platform = Platform(state, store_look_seconds=0.2)
    platform.start()
    made, parts = account_of(platform, "Belladonna"), platform.parts()
    code = platform.stop(signal.SIGINT)
    yield Run(platform, parts, code, tuple(platform.said), made=made)
    platform.stop()


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory):
    """A platform whose supervisor was killed."""
    platform = Platform(tmp_path_factory.mktemp("cut-off") / "state", games=(GAME,))
    platform.start()
    parts = platform.parts()
    os.kill(platform.process.pid, signal.SIGKILL)
    code = platform.end()
    left = tuple(name for name, pid in parts.items() if Path(f"/proc/{pid}").exists())
    yield Run(platform, parts, code, tuple(platform.said), left)
    platform.stop()


@pytest.fixture(scope="module")
def checked(cut_off):
    """A check, on what a run that was cut off has left."""
    platform = cut_off.platform
    platform.said.clear()
    platform.launch("--check")
    return Run(platform, cut_off.parts, platform.end(), tuple(platform.said))


def test_the_check_plays_a_match_and_stops(checked):
    """Its exit code says that the platform works; nothing is left running."""
    assert checked.code == 0, "\n".join(checked.said)
    assert any(line.startswith("bree: checked: a match of ") for line in checked.said)
    assert checked.said[-1] == "bree: stopped"
    assert not checked.platform.parts()


def test_a_check_that_fails_says_so_with_its_exit_code(tmp_path):
    """A platform whose workers leave one queue alone cannot score, and does not pass."""
    settings = {"queues": "scoring", "check_seconds": 2}
    platform = Platform(tmp_path / "state", games=(GAME,), **settings)
    try:
        platform.launch("--check")
        code = platform.end()
    finally:
        platform.stop()

    assert code == 1
    assert any("the check failed: the match was not over" in line for line in platform.said)


def test_ctrl_c_stops_everything(interrupted):
    """It is healthy, tells where it is, and ends without leaving a process or a lock behind."""
    kinds = {name.partition("-")[0] for name in interrupted.parts}

    assert kinds == {"redis", "postgres", *GAMES, "gateway", "worker", "sweeper"}
    assert any(interrupted.platform.gateway in line for line in interrupted.said)
    assert interrupted.code == 0
    assert not [pid for pid in interrupted.parts.values() if left_of(pid)]


def test_a_run_that_was_cut_off_is_taken_over(cut_off, checked):
    """Its supervisor is killed; the next run ends what is left, and works on the same state."""
    assert "gateway" in cut_off.left
    assert any("an earlier run was cut off" in line for line in checked.said)
    assert not [pid for pid in cut_off.parts.values() if left_of(pid)]
    assert checked.code == 0


def test_an_emptied_store_is_not_a_new_one_and_is_accepted_by_a_command(interrupted):
    """Everything had stopped meanwhile; what parts knew of the store is kept apart from it."""
    other, made = interrupted.platform, interrupted.made
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
    again = until(lambda: known_by(other, made.token))
    assert made.account.id == again.account.id  # who somebody is, the ledger keeps


def known_by(platform, token):
    """The account of a token."""
    with grpc.insecure_channel(platform.gateway) as channel:
        stub, said = rpc.AccountServiceStub(channel), (("authorization", f"Bearer {token}"),)
        return stub.GetAccount(pb.GetAccountRequest(), metadata=said, timeout=10)


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
