"""Heartbeats on streams: who has nothing to tell sends one, and who is silent is given up.

Design. Heartbeats are asked for, so who does not know of them gets none; and silence counts only
once a beat has come, so who sends none is not taken for dead. It is looks that are counted and not
time: who was stopped himself has missed one look, and not all the beats that came meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

T = TypeVar("T")

MISSED_BEATS = 3
"""How many beats in a row are missed by who has stopped, and not by who is only late."""


class HeartbeatMonitor:
    """Looks again and again whether somebody has said anything; if not, he is given up."""

    def __init__(self, seconds: float, give_up: Callable[[], None], *, beats: bool = False) -> None:
        """`beats` says that beats are known to come from there."""
        self.seconds, self.beats = seconds, beats
        self.is_reading = True  # what nobody reads may be late
        self.has_stopped = False
        self._give_up = give_up
        self._missed = 0
        self._later()

    def hear(self, *, is_beat: bool = False) -> None:
        """Something has come."""
        self._missed = 0
        self.beats = self.beats or is_beat

    def end(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self.seconds, self._look)

    def _look(self) -> None:
        self._missed += self.is_reading
        if self.beats and self._missed >= MISSED_BEATS:
            self.has_stopped = True
            self._give_up()
        else:
            self._later()


def with_heartbeats(
    items: AsyncGenerator[T, None], milliseconds: int, beat: T
) -> AsyncGenerator[T, None]:
    """The same items, with a beat after each pause of this length in ms; 0 is for no beats.

    The first beat comes at once, and says that there will be more.
    """
    return _with_heartbeats(items, milliseconds / 1000, beat) if milliseconds else items


async def _with_heartbeats(
    items: AsyncGenerator[T, None], seconds: float, beat: T
) -> AsyncGenerator[T, None]:
    async with aclosing(items):
        yield beat
        coming = asyncio.ensure_future(anext(items))
        try:
            while True:
                await asyncio.wait({coming}, timeout=seconds)
                if not coming.done():
                    yield beat
                    continue
                try:
                    item = coming.result()
                except StopAsyncIteration:
                    return
                yield item
                coming = asyncio.ensure_future(anext(items))
        finally:
            coming.cancel()  # it may be in the middle of the generator
            await asyncio.wait({coming})
            coming.cancelled() or coming.exception()
