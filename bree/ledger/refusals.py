"""What a ledger refuses, or why it is away: each in a sentence.

Design. PostgreSQL says why with five characters, of which the first two are a class. What the fault
of a statement is stays an error and is a bug; what the state of the server is passes. Of neither is
anything told that the server said of itself: it may be in the log, and no caller learns of it.
"""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg

SENTENCES: Mapping[str, str] = {
    "08": "the ledger went away before it answered",
    "25006": "the ledger takes no changes",
    "28": "the ledger does not let us in",
    "3D000": "the ledger's database does not exist",
    "3F000": "the ledger is not set up",
    "40": "the ledger is busy with the same",
    "42501": "the ledger does not allow this to us",
    "42P01": "the ledger is not set up",
    "42703": "the ledger has another schema",
    "53100": "the ledger's disk is full",
    "53300": "the ledger has too many callers",
    "53": "the ledger lacks room",
    "55": "the ledger is busy",
    "57014": "the ledger takes too long",
    "57": "the ledger is starting or stopping",
    "58": "the ledger cannot use its disk",
    "0A000": "the ledger has another schema",  # a cached plan that no longer fits
}
"""By the code of an error, or its class."""

AWAY = "the ledger is away"
SILENT = "the ledger does not answer"

GONE: tuple[type[BaseException], ...] = (
    OSError,
    TimeoutError,
    EOFError,
    asyncpg.InternalClientError,
)
"""What is raised where no server has said anything."""

TROUBLES: tuple[type[BaseException], ...] = (*GONE, asyncpg.PostgresError, asyncpg.InterfaceError)

OF_LINKS = ("connection", "pool")
"""A word of these is in what the library says of itself where a link, and no statement, is bad."""

AGAIN = frozenset({"40001", "40P01", "0A000", "55P03"})
"""A transaction that is refused like this was undone, and may be made again at once."""

CLOSES = ("08", "57P", "53300", "28", "3D000")
"""After these the connection, or the server, is of no use for a while."""


def code_of(error: BaseException) -> str:
    """The five characters, or nothing where the server has said none."""
    return str(getattr(error, "sqlstate", None) or "")


def known(code: str) -> str:
    """What a code means; nothing if the fault is in what was asked."""
    return SENTENCES.get(code) or SENTENCES.get(code[:2], "")


def sentence(error: BaseException) -> str:
    """Why the ledger is of no use, in a sentence."""
    if said := known(code_of(error)):
        return said
    if isinstance(error, TimeoutError):
        return SILENT
    if is_away(error):
        return AWAY
    return f"the ledger refuses: {' '.join(str(error).split())}"


def is_away(error: BaseException) -> bool:
    """Whether the server, and not what was asked of it, is at fault, for a while at least."""
    if code := code_of(error):
        return code.startswith(CLOSES)
    if isinstance(error, asyncpg.InterfaceError):
        return any(word in str(error) for word in OF_LINKS)
    return isinstance(error, GONE)
