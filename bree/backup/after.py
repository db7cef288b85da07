"""What was played after a backup: compared with the store that is given up, if it can be read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

from bree.backup import live
from bree.backup.file import Reader
from bree.backup.live import LiveMatch
from bree.redis.clients import Client
from services.host.serialization import LogEntry


class After(NamedTuple):
    """What of a match is not in a backup."""

    game: str
    match: str
    first: int  # of the entries that came after; 1 if the backup has nothing of the match
    who: tuple[str, ...]  # made them, one for each

    def __str__(self) -> str:
        last = self.first + len(self.who) - 1
        by = ", ".join(sorted(set(self.who)))
        return f"match {self.match} of {self.game}: entries {self.first} to {last}, by {by}"


async def after(store: Client, source: Reader) -> AsyncIterator[After]:
    """Every match of a store in which something happened that a backup lacks."""
    known: dict[str, int] = {}
    for part in ("live/matches", "live/late"):
        for row in source.rows(part):
            one = LiveMatch(*row)
            known[one.match] = len(one.lines)
    async for one in live.matches(store):
        first = known.get(one.match, 0)
        new = [LogEntry.of(line).who for line in one.lines[first:]]
        if new:
            yield After(one.game, one.match, first + 1, tuple(new))
