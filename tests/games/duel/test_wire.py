"""The board of Duel as a message holds everything of its view, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from services.duel import RULES
from services.duel.wire import WIRE
from tests.games.duel.test_play import EVERY_OPTION, played

BOARD: Any = type(WIRE.board(RULES.view(RULES.setup(RULES.agree({})), None)))
EVERYTHING = {
    f"{message.name}.{field.name}"
    for message in BOARD.DESCRIPTOR.file.message_types_by_name.values()
    for field in message.fields
}


def plain(value: Any) -> Any:
    """What equality should not depend on: lists and tuples are the same in text."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def used(message: Any) -> Iterator[str]:
    """The fields that are there in a message and in all within it."""
    for field, value in message.ListFields():
        yield f"{message.DESCRIPTOR.name}.{field.name}"
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from used(inner)


@pytest.mark.parametrize("chosen", [{}, EVERY_OPTION], ids=["standard", "every_option"])
def test_every_view_is_written_and_read_back(chosen: dict[str, str]) -> None:
    chance = random.Random("wire")
    for game, _ in played(3, chosen):
        if chance.random() < 0.3 or not RULES.waiting(game):
            for seat in (0, 1, None):
                view = plain(RULES.view(game, seat))
                board = BOARD.FromString(WIRE.board(view).SerializeToString())
                assert view == plain(WIRE.view(board))
                assert list(view["options"]) == [option.name for option in board.options]


def test_every_field_is_used_in_some_position() -> None:
    """A field that is never there would be a promise that nobody keeps."""
    found = set[str]()
    for seed in range(40):
        for number, (game, _) in enumerate(played(seed, {})):
            if number % 3 == 0 or not RULES.waiting(game):
                found |= set(used(WIRE.board(RULES.view(game, seed % 2))))
        if found >= EVERYTHING:
            return

    assert set() == EVERYTHING - found
