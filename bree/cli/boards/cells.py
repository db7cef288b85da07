"""A map on squared paper: which cells are whose, and the borders that this makes.

Design. A cell takes three columns and two lines: the left column and the upper line are where its
borders run, so the map is a column wider and a line higher than its cells. Where the same region
lies on both sides no border is drawn, and its name and figures may stand there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from rich.text import Text

from bree.cli.boards.boxes import Lines

ACROSS, DOWN = 3, 2
"""Columns and lines of a cell."""
NOTHING, SEA = "", "~"

Cells = Sequence[Sequence[str]]
"""Whose each cell is, row over row."""


class Border(Enum):
    """What lies between two regions that touch; the name of each is how it is told."""

    NONE = "none"
    OPEN = "open"
    BEYOND = "edge of the page"
    BARRED = "mountains"
    RIVER = "river"
    BRIDGE = "bridge"


class Room(NamedTuple):
    """A rectangle within one region, by its upper left corner."""

    x: int
    y: int
    width: int
    height: int


Between = Callable[[str, str], Border]

_UPRIGHT: Mapping[Border, str] = {
    Border.OPEN: "│",
    Border.BEYOND: "┆",
    Border.BARRED: "┃",
    Border.RIVER: "≈",
    Border.BRIDGE: "≈",
}
_LEVEL: Mapping[Border, str] = {**_UPRIGHT, Border.OPEN: "─", Border.BEYOND: "┄"} | {
    Border.BARRED: "━"
}
_CROSSING = ("═", "║")
"""A bridge over a river that runs down the page, and over one that runs across it."""
_WATERS = (Border.RIVER, Border.BRIDGE)
_STYLE: Mapping[Border, str] = {
    Border.NONE: "",
    Border.OPEN: "",
    Border.BEYOND: "dim",
    Border.BARRED: "bold",
    Border.RIVER: "blue",
    Border.BRIDGE: "blue",
}
_CORNERS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
"""By what leads up, right, down and left, in base three: nothing, a thin line, a thick one."""
_ALONG, _ACROSS = [1, 0, 1, 0], [0, 1, 0, 1]
"""What leads on straight down the page, and straight across it."""
_ROUND: Mapping[str, str] = {"┌": "╭", "┐": "╮", "└": "╰", "┘": "╯"}


class Edge(NamedTuple):
    """The side of a cell: the place of its first character, and whether it runs down the page."""

    x: int
    y: int
    upright: bool


class Sheet:
    """A map whose borders are drawn, and nothing else; `Writing` puts words on it."""

    def __init__(self, cells: Cells, between: Between) -> None:
        self.cells = cells
        self.between = between
        self.width = ACROSS * len(cells[0]) + 1
        self.height = DOWN * len(cells) + 1
        self.chars = [[" "] * self.width for _ in range(self.height)]
        self.styles = [[""] * self.width for _ in range(self.height)]
        self._fill_sea()
        self._draw_edges()
        self._draw_corners()
        self._draw_bridges()
        self._rooms: dict[str, list[Room]] = {}

    def cell(self, column: int, row: int) -> str:
        """Whose a cell is; beyond the map there is nothing."""
        inside = 0 <= row < len(self.cells) and 0 <= column < len(self.cells[0])
        return self.cells[row][column] if inside else NOTHING

    def touching(self) -> set[tuple[str, str]]:
        """All pairs of regions that have a side of a cell in common, each once, in order."""
        pairs = {tuple(sorted((one, other))) for one, other, _ in self._sides()}
        return {(a, b) for a, b in pairs if a not in (NOTHING, SEA) and a != b}

    # Borders.

    def _sides(self) -> Iterator[tuple[str, str, Edge]]:
        """The sides of all cells, with whose they are."""
        for row in range(len(self.cells) + 1):
            for column in range(len(self.cells[0]) + 1):
                here, x, y = self.cell(column, row), ACROSS * column, DOWN * row
                yield self.cell(column - 1, row), here, Edge(x, y, upright=True)
                yield self.cell(column, row - 1), here, Edge(x, y, upright=False)

    def _border(self, one: str, other: str) -> Border:
        return Border.NONE if one == other else self.between(one, other)

    def _draw_edges(self) -> None:
        for one, other, edge in self._sides():
            border = self._border(one, other)
            if border is Border.NONE:
                continue
            sign = (_UPRIGHT if edge.upright else _LEVEL)[border]
            for x, y in _inner(edge):
                self.chars[y][x], self.styles[y][x] = sign, _STYLE[border]

    def _draw_corners(self) -> None:
        for row in range(len(self.cells) + 1):
            for column in range(len(self.cells[0]) + 1):
                borders = self._meeting(column, row)
                x, y = ACROSS * column, DOWN * row
                if any(border is not Border.NONE for border in borders):
                    self.chars[y][x], self.styles[y][x] = _corner(borders)

    def _meeting(self, column: int, row: int) -> tuple[Border, ...]:
        """The borders that lead up, right, down and left from a cell's upper left corner."""
        here, west = self.cell(column, row), self.cell(column - 1, row)
        north, far = self.cell(column, row - 1), self.cell(column - 1, row - 1)
        pairs = ((far, north), (north, here), (west, here), (far, west))
        return tuple(self._border(one, other) for one, other in pairs)

    def _draw_bridges(self) -> None:
        """One bridge for each pair that has one, in the middle of its longest straight border."""
        found: dict[tuple[str, ...], list[Edge]] = {}
        for one, other, edge in self._sides():
            if self._border(one, other) is Border.BRIDGE:
                found.setdefault(tuple(sorted((one, other))), []).append(edge)
        for edges in found.values():
            run = max(_straight(edges), key=lambda run: (len(run), not run[0].upright))
            places = [place for edge in run for place in _inner(edge)]
            x, y = places[len(places) // 2]
            self.chars[y][x] = _CROSSING[not run[0].upright]
            self.styles[y][x] = "bold yellow"

    def _fill_sea(self) -> None:
        for y in range(self.height):
            for x in range(self.width):
                if self._owner(x, y) == SEA and (x + 3 * y) % 8 == 0:
                    self.chars[y][x], self.styles[y][x] = SEA, "dim blue"

    # Room for words.

    def _owner(self, x: int, y: int) -> str | None:
        """In whose inside a place is; on a border it is in nobody's."""
        column, row = x // ACROSS, y // DOWN
        columns = (column,) if x % ACROSS else (column - 1, column)
        rows = (row,) if y % DOWN else (row - 1, row)
        owners = {self.cell(c, r) for c in columns for r in rows}
        return owners.pop() if len(owners) == 1 else None

    def rooms(self, region: str) -> list[Room]:
        """The rectangles in a region of which none lies within another."""
        if region not in self._rooms:
            self._rooms[region] = self._found_rooms(region)
        return self._rooms[region]

    def _found_rooms(self, region: str) -> list[Room]:
        inside: dict[int, set[int]] = {}
        for row, cells in enumerate(self.cells):
            if region in cells:
                for y in range(DOWN * row, DOWN * row + DOWN + 1):
                    inside[y] = {x for x in range(self.width) if self._owner(x, y) == region}
        found = []
        for top in sorted(inside):
            common, y = inside[top], top
            while common := common & inside.get(y, set()):
                y += 1
                found += [Room(x, top, width, y - top) for x, width in _runs(common)]
        return [room for room in found if not any(_is_within(room, one) for one in found)]

    def signs(self, y: int, first: int, last: int) -> Text:
        """What is drawn on a line from one column up to another."""
        signs, styles = Text(), self.styles[y]
        while first < last:
            end = next((x for x in range(first, last) if styles[x] != styles[first]), last)
            signs.append("".join(self.chars[y][first:end]), styles[first])
            first = end
        return signs


class Writing:
    """Names and figures on a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.written: dict[int, list[tuple[int, Text]]] = {}

    def write(self, x: int, y: int, words: Text) -> None:
        """Put words on a line; the caller knows that there is room."""
        self.written.setdefault(y, []).append((x, words))

    def lines(self) -> Lines:
        """All of it as lines that are equally wide."""
        return [self._line(y) for y in range(self.sheet.height)]

    def _line(self, y: int) -> Text:
        line, at = Text(), 0
        for x, words in sorted(self.written.get(y, []), key=lambda one: one[0]):
            line.append_text(self.sheet.signs(y, at, x))
            line.append_text(words)
            at = x + words.cell_len
        return line.append_text(self.sheet.signs(y, at, self.sheet.width))


def _is_within(room: Room, other: Room) -> bool:
    """Whether a room is a part of another one."""
    return (
        room != other
        and other.x <= room.x
        and other.y <= room.y
        and room.x + room.width <= other.x + other.width
        and room.y + room.height <= other.y + other.height
    )


def _inner(edge: Edge) -> list[tuple[int, int]]:
    """The places along a side, without its corners."""
    if edge.upright:
        return [(edge.x, edge.y + n) for n in range(1, DOWN)]
    return [(edge.x + n, edge.y) for n in range(1, ACROSS)]


def _corner(borders: Sequence[Border]) -> tuple[str, str]:
    """The sign where borders meet, and its style; a river that meets a line ends in it."""
    lines = [border for border in borders if border is not Border.NONE]
    if all(border in _WATERS for border in lines):
        return "≈", _STYLE[Border.RIVER]
    weights = [
        0 if border is Border.NONE else 2 if border is Border.BARRED else 1 for border in borders
    ]
    if all(border is Border.BEYOND for border in lines) and weights in (_ALONG, _ACROSS):
        return (_UPRIGHT if weights == _ALONG else _LEVEL)[Border.BEYOND], _STYLE[Border.BEYOND]
    up, right, down, left = weights
    sign = _CORNERS[27 * up + 9 * right + 3 * down + left]
    style = Border.BARRED if Border.BARRED in lines else lines[0]
    if all(border is Border.BEYOND for border in lines):
        style = Border.BEYOND
    elif style in (*_WATERS, Border.BEYOND):
        style = Border.OPEN
    return _ROUND.get(sign, sign), _STYLE[style]


def _straight(edges: Sequence[Edge]) -> list[list[Edge]]:
    """Sides as runs without a bend."""
    runs: list[list[Edge]] = []
    for edge in sorted(
        edges, key=lambda e: (e.upright, *((e.x, e.y) if e.upright else (e.y, e.x)))
    ):
        last = runs[-1][-1] if runs else None
        step = (0, DOWN) if edge.upright else (ACROSS, 0)
        if last and edge == (last.x + step[0], last.y + step[1], last.upright):
            runs[-1].append(edge)
        else:
            runs.append([edge])
    return runs


def _runs(places: set[int]) -> list[tuple[int, int]]:
    """Places in a row as first place and length."""
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and place == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return runs
