"""A wire between two parts that can be bad: it delays, throttles, holds, cuts and half-closes.

Design. It is a TCP proxy on a port of its own. A caller is told this port instead of the true one,
so each pair of parts has its own wire, which can be bad while all others are good. Bytes are never
changed, put in another order or made up: TCP promises as much, and so nothing that is seen behind a
wire is the wire's invention.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from dataclasses import dataclass, field

HOST = "127.0.0.1"
PIECE = 1 << 14
"""Bytes that are passed on at once; so a throttled wire is slow, not silent and then fast."""

RESET = struct.pack("ii", 1, 0)
"""To linger for no time at all: then a connection that is closed is reset."""


@dataclass(eq=False)
class Call:
    """One connection through a wire, from its caller to who is called."""

    caller: asyncio.StreamWriter
    called: asyncio.StreamWriter
    deaf: bool = False  # the caller is told that nothing more comes, and nothing more does

    def reset(self) -> None:
        """End it at once on both sides, as a crashed machine between them would."""
        for writer in (self.caller, self.called):
            peer = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            writer.transport.abort()

    def half_close(self) -> None:
        """Tell the caller that nothing more comes, and go on passing what it says."""
        self.deaf = True
        with contextlib.suppress(OSError, RuntimeError):
            self.caller.write_eof()


@dataclass(eq=False)
class Wire:
    """All connections from one part to another."""

    name: str  # caller>called
    target: int  # the port of who is called
    port: int = 0  # the port of this wire, once it is open
    delay: float = 0.0  # seconds that each piece comes later
    rate: float = 0.0  # bytes a second; 0: as many as will go
    refuses: bool = False  # whether new connections are reset
    calls: set[Call] = field(default_factory=set)
    carried: int = 0  # bytes
    _passes: asyncio.Event = field(default_factory=asyncio.Event)
    _pumps: set[asyncio.Task[None]] = field(default_factory=set)

    async def open(self) -> None:
        """Take calls."""
        self._passes.set()
        self._server = await asyncio.start_server(self._accept, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Take no more calls, and end those that are."""
        self._server.close()
        self.cut()
        for pump in [*self._pumps]:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    def hold(self) -> None:
        """Let nothing pass from now on, though every connection stays open."""
        self._passes.clear()

    def release(self) -> None:
        """Let everything pass again; what was held first."""
        self._passes.set()

    def cut(self) -> None:
        """Reset every connection."""
        for call in [*self.calls]:
            call.reset()

    def half_close(self) -> None:
        """Close every connection on its caller's side, in the called part's name."""
        for call in [*self.calls]:
            call.half_close()

    def mend(self) -> None:
        """Be a good wire again."""
        self.delay, self.rate, self.refuses = 0.0, 0.0, False
        self.release()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._pumps.add(task)
        task.add_done_callback(self._pumps.discard)
        try:
            if self.refuses:
                raise ConnectionRefusedError
            answers, called = await asyncio.open_connection(HOST, self.target)
        except OSError:
            Call(writer, writer).reset()
            return
        call = Call(writer, called)
        self.calls.add(call)
        try:
            await asyncio.gather(self._say(reader, call), self._answer(answers, call))
        except OSError:
            call.reset()
        finally:
            self.calls.discard(call)
            for side in (writer, called):
                side.close()

    async def _say(self, reader: asyncio.StreamReader, call: Call) -> None:
        while piece := await reader.read(PIECE):
            await self._carry(piece)
            call.called.write(piece)
            await call.called.drain()
        if call.called.can_write_eof():
            call.called.write_eof()

    async def _answer(self, reader: asyncio.StreamReader, call: Call) -> None:
        while piece := await reader.read(PIECE):
            await self._carry(piece)
            if not call.deaf:
                call.caller.write(piece)
                await call.caller.drain()
        if not call.deaf and call.caller.can_write_eof():
            call.caller.write_eof()

    async def _carry(self, piece: bytes) -> None:
        """Take the time that this piece takes."""
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.rate:
            await asyncio.sleep(len(piece) / self.rate)
        await self._passes.wait()
        self.carried += len(piece)
