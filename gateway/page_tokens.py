"""Page tokens: where a list goes on, and which list it was."""

from __future__ import annotations

import base64
import hashlib
import json
import math

from gateway.documents import ListEntry
from gateway.refusals import invalid

LONGEST = 400
HIGHEST = 1 << 62


def encode(entry: ListEntry | None, *which: object) -> str:
    """The token of the page after an entry of a list; empty if there is none."""
    if entry is None:
        return ""
    text = json.dumps([entry.score, entry.name, _mark(which)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(text: str, *which: object) -> ListEntry | None:
    """Where the page begins whose token this is; `which` must be what it was made for."""
    if not text:
        return None
    if len(text) > LONGEST:
        raise _unknown()
    try:
        padded = text + "=" * (-len(text) % 4)
        score, name, mark = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
        found = ListEntry(float(score), name)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise _unknown() from None
    is_name = isinstance(name, str) and name.isascii() and name.isprintable()
    known = is_name and math.isfinite(found.score)
    if not known or mark != _mark(which):
        raise _unknown()
    return found


def whole(entry: ListEntry) -> int:
    """What an entry is sorted by, as a whole number that a ledger can have, whoever made it up."""
    return round(max(-HIGHEST, min(HIGHEST, entry.score)))


def _mark(which: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(which).encode()).hexdigest()[:12]


def _unknown() -> Exception:
    return invalid("page_token", "page_token is one that the same request was answered with")
