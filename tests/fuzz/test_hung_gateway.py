"""A gateway that hangs, its connections open: bots of every language listen anew, by themselves.

`tests/clients/test_beats.py` has the same for the Python client in less time.
"""

from __future__ import annotations

import threading
import time

import pytest

from tests.clients.conftest import any_bot, gateway, opened
from tests.clients.test_bots import assert_played_well
from tests.clients.wire import Wire

__all__ = ["any_bot", "gateway", "opened"]

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(600)]

HUNG = 8
"""Seconds, in which three beats are missed."""


def test_a_bot_leaves_a_stream_that_gives_no_signs_of_life(any_bot, gateway, opened):
    """It waits for the end, and the stream on which it waits is opened once more."""
    wire, match = Wire(gateway.port), opened(turns=3)
    gateway.world.tells_ends = False

    def hang():
        time.sleep(0.5)
        wire.hold()
        time.sleep(HUNG)
        gateway.world.tells_ends = True
        wire.release()

    gateway.world.on_answer = {3: threading.Thread(target=hang).start}
    played = any_bot.join(wire.address, match.id, "left")
    wire.close()

    assert_played_well(played, match)
    assert 2 <= len(gateway.world.sent("ListenQuestions"))
