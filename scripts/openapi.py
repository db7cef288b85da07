"""The methods over HTTP as an OpenAPI 3.1 document, made from protos/ with its comments.

Design. protoc reads the files and keeps their comments. Every service of `bree.gateway.v1` is there
and every message that one of its methods reaches; what JSON a field is follows from protobuf's own
mapping. Who may call a method, and what it costs, the gateway's table of methods says.
"""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

from bree import __version__
from gateway.methods import ACCESS, PRICES, Access

PROTOS = runpy.run_path(str(Path(__file__).with_name("proto_pages.py")))
MESSAGE, ENUM, SERVICE = PROTOS["MESSAGE"], PROTOS["ENUM"], PROTOS["SERVICE"]
FIELD, NESTED, NESTED_ENUM = PROTOS["FIELD"], PROTOS["NESTED"], PROTOS["NESTED_ENUM"]
PART = PROTOS["PART"]

Place = tuple[int, ...]

PACKAGE = "bree.gateway.v1"
REASONS = "bree.engine.v1.ErrorReason"

INFO = """\
Everything a player, a program or a spectator does on a platform of Bree, over HTTP: the JSON side
of the Connect protocol. Every method is called with POST. Fields may be written in snake case, too;
one that there is not is refused. How the methods hang together is told in docs/gateway.md.
"""
STREAM = """\
This is a stream: the content type is application/connect+json, and the request and each message of
the answer are in an envelope of one byte of flags and the length in four bytes. Flag 2 is the end.
"""

Schema = dict[str, Any]

WHOLE: Schema = {"type": ["string", "integer"], "format": "int64"}
REAL: Schema = {"type": ["number", "string"], "format": "double"}
SCALARS: Mapping[str, Schema] = {
    "bool": {"type": "boolean"},
    "string": {"type": "string"},
    "bytes": {"type": "string", "contentEncoding": "base64"},
    "double": REAL,
    "float": REAL,
    **{f"{kind}32": {"type": "integer"} for kind in ("int", "sint", "uint", "fixed", "sfixed")},
    **{f"{kind}64": WHOLE for kind in ("int", "sint", "uint", "fixed", "sfixed")},
}
KNOWN: Mapping[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Any": {
        "type": "object",
        "properties": {"@type": {"type": "string"}},
        "required": ["@type"],
    },
    "google.protobuf.Struct": {"type": "object"},
}
"""What is written in a way of its own."""

SCHEMES: Mapping[str, Schema] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of an account, of one of its sessions, or one made for a program",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "bree_session",
        "description": "A session of the page of this host, with the header "
        "connect-protocol-version; over TLS it is called __Host-bree_session",
    },
    "platform": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of the platform's own parts",
    },
}
SECURITY: Mapping[Access, list[dict[str, list[str]]]] = {
    Access.ANYONE: [],
    Access.ACCOUNT: [{"token": []}, {"cookie": []}],
    Access.ADMIN: [{"token": []}, {"cookie": []}],
    Access.PLATFORM: [{"platform": []}],
}
STATUSES: Mapping[str, str] = {
    "400": "The request makes no sense, or not now",
    "401": "The token is missing, wrong or revoked",
    "403": "The caller may not do this",
    "404": "There is no such thing",
    "409": "Something has changed meanwhile",
    "429": "Too many calls, or as much as one may have: metadata says when to try again",
    "503": "A part of the platform is away: send it again after a pause",
}


