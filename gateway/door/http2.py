"""HTTP/2: many requests at once on a connection. What is said comes from h2."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    RequestReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import H2Error
from h2.settings import SettingCodes, Settings
from hyperframe.frame import GoAwayFrame
from typing_extensions import override

from gateway.door.connection import NEVER, Connection, House, refusal_of
from gateway.door.message import NOTHING, Headers, Pairs, Request

CONFIG = H2Configuration(
    client_side=False,
    header_encoding=None,
    validate_outbound_headers=False,  # they are ours
    normalize_outbound_headers=False,
)
WINDOW = 256 << 10
"""Bytes that may come for one request before they have been taken."""

MOST_RESETS = 200
"""Requests given up by their caller before an answer, on one connection in one idle time."""


class Stream:
    """A request that is coming, and then the way back."""

    def __init__(self, until: float) -> None:
        self.until = until
        self.headers: dict[str, str] = {}
        self.body: list[bytes] = []
        self.size = 0
        self.task: asyncio.Task[None] | None = None
        self.room: asyncio.Event | None = None


class Http2(Connection):
    """A connection, and its streams."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        limits = house.limits
        self._h2 = H2Connection(CONFIG)
        self._h2.local_settings = Settings(
            client=False,
            initial_values={
                SettingCodes.MAX_CONCURRENT_STREAMS: limits.most_at_once,
                SettingCodes.MAX_HEADER_LIST_SIZE: limits.largest_head,
                SettingCodes.INITIAL_WINDOW_SIZE: WINDOW,
            },
        )
        self._streams: dict[int, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting = 0  # bytes of bodies that have not all come
        self._resets, self._resets_since = 0, house.loop.time()
        self._is_draining = False
        self._heard: Mapping[type[Event], Callable[[Any], None]] = {
            RequestReceived: self._request_received,
            DataReceived: self._data_received,
            StreamEnded: self._stream_ended,
            StreamReset: self._stream_reset,
            WindowUpdated: self._window_updated,
            RemoteSettingsChanged: self._settings_changed,
            ConnectionTerminated: lambda _: self.hang_up(),
        }

    # From the transport.

    @override
    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if not transport.is_closing():
            self._h2.initiate_connection()
            self.flush()
            if self.house.is_closing:
                self.drain()

    @override
    def data_received(self, data: bytes) -> None:
        if self.has_unread():
            return
        try:
            events = self._h2.receive_data(data)
            for event in events:
                heard = self._heard.get(type(event))
                if heard is not None:
                    heard(event)
        except H2Error:  # h2 has said what was wrong
            self.flush()
            self.hang_up()
            return
        self.flush()
        self._rest()

    def flush(self) -> None:
        """Send what h2 has to say."""
        data = self._h2.data_to_send()
        if data and not self.is_lost:
            self.transport.write(data)

    @override
    def cancel(self) -> None:
        for task in list(self._tasks):
            task.cancel()

    @override
    def drain(self) -> None:
        if not self._is_draining:
            self._is_draining = True
            # h2 knows only an end at once; this is one after the requests that have come.
            last = self._h2.highest_inbound_stream_id
            self.transport.write(GoAwayFrame(0, last_stream_id=last).serialize())
        self._rest()

    @override
    def look(self, now: float) -> None:
        super().look(now)
        for number, stream in list(self._streams.items()):
            if stream.task is None and now > stream.until:
                self._give_up(number, ErrorCodes.CANCEL)
        self.flush()
        self._rest()

    def _rest(self) -> None:
        """Nobody is answered: wait for a while, or go."""
        if self._streams or self._tasks:
            self.until = NEVER
        elif self._is_draining:
            self.hang_up()
        elif self.until == NEVER:
            self.until = self.house.loop.time() + self.house.limits.idle_seconds

    # From h2.

    def _request_received(self, event: RequestReceived) -> None:
        until = self.house.loop.time() + self.house.limits.request_seconds
        stream = self._streams[_of(event)] = Stream(until)
        said = stream.headers
        for name, value in event.headers or ():
            key, text = bytes(name).decode("latin-1"), bytes(value).decode("latin-1")
            if key in said:
                text = f"{said[key]}{'; ' if key == 'cookie' else ','}{text}"
            said[key] = text
        said.setdefault("host", said.get(":authority", ""))
        if self._is_draining:
            self._give_up(_of(event), ErrorCodes.REFUSED_STREAM)
        elif len(event.headers or ()) > self.house.limits.most_headers:
            self._refuse(_of(event), 431)

    def _data_received(self, event: DataReceived) -> None:
        number, data = _of(event), event.data or b""
        self._h2.acknowledge_received_data(event.flow_controlled_length or 0, number)
        stream = self._streams.get(number)
        if stream is None or stream.task is not None:
            return
        stream.body.append(data)
        stream.size += len(data)
        self._waiting += len(data)
        largest = self.house.limits.largest_body
        if stream.size > largest:
            self._refuse(number, 413)
        elif self._waiting > largest * self.house.limits.most_bodies:
            self._give_up(number, ErrorCodes.ENHANCE_YOUR_CALM)

    def _stream_ended(self, event: StreamEnded) -> None:
        number = _of(event)
        stream = self._streams.get(number)
        if stream is None or stream.task is not None:
            return
        said = stream.headers
        request = Request(
            said.get(":method", ""),
            said.get(":path", ""),
            said,
            self.host,
            self.house.is_tls,
            b"".join(stream.body),
        )
        self._waiting -= stream.size
        stream.body, stream.size = [], 0
        reply = Reply2(self, number, is_bare=request.method == "HEAD")
        self._answer(number, self.begin(request, reply), reply)

    def _answer(self, number: int, task: asyncio.Task[None], reply: Reply2) -> None:
        self._streams[number].task = task
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._done(number, task, reply))

    def _done(self, number: int, task: asyncio.Task[None], reply: Reply2) -> None:
        self._tasks.discard(task)
        if not self.is_lost:
            if not reply.is_over:
                self._give_up(number, ErrorCodes.CANCEL)
            self._forget(number)
            self.flush()
            self._rest()

    def _stream_reset(self, event: StreamReset) -> None:
        self._forget(_of(event))
        now = self.house.loop.time()
        if now - self._resets_since > self.house.limits.idle_seconds:
            self._resets, self._resets_since = 0, now
        self._resets += 1
        if self._resets > MOST_RESETS:
            self._h2.close_connection(ErrorCodes.ENHANCE_YOUR_CALM)
            self.flush()
            self.hang_up()

    def _window_updated(self, event: WindowUpdated) -> None:
        several = self._streams.values()
        one = self._streams.get(event.stream_id or 0)
        for stream in [one] if one else several if not event.stream_id else ():
            _wake(stream)

    def _settings_changed(self, _: RemoteSettingsChanged) -> None:
        for stream in self._streams.values():
            _wake(stream)

    def _refuse(self, number: int, status: int) -> None:
        headers, body = refusal_of(status)
        self._h2.send_headers(number, [(b":status", b"%d" % status), *headers.pairs])
        self._h2.send_data(number, body, end_stream=True)
        self._give_up(number, ErrorCodes.NO_ERROR)

    def _give_up(self, number: int, why: ErrorCodes) -> None:
        """Say that a stream is over, whatever is still to come on it."""
        self._forget(number)
        try:
            self._h2.reset_stream(number, why)
        except H2Error:
            return  # it is over already

    def _forget(self, number: int) -> None:
        stream = self._streams.pop(number, None)
        if stream is None:
            return
        self._waiting -= stream.size
        _wake(stream)
        if stream.task is not None and not stream.task.done():
            stream.task.cancel()

    # To callers.

    def send_head(self, number: int, pairs: list[tuple[bytes, bytes]], *, ends: bool) -> None:
        """Begin to answer on a stream."""
        if number in self._streams and not self.is_lost:
            with suppress(H2Error):  # then he is gone, and this task is about to be told
                self._h2.send_headers(number, pairs, end_stream=ends)
            self.flush()

    async def send(self, number: int, data: bytes, *, ends: bool) -> None:
        """Send on a stream what its reader, and the connection's, have room for; then the rest."""
        with suppress(H2Error):  # as above
            await self._send(number, memoryview(data), ends=ends)

    async def _send(self, number: int, rest: memoryview, *, ends: bool) -> None:
        while (stream := self._streams.get(number)) is not None and not self.is_lost:
            window = self._h2.local_flow_control_window(number)
            size = min(len(rest), window, self._h2.max_outbound_frame_size)
            if size or not rest:
                is_last = size == len(rest)
                self._h2.send_data(number, bytes(rest[:size]), end_stream=ends and is_last)
                self.flush()
                await self.room()
                if is_last:
                    return
                rest = rest[size:]
            else:
                await self._window(number, stream)
        await asyncio.sleep(0)  # whoever writes finds that he was cancelled

    async def _window(self, number: int, stream: Stream) -> None:
        """Wait until the reader takes more; who takes nothing is given up."""
        stream.room = asyncio.Event()
        try:
            async with asyncio.timeout(self.house.limits.stall_seconds):
                await stream.room.wait()
        except TimeoutError:
            self._give_up(number, ErrorCodes.CANCEL)
            self.flush()

    @property
    def date(self) -> bytes:
        return self.house.date[6:-2]


