"""The canonical text of a value: JSON in the one form in which all who write it agree.

Design. Digests are made of it, so that no language's own way of writing things is part of them. It
has whole numbers, texts, truth values, nothing (`null`) and lists of these, without blanks; signs
beyond ASCII are escaped. A row of bytes is a text with two hexadecimal digits for each.
`docs/positions.md` says it for other programs.
"""

from __future__ import annotations

import json


def canonical(value: object) -> str:
    """The text of a value that is made of numbers, texts, tuples, lists and rows of bytes."""
    return _ENCODER.encode(value)


def _in_hex(row: object) -> str:
    if not isinstance(row, bytes | bytearray):
        raise TypeError(f"a position holds no {type(row).__name__}")
    return row.hex()


_ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_in_hex)
