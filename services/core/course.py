"""Who decided what still stands: one byte for each entry of a match.

Design. What is taken back stays in the record, so which decision is a seat's last one is not to be
seen from the end of it. This keeps that in a form which can be copied with every decision, and is
worked out in the same way from a record, by the host and by whoever verifies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, Self

from services.core.decisions import Seat
from services.core.entries import FORFEITS, HOST_NAME, UNDO
from services.core.offers import TAKE_BACK

_GONE, _OTHER, _FORFEIT = 253, 254, 255
"""Taken back; an entry that is no seat's decision; one that nothing before is taken back across."""


class Line(Protocol):
    """What an entry says, wherever it is kept."""

    @property
    def who(self) -> str: ...

    @property
    def what(self) -> str: ...

    @property
    def is_note(self) -> bool: ...


class Course:
    """The decisions of a match that have not been taken back."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes = bytearray()

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new._bytes = self._bytes[:]
        return new

    def decide(self, seat: Seat) -> None:
        """A seat makes a decision."""
        self._bytes.append(seat)

    def go_on(self) -> None:
        """There is another entry: chance's, the host's, or a note."""
        self._bytes.append(_OTHER)

    def give_up(self) -> None:
        """The latest entry is that a seat gave up, which nobody takes back."""
        self._bytes[-1] = _FORFEIT

    def go_back(self, revision: int) -> None:
        """Nothing stands any more that was made from this revision on."""
        self._bytes[revision:] = bytes([_GONE]) * (len(self._bytes) - revision)

    def last_of(self, seat: Seat) -> int | None:
        """The revision that a seat's last decision was made at, if it can be taken back."""
        found = self._bytes.rfind(seat, self._bytes.rfind(_FORFEIT) + 1)
        return None if found < 0 else found

    def last(self, most: int) -> list[int]:
        """The revisions of the last decisions of seats."""
        found: list[int] = []
        for revision in range(len(self._bytes) - 1, -1, -1):
            if len(found) == most:
                break
            if self._bytes[revision] < _GONE:
                found.append(revision)
        return found

    def count(self, seat: Seat) -> int:
        """How many decisions of a seat stand."""
        return self._bytes.count(seat)

    def follow(self, line: Line, seats: Sequence[str]) -> int | None:
        """Go on by an entry; gives the revision that it goes back to, if it does."""
        verb, *words = line.what.split(" ")
        back = None
        if line.is_note or line.who not in (*seats, HOST_NAME):
            self.go_on()
        elif line.who != HOST_NAME:
            self.decide(seats.index(line.who))
        else:
            if verb in (UNDO, TAKE_BACK) and words and words[0] in seats:
                back = self.last_of(seats.index(words[0]))
                if back is not None:
                    self.go_back(back)
            self.go_on()
            if verb in FORFEITS:
                self.give_up()
        return back


class Everything:
    """All revisions: where nobody knows which will be wanted again."""

    def __contains__(self, _: object) -> bool:
        return True


class Wanted(NamedTuple):
    """The revisions whose games are wanted again."""

    undone: frozenset[int]  # to take back the last decision
    agreed: frozenset[int]  # to take back one with all that came of it


def wanted_again(
    lines: Iterable[Line], seats: Sequence[str], course: Course | None = None, last: int = 0
) -> Wanted:
    """What these entries go back to; and the last decisions in the end, which others may."""
    course = course.copy() if course else Course()
    undone: set[int] = set()
    agreed: set[int] = set()
    for line in lines:
        back = course.follow(line, seats)
        if back is not None:
            (undone if line.what.startswith(UNDO) else agreed).add(back)
    return Wanted(frozenset(undone.union(course.last(last))), frozenset(agreed))
