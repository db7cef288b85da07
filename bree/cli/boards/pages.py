"""A page of a map as it is printed: the borders, what is where, and what the borders lead to.

Design. A region's name and all that stands there are written into it. Where that has no room, the
region shows what it can and `…`, and a line below the map tells the whole. A region of another page
has a broken edge, an arrow and that page's number. Neighbours that do not touch are named below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards.atlas import Atlas, Part
from bree.cli.boards.boxes import Lines, fit, flow
from bree.cli.boards.cells import NOTHING, SEA, Border, Cells, Room, Sheet, Writing
from bree.cli.boards.names import plain

WIDTH = 79
_MORE = "…"
_HANG = 2
_BEYOND = "dim italic"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is written into a region: its name, and word by word what is there."""

    name: Text
    words: Sequence[Text] = ()
    mark: str = ""  # before the name

    @property
    def title(self) -> Text:
        """The name with its mark."""
        return Text(f"{self.mark} {self.name.plain}".strip(), self.name.style)

    def heading(self, width: int) -> Lines:
        """The name in lines of this width; the mark stays with its first word if it can."""
        words = self.name.plain.split()
        marked = f"{self.mark} {words[0]}" if self.mark else words[0]
        parts = [marked] if len(marked) <= width else [self.mark, words[0]]
        return flow((Text(part, self.name.style) for part in (*parts, *words[1:])), width)

    def lines(self, width: int) -> Lines:
        """All of it; a word that is longer than a line is a line of its own."""
        return [*self.heading(width), *flow(self.words, width)]


Entries = Callable[[str], Entry]
Road = frozenset[str]


@dataclass(frozen=True)
class Land:
    """How the regions of a game border on each other, and how its map is laid out."""

    atlas: Atlas
    roads: Mapping[Road, Border]  # of all neighbours; OPEN, BRIDGE, or NONE for a way by sea
    barriers: Mapping[Road, Border]  # BARRED or RIVER

    @cached_property
    def _sheets(self) -> dict[int, Sheet]:
        return {}

    def sheet(self, part: Part) -> Sheet:
        """A page's borders, which are always the same."""
        if part.number not in self._sheets:
            self._sheets[part.number] = Sheet(part.cells, _between(self, part))
        return self._sheets[part.number]

    @cached_property
    def borders(self) -> Mapping[Road, Border]:
        """What lies between two regions that touch."""
        return {**self.barriers, **self.roads}

    def near(self, region: str) -> dict[str, Border]:
        """A region's neighbours, each with what lies between."""
        return self._near.get(region, {})

    @cached_property
    def _near(self) -> dict[str, dict[str, Border]]:
        found: dict[str, dict[str, Border]] = {}
        for road, way in self.roads.items():
            for region in road:
                found.setdefault(region, {})[_other(road, region)] = way
        return found

    def barred(self, region: str) -> dict[str, Border]:
        """The regions beside it that nobody reaches from there, each with what is in the way."""
        shut = self.barriers.items()
        return {_other(road, region): border for road, border in shut if region in road}


def _other(road: Road, region: str) -> str:
    (other,) = road - {region}
    return other


def page(land: Land, part: Part, entry: Entries, also: Iterable[Text] = ()) -> Group:
    """One page: its title, the map, and below it what the map has no room for."""
    drawn = Writing(land.sheet(part))
    cut = [key for key in part.own if not _write(drawn, key, entry(key))]
    for key in part.beyond:
        arrow = f"{_arrow(part.cells, key)}{land.atlas.part_of(key).number}"
        _write(drawn, key, Entry(Text(f"{land.atlas.names[key]} {arrow}", _BEYOND)))
    lines = [_title(land.atlas, part), *drawn.lines()]
    for key in cut:
        whole = entry(key)
        lines += _listed(Text.assemble(whole.title, ":"), whole.words)
    lines += [*_apart(land, part), *also, *_leading(land.atlas, part)]
    return whole_lines(lines)


