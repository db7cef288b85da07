"""Where results are kept: a line for each game, so that a contest can be broken off at any time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from bree.cli.arena.contest import Contest, Played
from bree.cli.trouble import Trouble


class Results:
    """The games that have been played so far."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.played: dict[str, Played] = {}
        if path is not None and path.exists():
            self.played = {played.contest.key(): played for played in _read(path)}

    def add(self, played: Played) -> None:
        """Keep a game, at once."""
        self.played[played.contest.key()] = played
        if self.path is None:
            return
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(played), separators=(",", ":")) + "\n")
        except OSError as e:
            raise Trouble(f"results cannot be kept in {self.path}: {e.strerror}") from e

    def of(self, contests: Iterator[Contest]) -> list[Played]:
        """Those of these contests that have been played."""
        keys = (contest.key() for contest in contests)
        return [self.played[key] for key in keys if key in self.played]


def _read(path: Path) -> Iterator[Played]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeError) as e:
        raise Trouble(f"results cannot be read from {path}: {e}") from e
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield _played(json.loads(line))
        except (ValueError, TypeError, KeyError) as e:
            raise Trouble(f"line {number} of {path} is no result of a game") from e


def _played(saved: dict[str, object]) -> Played:
    fields = saved.pop("contest")
    if not isinstance(fields, dict):
        raise TypeError("a contest has fields")
    for name in ("bots", "made_of"):
        fields[name] = tuple(fields[name])
    made: dict[str, object] = {**saved, "contest": Contest(**fields)}
    return Played(**made)  # type: ignore[arg-type]  # what was written is read back
