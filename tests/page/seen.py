"""What each viewer of a match was allowed to know at each revision, as its record tells.

    python -m tests.page.seen VIEWER ... < RECORD

The tests of the page compare it with all that came to a browser. VIEWER is a seat, or "" for a
spectator. Of The Confrontation it also tells where the pieces truly stood.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from google.protobuf.json_format import MessageToDict

from services import rules_of
from services.confrontation.board import name_of
from services.confrontation.tables import REGIONS, SIDES, TUNNEL
from services.core.decisions import Seat
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import Replay
from services.core.table import Table
from services.host import wire
from services.host.agreements import happened
from services.host.boards import codec_of


def main(viewers: list[str]) -> None:
    record = parse_record(sys.stdin.read())
    told: dict[str, Any] = {"secret": record.fairness.secret.hex(), "viewers": {}, "truth": []}
    told["nonces"] = {
        seat: nonce.hex() for seat, nonce in zip(record.seats, record.fairness.nonces, strict=True)
    }
    told["viewers"] = {viewer: [] for viewer in viewers}
    for table, events in _positions(record):
        if record.game == "confrontation":
            told["truth"].append(_truth(table))
        for viewer in viewers:
            seat = table.seat(viewer) if viewer else None
            told["viewers"][viewer].append(_seen(record.game, table, events, seat))
    json.dump(told, sys.stdout)


def _positions(record: Record) -> Iterator[tuple[Table[Any], list[Any]]]:
    """Each revision with what happened in the entry that led to it."""
    rules = rules_of(record.game)
    replay = Replay(record, rules)
    yield replay.table, []
    while replay.table.revision < len(record.entries):
        before = replay.table.offers
        entry = replay.replay_entry()
        agreed = happened(entry, before, replay.table.offers, record.seats, 0)
        yield replay.table, [*replay.events, *agreed]


def _seen(game: str, table: Table[Any], events: list[Any], seat: Seat | None) -> dict[str, Any]:
    rules = table.rules
    asked = () if table.is_over else table.waiting()
    course: Any = SimpleNamespace(table=table, asked=asked)
    question = wire.question(course, seat)
    view = codec_of(game).encode(rules.view(table.game, seat))
    return {
        "view": base64.b64encode(view.SerializeToString()).decode(),
        "question": MessageToDict(question) if question else None,
        "events": [
            MessageToDict(wire.event(rules, event, table.revision))
            for event in events
            if event.is_seen_by(seat)
        ],
    }


def _truth(table: Table[Any]) -> dict[str, list[list[str]]]:
    """By side: each character that stands somewhere, and where."""
    board = table.game.board
    return {
        side: [
            [name_of(board, piece), REGIONS[place]]
            for place in range(TUNNEL)
            for piece in board.pieces_at(number, place)
        ]
        for number, side in enumerate(SIDES)
    }


if __name__ == "__main__":
    main(sys.argv[1:])
