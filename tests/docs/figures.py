"""Figures on the pages that were measured: a comment behind each says where it is kept.

    python -m tests.docs.figures

writes all of them anew from bench/results.json.

Design. `0.65<!-- bench: NAME; FIELD -->` is the field of the measure of that name, with as many
decimals as the figure has. Without a field it is its `value`. Where the name has a `*`, and so is
that of several measures, the field is `min FIELD` or `max FIELD`. Comments are shown neither by
GitHub nor on the site; one in backticks is an example. What was measured once has a part `once`
that says when and how.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results.json"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MARK = re.compile(r"(?P<figure>-?\d[\d,]*(?:\.\d+)?)?<!-- bench: (?P<key>.*?) -->(?!`)")

Results = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Wrong:
    """A figure that is not the one that was measured."""

    line: int
    key: str
    said: str
    true: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.key}: {self.said} is {self.true}"


def measured(key: str, results: Results) -> float:
    """The figure that a key stands for; KeyError where there is none."""
    name, _, field = key.partition("; ")
    wanted = field.removeprefix("min ").removeprefix("max ") or "value"
    found = [
        value
        for result in results
        if fnmatchcase(result["name"], name) or result["name"] == name
        if isinstance(value := result.get(wanted), int | float)
    ]
    if not found or (len(found) > 1 and wanted == field):
        raise KeyError(f"bench/results.json has {len(found)} of {key!r}")
    return max(found) if field.startswith("max ") else min(found)


def spelt(value: float, like: str) -> str:
    """A figure with as many decimals as another one."""
    step = Decimal(1).scaleb(-len(like.partition(".")[2]))
    return f"{Decimal(str(value)).quantize(step, ROUND_HALF_UP):,}"


def wrong(text: str, results: Results) -> Iterator[Wrong]:
    """The marked figures of a page that are not those of the results."""
    for match in MARK.finditer(text):
        said = match["figure"] or ""
        try:
            true = spelt(measured(match["key"], results), said)
        except KeyError as error:
            true = error.args[0]
        if said != true:
            yield Wrong(text.count("\n", 0, match.start()) + 1, match["key"], said, true)


def renewed(text: str, results: Results) -> str:
    """The page with the figures of the results."""

    def figure(match: re.Match[str]) -> str:
        true = spelt(measured(match["key"], results), match["figure"] or "")
        return f"{true}<!-- bench: {match['key']} -->"

    return MARK.sub(figure, text)


def kept() -> Results:
    """What was measured."""
    results: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(renewed(page.read_text(encoding="utf-8"), kept()), encoding="utf-8")
