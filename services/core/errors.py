"""The four ways a decision can be refused. Each says what was said and where the game stood."""

from __future__ import annotations


class Refused(Exception):
    """A decision that was refused; the game is as it was."""

    def __init__(self, why: str, *, said: str = "", where: str = "") -> None:
        self.why = why
        self.said = said
        self.where = where
        super().__init__(why, said, where)

    def __str__(self) -> str:
        said = f": {self.said!r}" if self.said else ""
        where = f" (at {self.where})" if self.where else ""
        return f"{self.why}{said}{where}"


class Invalid(Refused):
    """Not understood: bad text, an unknown name, a malformed record."""


class Illegal(Refused):
    """Understood, and not among the actions that were offered."""


class NotAsked(Refused):
    """This seat is not waited for."""


class Stale(Refused):
    """An answer to an older question."""
