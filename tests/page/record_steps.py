"""Keeps the step of a game that leads to its largest position, for measuring how it is drawn.

    python -m tests.page.record_steps

It is of the game of the default preset that `tests.page.record` plays, seen from each seat: the
position of which most is to be said, and the one before it. They are kept as JSON in
`web/tests/recorded/steps.json.gz`, by game.
"""

from __future__ import annotations

import gzip
import json
import sys
from itertools import pairwise
from typing import Any

from services import GAMES, rules_of
from tests.page.record import FOLDER, _played, _view


def main() -> None:
    text = json.dumps({game: largest_step(game) for game in GAMES}, ensure_ascii=False)
    (FOLDER / "steps.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def largest_step(game: str) -> dict[str, Any]:
    """Who sees it, and what he sees before it and after it."""
    preset = next(iter(rules_of(game).presets))
    found: tuple[int, dict[str, Any]] = (0, {})
    for before, after in pairwise(_played(game, preset)):
        for seat, name in enumerate(after.seats):
            view = _view(game, after, seat)
            size = len(json.dumps(view))
            if size > found[0]:
                step = {"viewer": name, "before": _view(game, before, seat), "after": view}
                found = (size, step)
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
