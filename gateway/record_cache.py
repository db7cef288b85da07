"""A cache of the records of matches that are over, which do not change any more.

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


class CachedRecord(NamedTuple):
    """A record, how large it is, and until when it is kept."""

    record: pb.GetMatchRecordResponse
    size: int
    until: float


class RecordCache:
    """Records by match, those that were asked for of late."""

    def __init__(self, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most_bytes, self.clock = most_bytes, clock
        self.size = 0
        self._records: OrderedDict[str, CachedRecord] = OrderedDict()

    def find(self, match: str) -> pb.GetMatchRecordResponse | None:
        """The record of a match, if it is here."""
        cached = self._records.get(match)
        if cached is None:
            return None
        if cached.until <= self.clock():
            self._drop(match)
            return None
        self._records.move_to_end(match)
        return cached.record

    def keep(self, match: str, record: pb.GetMatchRecordResponse) -> None:
        """Keep a record, in the place of those that were not asked for the longest."""
        self._drop(match)
        size = record.ByteSize()
        if size > self.most_bytes:
            return
        self._records[match] = CachedRecord(record, size, self.clock() + KEPT_SECONDS)
        self.size += size
        while self.size > self.most_bytes:
            self._drop(next(iter(self._records)))

    def _drop(self, match: str) -> None:
        cached = self._records.pop(match, None)
        if cached:
            self.size -= cached.size
