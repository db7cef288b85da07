"""A game's map in parts: which regions a part has, how they lie in it, and what lies beyond it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bree.cli.boards.cells import NOTHING, SEA, Cells
from bree.cli.boards.names import fits, plain

_VOID = "."


@dataclass(frozen=True, slots=True)
class Part:
    """A page of the map."""

    number: int
    name: str
    also: Sequence[str]  # what else it may be called
    cells: Cells
    own: Sequence[str]  # its regions, as the eye goes over the page
    beyond: Sequence[str]  # the regions of other parts at its edge

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called."""
        return self.name, *self.also


@dataclass(frozen=True, slots=True)
class Atlas:
    """All pages, and how they lie in the world."""

    parts: Sequence[Part]
    whole: Cells  # a part's number stands where the part lies; nothing where there is one part
    names: Mapping[str, str]  # of every region

    def part_of(self, region: str) -> Part:
        """The page that a region is on."""
        return next(part for part in self.parts if region in part.own)

    def regions(self, words: str) -> list[str]:
        """The regions that are called exactly so, or else all that these words may mean."""
        said = plain(words)
        exact = [key for key, name in self.names.items() if said in (plain(key), plain(name))]
        return exact or [key for key, name in self.names.items() if fits(words, key, name)]

    def found(self, words: str) -> list[Part]:
        """The pages that these words mean: by number, by name, or by a region on it."""
        if words.strip().isdecimal():
            return [part for part in self.parts if part.number == int(words)]
        said = plain(words)
        exact = [part for part in self.parts if said in map(plain, part.names)]
        if exact:
            return exact
        regions = self.regions(words)
        called = [part for part in self.parts if any(fits(words, name) for name in part.names)]
        if len(called) == 1 or not regions:
            return called
        return [part for part in self.parts if any(region in part.own for region in regions)]


def read(layout: Mapping[str, Any], names: Mapping[str, str]) -> Atlas:
    """The pages from a game's layout: rows of letters, with a small one for a region of the part.

    A capital is a region beyond it; `~` is water and `.` is nothing.
    """
    parts = [_part(number, told) for number, told in enumerate(layout["parts"], 1)]
    whole = [[_NONE.get(sign, sign) for sign in row] for row in layout.get("whole", ())]
    return Atlas(parts, whole, names)


_NONE: Mapping[str, str] = {_VOID: NOTHING, SEA: SEA}


def _part(number: int, told: Mapping[str, Any]) -> Part:
    letters: Mapping[str, str] = told["letters"]
    cells = [[{**_NONE, **letters}[sign] for sign in row] for row in told["rows"]]
    seen = list(dict.fromkeys(sign for row in told["rows"] for sign in row))
    own = [letters[sign] for sign in seen if sign.islower()]
    beyond = [letters[sign] for sign in seen if sign.isupper()]
    return Part(number, told["name"], told.get("also", ()), cells, own, beyond)
