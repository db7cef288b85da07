"""Puts the clock of a process wrong: Python imports this by itself, where PYTHONPATH says so.

Design. What a part reads as the time of day, `time.time_ns`, is true plus the
nanoseconds that a file of eight bytes says now, so that a clock can go wrong and right again while
its process runs. `time.time` stays true: gRPC counts its deadlines by it and by C's clock together.
"""

import mmap
import os
import struct
import time

FILE = os.environ.get("CHAOS_CLOCK")

if FILE:
    with open(FILE, "rb") as opened:  # noqa: PTH123  # every import here delays every process
        _wrong = mmap.mmap(opened.fileno(), 8, access=mmap.ACCESS_READ)
    _true = time.time_ns

    def time_ns() -> int:
        """The time of day by a clock that may be wrong."""
        return _true() + struct.unpack("q", _wrong[:8])[0]

    time.time_ns = time_ns
