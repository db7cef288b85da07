"""What the drawn map says is true: its outlines against the regions and connections of the data."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from itertools import combinations
from math import dist
from typing import Any

import pytest

from tests.games.shapes import (
    APART,
    SLACK,
    Point,
    Ring,
    area,
    contains,
    distance,
    holds,
    is_simple,
    sides,
    to_edge,
)

DATA = files("services.duel") / "data"
SHAPES, MAP = (json.loads((DATA / name).read_text("utf-8")) for name in ("shapes.json", "map.json"))
DRAWN: dict[str, Any] = {region["id"]: region for region in SHAPES["regions"]}
FILLS: dict[str, Any] = {fill["id"]: fill for fill in SHAPES["fills"]}
RINGS: dict[str, Ring] = {
    key: [(x, y) for x, y in shape["polygon"]] for key, shape in (DRAWN | FILLS).items()
}
NAMES = {region["id"]: region["name"] for region in MAP["regions"]}

SHORTEST = 40
"""A border that is shorter is overlooked."""
SMALLEST_PLACE = 30
PLACES = 6


def undirected(ring: Ring) -> set[frozenset[Point]]:
    return {frozenset(side) for side in sides(ring)}


def length(found: set[frozenset[Point]]) -> float:
    return sum(dist(*side) for side in map(tuple, found))


def common(a: str, b: str) -> set[frozenset[Point]]:
    return undirected(RINGS[a]) & undirected(RINGS[b])


def test_every_region_is_drawn_once_under_its_name() -> None:
    assert NAMES == {key: region["name"] for key, region in DRAWN.items()}
    assert len(SHAPES["regions"]) == len(DRAWN)


def test_regions_that_touch_are_connected_and_connected_ones_touch() -> None:
    connected = {frozenset(edge) for edge in MAP["edges"]}
    touching = {frozenset(pair) for pair in combinations(DRAWN, 2) if common(*pair)}

    assert connected == touching


@pytest.mark.parametrize("edge", MAP["edges"], ids="-".join)
def test_a_border_is_seen_and_in_one_piece(edge: list[str]) -> None:
    border = common(*edge)
    ends = Counter(point for side in border for point in side)

    assert length(border) >= SHORTEST
    assert sum(count == 1 for count in ends.values()) == 2


def test_regions_without_a_border_stay_apart() -> None:
    near = [
        (a, b)
        for a, b in combinations(DRAWN, 2)
        if not common(a, b) and min(to_edge(point, RINGS[b]) for point in RINGS[a]) < APART
    ]

    assert [] == near


@pytest.mark.parametrize("key", [*DRAWN, *FILLS])
def test_an_outline_is_a_simple_ring_of_whole_numbers_within_the_view(key: str) -> None:
    left, top, right, bottom = SHAPES["view"]
    points = RINGS[key]

    assert all(isinstance(part, int) for point in points for part in point)
    assert all(left <= x <= right and top <= y <= bottom for x, y in points)
    assert is_simple(points)


def test_regions_and_what_is_around_them_fill_the_view_without_gap_or_overlap() -> None:
    """Each side that is not on the frame belongs to two shapes, and the areas add up."""
    left, top, right, bottom = SHAPES["view"]
    owners = Counter(side for ring in RINGS.values() for side in undirected(ring))

    def framed(side: frozenset[Point]) -> bool:
        (ax, ay), (bx, by) = side
        return (ax == bx and ax in {left, right}) or (ay == by and ay in {top, bottom})

    assert all(count == (1 if framed(side) else 2) for side, count in owners.items())
    assert (right - left) * (bottom - top) == sum(map(area, RINGS.values()))


@pytest.mark.parametrize("key", DRAWN)
def test_a_name_stands_within_its_region(key: str) -> None:
    region = DRAWN[key]
    label = region["label"]
    across, up = label["w"] / 2, label["h"] / 2
    corners = [(label["x"] + i * across, label["y"] + j * up) for i in (-1, 1) for j in (-1, 1)]

    assert region["name"] == " ".join(label["lines"])
    assert all(holds(RINGS[key], corner) for corner in corners)


@pytest.mark.parametrize("key", DRAWN)
def test_places_for_units_and_the_fortress_lie_within_their_region_and_beside_each_other(
    key: str,
) -> None:
    region = DRAWN[key]
    places = [region["site"], *region["pieces"]]

    assert len(region["pieces"]) >= PLACES
    assert region["pieces"][0][2] >= SMALLEST_PLACE
    assert all(contains(RINGS[key], place) for place in places)
    assert all(dist(a[:2], b[:2]) >= a[2] + b[2] - SLACK for a, b in combinations(places, 2))


@pytest.mark.parametrize("key", DRAWN)
def test_a_fortress_is_drawn_for_the_landmark_of_its_region(key: str) -> None:
    tiles = json.loads((DATA / "landmarks.json").read_text("utf-8"))["landmarks"]
    built = {effect["region"]: tile["id"] for tile in tiles for effect in tile["effects"][:1]}

    assert built[key] == DRAWN[key]["landmark"]


def test_nothing_bars_a_way_and_no_way_is_drawn_that_is_not_there() -> None:
    assert [] == SHAPES["barriers"]
    assert [] == SHAPES["links"]


def test_peaks_leave_a_pass_on_every_border() -> None:
    """Peaks on a border that may be crossed leave a piece of it free, so that it does not bar."""
    for a, b in MAP["edges"]:
        free = {
            side
            for side in common(a, b)
            if all(
                distance((x, y), (p, q)) > size
                for x, y, size in SHAPES["decor"]["peaks"]
                for p, q in [tuple(side)]
            )
        }

        assert length(free) >= SHORTEST, (a, b)
