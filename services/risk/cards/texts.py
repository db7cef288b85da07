"""What the Adventure cards say, in short."""

from __future__ import annotations

from services.risk.tables import (
    MEANINGS,
    MISSION_LAND,
    MISSIONS,
    POINTS,
    RECONSTRUCTED,
    REWARD,
    REWARD_TEXT,
    STEM,
    TERRITORY_NAMES,
)


def meaning(card: int, side: int) -> str:
    """What an Adventure card does for an alignment, and what it scores."""
    if not MISSIONS >> card & 1:
        text = MEANINGS[STEM[card]]
    elif REWARD[card][side]:
        number = REWARD[card][side]
        text = f"{number} battalion{'s' if number != 1 else ''} {REWARD_TEXT[card]}"
    else:
        text = "one more Territory card this turn"
    points = POINTS[card][side]
    source = ", a reconstructed value" if RECONSTRUCTED >> card & 1 else ""
    return f"{text}; {points} point{'s' if points != 1 else ''}{source}" if points else text


def summary(card: int) -> str:
    """What an Adventure card does, for whoever knows no alignment, in a line of a terminal."""
    if not MISSIONS >> card & 1:
        return MEANINGS[STEM[card]]
    good, evil = REWARD[card]
    gained = f"{good} battalions for good or {evil} for evil {REWARD_TEXT[card]}"
    told = gained if good else "one more Territory card"
    return f"bring a Leader to {TERRITORY_NAMES[MISSION_LAND[card]]}: {told}"
