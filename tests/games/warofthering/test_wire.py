"""The board of War of the Ring as a message holds everything of its view, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from services.warofthering import RULES
from services.warofthering.tables import REGION_NAMES, REGIONS
from services.warofthering.wire import WIRE
from tests.cases.cases import cases_in
from tests.conform.walks import chosen, fate
from tests.games.warofthering.listening import FOLDER, moments

BOARD: Any = type(WIRE.board(RULES.view(RULES.setup(RULES.agree({})), None)))
EVERYTHING = {
    f"{message.name}.{field.name}"
    for message in BOARD.DESCRIPTOR.file.message_types_by_name.values()
    for field in message.fields
}


def used(message: Any) -> Iterator[str]:
    """The fields that are there in a message and in all within it."""
    for field, value in message.ListFields():
        yield f"{message.DESCRIPTOR.name}.{field.name}"
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from used(inner)


@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_every_view_is_written_and_read_back(preset: str) -> None:
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"wire {preset}").pick
    for number in range(600):
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        if number % 20 == 0:
            for viewer in (None, *range(len(g.board.settings.seats))):
                view = RULES.view(g, viewer)
                assert view == WIRE.view(BOARD.FromString(WIRE.board(view).SerializeToString()))


def test_every_field_is_used_in_some_case() -> None:
    """A field that is never there would be a promise that nobody keeps."""
    found = set[str]()
    for case in cases_in(FOLDER):
        for play in moments(case):
            seat = len(play.table.entries) % len(play.table.seats)
            found |= set(used(WIRE.board(RULES.view(play.game, seat))))
        if found >= EVERYTHING:
            return

    assert set() == EVERYTHING - found


def test_the_map_is_the_printed_one() -> None:
    board = WIRE.board(RULES.view(RULES.setup(RULES.agree({})), None))

    assert tuple(region.region for region in board.map.regions) == REGIONS
    assert tuple(region.name for region in board.map.regions) == REGION_NAMES
    for here, region in enumerate(board.map.regions):
        for near in (*region.borders, *region.barriers):
            back = board.map.regions[near]
            assert here in (*back.borders, *back.barriers)


def test_the_map_is_not_made_anew() -> None:
    g = RULES.setup(RULES.agree({}))

    assert RULES.view(g, 0)["map"] is RULES.view(g, 1)["map"]
