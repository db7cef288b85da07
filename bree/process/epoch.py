"""What a process knows of the store's past, and whether the store still has it.

Design. A store has a *run*, a word that was drawn when it was begun, and a row of *markers*. Each
process adds one every few seconds, with a word that nobody else draws, and remembers the latest
ones with their places. A store that lacks a marker which it had acknowledged has gone back in time,
whoever has added others since; one without a run has been emptied. Whoever finds either notes a
*doubt* in the store, and nobody does anything with it before the host has spoken, by giving the
store a new run that follows the one before.

What is lost when a store fails over is a moment, and waiting for a person would be worse: a
minute may be lost, and play goes on. Each match still knows by its head what it has lost.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import structlog

from bree.process import metrics
from bree.process.statuses import Denied

log = structlog.get_logger()

KEYS = ("{bree:epoch}", "{bree:epoch}:beads")
PLACES = "{bree:epoch}:places"
"""At which servers of a cluster a past has begun besides, each by a hash tag of its own."""

FATE_KEYS = "{bree:epoch}:fate"
"""Fingerprints of the keys that the chance of this store's matches follows from."""


def keys_at(place: str) -> tuple[str, str]:
    """The same at another server of a cluster, which may lose what it has when others do not."""
    if not place:
        return KEYS
    return f"bree:epoch:{{{place}}}", f"bree:epoch:{{{place}}}:beads"


SCRIPT = (files("bree.process") / "scripts" / "probe.lua").read_text("utf-8")

MOST_MARKERS = 64
"""How many markers a process remembers."""

EMPTY, WENT_BACK, ANOTHER = "empty", "went_back", "another"

SENTENCES = {
    EMPTY: "the store is empty; nothing goes on until the host of this platform has seen to it",
    WENT_BACK: "the store has gone back in time, and what happened since then is lost; nothing "
    "goes on until the host of this platform has seen to it",
    ANOTHER: "this is another store; nothing goes on until the host of this platform has seen "
    "to it",
}
"""What players are told."""

REMEDY = "see docs/store.md; to accept the store as it is, run: python -m bree.process.accept"


class Marker(NamedTuple):
    """One of those that were added: its place in the row, its word, and when, in ms."""

    place: int
    word: str
    at: int


class Probe(NamedTuple):
    """What the script is given, and what was known when it was asked."""

    arguments: Sequence[str]
    run: str
    markers: Sequence[Marker]
    word: str  # of the marker that may be added


class Findings(NamedTuple):
    """What the store answers to a probe."""

    run: str
    place: int
    now: int
    found: int  # the place of the newest marker of ours that is still there
    added: int  # the place of the marker that was added; 0 for none
    follows: str
    doubt: str
    sample: Sequence[Any]


class Epoch:
    """The past of one store, as one process knows it."""

    def __init__(self, *, is_new: bool = False, may_lose_ms: int = 60_000) -> None:
        self.is_new = is_new
        self.may_lose_ms = may_lose_ms
        self.run = ""
        self.markers: deque[Marker] = deque(maxlen=MOST_MARKERS)  # the newest first
        self.trouble = ""
        self.has_looked = False
        self._doubt = ""

    @property
    def has_to_tell(self) -> bool:
        """Whether there is a doubt that the store has not noted."""
        return bool(self._doubt)

    def probe(self, *, add: bool = False, tell: bool = False) -> Probe:
        """What the script is to be asked: to add a marker as well, or to note a doubt."""
        word = secrets.token_hex(6)
        begins = secrets.token_hex(8) if self.is_new else ""
        known = [part for marker in self.markers for part in (str(marker.place), marker.word)]
        doubt = self._doubt if tell else ""
        arguments = [word if add else "", begins, doubt, self.run, *known]
        return Probe(arguments, self.run, tuple(self.markers), word)

    def hear(self, probe: Probe, said: Sequence[Any]) -> None:
        """Take what the script said."""
        if probe.run != self.run:
            return  # another look has found out more meanwhile
        findings = Findings(*said)
        self.has_looked = True
        if (
            findings.run
            and self.run
            and findings.run != self.run
            and self.run in findings.follows.split()
        ):
            log.warning("the store was accepted as it is", run=findings.run, before=self.run)
            self.run, self.markers = "", deque(maxlen=MOST_MARKERS)
            probe = probe._replace(markers=())
        if findings.doubt:
            self._doubt = ""
        trouble = self._trouble(probe, findings)
        if trouble != self.trouble:
            self._change(trouble, findings)
        if not trouble:
            self._learn(probe, findings)

    def check(self) -> None:
        """Refuse whatever needs a store that is the one which is known."""
        if self.trouble:
            raise Denied("UNAVAILABLE", SENTENCES[self.trouble], part="store", why=self.trouble)

    def _trouble(self, probe: Probe, findings: Findings) -> str:
        if not findings.run:
            return EMPTY
        if self.run and findings.run != self.run:
            return ANOTHER
        if findings.doubt:
            return findings.doubt.partition(" ")[0]
        return WENT_BACK if _lost_ms(probe, findings) > self.may_lose_ms else ""

    def _change(self, trouble: str, findings: Findings) -> None:
        """Note that the store is in another state than at the look before."""
        self.trouble, self._doubt = trouble, ""
        if not trouble:
            log.warning("the store may be used again", run=findings.run)
            return
        if trouble != ANOTHER and not findings.doubt and self.run:
            self._doubt = f"{trouble} {self.run}"
        if self.run:
            metrics.STORE_LOSSES.labels(trouble).inc()
        log.error("the store is not what it was", why=trouble, knew=self.run, remedy=REMEDY)

    def _learn(self, probe: Probe, findings: Findings) -> None:
        """Remember what is there now."""
        lost = _lost_ms(probe, findings)
        if lost and self.markers[0] == probe.markers[0]:
            log.error("the store has lost what it had acknowledged", seconds=lost / 1000)
            metrics.STORE_LOSSES.labels(WENT_BACK).inc()
            while self.markers[0].place != findings.found:
                self.markers.popleft()
        self.run = findings.run
        if not self.markers:
            rows = zip(
                findings.sample[::3], findings.sample[1::3], findings.sample[2::3], strict=True
            )
            self.markers.extend(Marker(int(place), str(w), int(at)) for place, w, at in rows)
        if findings.added:
            self.markers.appendleft(Marker(findings.added, probe.word, findings.now))


def _lost_ms(probe: Probe, findings: Findings) -> float:
    """How long ago what was known then, and is gone now, began to be added."""
    markers = probe.markers
    if not markers or findings.found == markers[0].place:
        return 0
    kept = [marker for marker in markers if marker.place == findings.found]
    return max(1, markers[0].at - kept[0].at) if kept else float("inf")
