"""The steps of a match as they come, read beside whatever else goes on at the terminal.

Design. A person who thinks does not read. So a thread reads, and what has come waits here; the
client mends the stream when it breaks, and its last refusal is raised where the steps are wanted.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

from bree.gateway.v1 import gateway_pb2 as pb

Step = pb.WatchMatchResponse

LAST_SECONDS = 1.0
"""A reader whose connection is closed ends in less."""


class Steps:
    """A stream that can be waited for with a time limit."""

    def __init__(self, stream: Iterator[Step]) -> None:
        self._stream = stream
        self._come: queue.Queue[Step | Exception] = queue.Queue()
        self._reader = threading.Thread(target=self._read, name="steps", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            for step in self._stream:
                self._come.put(step)
        except Exception as error:  # noqa: BLE001  # it is raised again where it can be told
            self._come.put(error)

    def next(self, seconds: float | None = None) -> Step | None:
        """The next step; `None` if none has come in this time."""
        try:
            come = self._come.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(come, Exception):
            raise come
        return come

    def end(self) -> None:
        """Wait until nobody reads, once the connection is closed."""
        self._reader.join(LAST_SECONDS)

    @property
    def has_more(self) -> bool:
        """Whether a step has come that was not taken yet."""
        return not self._come.empty()
