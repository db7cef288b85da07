"""A client of HTTP/2 that does as it is told."""

from __future__ import annotations

import asyncio
import ssl

import h2.config
import h2.connection
import h2.errors
import h2.events

from tests.gateway.door.http_client import Answer
from tests.gateway.town import PATIENCE

GOAWAY = 7


class H2Link(asyncio.Protocol):
    """One connection, over TLS or not."""

    def __init__(self, token=None, *, acknowledges=True):
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.token, self.acknowledges = token, acknowledges
        self.transport = None
        self.streams = {}
        self.is_lost = asyncio.Event()
        self._data = b""
        self.last = None  # why the other end ended the connection

    async def open(self, port, tls=None):
        """Connect; HTTP/2 is agreed on with TLS, or simply spoken."""
        given = {"ssl": tls, "server_hostname": "localhost"} if tls else {}
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", port, **given)
        if tls:
            found = self.transport.get_extra_info("ssl_object")
            assert "h2" == found.selected_alpn_protocol()
        return self

    def connection_made(self, transport):
        self.transport = transport
        self.h2.initiate_connection()
        self.flush()

    def connection_lost(self, exc):
        self.is_lost.set()
        for stream in self.streams.values():
            stream.put_nowait(None)

    def data_received(self, data):
        for event in self.h2.receive_data(b"".join(self._frames(data))):
            number = getattr(event, "stream_id", None)
            if number in self.streams:
                self.streams[number].put_nowait(event)
            if isinstance(event, h2.events.DataReceived) and self.acknowledges:
                self.h2.acknowledge_received_data(event.flow_controlled_length, number)
        self.flush()

    def _frames(self, data):
        """Frames that are whole. One that announces the end is noted, as h2 would end at once."""
        self._data += data
        while len(self._data) >= 9 + int.from_bytes(self._data[:3], "big"):
            size = 9 + int.from_bytes(self._data[:3], "big")
            frame, self._data = self._data[:size], self._data[size:]
            if GOAWAY == frame[3]:
                self.last = int.from_bytes(frame[13:17], "big")
            else:
                yield frame

    def flush(self):
        self.transport.write(self.h2.data_to_send())

    def begin(self, method="GET", path="/", body=None, **headers):
        """Send a request; the number of its stream."""
        said = {":method": method, ":scheme": "https", ":authority": "localhost", ":path": path}
        if self.token:
            said["authorization"] = f"Bearer {self.token}"
        said |= {name.replace("_", "-"): value for name, value in headers.items()}
        number = self.h2.get_next_available_stream_id()
        self.streams[number] = asyncio.Queue()
        self.h2.send_headers(number, list(said.items()), end_stream=body is None)
        self.flush()
        if body is not None:
            self.h2.send_data(number, body, end_stream=True)
            self.flush()
        return number

    async def event(self, number):
        return await asyncio.wait_for(self.streams[number].get(), PATIENCE)

    async def answer(self, number):
        """What came on a stream, whole."""
        headers, body = {}, b""
        while True:
            event = await self.event(number)
            if isinstance(event, h2.events.ResponseReceived):
                headers = dict(event.headers)
            elif isinstance(event, h2.events.DataReceived):
                body += event.data
            elif isinstance(event, h2.events.StreamEnded):
                return Answer(int(headers.pop(":status")), headers, body, [])
            elif event is None or isinstance(event, h2.events.StreamReset):
                raise ConnectionError(event)

    async def ask(self, *said, **headers):
        return await self.answer(self.begin(*said, **headers))

    def close(self):
        if self.transport:
            self.transport.close()


def trusting(certificate):
    """TLS with whoever has this certificate, that prefers HTTP/2."""
    context = ssl.create_default_context(cafile=certificate)
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context
