"""A client of Redis: one connection that many callers share, and one that listens.

Design. Commands of all callers go out on one connection in the order in which they are given, and
replies come back in that order: so commands given in one turn of the loop travel together, Redis
makes them durable together, and a call costs a fraction of what a connection for each would. There
are no retries here. What matters to a caller is whether a command that failed may have been carried
out, and so there are two errors: `Away`, certainly not, and `Unsure`, perhaps.

Nobody waits for ever. A connection on which one reply is not whole for too long is given up, and
all who wait for it are told; the next call makes a new one. What is sent on one that was lost
already was certainly not carried out, nor was what had not left yet.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, cast
from urllib.parse import parse_qs, unquote, urlsplit

from bree.process import scripts
from services.host.resp import Argument, Replies, Reply, ReplyError, pack

MOST_UNREAD = 10_000
"""The messages that may wait for one that listens; with more its connection is given up."""

CLOSED = "the connection has been closed"


class Away(Exception):
    """Redis is out of reach or takes no commands, and the command was not carried out."""

    def __init__(self, said: str, sentence: str = "the store is out of reach", **why: str) -> None:
        super().__init__(said)
        self.sentence, self.why = sentence, why  # for those who play


class Unsure(Exception):
    """The connection was lost, and nobody knows whether the command was carried out."""


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where a Redis is, and how to be let in."""

    host: str = "127.0.0.1"
    port: int = 6379
    path: str = ""  # of a socket, instead of host and port
    tls: bool = False
    user: str = ""
    password: str = ""
    database: int = 0

    @classmethod
    def of(cls, url: str) -> RedisAddress:
        """The address that a URL names: `redis://`, `rediss://` or `unix://`."""
        parts = urlsplit(url)
        if parts.scheme not in ("redis", "rediss", "unix"):
            raise ValueError("a store is named as redis://host:port/database")
        local = parts.scheme == "unix"
        number = parse_qs(parts.query).get("db", ["0"])[0] if local else parts.path.strip("/")
        if number and not (number.isascii() and number.isdecimal()):
            raise ValueError(f"a database is a number, not {number!r}")
        return cls(
            host=parts.hostname or "127.0.0.1",
            port=parts.port or 6379,
            path=parts.path if local else "",
            tls=parts.scheme == "rediss",
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            database=int(number or 0),
        )

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"

    def greeting(self) -> list[tuple[Argument, ...]]:
        """What a connection says first."""
        commands: list[tuple[Argument, ...]] = []
        if self.password:
            user = (self.user,) if self.user else ()
            commands.append(("AUTH", *user, self.password))
        if self.database:
            commands.append(("SELECT", self.database))
        return commands


class _Caller(NamedTuple):
    """Somebody who waits for a reply, and since when."""

    reply: asyncio.Future[Reply]
    since: float

    def fail(self, error: Exception) -> None:
        """There will be none."""
        if not self.reply.done():
            self.reply.set_exception(error)


