"""What is asked of every game's board: to hold a whole view, and nothing that is never there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

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


def newly_used(game: str, view: Any, missing: set[str]) -> set[str]:
    """The missing fields that are in the message of a view, which is then read back from it."""
    message = encoded(game, view)
    found = set(_used(message, missing))

    assert not found or plain(view) == plain(codec_of(game).decode(message))
    return found


def _used(message: Any, missing: set[str]) -> Iterator[str]:
    """Looks only into fields in which something that is missing may be."""
    for field, value in message.ListFields():
        name = f"{message.DESCRIPTOR.name}.{field.name}"
        if name in missing:
            yield name
        if field.type == FieldDescriptor.TYPE_MESSAGE and not missing.isdisjoint(
            _within(field.message_type)
        ):
            for inner in value if field.is_repeated else [value]:
                yield from _used(inner, missing)


@cache
def _within(kind: Descriptor) -> frozenset[str]:
    """The fields of a message and of all that it may contain."""
    inner = [field.message_type for field in kind.fields if field.message_type is not None]
    return frozenset(f"{kind.name}.{field.name}" for field in kind.fields).union(
        *map(_within, inner)
    )
