"""Pictures laid over each other: what is the same in several of them is there once.

Design. A piece is the same as another if all in it is; equal ones are one object, with a number. A
group whose content differs is gone into, and one that stands elsewhere is the same one, moved. The
order of pieces is kept, as it says what lies over what.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

SVG = "{http://www.w3.org/2000/svg}"
PICTURE, GROUP = f"{SVG}svg", f"{SVG}g"
MOVED = re.compile(r"translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)")
TOLD = frozenset({"role", "aria-label", "aria-hidden"})
"""What pieces say to those who hear a picture; of a film it would be too much."""

Attributes = tuple[tuple[str, str], ...]


@dataclass(slots=True, frozen=True)
class Piece:
    """An element with all that is in it."""

    number: int
    tag: str
    attributes: Attributes
    text: str
    children: tuple[Piece, ...]
    tails: tuple[str, ...]  # the text behind each child

    @property
    def is_group(self) -> bool:
        """Whether it is worth going into."""
        return self.tag in (PICTURE, GROUP) and not self.text and not any(self.tails)

    @property
    def stands(self) -> str:
        """Where, if it is somewhere else than what it is in."""
        return dict(self.attributes).get("transform", "")

    @property
    def identity(self) -> Attributes:
        """What it is, wherever it stands."""
        if not MOVED.fullmatch(self.stands):
            return self.attributes
        return tuple(one for one in self.attributes if one[0] != "transform")


@dataclass(slots=True)
class Place:
    """Where pieces take each other's places, and in which frame which of them is there."""

    times: list[tuple[int, Piece]] = field(default_factory=list)

    @property
    def latest(self) -> Piece:
        """What was there last."""
        return self.times[-1][1]

    @property
    def is_still(self) -> bool:
        """Whether it has always been the same piece."""
        return all(piece is self.latest for _, piece in self.times)

    @property
    def frames(self) -> frozenset[int]:
        """When something is there."""
        return frozenset(frame for frame, _ in self.times)


class Pieces:
    """All pieces that there are, each once."""

    def __init__(self) -> None:
        self._kept: dict[object, Piece] = {}

    def of(self, element: ET.Element) -> Piece:
        """An element of a picture as a piece."""
        children = tuple(self.of(child) for child in element)
        tails = tuple((child.tail or "") for child in element)
        text = element.text or ""
        if element.tag in (PICTURE, GROUP):  # blanks between groups say nothing
            text, tails = text.strip(), tuple(tail.strip() for tail in tails)
        said = {name: value for name, value in element.attrib.items() if name not in TOLD}
        if element.tag != PICTURE:
            return self._one(element.tag, said, text, children, tails)
        # A picture within a picture is moved like any group.
        where = f"translate({said.pop('x', '0')} {said.pop('y', '0')})"
        inner = self._one(PICTURE, said, text, children, tails)
        return self._one(GROUP, {"transform": where}, "", (inner,), ("",))

    def _one(
        self,
        tag: str,
        said: dict[str, str],
        text: str,
        children: tuple[Piece, ...],
        tails: tuple[str, ...],
    ) -> Piece:
        attributes = tuple(said.items())
        key = (tag, attributes, text, tuple(child.number for child in children), tails)
        piece = self._kept.get(key)
        if piece is None:
            piece = Piece(len(self._kept), tag, attributes, text, children, tails)
            self._kept[key] = piece
        return piece


def laid_over(lists: Sequence[tuple[int, Sequence[Piece]]]) -> list[Place]:
    """The places of the pieces of all frames, in an order that agrees with that of each frame."""
    places: list[Place] = []
    for frame, pieces in lists:
        places = _with_more(places, frame, pieces)
    return places


def _with_more(places: list[Place], frame: int, pieces: Sequence[Piece]) -> list[Place]:
    """One frame more: where it has the same pieces, and then what is between those."""
    laid: list[Place] = []
    at_place = at_piece = 0
    for first, second, size in _same(places, pieces):
        laid += _between(places[at_place:first], frame, pieces[at_piece:second])
        at_place, at_piece = first + size, second + size
        for place, piece in zip(places[first:at_place], pieces[second:at_piece], strict=True):
            place.times.append((frame, piece))
            laid.append(place)
    return laid


def _same(places: Sequence[Place], pieces: Sequence[Piece]) -> Iterator[tuple[int, int, int]]:
    """Runs of the same pieces: where each begins in both, and how long it is; the last is empty."""
    known = [place.latest.number for place in places]
    new = [piece.number for piece in pieces]
    start = 0
    while start < min(len(known), len(new)) and known[start] == new[start]:
        start += 1
    yield 0, 0, start
    matcher = SequenceMatcher(None, known[start:], new[start:], autojunk=False)
    for run in matcher.get_matching_blocks():
        yield run.a + start, run.b + start, run.size


def _between(places: Sequence[Place], frame: int, pieces: Sequence[Piece]) -> list[Place]:
    """Places that held something else, and pieces some of which fit there."""
    laid: list[Place] = []
    waiting = list(places)
    for piece in pieces:
        found = next((n for n, place in enumerate(waiting) if _fits(place.latest, piece)), None)
        if found is None:
            laid.append(Place([(frame, piece)]))
        else:
            laid += waiting[: found + 1]
            laid[-1].times.append((frame, piece))
            del waiting[: found + 1]
    return laid + waiting


def _fits(before: Piece, piece: Piece) -> bool:
    """Whether a piece is the group that was there before, with other content or moved."""
    if before.tag != piece.tag or before.identity != piece.identity:
        return False
    if not (before.is_group and piece.is_group) or bool(before.stands) != bool(piece.stands):
        return False
    return before.stands == piece.stands or bool(piece.identity) or _share(before, piece)


def _share(before: Piece, piece: Piece) -> bool:
    """Whether two groups that say nothing of themselves have something in common."""
    had = {one.number for one in before.children}
    if any(one.number in had for one in piece.children):
        return True
    firsts = zip(before.children[:1], piece.children[:1], strict=False)
    return any(_fits(one, other) for one, other in firsts)
