"""What was done to a platform and when, and the promises that it broke."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

NEAR = 5.0
"""Seconds: a fault so near to a breach may be its cause."""


SOON = 20.0
"""Seconds in which the same words are of the same cause."""

MOST_TOLD = 300


class Promise(StrEnum):
    """What must be true whatever is done to the platform."""

    LOST = "no acknowledged move is lost or doubled"
    STUCK = "no match is stuck for more than a minute after a fault ended"
    VERIFIED = "every record verifies"
    RATED = "no match is rated twice"
    SCORED = "every match is scored"
    INTERNAL = "nothing is INTERNAL, and no log tells of a bug"
    UNHEARD = "no error goes unheard"
    SERVED = "nothing that is asked rightly is refused for good"
    WATCHED = "whoever watches misses nothing"
    CLOCKS = "nobody loses on time that he had"
    BACK = "every part comes back"
    TOLD = "a store that lost something is told of"
    ENDED = "the run comes to its end"


@dataclass
class Happened:
    """A fault that was done, in seconds since the run began."""

    kind: str
    place: str
    began: float
    ended: float = 0.0  # 0: not yet
    missed: str = ""  # why it could not begin

    def __str__(self) -> str:
        end = f"{self.ended:.0f}" if self.ended else ""
        return f"{self.kind} {self.place} ({self.began:.0f}–{end} s)"


@dataclass(frozen=True)
class Breach:
    """A promise that was broken."""

    promise: Promise
    told: str
    at: float = 0.0
    match: str = ""
    near: tuple[Happened, ...] = ()  # the faults that may be its cause
    times: int = 1

    def __str__(self) -> str:
        where = f"{self.match}: " if self.match else ""
        often = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.promise.name}: {where}{self.told}{often}; at {self.at:.0f} s; {self.faults}"

    @property
    def faults(self) -> str:
        """The faults that may be its cause, as one text."""
        return "faults: " + (", ".join(map(str, self.near)) or "none yet")


@dataclass
class Journal:
    """One run."""

    began: float = field(default_factory=time.monotonic)
    began_at: float = field(default_factory=time.time)
    faults: list[Happened] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)

    @property
    def age(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def age_at(self, timestamp: str) -> float:
        """The age of the run at a time of a log."""
        when = datetime.fromisoformat(timestamp).astimezone(UTC)
        return when.timestamp() - self.began_at

    def begin(self, kind: str, place: str) -> Happened:
        """Note that a fault begins now."""
        happened = Happened(kind, place, self.age)
        self.faults.append(happened)
        return happened

    def active(self) -> list[Happened]:
        """The faults that last."""
        return [fault for fault in self.faults if not fault.ended]

    def near(self, at: float, since: float | None = None) -> list[Happened]:
        """The faults that lasted about this time, or since another; or else the last one before."""
        first = at if since is None else since
        begun = [fault for fault in self.faults if fault.began <= at + NEAR and not fault.missed]
        lasting = [fault for fault in begun if not fault.ended or fault.ended >= first - NEAR]
        return lasting or begun[-1:]

    def breach(
        self,
        promise: Promise,
        told: str,
        match: str = "",
        at: float | None = None,
        since: float | None = None,
    ) -> None:
        """Note that a promise was broken; what is said again soon is counted."""
        when = self.age if at is None else at
        for number, one in enumerate(self.breaches):
            same = (promise, match, told[:MOST_TOLD]) == (one.promise, one.match, one.told)
            if same and abs(when - one.at) < SOON:
                self.breaches[number] = replace(one, times=one.times + 1)
                return
        near = tuple(self.near(when, since))
        self.breaches.append(Breach(promise, told[:MOST_TOLD], when, match, near))

    def done(self) -> Counter[str]:
        """How many faults of each kind there were."""
        return Counter(fault.kind for fault in self.faults if not fault.missed)

    def broken(self) -> Counter[str]:
        """How often each promise was broken."""
        broken: Counter[str] = Counter()
        for breach in self.breaches:
            broken[breach.promise.name] += breach.times
        return broken

    def told_breaches(self) -> Iterator[dict[str, object]]:
        """The breaches as a ledger keeps them."""
        for breach in self.breaches:
            yield {
                "promise": breach.promise.name,
                "match": breach.match,
                "told": breach.told,
                "at": round(breach.at, 1),
                "times": breach.times,
                "faults": breach.faults,
                "kinds": sorted({fault.kind for fault in breach.near}),
            }
