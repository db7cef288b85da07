"""What becomes of matches that are over: they are settled, stay for a while, and leave the store.

Design. Nobody plays in such a match any more, so it is read as it is stored and never replayed. It
is told by its history which match is meant: a store that was set back has another one there.
"""

from __future__ import annotations

from collections.abc import Awaitable

import structlog

from bree.process import metrics
from services.host import refusals
from services.host.clocks import NO_QUESTION
from services.host.matches import Matches, Now
from services.host.serialization import DUE, ENDED, LEAVE, SCORE, SETTLED, Due
from services.host.store import Away, Change, Store, Stored, Unsure

log = structlog.get_logger()

TRIES = 20
"""How often a match is read again because somebody changed it meanwhile."""

FOR_EVER = -1
"""In the place of how long matches stay: where there is no ledger, they do not leave."""


class Ends:
    """The ends of the matches of one game."""

    def __init__(self, game: str, matches: Matches, store: Store, now: Now, stay_ms: int) -> None:
        self.matches, self.store, self.now = matches, store, now
        self.stay_ms = stay_ms  # after they were settled; or `FOR_EVER`
        self._done_after = {
            kind: metrics.DONE_AFTER_SECONDS.labels(game, kind) for kind in (SCORE, LEAVE)
        }

    async def settle(self, match: str) -> None:
        """A finished match has been scored: all that is due is that it leaves."""
        for _ in range(TRIES):
            stored = await self.matches.read(match)
            if not stored.fields.get(ENDED):
                raise refusals.not_over(match)
            if stored.fields.get(SETTLED):
                return
            before = stored.fields.get(DUE, "").split()
            due = self._leaving(match)
            fields = {SETTLED: "1", DUE: " ".join(one.member() for one in due)}
            later = [(one.since, one.member()) for one in due]
            change = Change(fields=fields, undue=before, due=later)
            appended = self.store.append(match, stored.version, change, stored.head)
            if await self._done(match, appended):
                self._count(before)
                return
        raise refusals.unavailable("engine", "this match is too busy")

    async def forget(
        self, match: str, head: str, revision: int, *, only_look: bool = False
    ) -> None:
        """Drop a settled match, if this is its history and it has so many entries."""
        for _ in range(TRIES):
            stored = await self.matches.read(match)
            _check(match, stored, head, revision)
            if only_look:
                return
            due = stored.fields.get(DUE, "").split()
            forgotten = self.store.forget(match, stored.version, due, stored.head)
            if await self._done(match, forgotten):
                self._count(due)
                log.info("match forgotten", match=match, revision=revision)
                return
        raise refusals.unavailable("engine", "this match is too busy")

    def _leaving(self, match: str) -> list[Due]:
        if self.stay_ms == FOR_EVER:
            return []
        return [Due(LEAVE, match, "", NO_QUESTION, "", self.now() + self.stay_ms)]

    async def _done(self, match: str, written: Awaitable[bool]) -> bool:
        try:
            return await written
        except Away as error:
            raise refusals.store_away(error) from error
        except Unsure as error:
            raise refusals.outcome_unknown(match, "") from error

    def _count(self, members: list[str]) -> None:
        """Note how long it took until these were done."""
        for due in map(Due.of, members):
            if due.kind in self._done_after:
                # What other machines' clocks say is later than now has just become due.
                late = max(0, self.now() - due.since) / 1000
                self._done_after[due.kind].observe(late)


def _check(match: str, stored: Stored, head: str, revision: int) -> None:
    """Refuse a match that is not done with, or not the one that is meant."""
    if not stored.fields.get(ENDED):
        raise refusals.not_over(match)
    if not stored.fields.get(SETTLED):
        raise refusals.not_settled(match)
    if (stored.head, stored.revision) != (head, revision):
        raise refusals.not_as_archived(match, stored.revision)
