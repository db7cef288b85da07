"""Signs of life on streams: one whose gateway hangs is given up, and can be opened anew."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Protocol, TypeVar

from google.protobuf.message import Message

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)

SECONDS, MISSED = 1.5, 3
"""Seconds between two beats of the gateway, and beats in a row without which it hangs."""

MILLISECONDS = int(1000 * SECONDS)


class _Call(Protocol[A_co]):
    """A call with many answers, as gRPC gives one."""

    def __iter__(self) -> Iterator[A_co]: ...

    def cancel(self) -> object: ...


def told(call: _Call[A], seconds: float = SECONDS) -> Iterator[A]:
    """What comes on a stream but for its beats; if these cease, the call is cancelled."""
    monitor = _Monitor(call, seconds)
    try:
        for said in call:
            is_beat = isinstance(said, Message) and not said.ByteSize()
            monitor.hear(is_beat=is_beat)
            if not is_beat:
                monitor.is_reading = False  # who reads slowly must not take that for silence
                yield said
                monitor.is_reading = True
    finally:
        monitor.end()


class _Monitor:
    """Looks from a thread of its own whether anything has come."""

    def __init__(self, call: _Call[A], seconds: float) -> None:
        self.is_reading = True
        self._call, self._seconds = call, seconds
        self._beats = False  # an older gateway sends none
        self._missed = 0
        self._ended = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def hear(self, *, is_beat: bool) -> None:
        self._missed = 0
        self._beats = self._beats or is_beat

    def end(self) -> None:
        self._ended.set()

    def _look(self) -> None:
        while not self._ended.wait(self._seconds):
            self._missed = self._missed + 1 if self.is_reading else 0
            if self._beats and self._missed >= MISSED:
                self._call.cancel()
                return
