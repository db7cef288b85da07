"""The words of the Connect protocol, version 1: what requests and answers look like in bytes."""

from __future__ import annotations

import base64
import importlib
import json
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from bree.process.statuses import Denied
from gateway.refusals import invalid

VERSION = "1"
COMPRESSED, ENDS = 0x01, 0x02
"""Flags of what a stream is made of."""

ENVELOPE_BYTES = 5
WORTH_COMPRESSING = 1024
"""Bytes from which on an answer is smaller when it is compressed, and by enough."""

LEVEL = 1
LONGEST_TIMEOUT = 10
"""Digits of a timeout in milliseconds, as the protocol has it."""

STATUSES = {
    "canceled": 499,
    "unknown": 500,
    "invalid_argument": 400,
    "deadline_exceeded": 504,
    "not_found": 404,
    "already_exists": 409,
    "permission_denied": 403,
    "resource_exhausted": 429,
    "failed_precondition": 400,
    "aborted": 409,
    "out_of_range": 400,
    "unimplemented": 501,
    "internal": 500,
    "unavailable": 503,
    "data_loss": 500,
    "unauthenticated": 401,
}
"""The status in HTTP of each code."""


TOO_LATE = "deadline_exceeded"


class Wrong(Exception):
    """What the platform has no reason for; `status` is that of HTTP."""

    def __init__(self, code: str, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.code, self.message = code, message
        self.status = status or STATUSES[code]

    def told(self) -> dict[str, Any]:
        """As JSON says it."""
        return {"code": self.code, "message": self.message}


def status_of(denied: Denied) -> int:
    """The status in HTTP of a refusal."""
    return STATUSES[_code(denied)]


def told(denied: Denied) -> dict[str, Any]:
    """A refusal with its reason, as JSON says it."""
    info = denied.info()
    value = base64.b64encode(info.SerializeToString()).decode("ascii").rstrip("=")
    seen = {"reason": info.reason, "domain": info.domain, "metadata": denied.metadata}
    detail = {"type": info.DESCRIPTOR.full_name, "value": value, "debug": seen}
    return {"code": _code(denied), "message": denied.message, "details": [detail]}


def _code(denied: Denied) -> str:
    return denied.code.name.lower()


def written(said: dict[str, Any]) -> bytes:
    """A piece of JSON."""
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


# Messages.


class Codec(NamedTuple):
    """One way to write messages."""

    name: str
    read: Callable[[type[Message], bytes], Message]
    write: Callable[[Message], bytes]


def _read_proto(kind: type[Message], data: bytes) -> Message:
    try:
        return kind.FromString(data)
    except DecodeError:
        raise invalid("", f"the request is no {kind.DESCRIPTOR.full_name}") from None


def _read_json(kind: type[Message], data: bytes) -> Message:
    """Whoever writes JSON by hand is told of his slips: there are no unknown fields."""
    try:
        return json_format.Parse(data.decode(), kind())
    except (json_format.ParseError, ValueError, OverflowError, RecursionError) as error:
        what = f"the request is no {kind.DESCRIPTOR.full_name} in JSON: {error}"
        raise invalid("", what[:300]) from None
    except (TypeError, AttributeError):  # what the library says of some values of a wrong kind
        raise invalid("", f"the request is no {kind.DESCRIPTOR.full_name} in JSON") from None


def _write_json(message: Message) -> bytes:
    try:
        return json_format.MessageToJson(message, indent=None, ensure_ascii=False).encode()
    except TypeError:  # an engine that is newer than this gateway has a board of another kind
        why = "this gateway cannot write the board of this game as JSON: ask for binary"
        raise Denied("UNAVAILABLE", why, part="gateway") from None


PROTO = Codec("proto", _read_proto, lambda message: message.SerializeToString())
JSON = Codec("json", _read_json, _write_json)
CODECS = (PROTO, JSON)


def import_boards(games: Iterable[str]) -> None:
    """Know the boards of games, which JSON has to look into; those that have a message for theirs.

    The gateway knows no game, only the names of those that are served; so they are found by name.
    """
    for game in games:
        with suppress(ImportError):
            importlib.import_module(f"bree.{game}.v1.board_pb2")


# Bytes.


def packed(data: bytes) -> bytes:
    """Compressed with gzip."""
    packer = zlib.compressobj(LEVEL, wbits=31)
    return packer.compress(data) + packer.flush()


def unpacked(data: bytes, largest: int) -> bytes:
    """What was compressed with gzip, as long as it is not too large."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(data, largest + 1)
    except zlib.error:
        raise invalid("", "the request is not compressed with gzip") from None
    check_size(plain, largest)
    if not unpacker.eof or unpacker.unused_data:
        raise invalid("", "the request is not compressed with gzip")
    return plain


def check_size(data: bytes, largest: int) -> None:
    """Refuse a message that is too large."""
    if len(data) > largest:
        raise Wrong("resource_exhausted", f"a request has at most {largest} bytes", 413)


def check_coding(coding: str) -> None:
    """Refuse what is compressed in a way that is not known here."""
    if coding not in {"", "identity", "gzip"}:
        raise Wrong("unimplemented", f"{coding[:40]!r} is not understood; gzip and identity are")


def envelope(data: bytes, flags: int = 0) -> bytes:
    """A piece of a stream."""
    return bytes((flags,)) + len(data).to_bytes(4, "big") + data


def opened(body: bytes, coding: str, largest: int) -> bytes:
    """The one message of a request for a stream."""
    if len(body) < ENVELOPE_BYTES:
        raise invalid("", "a request for a stream is one message in an envelope")
    flags, size = body[0], int.from_bytes(body[1:ENVELOPE_BYTES], "big")
    if size > largest:
        raise Wrong("resource_exhausted", f"a request has at most {largest} bytes", 413)
    data = body[ENVELOPE_BYTES:]
    if len(data) != size:
        raise invalid("", "the envelope is not as long as it says")
    if flags & ~COMPRESSED:
        raise invalid("", f"an envelope of a request has no flags like {flags}")
    if not flags:
        return data
    if coding != "gzip":
        raise invalid("", "it is compressed, and nothing says with what")
    return unpacked(data, largest)


def milliseconds(said: str) -> float | None:
    """How many seconds a caller waits; none is for ever."""
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) <= LONGEST_TIMEOUT):
        raise invalid("", "connect-timeout-ms is at most ten digits")
    return int(said) / 1000


def check_version(said: str) -> None:
    """Refuse another version of the protocol."""
    if said not in {"", VERSION}:
        raise invalid("", "connect-protocol-version is 1")
