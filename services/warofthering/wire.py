"""The view of War of the Ring as a message, and back.

Design. A view has the shape of its message, field by field, so how it is written and read follows
from the message's own description. Only enums are spelt differently: "free" is `SIDE_FREE`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from bree.warofthering.v1 import board_pb2 as b
from services.warofthering.view import View

Part = Mapping[str, Any]
Convert = Callable[[Any], Any]


class Wire:
    """Writes and reads boards."""

    def __init__(self) -> None:
        self._map: tuple[object, b.Map] = (None, b.Map())

    def board(self, view: View) -> b.Board:
        """A view as a message."""
        printed: Any = view["map"]
        if self._map[0] is not printed:  # all views share one map
            self._map = printed, b.Map(**printed)
        message: b.Board = b.Board(**_written(b.Board.DESCRIPTOR, {**view, "map": None}))
        message.map.CopyFrom(self._map[1])
        return message

    def view(self, board: b.Board) -> View:
        """The view that a message was made of."""
        return _read(board)


WIRE = Wire()


# Writing. What is absent from a view is absent from the message.


def _written(kind: Descriptor, part: Part) -> dict[str, Any]:
    converts = _writers(kind)
    if not converts:
        return dict(part)
    written = {**part}
    for name, convert in converts:
        written[name] = convert(part[name])
    return written


@cache
def _writers(kind: Descriptor) -> tuple[tuple[str, Convert], ...]:
    """The fields that are not written just as they are: enums, and messages that have any."""
    found = ((field.name, _writer(field)) for field in kind.fields)
    return tuple((name, convert) for name, convert in found if convert is not None)


def _writer(field: FieldDescriptor) -> Convert | None:
    if field.enum_type is not None:
        return _numbers(field.enum_type).__getitem__
    kind = field.message_type
    if kind is None or not _writers(kind):
        return None
    if field.is_repeated:
        return lambda parts: [_written(kind, part) for part in parts]
    return lambda part: None if part is None else _written(kind, part)


# Reading.


def _read(message: Message) -> dict[str, Any]:
    return {name: read(message) for name, read in _readers(message.DESCRIPTOR)}


@cache
def _readers(kind: Descriptor) -> tuple[tuple[str, Convert], ...]:
    return tuple((field.name, _reader(field)) for field in kind.fields)


def _reader(field: FieldDescriptor) -> Convert:
    name = field.name
    if field.enum_type is not None:
        words = {number: word for word, number in _numbers(field.enum_type).items()}
        return lambda message: words[getattr(message, name)]
    if field.is_repeated:
        one: Convert = _read if field.message_type is not None else lambda value: value
        return lambda message: [one(value) for value in getattr(message, name)]
    present: Convert = _read if field.message_type is not None else lambda value: value
    if not field.has_presence:
        return lambda message: getattr(message, name)
    return lambda message: present(getattr(message, name)) if message.HasField(name) else None


# Both.


@cache
def _numbers(kind: EnumDescriptor) -> Mapping[str | None, int]:
    """By word of the view: the number of an enum's value; None is its zero."""
    zero = kind.values_by_number[0].name
    prefix = zero.removesuffix("UNSPECIFIED")
    words = {value.name.removeprefix(prefix).lower(): value.number for value in kind.values}
    return {None: 0, **{word: number for word, number in words.items() if number}}