class Reply2:
    """The reply to the request of one stream."""

    def __init__(self, to: Http2, number: int, *, is_bare: bool) -> None:
        self._to, self._number, self._is_bare = to, number, is_bare
        self.is_begun = self.is_over = False

    def _first(self, status: int, headers: Headers, more: Pairs) -> list[tuple[bytes, bytes]]:
        self.is_begun = True
        return [(b":status", b"%d" % status), (b"date", self._to.date), *headers.pairs, *more]

    async def whole(
        self, status: int, headers: Headers, body: bytes = b"", more: Pairs = NOTHING
    ) -> None:
        pairs = self._first(status, headers, more)
        if status != 304:
            pairs.append((b"content-length", b"%d" % len(body)))
        is_bare = self._is_bare or not body
        self._to.send_head(self._number, pairs, ends=is_bare)
        if not is_bare:
            await self._to.send(self._number, body, ends=True)
        self.is_over = True

    async def begin(self, status: int, headers: Headers, more: Pairs = NOTHING) -> None:
        self._to.send_head(self._number, self._first(status, headers, more), ends=False)

    async def write(self, data: bytes) -> None:
        if data:
            await self._to.send(self._number, data, ends=False)

    async def end(self) -> None:
        await self._to.send(self._number, b"", ends=True)
        self.is_over = True


def _of(event: Any) -> int:
    return int(event.stream_id)


def _wake(stream: Stream) -> None:
    if stream.room is not None:
        stream.room.set()
        stream.room = None
