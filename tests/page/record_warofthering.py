"""Plays War of the Ring at random until nearly every kind of question has been asked.

    python -m tests.page.record_warofthering

For the tests of its board: of every kind the question with the most choices is kept, with the view
of the seat that is asked, in `web/tests/recorded/warofthering-more.json.gz`. So are some moments of
each game, as one seat or a spectator sees them, and its end. The printed map stands there once. The
same rules give the same file.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from services import rules_of
from services.core.decisions import CHANCE, Seat
from services.core.fair import Fate
from services.core.table import Table
from tests.page.record import FOLDER, _question, _told, _view

FILE = FOLDER / "warofthering-more.json.gz"
PRESETS = ("two", "three", "four")
GAMES_PLAYED = 18
MOMENTS = 3
"""How many positions of a game are kept besides its end."""

EVERY = 700
"""So many decisions lie between them."""

Kept = dict[str, tuple[int, dict[str, Any]]]
"""By kind, a question with how many choices it has."""


def main() -> None:
    kept: Kept = {}
    moments: list[dict[str, Any]] = []
    for number in range(GAMES_PLAYED):
        _play(number, kept, moments)
    questions = [kept[kind][1] for kind in sorted(kept)]
    shown = [told["view"] for told in (*questions, *moments)]
    printed, *_ = [view.pop("map") for view in shown]
    found = {"map": printed, "questions": questions, "moments": moments}
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


def _play(number: int, kept: Kept, moments: list[dict[str, Any]]) -> None:
    rules = rules_of("warofthering")
    options = rules.agree(rules.presets[PRESETS[number % len(PRESETS)]])
    table: Table[Any] = Table(rules, options, Fate(b"board %d" % number))
    pick = Fate(b"play %d" % number).pick
    seen = 0
    while not table.is_over:
        seat = table.waiting()[0]
        assert seat != CHANCE
        _keep(table, seat, kept)
        if table.revision // EVERY > seen and seen < MOMENTS:
            seen += 1
            moments.append(_moment(table, (number + seen) % (len(table.seats) + 1)))
        actions = table.ask(seat).actions
        table.act(seat, actions[pick(len(actions))])
    moments.append(_moment(table, len(table.seats)))


def _moment(table: Table[Any], seat: Seat) -> dict[str, Any]:
    """As a seat sees it; as a spectator does, if there is no such seat."""
    viewer = seat if seat < len(table.seats) else None
    name = "" if viewer is None else table.name(viewer)
    return {"viewer": name, "view": _view("warofthering", table, viewer)}


def _keep(table: Table[Any], seat: Seat, kept: Kept) -> None:
    """The one with the most choices is kept, and of equals the first."""
    ask = table.ask(seat)
    frame = table.game.question()
    kind = f"{len(table.seats)} {ask.prompt} {getattr(frame, 'what', '')}"
    if ask.prompt == "choose.one":
        kind = f"{ask.prompt} {getattr(frame, 'what', '')} {getattr(frame, 'verb', '')}"
    if len(ask.actions) <= kept.get(kind, (0,))[0]:
        return
    told = {
        "seat": table.name(seat),
        "question": _told(_question(table, seat)),
        "view": _view("warofthering", table, seat),
    }
    kept[kind] = (len(ask.actions), told)


if __name__ == "__main__":
    main()
