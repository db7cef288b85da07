"""Positions on the way through a game, with their digests: what docs/position-vectors.json holds.

    python -m tests.docs.positions

writes the file anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from services import GAMES
from services.core.table import digest
from tests.conform.walks import Walk, variants

DOCS = Path(__file__).resolve().parents[2] / "docs"
FILE = DOCS / "position-vectors.json"
PAGE = (DOCS / "positions.md").read_text(encoding="utf-8")
VECTORS = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
LISTED = {
    title: [name for names in re.findall(r"^\| (`.*?`) \|", part, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", names)]
    for title, _, part in (part.partition("\n") for part in PAGE.split("\n## The board of ")[1:])
}  # fmt: skip
"""By game, the fields that the page lists, in its order."""


def made(game: str) -> list[dict[str, str]]:
    """Three positions of a random game, each with what was said before it and its digest."""
    walk = Walk(variants(game)[0], "positions")
    vectors = []
    for part in (4, 2, 1):
        number = (len(walk.moments) - 1) // part
        said, moment = walk.table.entries[number - 1], walk.moments[number]
        line, position = f"{said.who}: {said.what}", walk.rules.gist(moment.game).decode()
        assert said.digest == digest(line, walk.rules, moment.game)
        vectors.append({"said": line, "position": position, "digest": said.digest})
    return vectors


if __name__ == "__main__":
    FILE.write_text(
        json.dumps({game: made(game) for game in GAMES}, indent=1) + "\n", encoding="utf-8"
    )
