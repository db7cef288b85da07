"""Plays Duel at random until every kind of question has been asked, for the tests of its board.

    python -m tests.page.duel

Of every prompt the questions with the most choices are kept, each with the view of the seat that is
asked, in `web/tests/unit/duel/recorded.json.gz`; and the last views of games that end in different
ways. The same rules give the same file.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from services import rules_of
from services.core.decisions import CHANCE, Seat
from services.core.fair import Fate
from services.core.table import Table
from tests.page.record import _question, _told, _view

FILE = Path(__file__).parents[2] / "web" / "tests" / "unit" / "duel" / "recorded.json.gz"
GAMES_PLAYED = 60
OF_A_PROMPT = 3
PRESETS = ("standard", "generous")


def main() -> None:
    kept: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    ends: dict[str, dict[str, Any]] = {}
    for number in range(GAMES_PLAYED):
        _play(number, kept, ends)
    questions = [told for prompt in sorted(kept) for _, told in kept[prompt]]
    text = json.dumps({"questions": questions, "ends": ends}, separators=(",", ":"))
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(sorted(kept), sorted(ends), FILE.stat().st_size // 1024, "KiB")


def _play(number: int, kept: dict[str, list[tuple[int, dict[str, Any]]]], ends: dict[str, Any]) -> None:
    rules = rules_of("duel")
    options = rules.agree(rules.presets[PRESETS[number % len(PRESETS)]])
    table: Table[Any] = Table(rules, options, Fate(b"board %d" % number))
    pick = Fate(b"play %d" % number).pick
    while not table.is_over:
        seat = table.waiting()[0]
        assert seat != CHANCE
        _keep(table, seat, kept)
        actions = table.ask(seat).actions
        table.act(seat, actions[pick(len(actions))])
    view = _view("duel", table, None)
    ends.setdefault(view["result"]["reason"], {"": view, "sauron": _view("duel", table, 1)})


def _keep(table: Table[Any], seat: Seat, kept: dict[str, list[tuple[int, dict[str, Any]]]]) -> None:
    """Those with the most choices are kept, and of equals the first."""
    ask = table.ask(seat)
    best = kept.setdefault(ask.prompt, [])
    count = len(ask.actions)
    if len(best) == OF_A_PROMPT and count <= min(size for size, _ in best):
        return
    told = {
        "seat": table.name(seat),
        "question": _told(_question(table, seat)),
        "view": _view("duel", table, seat),
    }
    best.append((count, told))
    best.sort(key=lambda pair: -pair[0])
    del best[OF_A_PROMPT:]


if __name__ == "__main__":
    main()
