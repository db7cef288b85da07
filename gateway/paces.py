"""How fast a match is played, by its clock."""

from __future__ import annotations

from gateway.documents import Clock

LIVE, SLOW, FREE = PACES = ("live", "slow", "free")

LIVE_MS = 3_600_000
"""So much a seat has at most where a match is played at one sitting."""

QUESTIONS = 60
"""Of so many it is added up what each of them gives."""


def pace_of(clock: Clock | None) -> str:
    """The pace that a clock makes."""
    if clock is None:
        return FREE
    return LIVE if clock.bank_ms + QUESTIONS * clock.move_ms <= LIVE_MS else SLOW


def paced(game: str, pace: str) -> str:
    """Under which name the ratings of a game are kept, or those of one pace of it."""
    return f"{game}.{pace}" if pace else game
