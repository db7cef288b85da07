"""The views of any game as messages, and back.

Design. A view has the shape of its game's `Board`: the same names, nested alike, with what is
absent as None and the value of an enum as a word. So how it is written and read follows from the
message's descriptor, and is worked out once. Where a view differs, `SHAPE` in the game's `wire`
says how, in a few tables. A game without a `Board` sends its views as `google.protobuf.Struct`,
which every client can read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any, Protocol

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from services.host.values import fill, plain

View = Mapping[str, Any]
Write = Callable[[Any], Any]
Read = Callable[[Any], Any]

BESIDE = ""
"""In `Shape.places`: the fields of this message stand beside it in the view, not within."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Where views differ from their message, by `Message` or `Message.field`."""

    places: Mapping[str, str] = field(default_factory=dict)
    """Fields in a table of their own, as `"Card.sauron": "prices.sauron"`; renamed; or `BESIDE`."""

    tables: Sequence[str] = ()
    """Messages of a key and a value, a list of which is a table in the view."""

    bare: Sequence[str] = ()
    """Messages of one field, which stands in the view without the message around it."""

    numbered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Fields that hold the numbers of names, with these names in their order."""

    constant: Sequence[str] = ()
    """Fields whose part of the view is always the same object, and is written only once."""


class Codec(Protocol):
    """Writes the views of one game for those who do not have its rules, and reads them back."""

    message: type[Message]

    def encode(self, view: View) -> Message: ...

    def decode(self, message: Any) -> View: ...


@cache
def codec_of(game: str) -> Codec:
    """The codec of a game: by its `Board`, if it has one."""
    module = _imported(f"bree.{game}.v1.board_pb2")
    if module is None:
        return StructCodec()
    own = _imported(f"services.{game}.wire")
    return BoardCodec(module.Board, own.SHAPE if own else Shape())


def _imported(name: str) -> Any:
    """The module with this name; None if there is none."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if f"{name}.".startswith(f"{error.name}."):
            return None
        raise  # there is one, and it lacks something


class StructCodec:
    """For games without a message of their own."""

    message: type[Message] = Struct

    def encode(self, view: View) -> Struct:
        message = Struct()
        fill(message, view)
        return message

    def decode(self, message: Any) -> View:
        return plain(message)


class BoardCodec:
    """By the descriptor of a message."""

    def __init__(self, message: type[Message], shape: Shape) -> None:
        self.message = message
        kind: Any = message.DESCRIPTOR
        self._write = _Writers(shape).message(kind) or dict
        self._read = _Readers(shape).message(kind)

    def encode(self, view: View) -> Message:
        return self.message(**self._write(view))

    def decode(self, message: Any) -> View:
        view: View = self._read(message)
        return view


def _name(field: FieldDescriptor) -> str:
    kind: Any = field.containing_type
    return f"{kind.name}.{field.name}"


def _place(shape: Shape, field: FieldDescriptor) -> tuple[str, str]:
    """The table in which a field stands in the view, if it is in one, and its key."""
    group, _, key = shape.places.get(_name(field), field.name).rpartition(".")
    return group, key


@cache
def _numbers(kind: EnumDescriptor) -> Mapping[str | None, int]:
    """By word of the view: the number of an enum's value; None is its zero."""
    zero = kind.values_by_number[0].name
    prefix = zero.removesuffix("UNSPECIFIED")
    words = {value.name.removeprefix(prefix).lower(): value.number for value in kind.values}
    return {None: 0, **{word: number for word, number in words.items() if number}}


# Writing: from parts of a view to the arguments that messages are made with.


