"""The records of matches that are over, kept for a while: they do not change any more.

Design. What is kept is bounded in bytes, and in time, too: a store that is set back to before the
end of a match goes on with it, and then nobody should be told for long that it is over.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from bree.gateway.v1 import gateway_pb2 as pb

KEPT_SECONDS = 60.0


class Book(NamedTuple):
    """A record, how large it is, and until when it is kept."""

    record: pb.GetMatchRecordResponse
    size: int
    until: float


class Shelf:
    """Records by match, those that were asked for of late."""

    def __init__(self, room: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.room, self.clock = room, clock
        self.size = 0
        self._books: OrderedDict[str, Book] = OrderedDict()

    def find(self, match: str) -> pb.GetMatchRecordResponse | None:
        """The record of a match, if it is here."""
        book = self._books.get(match)
        if book is None:
            return None
        if book.until <= self.clock():
            self._drop(match)
            return None
        self._books.move_to_end(match)
        return book.record

    def keep(self, match: str, record: pb.GetMatchRecordResponse) -> None:
        """Keep a record, in the place of those that were not asked for the longest."""
        self._drop(match)
        size = record.ByteSize()
        if size > self.room:
            return
        self._books[match] = Book(record, size, self.clock() + KEPT_SECONDS)
        self.size += size
        while self.size > self.room:
            self._drop(next(iter(self._books)))

    def _drop(self, match: str) -> None:
        book = self._books.pop(match, None)
        if book:
            self.size -= book.size
