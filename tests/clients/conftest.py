"""A fake gateway, and bots as programs that connect to it."""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

import grpc
import pytest

from bree.client.client import Client
from tests.certificates import certificate
from tests.clients.fake_gateway import FakeGateway
from tests.clients.taking import Match
from tests.clients.toolchains import ROOT, bot


class Played(NamedTuple):
    """A bot that has come to its end."""

    code: int
    out: str
    err: str


class Bot(NamedTuple):
    """The bot of one language."""

    language: str
    command: tuple[str, ...]

    def join(self, gateway, match, seat, token="", **more):
        """Let it play in a match that is there."""
        if self.language == "python":
            return self.run(gateway, match, seat, *([token] if token else []), **more)
        said = ["--token", token] if token else []
        return self.run("--gateway", gateway, "--match", match, "--seat", seat, *said, **more)

    def run(self, *arguments, env=None, timeout=45):
        """Run it until it ends."""
        clean = {name: v for name, v in os.environ.items() if not name.startswith("BREE_")}
        done = subprocess.run(
            [*self.command, *arguments], cwd=ROOT, env={**clean, **(env or {})},
            capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
        return Played(done.returncode, done.stdout, done.stderr)


@pytest.fixture(params=["go", "ts", "python"])
def any_bot(request):
    """A bot of each language in turn."""
    return Bot(request.param, bot(request.param))


@pytest.fixture(params=["go", "ts"])
def whole_bot(request):
    """A bot of each language whose bot has all flags."""
    return Bot(request.param, bot(request.param))


@pytest.fixture
def gateway():
    """A gateway of this test's own."""
    gateway = FakeGateway()
    yield gateway
    gateway.stop()


@pytest.fixture
def opened(gateway):
    """Opens a match whose right seat has a hosted bot, and which starts when the left is taken."""

    def opened(turns=6, at=gateway):
        world = at.world
        match = Match(f"t-{len(world.matches) + 1}", {"turns": str(turns), "start": "full"}, "host")
        match.bots["right"] = "novice"
        world.matches[match.id] = match
        return match

    return opened


@pytest.fixture
def guarded(tmp_path):
    """A gateway that speaks TLS, and the file by which it can be trusted."""
    key, trusted = certificate(tmp_path)
    pair = (key.read_bytes(), trusted.read_bytes())
    gateway = FakeGateway(grpc.ssl_server_credentials([pair]))
    yield gateway, trusted
    gateway.stop()


@pytest.fixture
def ann(gateway):
    """A client whose account is ann."""
    with Client(gateway.address, patience=20) as client:
        client.register("ann")
        yield client
