"""A Redis that goes away at a chosen point: after some commands, in the midst of a reply."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import asynccontextmanager

REPLIES = {
    b"AUTH": b"+OK\r\n",
    b"SELECT": b"+OK\r\n",
    b"PING": b"+PONG\r\n",
    b"SUBSCRIBE": b"*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n",
}


def hang_up(writer):
    """End the connection in good order."""
    writer.close()


def reset(writer):
    """End it without a word, so that what was not read yet is lost, too."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def half_close(writer):
    """Say nothing more, but go on listening."""
    writer.write_eof()


def garble(writer):
    """Speak no Redis from here on."""
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def fall_silent(writer):
    """Leave the connection open."""


ENDINGS = (hang_up, reset, half_close, garble, fall_silent)


class Fickle:
    """Answers a number of commands, and a part of the next reply; then it ends, in its way."""

    def __init__(self, answered, ending, part=b""):
        self.answered, self.ending, self.part = answered, ending, part
        self.port = 0
        self.left = asyncio.Event()
        self.writers, self.tasks = [], []

    @asynccontextmanager
    async def open(self):
        """Serve on a free port."""
        async with await asyncio.start_server(self.serve, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            yield self
            for writer in self.writers:
                writer.transport.abort()
            if self.tasks:
                await asyncio.wait(self.tasks)
            server.close()

    async def serve(self, reader, writer):
        self.writers.append(writer)
        self.tasks.append(asyncio.current_task())
        try:
            await self.speak(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.left.set()
            writer.close()

    async def speak(self, reader, writer):
        """All that one caller gets."""
        for _ in range(self.answered):
            await self.answer(reader, writer)
        if self.answered or self.part:
            await command(reader)
        writer.write(self.part)
        self.ending(writer)
        while not writer.is_closing() and await reader.read(4096):
            pass

    async def answer(self, reader, writer):
        """Answer one command."""
        writer.write(REPLIES.get((await command(reader))[0], b"$2\r\nhi\r\n"))


async def command(reader):
    """The words of the next command."""
    count = int((await reader.readuntil(b"\r\n"))[1:])
    words = []
    for _ in range(count):
        size = int((await reader.readuntil(b"\r\n"))[1:])
        words.append((await reader.readexactly(size + 2))[:-2])
    return words
