"""Which positions of a match a film of it shows."""

from __future__ import annotations

MOST_FRAMES = 120


def frames_of(last: int) -> list[int]:
    """The revisions that a film shows: the first, the last, and as many between as there may be."""
    count = min(MOST_FRAMES, last + 1)
    return [round(frame * last / max(1, count - 1)) for frame in range(count)]