def whole_lines(lines: Lines) -> Group:
    """Lines as they are printed: all of one width, and never broken."""
    fitted = [fit(line, WIDTH) for line in lines]
    for line in fitted:
        line.no_wrap, line.overflow = True, "crop"
    return Group(*fitted)


def overview(atlas: Atlas, entry: Callable[[Part], Entry]) -> Group:
    """All pages as they lie in the world, each with a sum of what is there."""
    parts = {str(part.number): part for part in atlas.parts}

    def between(one: str, other: str) -> Border:
        return Border.OPEN if one in parts or other in parts else Border.NONE

    drawn = Writing(Sheet(atlas.whole, between))
    for sign, part in parts.items():
        told = entry(part)
        _write(drawn, sign, Entry(Text(f"{part.number} {told.name.plain}", "bold"), told.words))
    how = "map NUMBER, map NAME of a part or a region: that page. map all: all of them."
    return whole_lines([*drawn.lines(), Text(how, "dim")])


def pages(
    land: Land,
    words: str,
    draw: Callable[[Part], Group],
    whole: Callable[[], Group] | None = None,
) -> list[RenderableType]:
    """What these words ask for: no words the whole, `all` every page, else a page by its name."""
    atlas = land.atlas
    if not words:
        return [whole() if whole else draw(atlas.parts[0])]
    if plain(words) == "all":
        return [draw(part) for part in atlas.parts]
    found = atlas.found(words)
    if len(found) < 2:
        return [draw(part) for part in found]
    regions = atlas.regions(words)
    return [Text("Say which page:", "yellow"), *(_meant(atlas, part, regions) for part in found)]


def _meant(atlas: Atlas, part: Part, regions: Sequence[str]) -> Text:
    names = ", ".join(atlas.names[region] for region in part.own if region in regions)
    return Text.assemble((f"  map {part.number}", "bold yellow"), f"  {part.name}: {names}")


# What is told of a region.


def ways(land: Land, region: str) -> str:
    """A region's neighbours with what lies between, and where there is no way, in sentences."""
    near = [_way(land, other, border) for other, border in land.near(region).items()]
    shut = [_way(land, other, border) for other, border in land.barred(region).items()]
    words = f"Beside {', '.join(near)}."
    return f"{words} No way to {', '.join(shut)}." if shut else words


def _way(land: Land, region: str, border: Border) -> str:
    how = {Border.OPEN: "", Border.NONE: " (sea)"}.get(border, f" ({border.value})")
    return land.atlas.names[region] + how


Told = tuple[str, str]


def key_to(land: Land) -> list[Told]:
    """What the lines of the map mean, as far as this map has them."""
    drawn = {*land.borders.values()}
    lines = [("│ ─", "an open border")]
    lines += [("┃ ━", "a border that nobody crosses: mountains")] * (Border.BARRED in drawn)
    lines += [("≈", "a river that nobody crosses")] * (Border.RIVER in drawn)
    lines += [("═ ║", "a bridge over a river")] * (Border.BRIDGE in drawn)
    lines += [("~", "the sea; below a map, a way by sea")]
    if len(land.atlas.parts) > 1:
        lines += [
            ("┆ ┄", "the edge of a region that is on another page"),
            ("→2 ←2 ↑2 ↓2", "that region's page, to be seen with map 2"),
        ]
    return [*lines, (_MORE, "more is here than there is room for: a line below the map has it all")]


# Borders.


def _between(land: Land, part: Part) -> Callable[[str, str], Border]:
    """What to draw between two cells of a page."""
    own, empty = set(part.own), (NOTHING, SEA)

    def between(one: str, other: str) -> Border:
        if one in empty and other in empty:
            return Border.NONE
        if one in empty or other in empty:
            return Border.OPEN if one in own or other in own else Border.BEYOND
        border = land.borders[frozenset((one, other))]
        if one in own or other in own or border is not Border.OPEN:
            return border
        return Border.BEYOND

    return between


# Words.


