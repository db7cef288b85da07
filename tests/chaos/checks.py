"""What must be true of matches, accounts and logs; each check says what is not, as sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from services import rules_of
from services.core.errors import Refused
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import replay
from tests.chaos.journal import Promise
from tests.chaos.people import Sitter
from tests.e2e.client import Watcher

MOST_QUIET = 60.0
"""Seconds without a fault in which something happens in a match, or it is stuck."""

UNHEARD = re.compile(r"exception was never retrieved|^Traceback")
BUG = re.compile(r'"event": "bug"')
VARIES = re.compile(r"0x[0-9a-f]+|\b\d+\b")
"""What differs between two lines that say the same."""

Found = Iterator[tuple[Promise, str]]


def record_of(text: str) -> Record:
    """The record that a text is, replayed; `Refused` or `ValueError` if it does not hold."""
    record = parse_record(text)
    replay(record, rules_of(record.game))
    return record


def of_text(text: str) -> Found:
    """Whether a record holds."""
    try:
        record_of(text)
    except (Refused, ValueError, AssertionError) as error:
        yield Promise.VERIFIED, repr(error)


def of_record(record: Record, seats: Iterable[Sitter]) -> Found:
    """Whether exactly what was acknowledged is in the record, and nobody lost by a wrong clock."""
    for seat in seats:
        said = [entry.what for entry in record.entries if entry.who == seat.seat]
        late = [*seat.acknowledged, seat.too_late]
        if said not in (seat.acknowledged, late):
            yield Promise.LOST, _difference(seat, said)
        for refused in seat.refused:
            yield promise_of(refused), f"{seat.seat} was refused: {refused}"
    for entry in record.entries:
        if entry.who == "host" and entry.what.startswith("expire"):
            yield Promise.CLOCKS, f"{entry.what} after {len(record.entries)} entries"


def promise_of(refusal: str) -> Promise:
    """What was promised to somebody who is refused so."""
    if "HISTORY_CHANGED" in refusal:
        return Promise.LOST
    return Promise.INTERNAL if "BUG" in refusal else Promise.SERVED


def _difference(seat: Sitter, said: list[str]) -> str:
    where = next(
        (
            number
            for number, pair in enumerate(zip(seat.acknowledged, said, strict=False))
            if pair[0] != pair[1]
        ),
        min(len(seat.acknowledged), len(said)),
    )
    return (
        f"{seat.seat} was acknowledged {len(seat.acknowledged)} moves and {len(said)} are in the "
        f"record; they differ from the {where + 1}th on: {seat.acknowledged[where : where + 3]} "
        f"and {said[where : where + 3]}"
    )


def of_crowd(crowd: Watcher, again: Watcher, record: Record) -> Found:
    """Whether who watched through all of it saw what whoever watches afterwards sees."""
    if crowd.events != again.events:
        yield Promise.WATCHED, f"{len(crowd.events)} events were seen of {len(again.events)}"
    if crowd.revisions != sorted(crowd.revisions):
        yield Promise.WATCHED, f"a stream went back: {crowd.revisions}"
    if crowd.revisions[-1:] != [len(record.entries)]:
        yield Promise.WATCHED, f"{crowd.revisions[-1:]} was the last of {len(record.entries)}"


def of_ratings(
    expected: Counter[tuple[str, str]],
    perhaps: Counter[tuple[str, str]],
    counted: dict[tuple[str, str], int],
) -> Found:
    """Whether as many matches have counted, for an account and a game, as were finished."""
    for (account, game), count in counted.items():
        wanted = expected[account, game]
        told = f"{account} has finished {wanted} matches of {game}, and {count} have counted"
        if count > wanted + perhaps[account, game]:
            yield Promise.RATED, told
        elif count < wanted:
            yield Promise.SCORED, told


def stuck(quiet: float) -> str:
    """What is wrong with a match in which nothing has happened for so long without a fault."""
    return f"nothing for {quiet:.0f} s without a fault" if quiet > MOST_QUIET else ""


class Line(NamedTuple):
    """What a part has said that it should not have had to."""

    promise: Promise
    log: str
    when: str  # empty if it does not say
    told: str


def of_logs(logs: Path) -> Iterator[Line]:
    """What the parts themselves say should not have happened."""
    for log in sorted(logs.glob("*.log*")):
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if BUG.search(line):
                yield Line(Promise.INTERNAL, log.name, *_read(line))
            elif UNHEARD.search(line):
                yield Line(Promise.UNHEARD, log.name, *_read(line))


def _read(line: str) -> tuple[str, str]:
    try:
        said = json.loads(line)
    except ValueError:
        return "", line[:300]
    last = (str(said.get("exception", "")).strip().splitlines() or [""])[-1]
    told = " ".join((str(said.get("event")), said.get("method", ""), last))
    return said.get("timestamp", ""), VARIES.sub("…", told)[:300].replace("\n", " ")
