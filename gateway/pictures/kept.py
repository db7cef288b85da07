"""Pictures that were drawn of late, as many as there is room for."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

KEPT_SECONDS = 600.0


class Key(NamedTuple):
    """What makes a picture another one."""

    match: str
    revision: int
    seat: str
    form: str
    width: int
    theme: str

    def tag(self, edition: str) -> str:
        """What a browser knows it by; `edition` is that of the drawings."""
        said = "\0".join(str(part) for part in (*self, edition))
        return hashlib.sha256(said.encode()).hexdigest()[:20]


class Kept:
    """A cache of bounded size."""

    def __init__(self, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most_bytes, self.clock = most_bytes, clock
        self.size = 0
        self._pictures: OrderedDict[Key, tuple[bytes, float]] = OrderedDict()

    def find(self, key: Key) -> bytes | None:
        """A picture, if it is here."""
        body, until = self._pictures.get(key, (None, 0.0))
        if body is None:
            return None
        if until <= self.clock():
            self._drop(key)
            return None
        self._pictures.move_to_end(key)
        return body

    def keep(self, key: Key, body: bytes) -> None:
        """Keep a picture, in the place of those that were not asked for the longest."""
        self._drop(key)
        if len(body) > self.most_bytes:
            return
        self._pictures[key] = (body, self.clock() + KEPT_SECONDS)
        self.size += len(body)
        while self.size > self.most_bytes:
            self._drop(next(iter(self._pictures)))

    def _drop(self, key: Key) -> None:
        body, _ = self._pictures.pop(key, (b"", 0.0))
        self.size -= len(body)
