"""What must happen next in a match: follows from where it stands, and is stored with the move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.host.course import Course
from services.host.saved import BOT_TURN, CLOCK, SCORE, Due


def due_after(match: str, course: Course, before: Iterable[Due], now: int) -> tuple[Due, ...]:
    """What is due in a match at this point; what was due before stays due since then."""
    known = {due[:-1]: due for due in before}
    return tuple(known.get(due[:-1], due) for due in _due(match, course, now))


def _due(match: str, course: Course, now: int) -> Iterator[Due]:
    if course.is_over:
        yield Due(SCORE, match, "", 0, "", now)
        return
    for seat, number in course.asked.items():
        name, level = course.table.seats[seat], course.levels[seat]
        expires = course.clocks.expires(seat) if course.clocks is not None else None
        if level:
            yield Due(BOT_TURN, match, name, number, level, now)
        elif expires is not None:
            yield Due(CLOCK, match, name, number, "", course.setup.created + expires)
