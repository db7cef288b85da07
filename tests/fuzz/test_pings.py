"""A silent stream with a ping every ten seconds, which the documentation allows, for two minutes.

`tests/process/test_pings.py` has the same in a tenth of the time.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.process.silence import held

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(300)]

SECONDS = 120


def test_a_silent_stream_with_a_ping_every_ten_seconds_lasts():
    """Servers hung up after a minute when their allowance was not known to gRPC."""
    assert "open" == asyncio.run(held(SECONDS, 10_000))