class _Connection(asyncio.Protocol):
    """One open connection, and the callers that wait for its replies in turn."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self.waiting: deque[_Caller] = deque()
        self.messages: asyncio.Queue[Reply] | None = None  # for one that listens
        self.closed = asyncio.Event()
        self._replies = Replies()
        self._unsent: list[bytes] = []
        self._last_received = self.loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._check_silence()

    def data_received(self, data: bytes) -> None:
        self._last_received = self.loop.time()
        try:
            replies = self._replies.feed(data)
        except ReplyError:
            self.abort()  # this is no Redis, and what comes next is no reply to anything
            return
        for reply in replies:
            if self.waiting:
                caller = self.waiting.popleft()
                if not caller.reply.done():
                    caller.reply.set_result(reply)
            elif self.messages is not None:
                self._take_message(reply)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()
        why = f"the connection was lost: {exc or 'closed'}"
        for _ in self._unsent:  # the latest ones have not left
            self.waiting.pop().fail(Away(why))
        self._unsent = []
        while self.waiting:
            self.waiting.popleft().fail(Unsure(why))
        if self.messages is not None:
            self.messages.put_nowait(None)

    def send(self, arguments: Sequence[Argument]) -> asyncio.Future[Reply]:
        """Send a command with all others of this turn of the loop; its reply comes."""
        if self.closed.is_set():
            raise Away("the connection was lost before this was sent")
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent.append(pack(arguments))
        caller = _Caller(self.loop.create_future(), self.loop.time())
        self.waiting.append(caller)
        return caller.reply

    def abort(self) -> None:
        """Give the connection up at once."""
        if self.transport is not None:
            self.transport.abort()

    def _take_message(self, reply: Reply) -> None:
        assert self.messages is not None
        if self.messages.qsize() >= MOST_UNREAD:
            self.abort()  # whoever listens will do so anew, and look what it has missed
        else:
            self.messages.put_nowait(reply)

    def _flush(self) -> None:
        assert self.transport is not None
        data, self._unsent = b"".join(self._unsent), []
        if data:
            self.transport.write(data)

    def _check_silence(self) -> None:
        """Give up when a reply does not come; where none is expected, ask for a sign of life."""
        if self.closed.is_set():
            return
        now = self.loop.time()
        silent = now - self._last_received
        since = self.waiting[0].since if self.waiting else now
        if now - since > self.patience or (self.messages is not None and silent > self.patience):
            self.abort()
        elif self.messages is not None and silent > self.patience / 3:
            assert self.transport is not None
            self.transport.write(pack(["PING"]))
        self.loop.call_later(self.patience / 4, self._check_silence)


class RedisClient:
    """A connection to one Redis for any number of callers, made anew when it is lost."""

    def __init__(self, address: RedisAddress, patience: float) -> None:
        self.address = address
        self.patience = patience
        self._connection: _Connection | None = None
        self._connecting: asyncio.Task[_Connection] | None = None
        self._closed = False

    async def call(self, *arguments: Argument) -> Reply:
        """What Redis replies. `ReplyError` if it refuses, `Away` or `Unsure` if it is not there."""
        connection = self._connection
        if connection is None or connection.closed.is_set():
            connection = await self._connected()
        with scripts.span(arguments):
            reply = await connection.send(arguments)
            if isinstance(reply, ReplyError):
                raise reply
            return reply

    async def pipeline(self, commands: Sequence[Sequence[Argument]]) -> list[Reply]:
        """The replies to several commands that go out together."""
        connection = self._connection
        if connection is None or connection.closed.is_set():
            connection = await self._connected()
        sent = [connection.send(command) for command in commands]
        with scripts.span(commands[0], len(commands)):
            replies = await asyncio.gather(*sent, return_exceptions=True)
        return [_accepted(reply) for reply in replies]

    async def close(self) -> None:
        """End the connection; calls that wait for replies fail."""
        self._closed = True
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.wait([self._connecting])
        if self._connection is not None:
            self._connection.abort()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.patience):
                    await self._connection.closed.wait()

    async def _connected(self) -> _Connection:
        """The connection, made once for all who wait for it."""
        if self._closed:
            raise Away(CLOSED)
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect())
            # Also if all who waited for it are gone.
            self._connecting.add_done_callback(_retrieve_error)
        connecting = self._connecting
        try:
            return await asyncio.shield(connecting)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if connecting.cancelled() and task is not None and not task.cancelling():
                raise Away(CLOSED) from None
            raise

    async def _connect(self) -> _Connection:
        self._connection = await connect(self.address, self.patience)
        return self._connection


def _accepted(reply: Reply | BaseException) -> Reply:
    if isinstance(reply, BaseException):
        raise reply
    return reply


def _retrieve_error(connecting: asyncio.Task[_Connection]) -> None:
    if not connecting.cancelled():
        connecting.exception()


async def connect(address: RedisAddress, patience: float) -> _Connection:
    """A connection on which everything necessary has been said; `Away` if there is none."""
    made: list[_Connection] = []
    try:
        async with asyncio.timeout(patience):
            made.append(await _opened(address, patience))
            await _greet(made[0], address)
    except BaseException as error:
        for connection in made:
            connection.abort()
        if isinstance(error, OSError | TimeoutError | Unsure):
            raise Away(f"no connection to {address}: {str(error) or 'no answer'}") from error
        raise
    return made[0]


async def _opened(address: RedisAddress, patience: float) -> _Connection:
    loop = asyncio.get_running_loop()
    if address.path:
        _, connection = await loop.create_unix_connection(
            lambda: _Connection(patience), address.path
        )
    else:
        context = ssl.create_default_context() if address.tls else None
        _, connection = await loop.create_connection(
            lambda: _Connection(patience), address.host, address.port, ssl=context
        )
    return connection


async def _greet(connection: _Connection, address: RedisAddress) -> None:
    for command in address.greeting():
        reply = await connection.send(command)
        if isinstance(reply, ReplyError):
            raise Away(f"{address} does not let us in: {reply}")


async def listen(
    address: RedisAddress, channel: str, patience: float
) -> AsyncGenerator[str | None, None]:
    """What is published on a channel until the connection is lost; first `None`, once it listens.

    Nothing that is published after that `None` is missed, unless the connection is lost.
    """
    connection = await connect(address, patience)
    connection.messages = asyncio.Queue()
    try:
        _accepted(await connection.send(("SUBSCRIBE", channel)))
        yield None
        while (message := await connection.messages.get()) is not None:
            if isinstance(message, list) and message[0] == "message":
                yield str(message[2])
    except (Unsure, ReplyError) as error:
        raise Away(str(error)) from error
    finally:
        connection.abort()
    raise Away(f"the connection to {address} was lost")
