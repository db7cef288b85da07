"""What the drawn map says is true: its outlines, borders and barriers against the regions' data."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from tests.games.shapes import BARRIERS, Drawn, holds, is_simple, to_edge, walked

DATA = json.loads((files("services.warofthering") / "data" / "regions.json").read_text("utf-8"))
PRINTED = {region["id"]: region for region in DATA["regions"]}
MAP = Drawn("warofthering")

NEIGHBOURS = {frozenset((key, near)) for key, r in PRINTED.items() for near in r["adjacent"]}
IMPASSABLE = {frozenset((key, near)) for key, r in PRINTED.items() for near in r["impassable"]}
PLACES = 3
SMALLEST_PLACE = 16
STEP = 24
"""The radius of a step of the Mordor Track."""


def test_every_region_is_drawn_once_under_its_name_and_as_what_it_is() -> None:
    printed = {
        key: (r["name"], r["nation"], None if r["settlement"] == "none" else r["settlement"])
        for key, r in PRINTED.items()
    }
    drawn = {
        key: (r["name"], r.get("nation"), r.get("settlement")) for key, r in MAP.regions.items()
    }

    assert printed == drawn
    assert len(MAP.data["regions"]) == len(MAP.regions)


def test_borders_join_into_rings_and_each_belongs_to_the_two_that_it_names() -> None:
    assert [] == MAP.broken()
    assert [] == MAP.misused()
    assert [] == MAP.off_frame()


@pytest.mark.parametrize("key", MAP.rings)
def test_an_outline_is_a_simple_ring_within_the_view(key: str) -> None:
    left, top, right, bottom = MAP.data["view"]

    assert is_simple(MAP.rings[key])
    assert all(left <= x <= right and top <= y <= bottom for x, y in MAP.rings[key])


def test_regions_and_waters_fill_the_view_without_gap_or_overlap() -> None:
    assert MAP.left_over() == 0


def test_what_touches_is_a_neighbour_or_barred_and_what_is_a_neighbour_touches() -> None:
    assert NEIGHBOURS == MAP.pairs("open")
    assert NEIGHBOURS | IMPASSABLE == MAP.pairs()


def test_a_barrier_stands_on_each_impassable_border_and_on_no_other() -> None:
    assert IMPASSABLE == MAP.pairs(*BARRIERS)


def test_a_border_is_seen_and_in_one_piece() -> None:
    assert [] == MAP.overlooked()


def test_regions_without_a_border_stay_apart() -> None:
    assert [] == MAP.too_near()


@pytest.mark.parametrize("key", MAP.regions)
def test_names_symbols_and_pieces_have_places_within_their_region_and_beside_each_other(
    key: str,
) -> None:
    region = MAP.regions[key]

    assert [] == MAP.misplaced(key)
    assert MAP.is_named_within(key)
    assert len(region["pieces"]) >= PLACES
    assert region["pieces"][0][2] >= SMALLEST_PLACE
    assert ("site" in region) == ("settlement" in region)


def test_the_sea_lies_beside_the_coastal_regions() -> None:
    assert {key for key, r in PRINTED.items() if "coastal" in r["flags"]} == MAP.of_fill("sea")


def test_the_mordor_track_has_its_steps_within_mordor() -> None:
    track = MAP.data["track"]
    mordor = MAP.rings["mordor"]

    assert len(DATA["mordor_track"]) == len(track)
    assert all(holds(mordor, (x, y)) and to_edge((x, y), mordor) >= STEP - 2 for x, y in track)


def test_islands_lie_in_the_sea() -> None:
    for island in MAP.data["decor"]["islands"]:
        assert all(holds(MAP.rings["sea"], point) for point in walked(island))
