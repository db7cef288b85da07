"""Where metrics are served: on the address that was chosen, and on no other."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest

SERVE = """
import sys
from bree.process import metrics
metrics.serve(int(sys.argv[1]), *sys.argv[2:])
print("up", flush=True)
sys.stdin.read()
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@contextmanager
def serving(*address):
    """A process that serves metrics there; gives the port."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(port), *address], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert "up\n" == process.stdout.readline()
        yield port
    finally:
        process.communicate("")


def answers(host, port):
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=2) as answer:
            return b"bree_" in answer.read()
    except OSError:
        return False


@pytest.mark.parametrize(
    ("address", "expected"),
    [((), (True, False)), (("127.0.0.2",), (False, True)), (("0.0.0.0",), (True, True))],  # noqa: S104
)
def test_metrics_are_served_where_it_was_said(address, expected):
    """On loopback, unless another address was chosen."""
    with serving(*address) as port:
        assert expected == (answers("127.0.0.1", port), answers("127.0.0.2", port))
