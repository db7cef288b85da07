"""Plays War of the Ring at random until nearly every kind of question has been asked.

    python -m tests.page.record_warofthering

For the tests of its board: of every kind the question with the most choices is kept, with the view
of the seat that is asked, in `web/tests/recorded/warofthering-more.json.gz`. So are some moments of
each game, as one seat or a spectator sees them, and its end; and of games that are played better
what chance does not come to: later rounds of battles, and Mordor. With each goes what the viewer
was told since the turn began. The printed map stands there once. The same rules give the same file.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from services import rules_of
from services.core.decisions import CHANCE, Event, Seat
from services.core.fair import Fate
from services.core.table import Table
from services.host import wire
from tests.page.record import FOLDER, LONGEST, _question, _told, _view
from workers.bots import bot_of

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
    for preset in PRESETS:
        _play_well(preset, kept, moments)
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
    turn: list[Event] = []
    while not table.is_over:
        seat = table.waiting()[0]
        assert seat != CHANCE
        _keep(table, seat, kept, turn, _kind(table, seat))
        if table.revision // EVERY > seen and seen < MOMENTS:
            seen += 1
            moments.append(_moment(table, (number + seen) % (len(table.seats) + 1), turn))
        actions = table.ask(seat).actions
        for event in table.act(seat, actions[pick(len(actions))]):
            turn = [event] if event.kind == "turn_began" else [*turn, event]
    moments.append(_moment(table, len(table.seats), turn))


def _play_well(preset: str, kept: Kept, moments: list[dict[str, Any]]) -> None:
    """Of each later round, and of each step of the Mordor Track, one question is kept."""
    rules = rules_of("warofthering")
    seed = f"board {preset}".encode()
    table: Table[Any] = Table(rules, rules.agree(rules.presets[preset]), Fate(seed))
    pick, bot = Fate(b"bots of " + seed).pick, bot_of("greedy", "warofthering")
    turn: list[Event] = []
    while not table.is_over and table.revision < LONGEST:
        seat = table.waiting()[0]
        board = table.game.board
        if board.fight is not None and board.fight.round > 1:
            _keep(table, seat, kept, turn, f"~{preset} round {board.fight.round}")
        if board.in_mordor:
            _keep(table, seat, kept, turn, f"~{preset} step {board.mordor}")
        action = bot.choose(rules, rules.guess(table.game, seat, pick), seat, pick)
        for event in table.act(seat, action):
            turn = [event] if event.kind == "turn_began" else [*turn, event]
    moments.append(_moment(table, len(table.seats), turn))


def _moment(table: Table[Any], seat: Seat, turn: list[Event]) -> dict[str, Any]:
    """As a seat sees it; as a spectator does, if there is no such seat."""
    viewer = seat if seat < len(table.seats) else None
    name = "" if viewer is None else table.name(viewer)
    view = _view("warofthering", table, viewer)
    return {"viewer": name, "view": view, "events": _seen(table, viewer, turn)}


def _seen(table: Table[Any], viewer: Seat | None, turn: list[Event]) -> list[dict[str, Any]]:
    """What a viewer was told since the turn began, without the sentences."""
    told = [event for event in turn if event.is_seen_by(viewer)]
    events = [_told(wire.event(table.rules, event, 0)) for event in told]
    return [{key: event[key] for key in ("kind", "facts") if key in event} for event in events]


def _kind(table: Table[Any], seat: Seat) -> str:
    ask = table.ask(seat)
    frame = table.game.question()
    if ask.prompt == "choose.one":
        return f"{ask.prompt} {getattr(frame, 'what', '')} {getattr(frame, 'verb', '')}"
    return f"{len(table.seats)} {ask.prompt} {getattr(frame, 'what', '')}"


def _keep(table: Table[Any], seat: Seat, kept: Kept, turn: list[Event], kind: str) -> None:
    """The one with the most choices is kept, and of equals the first."""
    ask = table.ask(seat)
    if len(ask.actions) <= kept.get(kind, (0,))[0]:
        return
    told = {
        "seat": table.name(seat),
        "question": _told(_question(table, seat)),
        "view": _view("warofthering", table, seat),
        "events": _seen(table, seat, turn),
    }
    kept[kind] = (len(ask.actions), told)


if __name__ == "__main__":
    main()
