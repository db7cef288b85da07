"""A drawn map as its file says it, and what there is to ask of it.

In the file each border stands once, as a point and the steps from it; a ring is the numbers of its
borders, `~n` for one that runs the other way.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cached_property
from importlib.resources import files
from itertools import combinations, pairwise
from math import dist, hypot
from typing import Any, NamedTuple

Point = tuple[int, int]
Side = tuple[Point, Point]
Ring = list[Point]
Pair = frozenset[str]
Disc = tuple[float, float, float]

SHORTEST = 14
"""A border that is shorter is overlooked."""
APART = 8
"""Regions without a border come no nearer, or they seem to touch."""
SLACK = 2
"""By how much a place may reach over a border or another place: no eye sees it."""
NAME_SLACK = 4
"""The same for the box of a name, of which the letters do not fill the corners."""
BARRIERS = {"mountains", "river"}


class Line(NamedTuple):
    """A border: between two shapes, or between one and the frame."""

    a: str
    b: str | None
    kind: str
    points: list[Point]


def walked(steps: list[int]) -> list[Point]:
    """A point and the steps from it, as points."""
    x, y = 0, 0
    line = []
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + dx, y + dy
        line.append((x, y))
    return line


def sides(ring: Ring) -> list[Side]:
    return list(pairwise([*ring, ring[0]]))


def area(ring: Ring) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in sides(ring))) / 2


def length(line: list[Point]) -> float:
    return sum(dist(a, b) for a, b in pairwise(line))


def distance(point: tuple[float, float], side: Side) -> float:
    """From a point to the nearest of a side."""
    (ax, ay), (bx, by) = side
    dx, dy = bx - ax, by - ay
    part = ((point[0] - ax) * dx + (point[1] - ay) * dy) / (dx * dx + dy * dy)
    part = min(1, max(0, part))
    return hypot(point[0] - ax - part * dx, point[1] - ay - part * dy)


def to_edge(point: tuple[float, float], ring: Ring) -> float:
    return min(distance(point, side) for side in sides(ring))


def holds(ring: Ring, point: tuple[float, float]) -> bool:
    """Whether a point lies within: a ray from it crosses the ring an odd number of times."""
    x, y = point
    crossed = 0
    for (ax, ay), (bx, by) in sides(ring):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed += 1
    return crossed % 2 == 1


def contains(ring: Ring, disc: Disc) -> bool:
    """Whether all of a disc lies within, but for what no eye sees."""
    x, y, r = disc
    return holds(ring, (x, y)) and to_edge((x, y), ring) >= r - SLACK


def crosses(first: Side, second: Side) -> bool:
    """Whether two sides without a common end meet."""

    def left(a: Point, b: Point, c: Point) -> int:
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return (turn > 0) - (turn < 0)

    (a, b), (c, d) = first, second
    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)


def is_simple(ring: Ring) -> bool:
    """Whether no point comes twice and no two sides meet but at their ends."""
    around = sorted((min(a[0], b[0]), max(a[0], b[0]), (a, b)) for a, b in sides(ring))
    for n, (_, right, side) in enumerate(around):
        for left, _, other in around[n + 1 :]:
            if left > right:
                break
            if not set(side) & set(other) and crosses(side, other):
                return False
    return len(set(ring)) == len(ring)


class Drawn:
    """The map of one game."""

    def __init__(self, game: str) -> None:
        path = files(f"services.{game}") / "data" / "shapes.json"
        self.data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        self.lines = [
            Line(b["a"], b.get("b"), b["kind"], walked(b["line"])) for b in self.data["borders"]
        ]
        self.regions: dict[str, Any] = {region["id"]: region for region in self.data["regions"]}
        self.fills: dict[str, Any] = {fill["id"]: fill for fill in self.data["fills"]}

    @cached_property
    def rings(self) -> dict[str, Ring]:
        return {
            key: [point for line in self.around(shape) for point in line[:-1]]
            for key, shape in (self.regions | self.fills).items()
        }

    def around(self, shape: Any) -> list[list[Point]]:
        """The lines of a ring, each in the direction in which it is walked."""
        return [
            self.lines[n].points if n >= 0 else self.lines[~n].points[::-1] for n in shape["ring"]
        ]

    def pairs(self, *kinds: str) -> set[Pair]:
        """The regions between which there is a border of one of these kinds, or of any."""
        return {
            frozenset((line.a, line.b))
            for line in self.lines
            if line.b is not None
            and line.a in self.regions
            and line.b in self.regions
            and (not kinds or line.kind in kinds)
        }

    def of_fill(self, fill: str) -> set[str]:
        """The regions beside it."""
        both = [{line.a, line.b} for line in self.lines if fill in (line.a, line.b)]
        return {key for pair in both for key in pair if key in self.regions}

    def broken(self) -> list[str]:
        """The shapes whose borders do not join into a ring."""
        return [
            key
            for key, shape in (self.regions | self.fills).items()
            if any(
                before[-1] != after[0]
                for before, after in pairwise([*self.around(shape), self.around(shape)[0]])
            )
        ]

    def misused(self) -> list[Line]:
        """The borders that are not part of just those shapes that they name."""
        users: dict[int, Counter[str]] = {}
        for key, shape in (self.regions | self.fills).items():
            for n in shape["ring"]:
                users.setdefault(n if n >= 0 else ~n, Counter())[key] += 1
        return [
            line
            for n, line in enumerate(self.lines)
            if users.get(n) != Counter(key for key in (line.a, line.b) if key is not None)
            or (line.b is None) != (line.kind == "frame")
        ]

    def off_frame(self) -> list[Line]:
        """The borders with the frame that do not run along it."""
        left, top, right, bottom = self.data["view"]
        return [
            line
            for line in self.lines
            if line.kind == "frame"
            and not all(
                (ax == bx and ax in {left, right}) or (ay == by and ay in {top, bottom})
                for (ax, ay), (bx, by) in pairwise(line.points)
            )
        ]

    def left_over(self) -> float:
        """How much of the view the shapes leave bare, or cover twice."""
        left, top, right, bottom = self.data["view"]
        return (right - left) * (bottom - top) - sum(map(area, self.rings.values()))

    def overlooked(self) -> list[Pair]:
        """The borders between regions that are too short, or in several pieces."""
        pieces = Counter(
            frozenset((line.a, line.b))
            for line in self.lines
            if line.a in self.regions and line.b in self.regions
        )
        short = {frozenset((x.a, x.b)) for x in self.lines if length(x.points) < SHORTEST}
        return [pair for pair, count in pieces.items() if count > 1 or pair in short]

    def too_near(self) -> list[Pair]:
        """The regions without a border that seem to touch."""
        touching = self.pairs()
        return [
            frozenset((a, b))
            for a, b in combinations(self.regions, 2)
            if frozenset((a, b)) not in touching
            and is_near(self.rings[a], self.rings[b])
            and min(to_edge(point, self.rings[b]) for point in self.rings[a]) < APART
        ]

    def places(self, key: str) -> list[Disc]:
        """The places of a region for what stands in it, and for its symbol."""
        region = self.regions[key]
        site = [tuple(region["site"])] if "site" in region else []
        return [*site, *map(tuple, region["pieces"])]

    def misplaced(self, key: str) -> list[Disc]:
        """The places of a region that reach over its border or upon each other."""
        places = self.places(key)
        upon = {
            disc
            for a, b in combinations(places, 2)
            if hypot(a[0] - b[0], a[1] - b[1]) < a[2] + b[2] - SLACK
            for disc in (a, b)
        }
        return [disc for disc in places if disc in upon or not contains(self.rings[key], disc)]

    def is_named_within(self, key: str) -> bool:
        """Whether the box of a name lies in its region, and nothing else lies on it."""
        x, y, width, height, _ = self.regions[key]["label"]
        across, down = width / 2 - NAME_SLACK, height / 2 - NAME_SLACK
        edge = [(x + i * across / 4, y + j * down) for i in range(-4, 5) for j in (-1, 0, 1)]
        return all(holds(self.rings[key], point) for point in edge) and not any(
            hypot(max(0, abs(px - x) - across), max(0, abs(py - y) - down)) < r
            for px, py, r in self.places(key)
        )


def is_near(a: Ring, b: Ring) -> bool:
    """Whether the boxes around two rings come near each other: a quick look before a close one."""
    return all(
        min(p[n] for p in a) - APART <= max(p[n] for p in b)
        and min(p[n] for p in b) - APART <= max(p[n] for p in a)
        for n in (0, 1)
    )
