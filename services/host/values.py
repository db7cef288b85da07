"""Plain data as `google.protobuf.Value`, and back: what travels without a message of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.protobuf.struct_pb2 import Struct, Value


def fill(struct: Struct, told: Mapping[str, object]) -> None:
    """Write whole numbers, texts, truth values, nothing, and lists and tables of these."""
    fields = struct.fields
    for name, one in told.items():
        _write(fields[name], one)


def plain(struct: Struct) -> dict[str, object]:
    """What was written."""
    return {name: _read(value) for name, value in struct.fields.items()}


def _write(value: Value, told: object) -> None:
    if isinstance(told, str):
        value.string_value = told
    elif isinstance(told, bool):
        value.bool_value = told
    elif isinstance(told, int):
        value.number_value = told
    elif told is None:
        value.null_value = 0  # type: ignore[assignment]  # its only value
    elif isinstance(told, Mapping):
        value.struct_value.SetInParent()
        fill(value.struct_value, told)
    elif isinstance(told, Sequence):
        value.list_value.SetInParent()
        for part in told:
            _write(value.list_value.values.add(), part)
    else:
        raise TypeError(f"a message cannot tell {told!r}")


def _read(value: Value) -> object:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        return plain(value.struct_value)
    if kind == "list_value":
        return [_read(part) for part in value.list_value.values]
    if kind == "null_value":
        return None
    return int(value.number_value) if kind == "number_value" else getattr(value, str(kind))
