"""The board of War of the Ring as a message has no field that is never there."""

from __future__ import annotations

from typing import Any

from services.warofthering import RULES
from services.warofthering.tables import REGION_NAMES, REGIONS
from tests.cases.cases import cases_in
from tests.games.warofthering.listening import FOLDER, moments
from tests.host.boards import encoded, fields_of, newly_used


def test_every_field_is_used_in_some_case() -> None:
    """A field that is never there would be a promise that nobody keeps."""
    missing = fields_of("warofthering")
    for case in cases_in(FOLDER):
        for play in moments(case):
            seat = len(play.table.entries) % len(play.table.seats)
            missing -= newly_used("warofthering", RULES.view(play.game, seat), missing)
        if not missing:
            return

    assert set() == missing


def test_the_map_is_the_printed_one() -> None:
    board: Any = encoded("warofthering", RULES.view(RULES.setup(RULES.agree({})), None))

    assert tuple(region.region for region in board.map.regions) == REGIONS
    assert tuple(region.name for region in board.map.regions) == REGION_NAMES
    for here, region in enumerate(board.map.regions):
        for near in (*region.borders, *region.barriers):
            back = board.map.regions[near]
            assert here in (*back.borders, *back.barriers)


def test_the_map_is_not_made_anew() -> None:
    g = RULES.setup(RULES.agree({}))

    assert RULES.view(g, 0)["map"] is RULES.view(g, 1)["map"]
