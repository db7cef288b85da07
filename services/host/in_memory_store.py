"""A store in the memory of one process: for tests, and for a game that need not survive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field

from services.host.store import LONGEST_LEASE_MS, Census, Change, Moved, Position, Stored


@dataclass(slots=True)
class _Match:
    version: int = 0
    head: str = ""
    lines: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)


class InMemoryStore:
    """Keeps what a store keeps, in dictionaries. Any number of engines may share one."""

    def __init__(self) -> None:
        self.matches: dict[str, _Match] = {}
        self.due: dict[str, int] = {}
        self._listeners: set[asyncio.Queue[Moved]] = set()

    async def append(self, match: str, version: int, change: Change, head: str = "") -> bool:
        known = self.matches.get(match) or _Match()
        if (known.version, known.head) != (version, head):
            return False
        self.matches[match] = known
        known.version += 1
        known.head = change.head or head
        known.lines += change.lines
        known.fields |= change.fields
        for member in change.undue:
            self.due.pop(member, None)
        self.due |= {member: at for at, member in change.due}
        for listener in self._listeners:
            listener.put_nowait(Moved(match, known.version))
        return True

    async def forget(self, match: str, version: int, undue: Sequence[str], head: str = "") -> bool:
        known = self.matches.get(match)
        if known is not None and (known.version, known.head) != (version, head):
            return False
        self.matches.pop(match, None)
        for member in undue:
            self.due.pop(member, None)
        return True

    async def load(
        self, match: str, version: int = 0, after: int = 0, head: str = "", *, surely: bool = False
    ) -> Stored | None:
        known = self.matches.get(match)
        if known is None:
            return None
        if (known.version, known.head) == (version, head):
            return Stored(version, after, (), {}, head)
        lines = tuple(known.lines[after:])
        return Stored(known.version, len(known.lines), lines, dict(known.fields), known.head)

    async def positions(self, matches: Sequence[str]) -> list[Position]:
        known = [self.matches.get(match) or _Match() for match in matches]
        return [Position(one.version, one.head) for one in known]

    async def claim(self, until: int, lease_until: int, limit: int) -> list[str]:
        ready = sorted((at, member) for member, at in self.due.items() if at <= until)
        claimed = [member for _, member in ready[:limit]]
        self.due |= dict.fromkeys(claimed, lease_until)
        return claimed

    async def census(self, now: int, may_be_old: int = 0) -> Mapping[str, Census]:
        found: dict[str, Census] = {}
        for member, at in self.due.items():
            kind, since = member.partition("|")[0], int(member.rpartition("|")[2])
            if at <= now + LONGEST_LEASE_MS and since <= now:
                before = found.get(kind, Census(0, since))
                found[kind] = Census(before.number + 1, min(before.oldest, since))
        return found

    async def listen(self) -> AsyncGenerator[Moved | None, None]:
        heard: asyncio.Queue[Moved] = asyncio.Queue()
        self._listeners.add(heard)
        try:
            yield None
            while True:
                yield await heard.get()
        finally:
            self._listeners.discard(heard)

    async def close(self) -> None:
        self._listeners.clear()
