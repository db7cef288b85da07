"""A page of a map read back from what is printed: areas, what is written in them, and borders."""

from __future__ import annotations

import re
from collections import defaultdict
from io import StringIO

from rich.console import Console

from bree.cli.boards import drawing_of, duel_map, risk_map, warofthering_map
from bree.cli.tape import Tape
from services import rules_of
from services.core.reading import parse_record
from tests.golden import FOLDER

UPRIGHT = {"│": "open", "┆": "edge", "┃": "mountains", "≈": "river", "═": "bridge"}
LEVEL = {"─": "open", "┄": "edge", "━": "mountains", "≈": "river", "║": "bridge"}
WALLS = {*UPRIGHT, *LEVEL, *(chr(sign) for sign in range(0x2500, 0x2580))}


def printed(drawing, width=80):
    """What a console without colours prints."""
    console = Console(width=width, file=StringIO(), highlight=False, color_system=None)
    console.print(drawing)
    return console.file.getvalue().splitlines()


class Page:
    """The areas of a page by the names that are written in them, and what lies between."""

    def __init__(self, drawing, cells, names, above=1):
        height = 2 * len(cells) + 1
        self.lines = printed(drawing)
        self.map = self.lines[above : above + height]
        self.below = self.lines[above + height :]
        self.at = {}
        self.texts = {}
        for area in self._areas():
            text = self._text(area)
            found = name_in(text, names)
            if found:
                name, rest = found
                beyond = re.fullmatch(r"[→←↑↓](\d)", rest)
                key = (name, int(beyond[1])) if beyond else (name, 0)
                assert key not in self.texts, key
                self.texts[key] = text
                self.at |= dict.fromkeys(area, name)
        self.own = {name: text for (name, page), text in self.texts.items() if not page}
        self.beyond = {name: page for name, page in self.texts if page}

    def _areas(self):
        """Places that lead to each other past no border."""
        left = {
            (x, y)
            for y, line in enumerate(self.map)
            for x, sign in enumerate(line)
            if sign not in WALLS
        }
        while left:
            area, todo = set(), [left.pop()]
            while todo:
                x, y = todo.pop()
                area.add((x, y))
                near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
                left -= near
                todo += near
            yield area

    def _text(self, area):
        lines = defaultdict(list)
        for x, y in sorted(area):
            lines[y].append(self.map[y][x])
        return " ".join(" ".join("".join(lines[y]) for y in sorted(lines)).split())

    def borders(self):
        """By pairs of names: what is drawn between them."""
        found = defaultdict(set)
        for y, line in enumerate(self.map):
            for x, sign in enumerate(line):
                for kinds, one, other in (
                    (UPRIGHT, (x - 1, y), (x + 1, y)),
                    (LEVEL, (x, y - 1), (x, y + 1)),
                ):
                    ends = {self.at.get(one), self.at.get(other)} - {None}
                    if sign in kinds and len(ends) == 2:
                        found[frozenset(ends)].add(kinds[sign])
        return found

    def middle(self, name):
        """The middle of an area, in squares: a line is as high as two columns are wide."""
        places = [place for place, one in self.at.items() if one == name]
        return (
            sum(x for x, _ in places) / len(places),
            2 * sum(y for _, y in places) / len(places),
        )

    def told(self, name):
        """What is written in an area after its name; from below, where it had no room."""
        text = self.own[name]
        if "…" in text:
            below = " ".join(line if line.startswith("  ") else f"\n{line}" for line in self.below)
            lines = (re.sub(r"^[■▲●‡○] ", "", line) for line in below.splitlines())
            text = next(line for line in lines if line.startswith(f"{name}:"))
            text = " ".join(text.replace(":", "", 1).split())
        return name_in(text, [name])[1]


def name_in(text, names):
    """The longest name with which a text begins after its mark, and the rest."""
    bare = re.sub(r"^[■▲●‡○] ", "", text)
    fitting = [name for name in names if bare == name or bare.startswith(f"{name} ")]
    name = max(fitting, key=len, default=None)
    return (name, bare[len(name) :].strip()) if name else None


# Positions to draw.

LANDS = {"duel": duel_map.LAND, "risk": risk_map.LAND, "warofthering": warofthering_map.LAND}
RECORDS = {
    "confrontation": ("manual-1", "deluxe_draft-1"),
    "duel": ("standard-2", "generous-2"),
    "risk": ("four-3", "two-3"),
    "warofthering": ("two-2", "four-2"),
}
POSITIONS = 5  # of each record


def positions(game):
    """Views of recorded games, from the first position to the last, for all viewers in turn."""
    rules = rules_of(game)
    for name in RECORDS[game]:
        record = parse_record((FOLDER / game / f"{name}.record").read_text("utf-8"))
        tape, last = Tape(record, rules), len(record.entries)
        for number in range(POSITIONS):
            while tape.table.revision < last * number // (POSITIONS - 1):
                tape.play_next()
            viewers = [*range(len(record.seats)), None]
            yield rules.view(tape.table.game, viewers[number % len(viewers)])


def opening(game):
    rules = rules_of(game)
    return rules.view(rules.setup(rules.agree({})), 0)


def pages(game, view):
    """All pages as they are printed, with their parts."""
    atlas = LANDS[game].atlas
    drawn = drawing_of(game).pages(view, "all")
    for part, page in zip(atlas.parts, drawn, strict=True):
        yield part, Page(page, part.cells, atlas.names.values())
