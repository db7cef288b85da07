"""What the names that a person types can be: a match of a platform, or something else."""

from __future__ import annotations

import re

_MATCH = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
_LONGEST = 40


def is_match(word: str) -> bool:
    """Whether this has the form of a match's name; games and commands have no hyphen."""
    return len(word) <= _LONGEST and _MATCH.fullmatch(word) is not None
