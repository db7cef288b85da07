"""What the tests of deploy/ share."""

from __future__ import annotations

import socket

import pytest


@pytest.fixture
def unused_port():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