class _Writers:
    """What writes the parts of a view; None for parts that are arguments just as they are."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def message(self, kind: Descriptor) -> Write | None:
        """What writes one message of a kind, or its absence."""
        if kind.name in self.shape.bare:
            (only,) = kind.fields
            return _wrapper(only.name, self._field(only) or _as_it_is)
        own: list[tuple[str, Write]] = []
        groups: dict[str, list[tuple[str, str, Write]]] = {}
        beside: list[tuple[str, list[str]]] = []
        for one in kind.fields:
            group, key = _place(self.shape, one)
            write = self._field(one)
            if not key:
                inner: Any = one.message_type
                beside.append((one.name, [part.name for part in inner.fields]))
            elif group or key != one.name:
                groups.setdefault(group, []).append((one.name, key, write or _as_it_is))
            elif write is not None:
                own.append((one.name, write))
        if groups or beside:
            return _regrouping(own, tuple(groups.items()), beside)
        return _converting(own) if own else None

    def _field(self, one: FieldDescriptor) -> Write | None:
        write, kind = self._value(one), one.message_type
        if not one.is_repeated:
            return write
        if kind is not None and kind.name in self.shape.tables:
            key, value = kind.fields
            return _listing(key.name, value.name)
        return None if write is None else _each(write)

    def _value(self, one: FieldDescriptor) -> Write | None:
        if one.enum_type is not None:
            return _numbers(one.enum_type).__getitem__
        if _name(one) in self.shape.numbered:
            names = self.shape.numbered[_name(one)]
            return {name: number for number, name in enumerate(names)}.__getitem__
        if one.message_type is None:
            return None
        write = self.message(one.message_type)
        return _Once(one.message_type, write) if _name(one) in self.shape.constant else write


def _as_it_is(part: Any) -> Any:
    return part


def _wrapper(name: str, write: Write) -> Write:
    return lambda part: None if part is None else {name: write(part)}


def _each(write: Write) -> Write:
    return lambda parts: [write(part) for part in parts]


def _listing(key: str, value: str) -> Write:
    return lambda table: [{key: k, value: v} for k, v in table.items()]


def _converting(own: Sequence[tuple[str, Write]]) -> Write:
    def write(part: Any) -> Any:
        if not part:
            return part
        written = {**part}
        for name, convert in own:
            written[name] = convert(part[name])
        return written

    return write


def _regrouping(
    own: Sequence[tuple[str, Write]],
    groups: Sequence[tuple[str, Sequence[tuple[str, str, Write]]]],
    beside: Sequence[tuple[str, Sequence[str]]],
) -> Write:
    """Takes fields out of the tables that they stand in, and others together."""
    convert_own = _converting(own)

    def write(part: Any) -> Any:
        if not part:
            return part
        written = dict(convert_own(part))
        for group, members in groups:
            inner = written.pop(group) if group else written
            for name, key, convert in members:
                written[name] = convert(inner[key] if group else inner.pop(key))
        for name, keys in beside:
            written[name] = {key: written.pop(key) for key in keys}
        return written

    return write


class _Once:
    """Writes a part that is always the same one, and so only once."""

    def __init__(self, kind: Descriptor, write: Write | None) -> None:
        self._message = message_factory.GetMessageClass(kind)
        self._write = write or _as_it_is
        self._last: tuple[Any, Message | None] = (None, None)

    def __call__(self, part: Any) -> Message | None:
        if self._last[0] is not part:
            self._last = part, self._message(**self._write(part))
        return self._last[1]


# Reading.


class _Readers:
    """What reads the parts of a view from messages."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def message(self, kind: Descriptor) -> Read:
        """What reads one message of a kind."""
        if kind.name in self.shape.bare:
            return self._field(kind.fields[0])
        own: list[tuple[str, Read]] = []
        groups: dict[str, list[tuple[str, Read]]] = {}
        beside: list[Read] = []
        for one in kind.fields:
            group, key = _place(self.shape, one)
            read = self._field(one)
            if not key:
                beside.append(read)
            else:
                (groups.setdefault(group, []) if group else own).append((key, read))

        def read_whole(message: Message) -> dict[str, Any]:
            part = {key: read(message) for key, read in own}
            for group, members in groups.items():
                part[group] = {key: read(message) for key, read in members}
            for read in beside:
                part.update(read(message))
            return part

        return read_whole

    def _field(self, one: FieldDescriptor) -> Read:
        name, value, part = one.name, self._value(one), attrgetter(one.name)
        if one.is_repeated:
            return self._repeated(one, value)
        if not one.has_presence:
            return part if value is None else lambda m: value(part(m))
        if value is None:
            return lambda m: part(m) if m.HasField(name) else None
        return lambda m: value(part(m)) if m.HasField(name) else None

    def _repeated(self, one: FieldDescriptor, value: Read | None) -> Read:
        parts, kind = attrgetter(one.name), one.message_type
        if kind is not None and kind.name in self.shape.tables:
            key, held = attrgetter(kind.fields[0].name), self._field(kind.fields[1])
            return lambda m: {key(row): held(row) for row in parts(m)}
        if value is None:
            return lambda m: [*parts(m)]
        return lambda m: [value(part) for part in parts(m)]

    def _value(self, one: FieldDescriptor) -> Read | None:
        if one.enum_type is not None:
            return {number: word for word, number in _numbers(one.enum_type).items()}.__getitem__
        if _name(one) in self.shape.numbered:
            return self.shape.numbered[_name(one)].__getitem__
        return None if one.message_type is None else self.message(one.message_type)
