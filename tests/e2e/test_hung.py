"""An engine that hangs, all its connections open: streams and moves go over to its replica."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import contextmanager

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.e2e.client import GAME
from tests.e2e.matches import between, clients

pytestmark = pytest.mark.xdist_group("platform")

SOON = 12
"""Seconds. Without beats the connection was given up after fifty."""


@contextmanager
def stopped(pid):
    """A process that does nothing meanwhile."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_hung_engine_is_left(platform, play):
    """A watcher is told of the next move, whichever of the two hangs."""
    engines = [pid for name, pid in platform.parts().items() if name.startswith(f"{GAME}-")]
    assert 2 == len(engines)

    async def run():
        async with clients(platform, 3) as (alice, bob, carol):
            good, dark = await between(alice, bob)
            request = pb.WatchMatchRequest(match=good.match)
            watching = carol.matches.WatchMatch(request, metadata=carol.metadata)
            listening = bob.bots.ListenQuestions(pb.ListenQuestionsRequest(), metadata=bob.metadata)
            at = (await watching.read()).standing.revision
            for pid in engines:
                with stopped(pid):
                    began = time.monotonic()
                    async with asyncio.timeout(SOON):
                        await answer(alice, good, bob, dark)
                        while (step := await watching.read()).standing.revision <= at:
                            pass
                        at = step.standing.revision
                    print(f"told after {time.monotonic() - began:.1f} s")  # noqa: T201
            listening.cancel()
            watching.cancel()

    play(run())


async def answer(alice, good, bob, dark):
    """Whoever is asked answers once."""
    for client, seat in ((alice, good), (bob, dark)):
        request = pb.GetViewRequest(match=seat.match, seat=seat.seat)
        view = await client.call(client.matches.GetView, request)
        if view.HasField("question"):
            await seat.answer(view.question)
            return
