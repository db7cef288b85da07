"""HTTP/1.1: one request after the other on a connection. The parser is that of Node, llhttp."""

from __future__ import annotations

import asyncio
from collections import deque
from http import HTTPStatus

import httptools
from typing_extensions import override

from gateway.door.connection import NEVER, Connection, House, refusal_of
from gateway.door.message import NOTHING, Headers, Pairs, Request, lines

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What a connection begins with on which HTTP/2 is spoken without having been agreed on."""

STATUS_LINES = {
    status.value: b"HTTP/1.1 %d %b\r\n" % (status, status.phrase.encode()) for status in HTTPStatus
}
MOST_COMING = 8
"""Requests that may be sent ahead while one is answered. No browser sends any."""

LINGER_SECONDS = 1.0

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Http1(Connection):
    """A connection, and the parser's callbacks for the request that is coming."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._parser = httptools.HttpRequestParser(self)
        self._coming: deque[tuple[Request, Reply1]] = deque()  # behind the one that is answered
        self._task: asyncio.Task[None] | None = None
        self._has_refused = False
        self._refused = 0  # the status with which what comes is refused, and all after it
        self._is_fresh = True
        self._is_midway = self._in_head = False
        self._head_bytes = self._header_count = 0
        self._is_draining = house.is_closing
        self._method, self._url = "", b""
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []
        self._body_bytes = 0

    # From the transport.

    @override
    def data_received(self, data: bytes) -> None:
        if self._is_fresh:
            self._is_fresh = False
            if not self.house.is_tls and data.startswith(PREFACE):
                self._speak_http2(data)
                return
        if self._refused or self.has_unread():
            return
        self._head_bytes += len(data) if self._in_head else 0
        self._feed(data)
        if self._in_head and self._head_bytes > self.house.limits.largest_head:
            self._wrong(431)
        self._refuse()

    def _feed(self, data: bytes) -> None:
        while data:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                if self._refused or self.transport.is_closing():
                    return
                self._parser = httptools.HttpRequestParser(self)
                data = self._plain_head() + data[upgrade.args[0] :]
            except httptools.HttpParserError:
                self._wrong(400)
                return
            else:
                return

    def _plain_head(self) -> bytes:
        """The head of a request that asks for another protocol, without that: it may be ignored."""
        unwanted = {"upgrade", "connection", "http2-settings"}
        kept = [f"{name}: {said}" for name, said in self._headers.items() if name not in unwanted]
        url = self._url.decode("latin-1")
        return "\r\n".join([f"{self._method} {url} HTTP/1.1", *kept, "", ""]).encode("latin-1")

    def _speak_http2(self, data: bytes) -> None:
        from gateway.door.http2 import Http2  # noqa: PLC0415  # each knows the other

        self.house.leave(self)
        self.is_lost = True
        other = Http2(self.house)
        self.transport.set_protocol(other)
        other.connection_made(self.transport)
        other.data_received(data)

    @override
    def cancel(self) -> None:
        self._coming.clear()
        if self._task is not None:
            self._task.cancel()

    @override
    def drain(self) -> None:
        self._is_draining = True
        if self._task is None:
            self.hang_up()

    @override
    def look(self, now: float) -> None:
        if now > self.until and self._is_midway and not self._task and not self._refused:
            self._refused = 408
            self._refuse()
        else:
            super().look(now)

    def _wrong(self, status: int) -> None:
        """Note what is wrong with what comes; the first thing counts."""
        self._refused = self._refused or status

    def _refuse(self) -> None:
        """Tell what is wrong, if anything is and no earlier request is being answered; close."""
        if not self._refused or self._has_refused:
            return
        if self._task is None and not self.transport.is_closing():
            self._has_refused = True
            headers, body = refusal_of(self._refused)
            self.transport.write(_head(self._refused, headers, self.house.date, NOTHING))
            self.transport.write(b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(body))
            self.transport.write(body)
            self._linger()

    def _linger(self) -> None:
        """Hear out who is still sending: what was told him would be lost if we hung up first."""
        self.until = self.house.loop.time() + LINGER_SECONDS
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    # From the parser.

    def on_message_begin(self) -> None:
        self._is_midway = self._in_head = True
        self._head_bytes = self._header_count = 0
        self._url, self._headers, self._body, self._body_bytes = b"", {}, [], 0
        self.until = self.house.loop.time() + self.house.limits.request_seconds

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_count += 1
        if self._refused or self._header_count > self.house.limits.most_headers:
            self._wrong(431)
            return
        key, said = name.decode("latin-1").lower(), value.decode("latin-1")
        before = self._headers.get(key)
        if before is not None:
            if key == "host":
                self._wrong(400)
            said = f"{before}{'; ' if key == 'cookie' else ','}{said}"
        self._headers[key] = said

    def on_headers_complete(self) -> None:
        limits, said = self.house.limits, self._headers
        self._in_head = False
        if len(self._url) > limits.largest_head // 4:
            self._wrong(414)
        if sum(map(len, said)) + sum(map(len, said.values())) > limits.largest_head:
            self._wrong(431)
        if "host" not in said and self._parser.get_http_version() == "1.1":
            self._wrong(400)
        length = said.get("content-length", "")
        if length and (len(length) > 18 or int(length) > limits.largest_body):
            self._wrong(413)
        is_waiting = said.get("expect", "").lower() == "100-continue"
        if is_waiting and not self._refused and self._task is None:
            self.transport.write(CONTINUE)

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        if self._body_bytes > self.house.limits.largest_body:
            self._wrong(413)
            self._body = []
        elif not self._refused:
            self._body.append(body)

    def on_message_complete(self) -> None:
        self._method = method = self._parser.get_method().decode("latin-1")
        if method == "CONNECT":
            self._wrong(400)
        if self._refused or self._parser.should_upgrade():
            return
        is_modern = self._parser.get_http_version() == "1.1"
        keeps = self._parser.should_keep_alive()
        body, self._body, self._is_midway = b"".join(self._body), [], False
        path = _path(self._url.decode("latin-1"))
        request = Request(method, path, self._headers, self.host, self.house.is_tls, body)
        self.until = NEVER
        reply = Reply1(self, keeps=keeps, is_modern=is_modern, is_bare=method == "HEAD")
        if self._task is None:
            self._start(request, reply)
        elif len(self._coming) < MOST_COMING and self._room_for(request):
            self._coming.append((request, reply))
        else:
            self.transport.abort()

    def _room_for(self, request: Request) -> bool:
        waiting = sum(len(behind.body) for behind, _ in self._coming)
        return waiting + len(request.body) <= self.house.limits.largest_body

    # One after the other.

    def _start(self, request: Request, reply: Reply1) -> None:
        self._task = self.begin(request, reply)
        self._task.add_done_callback(lambda _: self._done(reply))

    def _done(self, reply: Reply1) -> None:
        self._task = None
        if self.is_lost or self.transport.is_closing():
            return
        if not reply.is_over:  # he was cancelled, or has forgotten
            self.transport.abort()
        elif self._is_draining or not reply.keeps:
            self.hang_up()
        elif self._coming:
            self._start(*self._coming.popleft())
        elif self._refused:
            self._refuse()
        elif self.until == NEVER:
            self.until = self.house.loop.time() + self.house.limits.idle_seconds

    @property
    def is_draining(self) -> bool:
        return self._is_draining


