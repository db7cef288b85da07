"""The contracts as pages: what protos/ declares, in its order, each with its comment.

Design. protoc reads the files and keeps their comments; here they are only set. Each package has
a page.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)
from grpc_tools import protoc  # type: ignore[import-untyped]

MESSAGE, ENUM, SERVICE = 4, 5, 6  # of a file
FIELD, NESTED, NESTED_ENUM, ONEOF = 2, 3, 4, 8  # of a message
PART = 2  # a value of an enum, a method of a service

Place = tuple[int, ...]
"""Where a declaration stands in its file, as descriptors number it."""


def pages(protos: Path) -> dict[str, str]:
    """By package, what is declared in it."""
    found: dict[str, list[str]] = {}
    for file in files(protos):
        found.setdefault(file.package, [f"# {file.package}"]).extend(_File(file).lines())
    return {package: "\n".join(lines) + "\n" for package, lines in found.items()}


def files(protos: Path) -> Iterator[FileDescriptorProto]:
    """What each file declares, with its comments; those with services first."""
    names = sorted(path.relative_to(protos).as_posix() for path in protos.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "set")
        include = str(Path(sys.modules["grpc_tools"].__file__ or "").parent / "_proto")
        wanted = ["protoc", f"-I{protos}", f"-I{include}", "--include_source_info"]
        if protoc.main([*wanted, f"--descriptor_set_out={out}", *names]):
            raise SystemExit("proto_pages: protoc does not take protos/")
        files = FileDescriptorSet.FromString(out.read_bytes()).file
    yield from sorted(files, key=lambda file: (not file.service, file.name))


class _File:
    """One file on its way to a page."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._file = file
        self._comments: Mapping[Place, str] = {
            tuple(at.path): at.leading_comments for at in file.source_code_info.location
        }

    def lines(self) -> Iterator[str]:
        """What is said of no declaration, then services, messages and enums."""
        for at in self._file.source_code_info.location:
            for comment in at.leading_detached_comments:
                yield from _set(comment)
        for number, service in enumerate(self._file.service):
            yield from self._service(service, (SERVICE, number))
        for number, message in enumerate(self._file.message_type):
            yield from self._message(message, (MESSAGE, number), "")
        for number, enum in enumerate(self._file.enum_type):
            yield from self._enum(enum, (ENUM, number), "")

    def _comment(self, place: Place, indent: str = "") -> Iterator[str]:
        """What stands above it."""
        return _set(self._comments.get(place, ""), indent)

    def _service(self, service: ServiceDescriptorProto, place: Place) -> Iterator[str]:
        yield from _heading(2, service.name, service.name)
        yield from self._comment(place)
        for number, method in enumerate(service.method):
            yield from _heading(3, method.name, f"{service.name}.{method.name}")
            stream = "a stream of " if method.server_streaming else ""
            takes, gives = self._link(method.input_type), self._link(method.output_type)
            yield f"\n{takes} → {stream}{gives}"
            yield from self._comment((*place, PART, number))

    def _message(self, message: DescriptorProto, place: Place, within: str) -> Iterator[str]:
        if message.options.map_entry:
            return
        name = within + message.name
        yield from _heading(2, name, name)
        yield from self._comment(place)
        entries = {
            f".{self._file.package}.{name}.{nested.name}": nested
            for nested in message.nested_type
            if nested.options.map_entry
        }
        for number, choice in enumerate(message.oneof_decl):
            fields = [field for field in message.field if field.HasField("oneof_index")]
            names = [f"`{f.name}`" for f in fields if f.oneof_index == number]
            if not all(field.proto3_optional for field in fields if field.oneof_index == number):
                yield f"* **`{choice.name}`** · one of {', '.join(names)}"
                yield from self._comment((*place, ONEOF, number), "    ")
        for number, field in enumerate(message.field):
            yield f"* **`{field.name}`** · {self._type(field, entries)} · {field.number}"
            yield from self._comment((*place, FIELD, number), "    ")
        for number, nested in enumerate(message.nested_type):
            yield from self._message(nested, (*place, NESTED, number), f"{name}.")
        for number, enum in enumerate(message.enum_type):
            yield from self._enum(enum, (*place, NESTED_ENUM, number), f"{name}.")

    def _enum(self, enum: EnumDescriptorProto, place: Place, within: str) -> Iterator[str]:
        yield from _heading(2, within + enum.name, within + enum.name)
        yield from self._comment(place)
        for number, value in enumerate(enum.value):
            yield f"* **`{value.name}`** · {value.number}"
            yield from self._comment((*place, PART, number), "    ")

    def _type(self, field: FieldDescriptorProto, entries: Mapping[str, DescriptorProto]) -> str:
        if field.type_name in entries:
            key, value = entries[field.type_name].field
            return f"map of {self._type(key, {})} to {self._type(value, {})}"
        kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
        said = self._link(field.type_name) if field.type_name else kind
        if field.label == FieldDescriptorProto.LABEL_REPEATED:
            return f"repeated {said}"
        return f"optional {said}" if field.proto3_optional else said

    def _link(self, type_name: str) -> str:
        """A link to what is declared here; what is Google's is only named."""
        full = type_name.removeprefix(".")
        if not full.startswith("bree."):
            return f"`{full}`"
        package, _, name = full.partition(".v1.")
        return f"[{name}]({package}.v1.md#{name})"


def _set(comment: str, indent: str = "") -> Iterator[str]:
    """A comment as a paragraph, without the blank that follows each `//`."""
    yield ""
    for line in comment.splitlines():
        yield (indent + line.removeprefix(" ")).rstrip()
    yield ""


def _heading(depth: int, title: str, anchor: str) -> Iterator[str]:
    yield f"\n{'#' * depth} {title} {{ #{anchor} }}"