class Document:
    """The document on its way."""

    def __init__(self, protos: Path) -> None:
        self.files: list[FileDescriptorProto] = list(PROTOS["files"](protos))
        self.places = {file.name: _comments(file) for file in self.files}
        self.kinds = {name: found for file in self.files for name, found in _declared(file)}
        self.schemas: dict[str, Schema] = {}

    def whole(self) -> Schema:
        """All of it."""
        services = [
            (file, number)
            for file in self.files
            for number, _ in enumerate(file.service)
            if file.package == PACKAGE
        ]
        services.sort(key=lambda pair: pair[0].name != f"{PACKAGE.replace('.', '/')}/gateway.proto")
        paths: dict[str, Schema] = {}
        tags = []
        for file, number in services:
            service = file.service[number]
            tags.append({"name": service.name, "description": self._said(file, SERVICE, number)})
            paths.update(self._paths(file, service, number))
        schemas = {**_error(self._schema(REASONS)), **self.schemas}
        return {
            "openapi": "3.1.1",
            "info": {"title": "Bree", "version": __version__, "description": _flat(INFO)},
            "servers": [{"url": "/", "description": "The gateway that this document is of"}],
            "tags": tags,
            "paths": paths,
            "components": {
                "schemas": dict(sorted(schemas.items())),
                "securitySchemes": dict(SCHEMES),
                "responses": {
                    f"Refused{status}": {"description": said, "content": _json(_ref("Error"))}
                    for status, said in STATUSES.items()
                },
            },
        }

    def _paths(
        self, file: FileDescriptorProto, service: ServiceDescriptorProto, number: int
    ) -> Iterator[tuple[str, Schema]]:
        for at, method in enumerate(service.method):
            said = self._said(file, SERVICE, number, PART, at)
            yield (
                f"/{PACKAGE}.{service.name}/{method.name}",
                {"post": self._operation(service.name, method, said)},
            )

    def _operation(self, service: str, method: MethodDescriptorProto, said: str) -> Schema:
        request = self._of(method.input_type)
        # What a gateway does not know, it refuses; what it answers, a later one may add to.
        self._schema(method.input_type.removeprefix("."))["additionalProperties"] = False
        access = ACCESS.get((service, method.name)) or ACCESS.get((service, ""))
        kind = "application/connect+json" if method.server_streaming else "application/json"
        answer = {"description": "The answer", "content": _json(self._of(method.output_type), kind)}
        if method.server_streaming:
            said = f"{said} {_flat(STREAM)}"
        refused = {code: {"$ref": f"#/components/responses/Refused{code}"} for code in STATUSES}
        return {
            "operationId": f"{service}_{method.name}",
            "tags": [service],
            "summary": re.split(r"(?<=[.:;]) ", said)[0].rstrip(".:;"),
            "description": said,
            "security": SECURITY[access or Access.ACCOUNT],
            "x-bree-price": PRICES.get(method.name, 1),
            "requestBody": {
                "required": True,
                "content": _json(request, kind),
            },
            "responses": {"200": answer, **({} if method.server_streaming else refused)},
        }

    # Messages.

    def _of(self, type_name: str) -> Schema:
        """A reference to a message or an enum, which is then among the schemas."""
        name = type_name.removeprefix(".")
        if name in KNOWN:
            return dict(KNOWN[name])
        self._schema(name)
        return _ref(name)

    def _schema(self, name: str) -> Schema:
        if name not in self.schemas:
            file, kind, place = self.kinds[name]
            self.schemas[name] = {}  # of one that holds itself
            if isinstance(kind, EnumDescriptorProto):
                self.schemas[name] = self._enum(file, kind, place)
            else:
                self.schemas[name] = self._message(file, kind, place)
        return self.schemas[name]

    def _enum(self, file: FileDescriptorProto, kind: EnumDescriptorProto, place: Place) -> Schema:
        values = [
            f"* `{value.name}`: {self._said(file, *place, PART, number)}"
            for number, value in enumerate(kind.value)
        ]
        said = "\n".join([self._said(file, *place), "", *values])
        return {"type": "string", "enum": [value.name for value in kind.value], "description": said}

    def _message(self, file: FileDescriptorProto, kind: DescriptorProto, place: Place) -> Schema:
        properties = {
            field.json_name: self._field(field, self._said(file, *place, FIELD, number))
            for number, field in enumerate(kind.field)
        }
        return {
            "type": "object",
            "description": self._said(file, *place),
            "properties": properties,
        }

    def _field(self, field: FieldDescriptorProto, said: str) -> Schema:
        entry = self.kinds.get(field.type_name.removeprefix("."), (None, None, ()))[1]
        if isinstance(entry, DescriptorProto) and entry.options.map_entry:
            value = self._field(entry.field[1], "")
            return {"type": "object", "additionalProperties": value, "description": said}
        if field.type_name:
            schema = self._of(field.type_name)
        else:
            scalar = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
            schema = dict(SCALARS[scalar])
        if field.label == FieldDescriptorProto.LABEL_REPEATED:
            schema = {"type": "array", "items": schema}
        return {**schema, "description": said} if said else schema

    def _said(self, file: FileDescriptorProto, *place: int) -> str:
        return _flat(self.places[file.name].get(place, ""))


def _comments(file: FileDescriptorProto) -> Mapping[Place, str]:
    return {tuple(at.path): at.leading_comments for at in file.source_code_info.location}


Declared = tuple[FileDescriptorProto, DescriptorProto | EnumDescriptorProto, Place]


def _declared(file: FileDescriptorProto) -> Iterator[tuple[str, Declared]]:
    """Messages and enums by their full names."""
    for number, message in enumerate(file.message_type):
        yield from _nested(file, message, file.package, (MESSAGE, number))
    for number, enum in enumerate(file.enum_type):
        yield f"{file.package}.{enum.name}", (file, enum, (ENUM, number))


def _nested(
    file: FileDescriptorProto, message: DescriptorProto, within: str, place: Place
) -> Iterator[tuple[str, Declared]]:
    name = f"{within}.{message.name}"
    yield name, (file, message, place)
    for number, nested in enumerate(message.nested_type):
        yield from _nested(file, nested, name, (*place, NESTED, number))
    for number, enum in enumerate(message.enum_type):
        yield f"{name}.{enum.name}", (file, enum, (*place, NESTED_ENUM, number))


def _flat(comment: str) -> str:
    """A comment as paragraphs, each on one line; what is indented stays as it is."""
    paragraphs = re.split(r"\n\s*\n", comment.strip("\n"))
    return "\n\n".join(
        part if part.startswith("     ") else " ".join(part.split()) for part in paragraphs
    ).strip()


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _json(schema: Schema, kind: str = "application/json") -> Schema:
    return {kind: {"schema": schema}}


def _error(reason: Schema) -> dict[str, Schema]:
    """The schemas of refusals, which are those of the Connect protocol."""
    text = {"type": "string"}
    info = {
        "type": "object",
        "description": "What google.rpc.ErrorInfo says, for people.",
        "properties": {
            "reason": {"type": "string", "enum": reason["enum"]},
            "domain": {"type": "string", "const": "bree"},
            "metadata": {"type": "object", "additionalProperties": text},
        },
    }
    detail = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "const": "google.rpc.ErrorInfo"},
            "value": {"type": "string", "description": "The message in binary, as base64."},
            "debug": info,
        },
        "required": ["type", "value"],
    }
    error = {
        "type": "object",
        "description": "A refusal. It has changed nothing, unless its reason says otherwise.",
        "properties": {
            "code": {"type": "string", "description": "A code of gRPC in small letters."},
            "message": {"type": "string", "description": "A sentence for people."},
            "details": {"type": "array", "items": detail},
        },
        "required": ["code"],
    }
    return {"Error": error}


def document(protos: Path) -> str:
    """The document of these protos, as text."""
    return json.dumps(Document(protos).whole(), indent=1, ensure_ascii=False) + "\n"
