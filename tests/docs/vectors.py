"""The vectors of docs/record-vectors.json: how they are made, and read.

    python -m tests.docs.vectors

writes the file anew, with records as the games make them today.
"""

from __future__ import annotations

import difflib
import hmac
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from services import GAMES
from services.core.chain import Chain, mark
from services.core.record import Record
from tests.docs.recorded import (
    Tampering,
    misremembered,
    reconsidered,
    recorded,
    tamperings,
    without_names,
)

FILE = Path(__file__).resolve().parents[2] / "docs" / "record-vectors.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}

SECRET = bytes(range(32))
SALTS = ("00", "a1203121f1a842a30d46b95c5e45b9d4", "ff" * 64)
LINES = (
    ("a", "open 0"),
    ("bree record 2\ngame a", "good: b ~00000000", "chance: c [1 of 6] ~00000000", "aborted 2"),
)
"""A heading, entries and an ending."""
RECONSIDERED = ("duel", "risk")
"""Games of which there is a record in which decisions are taken back, alone and by consent."""
NAMES = ("Rosie", "Éowyn", "小 Sam", "bot:greedy", "a  b")


def changes(was: str, becomes: str) -> list[dict[str, Any]]:
    """Which lines of a text give way to which, from the last to the first."""
    old, new = was.splitlines(keepends=True), becomes.splitlines(keepends=True)
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        {"line": at + 1, "was": "".join(old[at:end]), "becomes": "".join(new[a:b])}
        for kind, at, end, a, b in reversed(blocks)
        if kind != "equal"
    ]


def applied(record: str, changed: list[dict[str, Any]]) -> str:
    """The record after the changes of a vector."""
    lines = record.splitlines(keepends=True)
    for change in changed:
        at = change["line"] - 1
        count = change["was"].count("\n")
        assert change["was"] == "".join(lines[at : at + count])
        lines[at : at + count] = change["becomes"].splitlines(keepends=True)
    return "".join(lines)


def _of_record(record: Record, tampered: Iterable[Tampering]) -> dict[str, Any]:
    text, heads = record.text(), list(record.heads())
    changed = [
        {
            "what": change.what,
            "found_by": sorted(change.found_by),
            "lines": changes(text, change.text),
        }
        for change in tampered
    ]
    return {
        "game": record.game,
        "record": text,
        "commitment": record.fairness.commitment,
        "nonces": dict(
            zip(record.seats, (nonce.hex() for nonce in record.fairness.nonces), strict=True)
        ),
        "heads": heads[: len(record.entries) + 1],
        "end": heads[-1],
        "without_names": changes(text, without_names(record)),
        "changed": changed,
    }


def _chain(lines: tuple[str, ...]) -> dict[str, Any]:
    heading, *entries, ending = lines
    chain = Chain(SECRET, heading)
    heads = [chain.head]
    for entry in entries:
        chain.link(entry)
        heads.append(chain.head)
    return {
        "secret": SECRET.hex(),
        "key": hmac.digest(SECRET, b"bree chain 1\n", "sha256").hex(),
        "heading": heading,
        "entries": entries,
        "heads": heads,
        "ending": ending,
        "end": chain.closed(ending),
    }


def made() -> dict[str, Any]:
    """All vectors, as they are made today."""
    marks = [
        {"salt": salt, "name": name, "mark": mark(bytes.fromhex(salt), name)}
        for salt in SALTS
        for name in NAMES
    ]
    records = [_of_record(one, tamperings(one)) for one in map(recorded, GAMES)]
    records += [_of_record(one, misremembered(one)) for one in map(reconsidered, RECONSIDERED)]
    return {"marks": marks, "chains": [_chain(lines) for lines in LINES], "records": records}


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
