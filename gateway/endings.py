"""The ends of matches that an account is told: while it listens, or when it listens again.

Design. The store keeps each end for the accounts that sat in the match until one of their listeners
has been told. Nobody says that he has read something; but a stream that lasts long enough after it
was sent has brought it, since pings would have found its connection dead by then. If it breaks
before, the end is told again: perhaps twice, and never not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import structlog

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import wire
from gateway.contract import Store
from gateway.documents import Account, Match

log = structlog.get_logger()

LASTED_SECONDS = 60.0
"""How long a stream must last after something was sent for it to have been brought."""

Key = tuple[str, str]  # a match's id and a seat

Tell = Callable[[Match, str, pb.WatchMatchResponse], None]
"""Is given a match that is over, one of its seats, and what is said of it."""


class Endings:
    """Which ends one listener has been told."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._waiting: dict[str, set[str]] = {}  # by match, the seats whose end is not sent yet
        self._sent: dict[str, float] = {}  # by match, when the last one was

    def begin(self, key: Key) -> bool:
        """An end is about to be sent; whether that is new."""
        match, seat = key
        if match in self._sent or seat in self._waiting.get(match, ()):
            return False
        self._waiting.setdefault(match, set()).add(seat)
        return True

    def note(self, key: Key) -> None:
        """It has been sent."""
        match, seat = key
        waiting = self._waiting[match]
        waiting.discard(seat)
        if not waiting:
            del self._waiting[match]
            self._sent[match] = self._now()

    async def look(self, store: Store, account: Account, tell: Tell) -> None:
        """Tell the ends that were missed, and let go of those that were brought."""
        until = self._now() - LASTED_SECONDS
        brought = {match for match, at in self._sent.items() if at <= until}
        kept = await store.ended(account.id)
        await store.unended(account.id, [entry for entry in kept if entry.name in brought])
        known = self._sent.keys() | self._waiting.keys()
        for match in brought:
            del self._sent[match]
        missed = [entry.name for entry in reversed(kept) if entry.name not in known]
        for found in await _ended(store, missed):
            if found is not None and found.outcome is not None:
                outcome = wire.outcome_message(found.outcome)
                said = pb.WatchMatchResponse(standing=engine.Standing(outcome=outcome))
                for seat in found.seats_of(account):
                    tell(found, seat.name, said)


async def _ended(store: Store, ids: Sequence[str]) -> Sequence[Match | None]:
    """Matches that are over; none if they cannot be looked up now, and will be another time."""
    try:
        return await store.matches(ids)
    except Denied as denied:
        log.info("ends not looked up", reason=denied.reason)
        return ()
