"""What connections of both versions of HTTP have in common: limits, tasks, slow readers."""

from __future__ import annotations

import abc
import asyncio
import socket
from collections.abc import Coroutine
from typing import Any, NamedTuple

import structlog
from typing_extensions import override

from bree.process import metrics
from gateway.door import shields
from gateway.door.message import Answer, Headers, Reply, Request

log = structlog.get_logger()

NEVER = float("inf")

MOST_UNREAD = 1 << 20
"""Bytes of answers to what needs no task, such as pings, that may wait for a reader."""

PLAIN = shields.DATA.with_more(("content-type", "text/plain; charset=utf-8"))


class Limits(NamedTuple):
    """How much and how long."""

    largest_body: int
    most_connections: int  # of one address; 0 is as many as come
    request_seconds: float  # that a request may take to come
    idle_seconds: float  # that a connection is kept without one
    stall_seconds: float  # that a reader may take nothing
    largest_head: int = 32 << 10
    most_headers: int = 100
    most_at_once: int = 100  # on one connection of HTTP/2
    most_bodies: int = 4  # of the largest kind, on one connection, that have not all come


class House:
    """What all connections know: who answers, what the limits are, and who is there."""

    def __init__(self, answer: Answer, limits: Limits, *, is_tls: bool) -> None:
        self.answer, self.limits, self.is_tls = answer, limits, is_tls
        self.loop = asyncio.get_running_loop()
        self.connections: dict[Connection, None] = {}
        self.addresses: dict[str, int] = {}
        self.is_closing = False
        self.date = b""

    def enter(self, connection: Connection) -> bool:
        """Count a connection; False if its address has too many."""
        there = self.addresses.get(connection.host, 0)
        if self.limits.most_connections and there >= self.limits.most_connections:
            return False
        self.addresses[connection.host] = there + 1
        self.connections[connection] = None
        return True

    def leave(self, connection: Connection) -> None:
        """It is gone."""
        if connection not in self.connections:
            return
        del self.connections[connection]
        self.addresses[connection.host] -= 1
        if not self.addresses[connection.host]:
            del self.addresses[connection.host]


class Connection(asyncio.Protocol, abc.ABC):
    """One connection, until it is lost. Whoever answers on it is cancelled then."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.transport: Any = None
        self.host = ""
        self.is_lost = False
        self.until = NEVER  # when it is given up if nothing comes
        self.stalled_at = NEVER  # when it is given up if nothing is read
        self._room: asyncio.Event | None = None  # not there: there is room

    @override
    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        peer = transport.get_extra_info("peername")
        self.host = str(peer[0]) if isinstance(peer, tuple) else ""
        if not self.house.enter(self):
            transport.abort()
            return
        self.until = self.house.loop.time() + self.house.limits.request_seconds
        _keep_alive(transport.get_extra_info("socket"))

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self.house.leave(self)
        self.resume_writing()
        self.cancel()

    @abc.abstractmethod
    def cancel(self) -> None:
        """Let nobody go on to answer here."""

    @abc.abstractmethod
    def drain(self) -> None:
        """Take no further requests, and close when those that came are answered."""

    def look(self, now: float) -> None:
        """Give up who takes too long."""
        if now > self.until or now > self.stalled_at:
            self.transport.abort()

    def hang_up(self) -> None:
        """Close once all has been read; whoever does not read is not waited for."""
        if not self.transport.is_closing():
            self.until = self.house.loop.time() + self.house.limits.stall_seconds
            self.transport.close()

    # Slow readers.

    @override
    def pause_writing(self) -> None:
        self.stalled_at = self.house.loop.time() + self.house.limits.stall_seconds
        self._room = self._room or asyncio.Event()

    @override
    def resume_writing(self) -> None:
        self.stalled_at = NEVER
        if self._room is not None:
            self._room.set()
            self._room = None

    async def room(self) -> None:
        """Wait until more may be written."""
        if self._room is not None:
            await self._room.wait()
        if self.is_lost:
            await asyncio.sleep(0)  # so that whoever writes finds that he was cancelled

    def has_unread(self) -> bool:
        """Whether somebody asks and asks and reads nothing; then he is hung up on."""
        if self.transport.get_write_buffer_size() <= MOST_UNREAD or self._room is None:
            return False
        self.transport.abort()
        return True

    def begin(self, request: Request, reply: Reply) -> asyncio.Task[None]:
        """Answer a request in a task of its own."""
        work: Coroutine[Any, Any, None] = self._answered(request, reply)
        return self.house.loop.create_task(work)

    async def _answered(self, request: Request, reply: Reply) -> None:
        try:
            await self.house.answer(request, reply)
        except Exception:  # whatever it is, the process goes on
            metrics.BUGS.labels("Door").inc()
            log.exception("bug", path=request.path[:100])
            if reply.is_begun:
                self.transport.abort()
            else:
                await reply.whole(500, PLAIN, b"this is a bug in Bree\n")


def refusal_of(status: int) -> tuple[Headers, bytes]:
    """What somebody is told whose request was not understood."""
    return PLAIN, REFUSALS[status].encode() + b"\n"


REFUSALS = {
    400: "this is no request of HTTP",
    408: "the request took too long to come",
    413: "the request is too large",
    414: "the address is too long",
    431: "the headers are too large",
}


def _keep_alive(opened: socket.socket | None) -> None:
    """Let the kernel find out whether somebody is still there on a silent stream."""
    if opened is None or opened.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
