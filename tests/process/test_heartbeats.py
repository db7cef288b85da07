"""Signs of life: when they are sent, and who is given up for lack of them."""

from __future__ import annotations

import asyncio

import pytest

from bree.process.heartbeats import MISSED_BEATS, HeartbeatMonitor, with_heartbeats
from tests.host.engines import in_loop


async def told(*items, end=None):
    """Items as they come: a number is a pause in seconds."""
    for item in items:
        if isinstance(item, float):
            await asyncio.sleep(item)
        else:
            yield item
    if end:
        raise end


@in_loop
async def test_silence_is_filled_with_beats():
    """Items are told in order and none is lost; beats come only where there is nothing else."""
    heard = [item async for item in with_heartbeats(told("a", "b", 0.12, "c"), 30, "-")]

    assert ["a", "b", "c"] == [item for item in heard if item != "-"]
    assert ["-", "a", "b", "-"] == heard[:4]
    assert "c" == heard[-1]


@in_loop
async def test_who_does_not_ask_gets_none():
    """Nothing stands between him and the items."""
    items = told("a", 0.05, "b")

    assert items is with_heartbeats(items, 0, "-")
    assert ["a", "b"] == [item async for item in items]


@in_loop
async def test_an_error_passes():
    """It ends the stream as it would without beats."""
    stream = with_heartbeats(told("a", end=ValueError("why")), 1000, "-")

    assert ["-", "a"] == [await anext(stream), await anext(stream)]
    with pytest.raises(ValueError, match="why"):
        await anext(stream)


@in_loop
async def test_who_leaves_in_the_midst_of_silence_ends_the_stream():
    """Whatever the items held is let go of before the end."""
    left = asyncio.Event()

    async def waiting():
        try:
            yield "a"
            await asyncio.Event().wait()
        finally:
            left.set()

    stream = with_heartbeats(waiting(), 10, "-")

    assert ["-", "a", "-"] == [await anext(stream) for _ in range(3)]
    await stream.aclose()
    assert left.is_set()


class Clock:
    """The looks of a monitor, taken when a test says so."""

    def __init__(self, monkeypatch):
        self.given_up = 0
        self.pending = None
        monkeypatch.setattr(
            HeartbeatMonitor, "_later", lambda monitor: setattr(self, "pending", monitor._look)
        )

    def give_up(self):
        self.given_up += 1

    def look(self, times=1):
        for _ in range(times):
            look, self.pending = self.pending, None
            look()


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_who_misses_some_beats_is_given_up_once(clock):
    """Not before, and nobody looks any more."""
    monitor = HeartbeatMonitor(1, clock.give_up)
    monitor.hear(is_beat=True)
    clock.look(MISSED_BEATS - 1)
    assert not clock.given_up
    clock.look()

    assert (1, True, None) == (clock.given_up, monitor.has_stopped, clock.pending)


def test_whatever_comes_is_a_sign_of_life(clock):
    """Each message begins a new count."""
    monitor = HeartbeatMonitor(1, clock.give_up, beats=True)
    for _ in range(5):
        clock.look(MISSED_BEATS - 1)
        monitor.hear()

    assert not clock.given_up


def test_who_sends_no_beats_may_be_silent(clock):
    """An older engine or gateway knows of none."""
    monitor = HeartbeatMonitor(1, clock.give_up)
    monitor.hear()
    clock.look(10 * MISSED_BEATS)

    assert not clock.given_up


def test_what_is_not_read_may_be_late(clock):
    """A stream that is read slowly has its beats lying somewhere."""
    monitor = HeartbeatMonitor(1, clock.give_up, beats=True)
    monitor.is_reading = False
    clock.look(10 * MISSED_BEATS)

    assert not clock.given_up
