"""What must happen next in a match: follows from where it stands, and is stored with the move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from services.host.course import Course
from services.host.saved import BOT_TURN, CLOCK, DUE, SCORE, Due
from services.host.store import Change


def due_after(match: str, course: Course, before: Iterable[Due], now: int) -> tuple[Due, ...]:
    """What is due in a match at this point; what was due before stays due since then."""
    known = {due._replace(since=0): due for due in before}
    return tuple(known.get(due._replace(since=0), due) for due in _due(match, course, now))


def change_of_due(before: Sequence[Due], after: Sequence[Due]) -> Change:
    """What a store must be told when this is due instead of that."""
    if before == after:
        return Change()
    return Change(
        fields={DUE: " ".join(due.member() for due in after)},
        undue=[due.member() for due in before if due not in after],
        due=[(due.since, due.member()) for due in after if due not in before],
    )


def _due(match: str, course: Course, now: int) -> Iterator[Due]:
    if course.is_over:
        yield Due(SCORE, match, "", 0, "", now)
        return
    payer, alone = course.setup.payer, course.setup.alone
    for seat, number in course.asked.items():
        name, level = course.table.seats[seat], course.levels[seat]
        expires = course.clocks.expires(seat) if course.clocks is not None else None
        if level:
            yield Due(BOT_TURN, match, name, number, level, now, payer, alone)
        elif expires is not None:
            yield Due(CLOCK, match, name, number, "", course.setup.created + expires)