def _write(drawn: Writing, key: str, entry: Entry) -> bool:
    """Write into a region where it has most room; whether there was enough."""
    rooms = [room for room in drawn.sheet.rooms(key) if _has_room(room, entry.name)]
    best = max(rooms, key=lambda room: _worth(room, entry))
    lines = entry.lines(best.width)
    is_whole = _holds(best, lines)
    if not is_whole:
        lines = _cut(lines[: best.height], best.width)
    wide = max(line.cell_len for line in lines)
    left = best.x + (best.width - wide) // 2
    top = best.y + (best.height - len(lines)) // 2
    for n, line in enumerate(lines):
        drawn.write(left, top + n, line)
    return is_whole


def _has_room(room: Room, name: Text) -> bool:
    longest = max(map(len, name.plain.split()), default=0)
    return longest <= room.width


def _holds(room: Room, lines: Lines) -> bool:
    return len(lines) <= room.height and all(line.cell_len <= room.width for line in lines)


def _worth(room: Room, entry: Entry) -> tuple[bool, int, int]:
    """A room that holds all of it; then one with few lines for the name; then a large one."""
    names = len(entry.heading(room.width))
    return _holds(room, entry.lines(room.width)), -names, room.width * room.height


def _cut(lines: Lines, width: int) -> Lines:
    """These lines, the last of which says that there is more."""
    *before, last = [fit(line, width) if line.cell_len > width else line for line in lines]
    if last.cell_len + 2 <= width:
        return [*before, Text.assemble(last, " ", _MORE)]
    kept = last.copy()
    kept.truncate(width - 1)
    return [*before, Text.assemble(kept, _MORE)]


def _arrow(cells: Cells, key: str) -> str:
    """To which side of the page a region lies."""
    places = [(x, y) for y, row in enumerate(cells) for x, sign in enumerate(row) if sign == key]
    across = sum(x for x, _ in places) / len(places) / (len(cells[0]) - 1) - 0.5
    down = sum(y for _, y in places) / len(places) / (len(cells) - 1) - 0.5
    if abs(across) >= abs(down):
        return "→" if across > 0 else "←"
    return "↓" if down > 0 else "↑"


# Around the map.


def _title(atlas: Atlas, part: Part) -> Text:
    if len(atlas.parts) == 1:
        return Text(part.name, "bold")
    pages = f"  map {part.number} of {len(atlas.parts)}"
    return Text.assemble((part.name, "bold"), (pages, "dim"))


def _apart(land: Land, part: Part) -> Lines:
    """The neighbours of this page's regions that do not touch them on it."""
    touching = {frozenset(pair) for pair in land.sheet(part).touching()}
    lines: Lines = []
    for key in part.own:
        far = [one for one in land.near(key) if frozenset((key, one)) not in touching]
        for by_sea, how in ((True, f"{SEA} by sea to"), (False, "beside")):
            ends = [one for one in far if (land.near(key)[one] is Border.NONE) is by_sea]
            names = [_with_page(land.atlas, part, one) for one in ends]
            lines += _listed(Text(f"{land.atlas.names[key]} {how}"), names, ", ")
    return lines


def _with_page(atlas: Atlas, part: Part, region: str) -> Text:
    there = atlas.part_of(region)
    page = "" if there is part else f" (map {there.number})"
    return Text(f"{atlas.names[region]}{page}")


def _leading(atlas: Atlas, part: Part) -> Lines:
    """The pages to which the arrows lead."""
    numbers = sorted({atlas.part_of(key).number for key in part.beyond})
    names = [Text(f"{n} {atlas.parts[n - 1].name}") for n in numbers]
    return _listed(Text("Beyond the broken lines: map", "dim"), names, " · ")


def _listed(head: Text, words: Sequence[Text], between: str = " ") -> Lines:
    """Words after a heading, under which further lines are indented; no words are no line."""
    if not words:
        return []
    first, *more = flow([Text.assemble(head, " ", words[0]), *words[1:]], WIDTH - _HANG, between)
    return [first, *(Text.assemble(" " * _HANG, line) for line in more)]
