"""Steps of a match: what is stored as one, and what of it those are shown who may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.core.decisions import Event, Seat
from services.host.serialization import LogEntry

NOBODY: frozenset[Seat | None] = frozenset()


class Emitted(NamedTuple):
    """What happened with one entry, to be shown to those who may see it."""

    who: str
    events: tuple[Event, ...]
    is_note: bool = False

    @classmethod
    def of(cls, who: str, events: Sequence[Event], *, is_note: bool = False) -> Emitted:
        """Without the events that nobody may see."""
        return cls(who, tuple([event for event in events if event.seen_by != NOBODY]), is_note)


class MatchStep(NamedTuple):
    """A decision with the answers of chance that followed: what is stored as one."""

    entries: tuple[LogEntry, ...]
    emitted: tuple[Emitted, ...]  # one for each entry
    head: str  # of the history, with these entries


class Diverged(Exception):
    """An entry of the log is not what its decision leads to."""

    def __init__(self, revision: int, why: str) -> None:
        self.revision = revision
        super().__init__(f"entry {revision}: {why}")
