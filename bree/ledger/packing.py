"""Long texts as the ledger keeps them: compressed, after one byte that says how.

Design. PostgreSQL compresses, too, but less and in the one process that all wait for. A later way
gets another byte, and what was packed before can still be read.
"""

from __future__ import annotations

import zlib

PLAIN, DEFLATED = b"\x00", b"\x01"
LEVEL = 6


def pack(data: bytes) -> bytes:
    """What is kept of these bytes; nothing is kept of none."""
    if not data:
        return b""
    small = zlib.compress(data, LEVEL)
    return DEFLATED + small if len(small) < len(data) else PLAIN + data


def unpack(packed: bytes) -> bytes:
    """What was packed. `ValueError` if it is no such thing."""
    how, data = packed[:1], packed[1:]
    if how == DEFLATED:
        try:
            return zlib.decompress(data)
        except zlib.error as error:
            raise ValueError(f"what was packed is broken: {error}") from None
    if how not in (PLAIN, b""):
        raise ValueError(f"packed in a way that is not known: {how.hex()}")
    return data
