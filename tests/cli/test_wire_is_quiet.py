"""What gRPC has to say of its connections never stands in the terminal of a player."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading

import pytest

HELLO = b"\0\0\0\4\0\0\0\0\0"
"""A frame of settings, with none in it."""

WHY = b"too_many_pings"
GOAWAY = bytes([0, 0, 8 + len(WHY), 7, 0, *[0] * 4, *[0] * 4, 0, 0, 0, 11]) + WHY
"""Be calm, says the other end, and hangs up."""

CALL = """
import sys
{first}
import grpc
from bree.client.channel import channel
try:
    channel(sys.argv[1], None).unary_unary("/bree.test.Service/Method")(b"", timeout=0.5)
except grpc.RpcError as error:
    sys.stdout.write("refused")
"""


@pytest.fixture
def rude():
    """The address of somebody who hangs up on everybody, in words that gRPC logs."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def hang_up():
            while True:
                try:
                    taken, _ = listening.accept()
                except OSError:
                    return
                with taken:
                    taken.sendall(HELLO + GOAWAY)
                    taken.recv(4096)

        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def said(address, first):
    """What a program prints and logs whose call is hung up on."""
    kept = {name: value for name, value in os.environ.items() if name != "GRPC_VERBOSITY"}
    done = subprocess.run(
        [sys.executable, "-c", CALL.format(first=first), address],
        env=kept, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    return done.stdout, done.stderr


def test_a_player_reads_no_log_of_grpcs(rude):
    """The error of the call is all there is."""
    assert ("refused", "") == said(rude, "import bree.cli.online.link")


def test_a_log_of_grpcs_would_be_seen(rude):
    """Without the terminal, gRPC says it."""
    assert "too_many_pings" in said(rude, "")[1]
