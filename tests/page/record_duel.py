"""Plays Duel at random until every kind of question has been asked, for the tests of its board.

    python -m tests.page.record_duel

Of every prompt the questions with the most choices are kept, each with the view of the seat that is
asked, in `web/tests/recorded/duel-more.json.gz`; the last views of games that end in different
ways; and moments of more games, by greedy bots and at random, as all see them. The same rules give
the same file.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from services import rules_of
from services.core.decisions import CHANCE, Seat
from services.core.fair import Fate
from services.core.table import Table
from tests.page.record import FOLDER, _moment, _question, _told, _view
from workers.bots import bot_of

FILE = FOLDER / "duel-more.json.gz"
GAMES_PLAYED = 60
OF_A_PROMPT = 3
PRESETS = ("standard", "generous")
WATCHED = 18
MOMENTS = 7
"""How many games are watched, and of how many of their moments a view is kept."""

Kept = dict[str, list[tuple[int, dict[str, Any]]]]
"""By prompt, questions with how many choices they have."""


def main() -> None:
    kept: Kept = {}
    ends: dict[str, dict[str, Any]] = {}
    for number in range(GAMES_PLAYED):
        _play(number, kept, ends)
    questions = [told for prompt in sorted(kept) for _, told in kept[prompt]]
    moments = [moment for number in range(WATCHED) for moment in _watched(number)]
    told = {"questions": questions, "ends": ends, "moments": moments}
    text = json.dumps(told, separators=(",", ":"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


def _play(number: int, kept: Kept, ends: dict[str, Any]) -> None:
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


def _watched(number: int) -> list[dict[str, Any]]:
    """Moments of one game, as far from each other."""
    rules = rules_of("duel")
    names = sorted(rules.presets)
    options = rules.agree(rules.presets[names[number % len(names)]])
    table: Table[Any] = Table(rules, options, Fate(b"watched %d" % number))
    pick = Fate(b"watching %d" % number).pick
    bot = bot_of("greedy" if number % 2 else "uniform", "duel")
    positions = []
    while not table.is_over:
        positions.append(table.copy())
        seat = table.waiting()[0]
        table.act(seat, bot.choose(rules, rules.guess(table.game, seat, pick), seat, pick))
    positions.append(table)
    last = len(positions) - 1
    return [_moment("duel", positions[last * at // (MOMENTS - 1)]) for at in range(MOMENTS)]


def _keep(table: Table[Any], seat: Seat, kept: Kept) -> None:
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
