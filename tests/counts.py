"""Counts of decision paths: how many ways a game can go in its next decisions.

One number that changes points at one list that is wrong. A line of `counts.txt` says what to count:

    name | preset, options or - | opening | depth | count

Options are `name=value`, with spaces between. The opening is a record beside the file and how many
of its entries to play (`duel-1.record 12`), a script (`chance: draw horn; gondor: ready`), or `-`.

Design. Where several seats are waited for, the first of them decides: whichever went first, the
others would be offered the same. A path that reaches the end of the game before the depth counts
for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from services.core.contract import Rules
from services.core.frames import Game
from services.core.reading import parse_record
from services.core.replaying import Replay
from tests.play import Play


class Unlisted(Exception):
    """Chance has more answers here than its question lists; such paths cannot be counted."""


@dataclass(frozen=True, slots=True)
class Count:
    """One line: what is counted, and how many there are."""

    name: str
    options: str
    opening: str
    depth: int
    count: int | None = None  # not known yet

    def __str__(self) -> str:
        known = [] if self.count is None else [str(self.count)]
        return " | ".join([self.name, self.options, self.opening, str(self.depth), *known])

    @classmethod
    def parse(cls, line: str) -> Count:
        """What a line says; its count may be left out."""
        parts = [part.strip() for part in line.split("|")]
        if len(parts) not in (4, 5) or not all(parts) or not all(map(str.isdecimal, parts[3:])):
            raise ValueError(f"not of the form 'name | options | opening | depth | count': {line}")
        name, options, opening, *numbers = parts
        return cls(name, options, opening, *map(int, numbers))

    def counted(self, rules: Rules[Any], folder: Path) -> Count:
        """The same line with what there is to count."""
        return replace(self, count=paths(rules, self.position(rules, folder), self.depth))

    def position(self, rules: Rules[Any], folder: Path) -> Game[Any]:
        """Where the counting begins."""
        options = rules.agree(_chosen(rules, self.options))
        if ".record" not in self.opening:
            play = Play(rules, options)
            play("" if self.opening == "-" else self.opening.replace(";", "\n"))
            return play.game
        path, _, revision = self.opening.rpartition(" ")
        record = parse_record((folder / path).read_text(encoding="utf-8"))
        if self.options != "-" and dict(record.options) != dict(options):
            raise ValueError(f"{path} was not played with {self.options!r}")
        steps = Replay(record, rules)
        for _ in range(int(revision)):
            steps.replay_entry()
        return steps.table.game


def counts_in(path: Path) -> Iterator[Count]:
    """The lines of a file of counts; empty lines and remarks left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield Count.parse(line)


def paths(rules: Rules[Any], game: Game[Any], depth: int) -> int:
    """The number of ways in which `depth` decisions can be made from here, chance's included."""
    waiting = rules.waiting(game)
    if depth == 0 or not waiting:
        return int(depth == 0)
    actions = rules.ask(game, waiting[0]).actions
    if not actions:
        raise Unlisted(f"{game.where()} does not list what chance may do")
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        twin = game.copy()
        rules.apply(twin, waiting[0], action)
        total += paths(rules, twin, depth - 1)
    return total


def _chosen(rules: Rules[Any], options: str) -> Mapping[str, str]:
    if options == "-":
        return {}
    if "=" not in options:
        return rules.presets[options]
    pairs = (word.partition("=") for word in options.split())
    return {name: value for name, _, value in pairs}
