"""Runs of choices that differ in a last number alone: what a client may draw as one stepper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Range(NamedTuple):
    """Choices that stand one after the other: `text 2`, `text 3` and so on."""

    text: str
    first: int
    last: int


def ranges(texts: Iterable[str]) -> list[Range]:
    """The runs of at least two among the texts of choices, in their order."""
    found: list[Range] = []
    for text in texts:
        if not text[-1].isdecimal():  # most are about no number: no need to look closer
            continue
        stem, _, last = text.rpartition(" ")
        if not (stem and last.isdecimal()):
            continue
        number = int(last)
        if found and found[-1].text == stem and found[-1].last == number - 1:
            found[-1] = Range(stem, found[-1].first, number)
        else:
            found.append(Range(stem, number, number))
    return [run for run in found if run.first < run.last]
