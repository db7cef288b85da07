"""What is kept of a match that is over beside its record, as bytes; and a match from the two.

Design. Most of what a store has of such a match stands in its record: what was decided, drawn and
digested, who sat where, how it ended. So these bytes have only the rest: its clock, who were bots,
when each entry was made and by which request. Names and their salts come from the record alone, so
whoever is to be forgotten is struck out of that, and the marks that stay there bind the history as
before. Where rest and record do not make again to the letter what the store has, all of it is kept.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from services.core.errors import Invalid
from services.core.reading import parse_record
from services.core.record import Record
from services.host.clocks import Clock
from services.host.serialization import (
    ABORTED,
    DUE,
    ENDED,
    FINISHED,
    SETTLED,
    SETUP,
    UNBOUND,
    LogEntry,
    Player,
    Setup,
)
from services.host.store import Stored

REST, WHOLE = b"1", b"0"
"""What the bytes begin with: whether they need the record, or have all of it."""

LEVEL = 9  # of compression: a match is packed once

_NOT_KEPT = (DUE, SETTLED)


class Unreadable(Exception):
    """Bytes that are not what is kept of a match with such a record."""


def packed(stored: Stored, text: str) -> bytes:
    """What is kept of a match that is over, whose record this is."""
    settled = as_settled(stored)
    try:
        kept = REST + _compressed(_rest(settled, parse_record(text)))
        if unpacked(kept, text) == settled:
            return kept
    except (Invalid, Unreadable, ValueError):  # a match that could not be played here
        pass
    return WHOLE + _compressed(
        [settled.version, settled.head, dict(settled.fields), list(settled.lines)]
    )


def unpacked(kept: bytes, text: str) -> Stored:
    """The match as a store has it once it is settled; `Unreadable` if these are not its bytes."""
    try:
        parts = json.loads(zlib.decompress(kept[1:]))
        if kept[:1] == WHOLE:
            version, head, fields, lines = parts
            return Stored(version, len(lines), tuple(lines), fields, head)
        if kept[:1] == REST:
            return _joined(parts, parse_record(text))
    except (ValueError, TypeError, KeyError, zlib.error, Invalid) as error:
        raise Unreadable(str(error)) from error
    raise Unreadable(f"they begin with {kept[:1]!r}")


def as_settled(stored: Stored) -> Stored:
    """A match as it is once it is settled and nothing is due in it any more."""
    fields = {name: text for name, text in stored.fields.items() if name not in _NOT_KEPT}
    version = stored.version + (0 if stored.fields.get(SETTLED) else 1)
    return Stored(
        version, stored.revision, tuple(stored.lines), {**fields, SETTLED: "1"}, stored.head
    )


def _compressed(parts: Sequence[Any]) -> bytes:
    return zlib.compress(json.dumps(parts, separators=(",", ":")).encode(), LEVEL)


def _rest(stored: Stored, record: Record) -> list[Any]:
    """What of a match does not stand in its record."""
    setup = Setup.of(stored.fields[SETUP])
    players = [
        [player.level, *([] if player.label else [player.salt.hex()])] for player in setup.players
    ]
    begun = [setup.created, setup.clock, setup.payer, players]
    made = {SETUP: _setup(begun, record).text(), ENDED: _ended(record)}
    others = {name: text for name, text in stored.fields.items() if made.get(name) != text}
    entries = [LogEntry.of(line) for line in stored.lines]
    passed = [after - before for before, after in pairwise([0, *(one.at for one in entries)])]
    requests = "\t".join(one.request for one in entries)
    return [stored.version, begun, others, " ".join(map(str, passed)), requests]


def _joined(rest: Sequence[Any], record: Record) -> Stored:
    """The match that a record and the rest make."""
    version, begun, others, passed, requests = rest
    made = {SETUP: _setup(begun, record).text(), ENDED: _ended(record)}
    times = accumulate(int(ms) for ms in passed.split(" ") if ms)
    asked = requests.split("\t") if record.entries else []
    lines = tuple(
        _line(LogEntry(e.who, e.what, e.digest, at, request, e.draws, e.is_note), record.form)
        for e, at, request in zip(record.entries, times, asked, strict=True)
    )
    return Stored(version, len(lines), lines, {**made, **others}, record.claimed_head)


def _line(entry: LogEntry, form: int) -> str:
    text = entry.text()
    return text.rpartition("\t")[0] if form == UNBOUND else text  # which had no place for draws


def _setup(begun: Sequence[Any], record: Record) -> Setup:
    """What a match began with, whoever of its players is still named."""
    created, clock, payer, told = begun
    sitting = record.sitting or (None,) * len(record.seats)
    players = []
    for seat, nonce, player, (level, *salt) in zip(
        record.seats, record.fairness.nonces, sitting, told, strict=True
    ):
        own = bytes.fromhex(salt[0]) if salt else player.salt if player else b""
        name, mark = (player.name, player.mark) if player else ("", "")
        struck = mark if mark and not name else ""
        players.append(Player(seat, name, level, nonce, own, struck))
    return Setup(
        edition=record.edition,
        options=record.options,
        players=tuple(players),
        clock=Clock(*clock) if clock else None,
        commitment=record.fairness.commitment,
        created=created,
        form=record.form,
        payer=payer,
    )


def _ended(record: Record) -> str:
    if record.scores is None:
        return ABORTED
    return " ".join([FINISHED, *map(str, record.scores)])
