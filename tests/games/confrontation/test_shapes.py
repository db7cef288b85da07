"""What the drawn map says is true: its outlines, borders and ways against the board's data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import combinations, pairwise
from math import dist

import pytest

DATA = files("services.confrontation") / "data"
SHAPES, BOARD = (
    json.loads((DATA / name).read_text("utf-8")) for name in ("shapes.json", "board.json")
)
DRAWN = {region["id"]: region for region in SHAPES["regions"]}
PRINTED = {region["id"]: region for region in BOARD["regions"]}

Point = tuple[int, int]
Pair = frozenset[str]

SHORTEST = 60
"""A border that is shorter is overlooked."""
APART = 8
"""Regions that share no border come no nearer."""


def points(line: Sequence[Sequence[int]]) -> list[Point]:
    return [(x, y) for x, y in line]


def ring(region: str) -> list[Point]:
    return points(DRAWN[region]["polygon"])


def sides(line: Sequence[Point], *, closed: bool) -> list[tuple[Point, Point]]:
    return list(pairwise([*line, line[0]] if closed else line))


def edges(region: str) -> set[frozenset[Point]]:
    return {frozenset(side) for side in sides(ring(region), closed=True)}


def pairs(names: Sequence[str]) -> Iterator[Pair]:
    return (frozenset(pair) for pair in combinations(names, 2))


def neighbours(*ways: str) -> set[Pair]:
    return {frozenset((key, to)) for key, r in PRINTED.items() for way in ways for to in r[way]}


FORWARD = neighbours("good_forward", "dark_forward")
SIDEWAYS = neighbours("sideways_neighbours")
CLOSED = {p for p in SIDEWAYS if not any(PRINTED[r]["sideways_movement_allowed"] for r in p)}


def turn(a: Point, b: Point, c: Point) -> int:
    """Positive if one turns left at b, negative if right, nothing if it lies on the way."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether a line from a to b meets one from c to d."""
    apart = turn(a, b, c) * turn(a, b, d) > 0 or turn(c, d, a) * turn(c, d, b) > 0
    if apart:
        return False
    return all(
        max(a[n], b[n]) >= min(c[n], d[n]) <= max(c[n], d[n]) >= min(a[n], b[n]) for n in (0, 1)
    )


def is_inside(point: Point, region: str) -> bool:
    x, y = point
    crossings = [
        (x2 - x1) * (y - y1) / (y2 - y1) + x1 > x
        for (x1, y1), (x2, y2) in sides(ring(region), closed=True)
        if (y1 > y) != (y2 > y)
    ]
    return sum(crossings) % 2 == 1


def test_every_region_is_drawn_once_and_said_to_be_what_it_is() -> None:
    said = ("name", "row", "col", "mountain")

    assert [r["id"] for r in SHAPES["regions"]] == list(PRINTED)
    for key, region in DRAWN.items():
        assert {n: region[n] for n in said} == {n: PRINTED[key][n] for n in said}
        assert region["home"] == PRINTED[key]["home_of"]
        assert region["capacity"] == PRINTED[key]["capacity_per_side"]


@pytest.mark.parametrize("region", PRINTED)
def test_an_outline_is_one_simple_ring_within_the_view(region: str) -> None:
    outline = ring(region)
    _, _, width, height = SHAPES["view"]
    lines = sides(outline, closed=True)

    assert len(set(outline)) == len(outline)
    assert all(0 <= x <= width and 0 <= y <= height for x, y in outline)
    for one, other in combinations(lines, 2):
        assert set(one) & set(other) or not cross(*one, *other)


def test_regions_touch_exactly_where_they_are_neighbours() -> None:
    long = {
        pair: sum(dist(*edge) for edge in edges(a) & edges(b))
        for pair in pairs(list(PRINTED))
        for a, b in [tuple(pair)]
    }

    assert {pair for pair, length in long.items() if length} == FORWARD | SIDEWAYS
    assert min(length for length in long.values() if length) >= SHORTEST


def test_regions_that_are_no_neighbours_stay_apart() -> None:
    for a, b in pairs(list(PRINTED)):
        if {a, b} not in FORWARD | SIDEWAYS:
            assert min(dist(p, q) for p in ring(a) for q in ring(b)) >= APART


def test_no_region_lies_upon_another() -> None:
    for a, b in pairs(list(PRINTED)):
        own = set(ring(b))
        assert not [p for p in ring(a) if p not in own and is_inside(p, b)]
        left, top, width, height = DRAWN[a]["box"]
        assert not is_inside((left + width // 2, top + height // 2), b)


def test_each_border_is_drawn_whole_as_what_it_is() -> None:
    kinds = {frozenset((b["a"], b["b"])): b["kind"] for b in SHAPES["borders"]}

    assert len(kinds) == len(SHAPES["borders"])
    assert {pair for pair, kind in kinds.items() if kind == "forward"} == FORWARD
    assert {pair for pair, kind in kinds.items() if kind == "sideways"} == SIDEWAYS - CLOSED
    assert {pair for pair, kind in kinds.items() if kind == "closed"} == CLOSED
    for border in SHAPES["borders"]:
        line = {frozenset(side) for side in sides(points(border["line"]), closed=False)}
        assert line == edges(border["a"]) & edges(border["b"])


def test_a_barrier_stands_on_each_border_that_nobody_crosses_and_on_no_other() -> None:
    closed = [
        {k: b[k] for k in ("a", "b", "line")} for b in SHAPES["borders"] if b["kind"] == "closed"
    ]

    assert [{k: b[k] for k in ("a", "b", "line")} for b in SHAPES["barriers"]] == closed


def test_what_stands_in_a_region_has_its_place_within_it_whoever_looks() -> None:
    """Half a turn of the map keeps each box where it is, but for its own turn."""
    for key, region in DRAWN.items():
        left, top, width, height = region["box"]
        least = 320 if region["home"] else 160

        assert width >= least
        assert height >= 124
        corners = [
            (left + width * i // 8, top + height * j // 8) for i in range(9) for j in (1, 4, 7)
        ]
        outside = [p for p in corners if not is_inside(p, key)]
        assert [p for p in outside if min(dist(p, q) for q in ring(key)) > 12] == []


def test_the_anduin_and_the_tunnel_lead_where_they_lead() -> None:
    ways = [{k: way[k] for k in ("id", "kind", "from", "to")} for way in BOARD["special_arcs"]]

    assert [{k: arc[k] for k in ("id", "kind", "from", "to")} for arc in SHAPES["arcs"]] == ways
    for arc in SHAPES["arcs"]:
        line = points(arc["line"])
        assert is_inside(line[0], arc["from"])
        assert is_inside(line[-1], arc["to"])


def test_mountains_and_trees_stand_where_they_grow() -> None:
    mountains = [key for key, region in PRINTED.items() if region["mountain"]]

    for x, y, _ in SHAPES["decor"]["peaks"]:
        assert any(is_inside((x, y), region) for region in mountains)
    for x, y in SHAPES["decor"]["trees"]:
        assert any(is_inside((x, y), region) for region in ("mirkwood", "fangorn"))
