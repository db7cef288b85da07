"""Whole games that must always replay to the same digest: drop a record in, gain a test.

`tests/golden/<game>/*.record` are the games, `tests/golden/<game>/counts.txt` the counts of
decision paths. `python -m tests.golden` plays the games that are missing.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def record_paths() -> list[Path]:
    """Every golden record, game after game."""
    return sorted(FOLDER.glob("*/*.record"))


def count_paths() -> list[Path]:
    """Every list of counts."""
    return sorted(FOLDER.glob("*/counts.txt"))