class Reply1:
    """The reply to one request."""

    def __init__(self, to: Http1, *, keeps: bool, is_modern: bool, is_bare: bool) -> None:
        self._to = to
        self.keeps, self._is_modern, self._is_bare = keeps, is_modern, is_bare
        self.is_begun = self.is_over = False

    def _first(self, status: int, headers: Headers, more: Pairs) -> bytes:
        self.is_begun = True
        self.keeps = self.keeps and not self._to.is_draining
        head = _head(status, headers, self._to.house.date, more)
        if not self.keeps:
            return head + b"connection: close\r\n"
        return head if self._is_modern else head + b"connection: keep-alive\r\n"

    async def whole(
        self, status: int, headers: Headers, body: bytes = b"", more: Pairs = NOTHING
    ) -> None:
        head = self._first(status, headers, more)
        if status != HTTPStatus.NOT_MODIFIED:
            head += b"content-length: %d\r\n" % len(body)
        self._write(head + b"\r\n" + (b"" if self._is_bare else body))
        self.is_over = True
        await self._to.room()

    async def begin(self, status: int, headers: Headers, more: Pairs = NOTHING) -> None:
        self.keeps = self.keeps and self._is_modern  # else its end is that of the connection
        how = b"transfer-encoding: chunked\r\n" if self._is_modern else b""
        self._write(self._first(status, headers, more) + how + b"\r\n")

    async def write(self, data: bytes) -> None:
        if data:
            self._write(b"%x\r\n%b\r\n" % (len(data), data) if self._is_modern else data)
        await self._to.room()

    async def end(self) -> None:
        if self._is_modern:
            self._write(b"0\r\n\r\n")
        self.is_over = True

    def _write(self, data: bytes) -> None:
        if not self._to.is_lost:
            self._to.transport.write(data)


def _path(url: str) -> str:
    """What is asked for; some proxies write the whole address."""
    if url.startswith("/") or "://" not in url:
        return url
    return "/" + url.partition("://")[2].partition("/")[2]


def _head(status: int, headers: Headers, date: bytes, more: Pairs) -> bytes:
    told = STATUS_LINES[status] + date + headers.lines
    return told + lines(more) if more else told
