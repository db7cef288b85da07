"""The history of a match as one number: every entry is bound to all that came before it.

Design. A head is a keyed hash of the head before it and of one line, as the record has it. The key
follows from the match's secret, so that a head gives nothing away while the match runs, and anyone
can compute all heads again once the secret is published. Whoever has kept a head can show that a
history is the one he has seen, or is not. `docs/record.md` says which lines there are.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Self

SALT_BYTES = 16


class Chain:
    """The head that a match has come to."""

    __slots__ = ("_key", "digest")

    def __init__(self, secret: bytes, heading: str) -> None:
        self._key = hmac.digest(secret, b"bree chain 1\n", "sha256")
        self.digest = b""
        self.link(heading)

    def copy(self) -> Self:
        """A chain that goes on by itself from here."""
        new = object.__new__(type(self))
        new._key, new.digest = self._key, self.digest
        return new

    @property
    def head(self) -> str:
        """The head as it is told: 64 hexadecimal digits."""
        return self.digest.hex()

    def link(self, line: str) -> None:
        """Bind the next line to all before it."""
        self.digest = hmac.digest(self._key, self.digest + line.encode(), "sha256")

    def closed(self, ending: str) -> str:
        """The head of a match that has ended with this line."""
        return hmac.digest(self._key, self.digest + ending.encode(), "sha256").hex()


def mark(salt: bytes, name: str) -> str:
    """What a history keeps of a player's name: it tells nobody the name, and fits no other."""
    return hashlib.sha256(b"bree player 1\n" + salt + name.encode()).hexdigest()


def salt_of(secret: bytes, seat: str) -> bytes:
    """A salt for who plays a seat, where nobody has drawn one."""
    return hmac.digest(secret, b"bree salt 1\n" + seat.encode(), "sha256")[:SALT_BYTES]
