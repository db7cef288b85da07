"""Plays golden games between greedy bots, for games that random play does not bring to an end.

    python -m tests.workers.golden GAME [PRESET ...]
    python -m tests.workers.golden GAME --digests

Each preset gets a whole game, and one in which a seat gives up halfway, under the names by which
`python -m tests.golden` knows them; so that one leaves them as they are. They depend on nothing but
names, rules and bots. With `--digests` no game is played: the same decisions are written again with
the digests of today, for a change that lets all of them stand.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import Any

from services import rules_of
from services.core.contract import Rules
from services.core.reading import parse_record
from services.core.record import Record, record_of
from services.core.table import Table
from tests.conform.walks import fairness, fate
from tests.golden import FOLDER
from workers.bots.greedy import Greedy

LONGEST = 1250
"""A game of more decisions is given up as a golden one, and another is played."""


def played(rules: Rules[Any], preset: str) -> tuple[Record, Record]:
    """The first game of a preset that is not too long, and the one that is given up halfway."""
    for number in count():
        whole = _played(rules, preset, number, LONGEST + 1)
        if len(whole.entries) <= LONGEST:
            return whole, _played(rules, preset, number, len(whole.entries) // 2)
    raise AssertionError


def _played(rules: Rules[Any], preset: str, number: int, stop: int) -> Record:
    """A game of a preset; a seat gives up after `stop` decisions."""
    label = f"{rules.name} {preset} bots" + (f" {number}" if number else "")
    options = rules.agree(rules.presets[preset])
    given = fairness(label, len(rules.seats(options)))
    table: Table[Any] = Table(rules, options, given.fate())
    bot, pick = Greedy(worlds=2), fate(f"{label} policy").pick
    while not table.is_over:
        seat = table.waiting()[0]
        if table.revision >= stop:
            table.resign(seat)
            break
        world = rules.guess(table.game, seat, pick)
        table.act(seat, bot.choose(rules, world, seat, pick))
    return record_of(table, given)


def main(name: str, presets: list[str]) -> None:
    """Play and write the games of these presets, or of all."""
    rules = rules_of(name)
    for preset in presets or rules.presets:
        whole, half = played(rules, preset)
        _write(FOLDER / name / f"{preset}-{rules.edition}.record", whole)
        _write(FOLDER / name / f"{preset}-{rules.edition}-resigned.record", half)


def redigest(name: str) -> None:
    """Write every golden game of a game again, decision for decision."""
    rules = rules_of(name)
    for path in sorted((FOLDER / name).glob("*.record")):
        record = parse_record(path.read_text(encoding="utf-8"))
        table: Table[Any] = Table(rules, rules.agree(dict(record.options)))
        for entry in record.entries:
            table.enter(entry.who, entry.what)
        _write(path, record_of(table, record.fairness, record.players))


def _write(path: Path, record: Record) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(record.text(), encoding="utf-8")
    print(path.name, len(record.entries), record.scores, flush=True)  # noqa: T201


if __name__ == "__main__":
    if "--digests" in sys.argv:
        redigest(sys.argv[1])
    else:
        main(sys.argv[1], sys.argv[2:])
