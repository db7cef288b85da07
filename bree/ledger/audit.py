"""The audit log: lines that are only ever added, each of which binds all before it.

Design. The database numbers the lines and computes their hashes; here they are computed once more,
from what is read. Whoever changes a line breaks its own hash, or that of the next; whoever takes
lines away at the end leaves no trace in the log itself, so a host who fears that keeps the hash of
the last line elsewhere. What is done outside of the ledger is noted twice: that it is meant, before
it is done, and what came of it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

NOTED = """
INSERT INTO bree.audit (at_ms, who, what, why)
SELECT $1, $2, $3, $4 WHERE NOT EXISTS (
  SELECT FROM (SELECT * FROM bree.audit ORDER BY n DESC LIMIT 1000) a
  WHERE (a.at_ms, a.who, a.what, a.why) = ($1::bigint, $2::text, $3::text, $4::text))
RETURNING n
"""
LATEST = """
SELECT max(n) FROM bree.audit WHERE (at_ms, who, what, why) = ($1::bigint, $2::text, $3::text, $4)
"""
LINES = """
SELECT n, at_ms, who, what, why, before, hash FROM bree.audit WHERE n > $1 ORDER BY n LIMIT $2
"""

BEGIN, END = "begin", "end"
"""The first words of what is meant, and of what came of it."""

MEANT = re.compile(rf"{BEGIN} (.+)")
DONE = re.compile(rf"{END} ([0-9]+) ")


class Deed(NamedTuple):
    """What somebody does, and why, as it is to be noted."""

    at_ms: int
    who: str
    what: str
    why: str


class Noted(NamedTuple):
    """The line of a deed."""

    n: int
    is_new: bool  # else the same deed, sent twice, was noted before


class Line(NamedTuple):
    """One line of the log."""

    n: int
    at_ms: int
    who: str
    what: str
    why: str
    before: str
    hash: str


async def note(connection: Any, deed: Deed) -> Noted:
    """Add a line in the transaction that is under way; once, if the same is done again."""
    n = await connection.fetchval(NOTED, *deed)
    if n is not None:
        return Noted(n, is_new=True)
    return Noted(await connection.fetchval(LATEST, *deed), is_new=False)


def hash_of(line: Line) -> str:
    """The hash that a line must have."""
    said = [line.n, line.at_ms, line.who, line.what, line.why, line.before]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()


class Chain:
    """Follows the log from its beginning, line by line."""

    def __init__(self) -> None:
        self.n, self.hash = 0, ""

    def trouble(self, line: Line) -> str:
        """What is wrong with the next line, in a sentence; nothing if it fits."""
        if line.n != self.n + 1:
            return f"line {self.n + 1} is missing"
        if line.before != self.hash:
            return f"line {line.n} does not follow line {self.n}"
        if hash_of(line) != line.hash:
            return f"line {line.n} is not what was written"
        self.n, self.hash = line.n, line.hash
        return ""


class Unfinished:
    """Finds what was meant and of which nobody has noted what came of it."""

    def __init__(self) -> None:
        self._meant: dict[int, str] = {}

    def take(self, line: Line) -> None:
        """Take in the next line."""
        if meant := MEANT.fullmatch(line.what):
            self._meant[line.n] = meant[1]
        elif done := DONE.match(line.what):
            what = self._meant.pop(int(done[1]), None)
            # What was begun before and is done now was begun twice, and needs no more.
            gone = [n for n, one in self._meant.items() if one == what and n < int(done[1])]
            for n in gone:
                del self._meant[n]

    @property
    def found(self) -> Sequence[int]:
        """The numbers of their lines."""
        return tuple(self._meant)


def unfinished(lines: Iterable[Line]) -> Sequence[int]:
    """The lines of what was begun and has no end."""
    found = Unfinished()
    for line in lines:
        found.take(line)
    return found.found
