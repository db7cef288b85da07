"""Leaves out of the contracts what a page never says or hears, since every byte of them travels.

`python scripts/page_messages.py ALL.binpb OUT.binpb`: of the messages and services of a set of
files, those remain that players' services and the boards have, and whatever these speak of.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

GATEWAY, ENGINE = "bree.gateway.v1", "bree.engine.v1"
OF_WORKERS = "SettlementService"


def needed(files: Iterable[FileDescriptorProto]) -> set[str]:
    """The full names of the messages and enums of the gateway's and the engine's that remain."""
    fields = {name: list(_spoken_of(message)) for name, message in _messages(files)}
    wanted = [name for file in files for name in _asked(file)]
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += fields.get(name, [])
    return found


def _asked(file: FileDescriptorProto) -> Iterator[str]:
    """What is needed for its own sake: the calls of players, reasons of refusals, and boards."""
    for service in file.service:
        if file.package == GATEWAY and service.name != OF_WORKERS:
            for method in service.method:
                yield from (method.input_type, method.output_type)
    if file.name.endswith("errors.proto"):
        yield from (f".{file.package}.{message.name}" for message in file.message_type)
        yield from (f".{file.package}.{enum.name}" for enum in file.enum_type)
    if file.package not in {GATEWAY, ENGINE}:
        for message in file.message_type:
            yield from _spoken_of(message)


def _messages(files: Iterable[FileDescriptorProto]) -> Iterator[tuple[str, DescriptorProto]]:
    for file in files:
        for message in file.message_type:
            yield f".{file.package}.{message.name}", message


def _spoken_of(message: DescriptorProto) -> Iterator[str]:
    types = {FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_ENUM}
    yield from (field.type_name for field in message.field if field.type in types)
    for nested in message.nested_type:
        yield from _spoken_of(nested)


def prune(files: FileDescriptorSet) -> None:
    """Take out of the gateway's and the engine's files what nobody needs."""
    kept = needed(files.file)
    for file in files.file:
        if file.package not in {GATEWAY, ENGINE}:
            continue
        _keep(
            file.message_type, [f".{file.package}.{one.name}" in kept for one in file.message_type]
        )
        _keep(file.enum_type, [f".{file.package}.{one.name}" in kept for one in file.enum_type])
        _keep(
            file.service,
            [file.package == GATEWAY and one.name != OF_WORKERS for one in file.service],
        )


def _keep(ones: MutableSequence[Any], are_kept: Sequence[bool]) -> None:
    for number in reversed(range(len(are_kept))):
        if not are_kept[number]:
            del ones[number]


def main(source: str, target: str) -> None:
    files = FileDescriptorSet.FromString(Path(source).read_bytes())
    prune(files)
    Path(target).write_bytes(files.SerializeToString())


if __name__ == "__main__":
    main(*sys.argv[1:])
