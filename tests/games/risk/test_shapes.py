"""What the drawn map says is true: its outlines, borders, bridges and routes against the data."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import combinations, pairwise
from math import dist

import pytest

from tests.games.shapes import BARRIERS, Drawn, holds, is_simple, length, to_edge, walked

DATA = json.loads((files("services.risk") / "data" / "map.json").read_text("utf-8"))
PRINTED = {territory["id"]: territory for territory in DATA["territories"]}
PLACES = {location["territory"]: location["kind"] for location in DATA["locations"]}
MAP = Drawn("risk")

PIECES = 2
SMALLEST_PLACE = 20
ON_LAND = 45
"""So much of a sea route may run over land, at its ports."""


def joined(via: str) -> set[frozenset[str]]:
    return {frozenset((edge["a"], edge["b"])) for edge in DATA["edges"] if edge["via"] == via}


RANGES = {
    frozenset(pair) for r in DATA["mountain_ranges"] for pair in combinations(r["territories"], 2)
}


def test_every_territory_is_drawn_once_under_its_name_and_as_what_it_is() -> None:
    printed = {key: (t["name"], t["region"], PLACES.get(key)) for key, t in PRINTED.items()}
    drawn = {key: (r["name"], r["region"], r.get("settlement")) for key, r in MAP.regions.items()}

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


def test_territories_and_waters_fill_the_view_without_gap_or_overlap() -> None:
    assert MAP.left_over() == 0


def test_what_touches_is_a_neighbour_or_barred_and_what_is_a_neighbour_touches() -> None:
    assert joined("land") == MAP.pairs("open")
    assert joined("bridge") == MAP.pairs("bridge")
    assert not MAP.pairs(*BARRIERS) & (joined("land") | joined("bridge") | joined("sea"))


def test_mountains_bar_what_lies_at_one_range_and_rivers_all_else() -> None:
    assert MAP.pairs("mountains") <= RANGES
    assert MAP.pairs() == MAP.pairs("open", "bridge", "mountains", "river")


def test_a_border_is_seen_and_in_one_piece() -> None:
    assert [] == MAP.overlooked()


def test_territories_without_a_border_stay_apart() -> None:
    assert [] == MAP.too_near()


@pytest.mark.parametrize("key", MAP.regions)
def test_names_symbols_and_pieces_have_places_within_their_territory_and_beside_each_other(
    key: str,
) -> None:
    region = MAP.regions[key]

    assert [] == MAP.misplaced(key)
    assert MAP.is_named_within(key)
    assert len(region["pieces"]) >= PIECES
    assert region["pieces"][0][2] >= SMALLEST_PLACE
    assert ("site" in region) == (key in PLACES)


def test_each_bridge_lies_on_its_border() -> None:
    printed = {b["id"]: {b["a"], b["b"]} for b in DATA["bridges"]}

    assert printed == {b["id"]: {b["a"], b["b"]} for b in MAP.data["bridges"]}
    for bridge in MAP.data["bridges"]:
        for side in (bridge["a"], bridge["b"]):
            assert to_edge((bridge["x"], bridge["y"]), MAP.rings[side]) < 3


def test_each_sea_route_leads_over_water_from_port_to_port() -> None:
    ports = {port["territory"]: (port["x"], port["y"]) for port in MAP.data["ports"]}

    assert joined("sea") == {frozenset((link["a"], link["b"])) for link in MAP.data["links"]}
    assert {port["territory"] for port in DATA["ports"]} == set(ports)
    for link in MAP.data["links"]:
        line = walked(link["line"])
        assert dist(line[0], ports[link["a"]]) < 3
        assert dist(line[-1], ports[link["b"]]) < 3
        dry = [
            (a, b)
            for a, b in pairwise(line)
            if not holds(MAP.rings["sea"], ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
        ]
        assert sum(length([*side]) for side in dry) < ON_LAND


def test_a_port_lies_at_the_coast_of_its_territory() -> None:
    for port in MAP.data["ports"]:
        assert port["territory"] in MAP.of_fill("sea")
        assert to_edge((port["x"], port["y"]), MAP.rings[port["territory"]]) < 3


def test_the_path_of_the_fellowship_leads_through_its_territories_with_its_dice() -> None:
    printed = [(step["territory"], step["die_symbol"]) for step in DATA["fellowship_path"]]

    assert printed == [(step["territory"], step["die"]) for step in MAP.data["path"]]
    for step in MAP.data["path"]:
        assert holds(MAP.rings[step["territory"]], (step["x"], step["y"]))
