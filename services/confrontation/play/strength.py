"""Base strengths in a battle (RULES 5 B8, 9, 10): the printed ones, and what modifies them."""

from __future__ import annotations

from services.confrontation.board import Board
from services.confrontation.tables import (
    DARK,
    STRENGTH,
    STRONG_AS_ATTACKER,
    STRONG_ATTACKING,
    STRONG_BESIDE,
    STRONG_IN,
)


def base(
    b: Board, where: int, good: int, dark: int, *, silenced: int, boosted: int
) -> tuple[int, int]:
    """The strengths of both combatants, good and dark, cards and support apart."""
    enemy, own = b.face[dark], b.face[good]
    against = STRONG_ATTACKING[enemy] if b.turn == DARK else STRENGTH[enemy]
    if silenced:
        return STRENGTH[own], against
    if boosted:
        return STRONG_BESIDE[own][1], against
    if own in STRONG_AS_ATTACKER and b.turn == DARK:
        return against, against
    return STRONG_IN[own].get(where, STRENGTH[own]), against
