"""Asks another host something over HTTP, within bounds: so long, so many bytes, and nobody else.

Design. What is asked is one request on a connection of its own, with `httptools`, which reads HTTP
at the door as well: a client of HTTP that can do more would follow where it is sent to, ask for
what is compressed, or wait for as long as something comes. A proxy that the environment names is
not asked: the gateway reaches the host itself.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from urllib.parse import SplitResult, urlencode, urlsplit

import httptools

SECONDS = 5.0
"""How long an answer may take, from the first word of the connection to the last of the body."""

MOST_BYTES = 256 << 10
"""Of an answer, with its head: discovery and keys of the large providers are some thousands."""

PIECE = 16 << 10


class Unreached(Exception):
    """There is no answer of use, and why."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes


class _Reading:
    """The parser's callbacks for one answer."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.body: list[bytes] = []
        self.headers: dict[str, str] = {}
        self.is_whole = self.has_head = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.has_head = True

    def on_body(self, data: bytes) -> None:
        self.body.append(data)

    def on_message_complete(self) -> None:
        self.is_whole = True

    @property
    def ends_by_closing(self) -> bool:
        """Whether that the connection ends is the end of the body."""
        bounds = {"content-length", "transfer-encoding"}
        return self.has_head and not bounds & set(self.headers)


async def fetch(url: str, form: Mapping[str, str] | None = None, authorization: str = "") -> Answer:
    """The answer to a GET, or to a POST of a form; `Unreached` if there is none within bounds."""
    try:
        async with asyncio.timeout(SECONDS):
            return await _fetch(urlsplit(url), form, authorization)
    except TimeoutError:
        raise Unreached("it takes too long") from None
    except httptools.HttpParserError:
        raise Unreached("it speaks no HTTP") from None
    except (OSError, ValueError) as error:
        raise Unreached(type(error).__name__) from error


async def _fetch(url: SplitResult, form: Mapping[str, str] | None, authorization: str) -> Answer:
    secured = _trusted() if url.scheme == "https" else None
    port = url.port or (443 if secured else 80)
    reader, writer = await asyncio.open_connection(url.hostname, port, ssl=secured)
    try:
        writer.write(_request(url, form, authorization))
        return await _answer(reader)
    finally:
        writer.transport.abort()  # whoever is slow to say goodbye is not waited for


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()  # once, as it takes long


def _request(url: SplitResult, form: Mapping[str, str] | None, authorization: str) -> bytes:
    body = urlencode(form or {}).encode("ascii")
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    lines = [
        f"{'GET' if form is None else 'POST'} {target} HTTP/1.1",
        f"host: {url.netloc}",
        "accept: application/json",
        "accept-encoding: identity",
        "connection: close",
    ]
    if form is not None:
        lines += ["content-type: application/x-www-form-urlencoded", f"content-length: {len(body)}"]
    if authorization:
        lines.append(f"authorization: {authorization}")
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


async def _answer(reader: asyncio.StreamReader) -> Answer:
    reading, read = _Reading(), 0
    while not reading.is_whole:
        data = await reader.read(PIECE)
        read += len(data)
        if read > MOST_BYTES:
            raise Unreached("its answer is too large")
        if not data:
            if reading.ends_by_closing:
                break
            raise Unreached("it hangs up")
        reading.parser.feed_data(data)
    if reading.headers.get("content-encoding", "identity") != "identity":
        raise Unreached("its answer is compressed, which was not asked for")
    return Answer(reading.parser.get_status_code(), b"".join(reading.body))
