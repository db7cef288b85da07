"""A browser's side of the door: calls and streams of Connect over HTTP/1.1."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import httptools
from google.protobuf.message import Message

HEAD = struct.Struct(">BI")  # of each message on a stream: flags, and how long it is
END = 2

M = TypeVar("M", bound=Message)


class _Body:
    """Takes what a parser finds."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_whole = False

    def on_body(self, data: bytes) -> None:
        self.data += data

    def on_message_complete(self) -> None:
        self.is_whole = True


class Door:
    """One connection, with one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def call(self, method: str, request: Message, answer: type[M], token: str = "") -> M:
        """A call with one answer."""
        self._send(method, "application/proto", request.SerializeToString(), token)
        body = _Body()
        parser = httptools.HttpResponseParser(body)
        while not body.is_whole:
            parser.feed_data(await self._some())
        if parser.get_status_code() != 200:
            raise SystemExit(f"{method} was refused: {bytes(body.data)!r}")
        return answer.FromString(bytes(body.data))

    async def stream(
        self, method: str, request: Message, answer: type[M], token: str
    ) -> AsyncIterator[M]:
        """A call with many answers."""
        said = request.SerializeToString()
        self._send(method, "application/connect+proto", HEAD.pack(0, len(said)) + said, token)
        body = _Body()
        parser = httptools.HttpResponseParser(body)
        while True:
            parser.feed_data(await self._some())
            while len(body.data) >= HEAD.size:
                flags, size = HEAD.unpack_from(body.data)
                if len(body.data) < HEAD.size + size:
                    break
                told = bytes(body.data[HEAD.size : HEAD.size + size])
                del body.data[: HEAD.size + size]
                if flags & END:
                    raise SystemExit(f"{method} has ended: {told!r}")
                yield answer.FromString(told)

    async def _some(self) -> bytes:
        data = await self.reader.read(65536)
        if not data:
            raise SystemExit("the door has hung up")
        return data

    def _send(self, method: str, kind: str, body: bytes, token: str) -> None:
        lines = [
            f"POST /bree.gateway.v1.{method} HTTP/1.1",
            "host: bench",
            f"content-type: {kind}",
            "connect-protocol-version: 1",
            f"content-length: {len(body)}",
            *([f"authorization: Bearer {token}"] if token else []),
        ]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


@asynccontextmanager
async def door(address: str) -> AsyncIterator[Door]:
    """A connection of one's own."""
    host, _, port = address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield Door(reader, writer)
    finally:
        writer.close()
