"""Whether a backup is what it says: every match in it is replayed, live ones with the fate key.

Design. A record proves itself. A match that runs can only be gone on with by who has the key that
its chance follows from: its log is followed from the beginning, as an engine does it, and must lead
to the head that the store had. With a share below one a part of the records is taken, by chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bree.backup.file import Reader
from bree.backup.live import LiveMatch
from bree.backup.rows import binary_rows
from bree.ledger.packing import unpack
from bree.process.statuses import Denied
from services import GAMES, rules_of
from services.core.errors import Refused
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host.following import check_head, follow
from services.host.in_memory_store import InMemoryStore
from services.host.matches import Matches
from services.host.serialization import FROZEN
from services.host.steps import Diverged
from services.host.store import Stored


class Checked(NamedTuple):
    """What was looked at, and what is wrong, a sentence for each match."""

    live: int
    records: int
    wrong: list[str]


async def check(source: Reader, keys: Sequence[bytes], share: float = 1.0) -> Checked:
    """Look at all that can be proved of a backup; `Broken` if the file itself is damaged."""
    source.check()
    wrong, live, records = [], 0, 0
    for part in ("live/matches", "live/late"):
        for row in source.rows(part) if keys else ():
            live += 1
            one = LiveMatch(*row)
            why = await _replayed(one, keys)
            wrong += [f"match {one.match} of {one.game}: {why}"] if why else []
    for match, text in _records(source):
        if random.random() >= share:  # noqa: S311 (a sample, not a secret)
            continue
        records += 1
        why = _verified(text)
        wrong += [f"the record of match {match}: {why}"] if why else []
    return Checked(live, records, wrong)


async def _replayed(one: LiveMatch, keys: Sequence[bytes]) -> str:
    """Why a live match cannot be gone on with; nothing if it can."""
    if one.game not in GAMES:
        return "this version of Bree does not know the game"
    if FROZEN in one.fields:
        return ""  # it was given up long before, and the host was told
    matches = Matches(rules_of(one.game), InMemoryStore(), keys, 1 << 20, lambda: 0)
    version = int(one.fields["version"])
    stored = Stored(version, len(one.lines), one.lines, one.fields, one.head)
    try:
        state = matches.beginning(one.match, one.fields)
        async for _ in follow(state, stored):
            pass
        if one.head:
            check_head(state, stored)
    except (Denied, Diverged) as error:
        return str(error)
    return ""


def _records(source: Reader) -> Iterator[tuple[str, str]]:
    """Every record that the ledger has, with its match."""
    columns = source.said["columns"]["records"]
    with source.open("ledger/records") as copied:
        for row in binary_rows(copied):
            found = dict(zip(columns, row, strict=True))
            yield found["match"].decode(), unpack(found["record"]).decode()


def _verified(text: str) -> str:
    try:
        record = parse_record(text)
        replay(record, rules_of(record.game))
    except Refused as refused:
        return str(refused)
    return ""
