"""Plays the golden games that are missing, and counts decision paths.

    python -m tests.golden [GAME ...] [--again | --digests]
    python -m tests.golden --counts GAME "NAME | OPTIONS | OPENING | DEPTH"

Each preset gets a random game played to its end, and one in which a seat gives up halfway. A game
that is there already is kept, whatever the rules say of it today; `--again` writes it anew.
`--digests` plays what is there once more, for a gist that has changed, and writes no more than
the digests that come of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE
from services.core.reading import parse_record
from services.core.record import FORMAT, Record, record_of
from services.core.replaying import Replay
from services.core.table import Table
from tests.conform.walks import Variant, Walk, chosen, fate
from tests.counts import Count
from tests.games import GAMES, rules_of
from tests.golden import FOLDER

OLD_FORM = "form_1"
"""Records whose names begin so stay as they are, to show that their form is still read."""


def played(rules: Rules[Any], preset: str) -> dict[str, Record]:
    """The golden games of a preset, by name; they depend on nothing but names and rules."""
    options = tuple(rules.agree(rules.presets[preset]).items())
    walk = Walk(Variant(rules, rules.name, preset, options, is_preset=True), "golden")
    if walk.failure is not None:
        raise walk.failure
    name = f"{preset}-{rules.edition}"
    return {name: walk.record(), f"{name}-resigned": _resigned(walk)}


def _resigned(walk: Walk) -> Record:
    table: Table[Any] = Table(walk.rules, walk.options, walk.fairness.fate())
    for moment in walk.moments[: len(walk.moments) // 2]:
        if moment.action is not None and moment.seat != CHANCE:
            table.act(moment.seat, moment.action)
    table.resign(table.waiting()[-1])
    policy = fate(f"{walk} policy").pick
    while not table.is_over:
        table.act(*chosen(walk.rules, table.game, policy, policy))
    return record_of(table, walk.fairness)


def write(rules: Rules[Any], folder: Path, *, again: bool) -> list[Path]:
    """Write the golden games of every preset; those that were there are kept, unless `again`."""
    written = []
    for preset in rules.presets:
        missing = [f"{preset}-{rules.edition}", f"{preset}-{rules.edition}-resigned"]
        if not again:
            missing = [name for name in missing if not (folder / f"{name}.record").exists()]
        for name in missing:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{name}.record"
            path.write_text(played(rules, preset)[name].text(), encoding="utf-8")
            written.append(path)
    return written


def digest_again(rules: Rules[Any], folder: Path) -> list[Path]:
    """Write the digests of all games of this edition anew; every decision stays as it is."""
    written = []
    for path in sorted(folder.glob("*.record")):
        old = parse_record(path.read_text(encoding="utf-8"))
        if old.edition != rules.edition or path.stem.startswith(OLD_FORM):
            continue
        again = Replay(
            replace(old, form=1, claimed_head=""), rules
        )  # whose digests nobody compares
        new = record_of(again.run(), old.fairness, old.sitting)
        assert new == replace(old, entries=new.entries, form=FORMAT), f"{path.name} ends otherwise"
        path.write_text(new.text(), encoding="utf-8")
        written.append(path)
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all")
    parser.add_argument("--again", action="store_true", help="write what is there already, too")
    parser.add_argument("--digests", action="store_true", help="write the digests anew, no more")
    parser.add_argument("--counts", nargs=2, metavar=("GAME", "LINE"), help="count this line")
    chosen = parser.parse_args(arguments)
    if chosen.counts:
        game, line = chosen.counts
        print(Count.parse(line).counted(rules_of(game), FOLDER / game))
        return
    for game in chosen.games or GAMES:
        rules, folder = rules_of(game), FOLDER / game
        if chosen.digests:
            paths = digest_again(rules, folder)
        else:
            paths = write(rules, folder, again=chosen.again)
        for path in paths:
            print(path.relative_to(FOLDER))


if __name__ == "__main__":
    main()
