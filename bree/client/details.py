"""What a refusal says besides its code and its sentence: a `google.rpc.ErrorInfo`.

Design. The two messages of googleapis that it takes are read field by field, so that a client needs
no package but grpcio and protobuf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from google.protobuf.any_pb2 import Any
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

METADATA = "grpc-status-details-bin"
"""Where gRPC carries a `google.rpc.Status`."""

STATUS_DETAILS = 3
INFO_REASON, INFO_DOMAIN, INFO_METADATA = 1, 2, 3
ENTRY_KEY, ENTRY_VALUE = 1, 2


class Info(NamedTuple):
    """Why a call was refused: whose word it is, the word, and what it concerns."""

    domain: str
    reason: str
    metadata: Mapping[str, str]


def infos(metadata: Mapping[str, bytes | str]) -> Iterator[Info]:
    """Every `ErrorInfo` in the last metadata of a call; none, if they cannot be read."""
    carried = metadata.get(METADATA, b"")
    try:
        for number, detail in _fields(carried):
            if number == STATUS_DETAILS:
                yield from _info(Any.FromString(detail))
    except (DecodeError, UnicodeDecodeError):
        return


def _info(detail: Any) -> Iterator[Info]:
    if detail.TypeName() != "google.rpc.ErrorInfo":
        return
    words = {INFO_REASON: "", INFO_DOMAIN: ""}
    metadata = {}
    for number, data in _fields(detail.value):
        if number == INFO_METADATA:
            entry = dict(_fields(data))
            metadata[_text(entry.get(ENTRY_KEY))] = _text(entry.get(ENTRY_VALUE))
        elif number in words:
            words[number] = _text(data)
    yield Info(words[INFO_DOMAIN], words[INFO_REASON], metadata)


def _fields(message: bytes | str) -> Iterator[tuple[int, bytes]]:
    """The numbers and the contents of the fields that are not numbers."""
    data = message if isinstance(message, bytes) else b""
    fields = UnknownFieldSet(Empty.FromString(data))
    for at in range(len(fields)):
        if isinstance(fields[at].data, bytes):
            yield fields[at].field_number, fields[at].data


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8")
