"""Plays games and keeps some of their questions and views, for the tests of the page.

    python -m tests.page.record [GAME ...]

Each preset is played once by greedy bots. Of every kind of question the largest of each part of
the game are kept as JSON in `web/tests/recorded/GAME.json.gz`. In the default preset the view
of the seat that is asked is kept with each; and at some moments of that game the views of all
seats and of a spectator. The same rules give the same files.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from services import GAMES, rules_of
from services.core.decisions import Seat
from services.core.fair import Fate
from services.core.table import Table
from services.host import wire
from services.host.boards import codec_of
from workers.bots import bot_of

FOLDER = Path(__file__).parents[2] / "web" / "tests" / "recorded"

OF_A_KIND = 4
"""How many questions of one prompt are kept for each preset: the largest of as many stretches."""

MOMENTS = 6
"""How many moments of the default preset's game are kept as all see them, besides its two ends."""

LONGEST = 4_000
"""A game that does not end is left here."""


def main(wanted: list[str]) -> None:
    for game in wanted or GAMES:
        FOLDER.mkdir(parents=True, exist_ok=True)
        text = json.dumps(recorded(game), separators=(",", ":"), ensure_ascii=False)
        packed = gzip.compress(text.encode(), mtime=0)
        (FOLDER / f"{game}.json.gz").write_bytes(packed)
        sys.stdout.write(f"{game} {len(text) // 1024} KiB, packed {len(packed) // 1024}\n")


def recorded(game: str) -> dict[str, Any]:
    """What is kept of one game of each preset."""
    rules = rules_of(game)
    found: dict[str, Any] = {"game": game, "edition": rules.edition, "presets": {}}
    for number, preset in enumerate(rules.presets):
        positions = list(_played(game, preset))
        with_views = number == 0
        found["presets"][preset] = {
            "seats": list(rules.seats(rules.agree(rules.presets[preset]))),
            "questions": _questions(game, positions, with_views=with_views),
            "moments": [_moment(game, table) for table in _spread(positions) if with_views],
        }
    return found


def _played(game: str, preset: str) -> Iterator[Table[Any]]:
    """The positions of a game, each a copy."""
    rules = rules_of(game)
    seed = f"{game} {preset}".encode()
    table = Table(rules, rules.agree(rules.presets[preset]), Fate(seed))
    pick, bot = Fate(b"bots of " + seed).pick, bot_of("greedy", game)
    while not table.is_over and table.revision < LONGEST:
        yield table.copy()
        seat = table.waiting()[0]
        table.act(seat, bot.choose(rules, rules.guess(table.game, seat, pick), seat, pick))
    yield table


def _spread(positions: list[Table[Any]]) -> list[Table[Any]]:
    last = len(positions) - 1
    return [positions[last * part // (MOMENTS + 1)] for part in range(MOMENTS + 2)]


def _questions(game: str, positions: list[Table[Any]], *, with_views: bool) -> list[dict[str, Any]]:
    """Of each prompt, the question with the most choices in each part of the game."""
    kept: dict[tuple[str, int], tuple[int, Table[Any], Seat]] = {}
    for at, table in enumerate(positions):
        for seat in table.waiting():
            ask = table.ask(seat)
            key = (ask.prompt, at * OF_A_KIND // len(positions))
            if len(ask.actions) > kept.get(key, (0,))[0]:
                kept[key] = (len(ask.actions), table, seat)
    seen: Counter[str] = Counter()
    told = []
    for _, table, seat in kept.values():
        question = _told(_question(table, seat))
        text = json.dumps({**question, "number": ""})
        seen[text] += 1
        if seen[text] == 1:
            view = {"view": _view(game, table, seat)} if with_views else {}
            told.append({"seat": table.name(seat), "question": question, **view})
    return told


def _question(table: Table[Any], seat: Seat) -> Message:
    course: Any = SimpleNamespace(table=table, asked=table.waiting())
    question = wire.question(course, seat)
    assert question is not None
    return question


def _moment(game: str, table: Table[Any]) -> dict[str, Any]:
    viewers: list[Seat | None] = [*range(len(table.seats)), None]
    return {
        "revision": table.revision,
        "views": {
            "" if seat is None else table.name(seat): _view(game, table, seat) for seat in viewers
        },
    }


def _view(game: str, table: Table[Any], seat: Seat | None) -> dict[str, Any]:
    view = dict(table.rules.view(table.game, seat))
    if "charts" in view:
        view["charts"] = {}  # as `GetView` does; `charts` has them once
    return _told(codec_of(game).encode(view))


def _told(message: Message) -> dict[str, Any]:
    return MessageToDict(message)


if __name__ == "__main__":
    main(sys.argv[1:])
