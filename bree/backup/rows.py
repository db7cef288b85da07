"""The rows of a table as PostgreSQL copies them in its binary form."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

SIGN = b"PGCOPY\n\xff\r\n\x00"
NOTHING = -1


def binary_rows(copied: IO[bytes]) -> Iterator[tuple[bytes | None, ...]]:
    """The fields of each row, as they are sent; `ValueError` if it is no such copy."""
    if _exactly(copied, len(SIGN)) != SIGN:
        raise ValueError("this is no copy of a table")
    _, more = struct.unpack("!II", _exactly(copied, 8))
    _exactly(copied, more)
    while (count := struct.unpack("!h", _exactly(copied, 2))[0]) != NOTHING:
        yield tuple(_field(copied) for _ in range(count))


def _field(copied: IO[bytes]) -> bytes | None:
    (size,) = struct.unpack("!i", _exactly(copied, 4))
    return None if size == NOTHING else _exactly(copied, size)


def _exactly(copied: IO[bytes], size: int) -> bytes:
    data = copied.read(size)
    if len(data) != size:
        raise ValueError("a copy of a table that was cut off")
    return data
