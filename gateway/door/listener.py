"""Listens for connections, gives up those that take too long, and drains."""

from __future__ import annotations

import asyncio
import ssl
from email.utils import formatdate
from typing import Any

from typing_extensions import override

from gateway.door.connection import Connection, House
from gateway.door.http1 import Http1
from gateway.door.http2 import Http2

LOOK_SECONDS = 1.0
HANDSHAKE_SECONDS = 10.0
DRAIN_LOOK_SECONDS = 0.02
PROTOCOLS = ["h2", "http/1.1"]


class Listener:
    """A port, and the connections to it."""

    def __init__(self, house: House, tls: ssl.SSLContext | None) -> None:
        self.house, self.tls = house, tls
        self.port = 0
        self._server: asyncio.Server | None = None
        self._looks: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> None:
        """Listen."""
        self._note_date()
        self._looks = asyncio.create_task(self._look())
        given: dict[str, Any] = {}
        if self.tls is not None:
            given = {"ssl": self.tls, "ssl_handshake_timeout": HANDSHAKE_SECONDS}
        make = self._after_handshake if self.tls else lambda: Http1(self.house)
        self._server = await self.house.loop.create_server(
            make, host or None, port, backlog=1024, **given
        )
        self.port = int(self._server.sockets[0].getsockname()[1])

    def _after_handshake(self) -> asyncio.Protocol:
        return _Agreed(self.house)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._note_date()
            now = self.house.loop.time()
            for connection in list(self.house.connections):
                connection.look(now)

    def _note_date(self) -> None:
        self.house.date = b"date: %b\r\n" % formatdate(usegmt=True).encode()

    async def stop(self, seconds: float) -> None:
        """Let those who are here finish for a while; who comes meanwhile is told that we go."""
        if self._server is None:
            return
        self.house.is_closing = True
        until = self.house.loop.time() + seconds
        for connection in list(self.house.connections):
            connection.drain()
        while self.house.connections and self.house.loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(DRAIN_LOOK_SECONDS)
        self._server.close()
        for connection in list(self.house.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        if self._looks is not None:
            self._looks.cancel()


class _Agreed(asyncio.Protocol):
    """A connection on which TLS is spoken now: what comes next was agreed on with it."""

    def __init__(self, house: House) -> None:
        self.house = house

    @override
    def connection_made(self, transport: Any) -> None:
        agreed = transport.get_extra_info("ssl_object").selected_alpn_protocol()
        spoken: Connection = Http2(self.house) if agreed == "h2" else Http1(self.house)
        transport.set_protocol(spoken)
        spoken.connection_made(transport)


def tls_of(certificate: str, key: str) -> ssl.SSLContext | None:
    """How TLS is spoken with this certificate; not at all without one."""
    if not certificate:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(PROTOCOLS)
    return context
