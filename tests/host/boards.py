"""What is asked of every game's board: to hold a whole view, and nothing that is never there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from services.host.boards import codec_of


def plain(value: Any) -> Any:
    """What equality should not depend on: lists and tuples are the same in text."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def fields_of(game: str) -> set[str]:
    """Every field of every message that a game's own package has."""
    codec: Any = codec_of(game)
    return {
        f"{message.name}.{field.name}"
        for message in codec.message.DESCRIPTOR.file.message_types_by_name.values()
        for field in message.fields
    }


def encoded(game: str, view: Any) -> Any:
    """A view as its game's message."""
    return codec_of(game).encode(view)


def used_by(game: str, view: Any) -> set[str]:
    """The fields that are there in the message of a view, which is read back from it."""
    message = encoded(game, view)

    assert plain(view) == plain(codec_of(game).decode(message))
    return set(_used(message))


def _used(message: Any) -> Iterator[str]:
    for field, value in message.ListFields():
        yield f"{message.DESCRIPTOR.name}.{field.name}"
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from _used(inner)
