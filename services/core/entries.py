"""The lines of a record: who decided what, and what the host may do."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from services.core.contract import Rules
from services.core.fair import Draw
from services.core.frames import B, Game
from services.core.offers import ABORT, DRAW, TAKE_BACK

CHANCE_NAME = "chance"
HOST_NAME = "host"
FORFEITS = RESIGN, EXPIRE = ("resign", "expire")
UNDO = "undo"
AGREED = (TAKE_BACK, ABORT, DRAW)
"""What the host does because all have agreed on it; the second it may do by itself, too."""


class Entry(NamedTuple):
    """One line of a record: who decided what, and a digest of the game after it."""

    who: str  # a seat's name, "chance", or "host" for what happens outside the rules
    what: str
    digest: str
    draws: tuple[Draw, ...] = ()  # what chance drew for it
    is_note: bool = False  # it changes nothing in the game

    def taken_back(self) -> str:
        """The seat whose last decision this entry takes back, if it does."""
        verb, _, seat = self.what.partition(" ")
        return seat if (self.who, verb, self.is_note) == (HOST_NAME, UNDO, False) else ""

    def text(self) -> str:
        """The line of the record."""
        sign = "!" if self.is_note else ":"
        drawn = f" [{', '.join(map(str, self.draws))}]" if self.draws else ""
        return f"{self.who}{sign} {self.what}{drawn} ~{self.digest}"


def digest(decision: str, rules: Rules[B], game: Game[B]) -> str:
    """A short fingerprint of a decision and the position after it.

    It could betray secrets to someone who tries out positions: never show it while playing.
    """
    return hashlib.sha256(decision.encode() + b"\n" + rules.gist(game)).hexdigest()[:8]
