"""Calls to another part of the platform, multiplexed on one stream between the two, and batched.

Design. gRPC takes as long over a call of its own as our parts take to answer one. So calls that are
made while the stream is busy wait and go out in one batch; their answers come back in the same way.
While many calls wait for answers anyway, the next batch waits a moment for more of them: it costs
hardly more than a batch of one call, here and there. A caller notices nothing of it: `unary` and
`stream` give what a channel of gRPC gives, with the same errors. When the stream ends, calls that
wait end with it, as calls on a lost connection do; the next call opens it anew. It ends, too, when
the other end sends no heartbeats any more.

Who reads a stream here must not let its messages lie, since nothing slows down a single one.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Protocol

import grpc
from google.protobuf.message import Message
from grpc.aio import EOF, AioRpcError, Metadata

from bree.line.v1 import line_pb2 as pb
from bree.process import traces
from bree.process.heartbeats import HeartbeatMonitor
from bree.process.statuses import DETAILS

SERVICE = pb.DESCRIPTOR.services_by_name["LineService"].full_name
PATH = f"/{SERVICE}/OpenLine"

BATCH_BYTES = 1 << 18
"""A batch is not made larger than this, unless one call alone is."""

BATCHING_CALLS, BATCHING_SECONDS = 4, 0.002
"""From how many unanswered calls on a batch waits for more of them, and for how long."""

OVERHEAD_BYTES = 1 << 10
"""More bytes than a batch adds to a call."""

Write = Callable[[Any], bytes]
Read = Callable[[bytes], Any]

_CODES = {code.value[0]: code for code in grpc.StatusCode}


class Reply(Protocol):
    """Somebody who waits for answers to a call."""

    def hear(self, message: bytes) -> bool:
        """Take a message; whether there will be more."""

    def end(self, error: AioRpcError | None) -> None:
        """There is nothing more, for this reason if it is no good one."""


class Multiplexer:
    """Calls to one address; the stream is opened when somebody calls."""

    def __init__(self, channel: Any, metadata: Any, largest: int, beat_seconds: float = 0) -> None:
        """With heartbeats, an end that misses some of them is taken for dead."""
        coders = pb.OpenLineRequest.SerializeToString, pb.OpenLineResponse.FromString
        self._open = channel.stream_stream(PATH, *coders)
        self._metadata = metadata
        self._largest = largest - OVERHEAD_BYTES
        self._beat = beat_seconds
        self._connection: _Connection | None = None

    def unary(self, method: str, write: Write, read: Read) -> Callable[..., Any]:
        """A method with one answer, as gRPC's channels give one."""

        async def call(request: Any, *, timeout: float) -> Any:  # noqa: ASYNC109  # as gRPC calls it
            loop = asyncio.get_running_loop()
            connection, reply = self._connected(), _UnaryReply(loop)
            number = connection.begin(method, write(request), timeout, reply)
            timer = loop.call_later(timeout, reply.expire)
            connection.unanswered += 1
            try:
                return read(await reply.answer)
            finally:
                timer.cancel()
                connection.unanswered -= 1
                connection.let_go(number)

        return call

    def stream(self, method: str, write: Write, read: Read) -> Callable[..., ResponseStream]:
        """A method with many answers, as gRPC's channels give one."""

        def call(request: Any, *, metadata: Any = None) -> ResponseStream:
            connection, stream = self._connected(), ResponseStream(read)
            number = connection.begin(method, write(request), 0, stream)
            stream.cancel = lambda: connection.let_go(number)  # type: ignore[method-assign]
            return stream

        return call

    @property
    def beats(self) -> bool:
        """Whether the other end is known to send heartbeats."""
        return self._connection is not None and self._connection.beats

    def close(self) -> None:
        """End the stream, and with it all calls."""
        if self._connection is not None:
            self._connection.close()

    def _connected(self) -> _Connection:
        if self._connection is None or self._connection.is_over:
            call = self._open(metadata=self._metadata)
            self._connection = _Connection(call, self._largest, self._beat, beats=self.beats)
        return self._connection


class _UnaryReply:
    """Waits for the one answer to a call."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.answer: asyncio.Future[bytes] = loop.create_future()

    def hear(self, message: bytes) -> bool:
        if not self.answer.done():
            self.answer.set_result(message)
        return False

    def end(self, error: AioRpcError | None) -> None:
        if not self.answer.done():
            self.answer.set_exception(error or _lost("there was no answer"))

    def expire(self) -> None:
        """The caller's time is over."""
        self.end(_failed(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time"))


class ResponseStream:
    """The answers to one call, as they come."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._messages: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._is_over = False
        self._error: AioRpcError | None = None

    def hear(self, message: bytes) -> bool:
        self._messages.append(message)
        self._news.set()
        return True

    def end(self, error: AioRpcError | None) -> None:
        self._is_over, self._error = True, error
        self._news.set()

    async def read(self) -> Any:
        """The next message, or EOF."""
        while not self._messages:
            if self._error is not None:
                raise self._error
            if self._is_over:
                return EOF
            self._news.clear()
            await self._news.wait()
        return self._read(self._messages.popleft())

    def cancel(self) -> None:
        """Nobody reads this any more."""


class _Connection:
    """An open stream, and the calls on it."""

    def __init__(self, call: Any, largest: int, beat_seconds: float, *, beats: bool) -> None:
        self.is_over = False
        self.unanswered = 0  # calls with one answer; streams may be open for ever
        self._call, self._largest = call, largest
        self._numbers = count(1)
        self._replies: dict[int, Reply] = {}
        self._calls: deque[pb.Call] = deque()
        self._cancelled: list[int] = []
        self._news = asyncio.Event()
        self._beat = beat_seconds
        self._monitor = (
            HeartbeatMonitor(beat_seconds, self.close, beats=beats) if beat_seconds else None
        )
        # Who happens to call first must not lend the stream his deadline.
        work, nobody = asyncio.get_running_loop().create_task, contextvars.Context()
        self._writing = work(self._write(), context=nobody)
        self._reading = work(self._read(), context=nobody)

    @property
    def beats(self) -> bool:
        """Whether a heartbeat has come, on this stream or on one before."""
        return self._monitor is not None and self._monitor.beats

    def begin(self, method: str, request: bytes, seconds: float, reply: Reply) -> int:
        """Make a call, unless it is so large that it would break the stream; gives its number."""
        if len(request) > self._largest:
            raise _failed(grpc.StatusCode.RESOURCE_EXHAUSTED, "too large a request")
        number = next(self._numbers)
        self._replies[number] = reply
        call = pb.Call(id=number, method=method, request=request, timeout_ms=int(1000 * seconds))
        call.traceparent = traces.traceparent()
        self._calls.append(call)
        self._news.set()
        return number

    def let_go(self, number: int) -> None:
        """Nobody waits for this call any more; tell the other end, if it is not over."""
        if self._replies.pop(number, None) is not None and not self.is_over:
            self._cancelled.append(number)
            self._news.set()

    def close(self) -> None:
        self._reading.cancel()

    async def _write(self) -> None:
        """Send what has come together, again and again."""
        with suppress(AioRpcError, asyncio.InvalidStateError):  # who reads has been told, too
            if self._beat:
                await self._call.write(pb.OpenLineRequest(beat_ms=int(1000 * self._beat)))
            while True:
                await self._news.wait()
                if self.unanswered >= BATCHING_CALLS:
                    await asyncio.sleep(BATCHING_SECONDS)
                self._news.clear()
                while self._calls or self._cancelled:
                    cancelled, self._cancelled = self._cancelled, []
                    calls = batch(self._calls)
                    await self._call.write(pb.OpenLineRequest(calls=calls, cancelled=cancelled))

    async def _read(self) -> None:
        """Hand out the answers, and at the end of the stream its errors."""
        error = _lost("the line has ended")
        try:
            while (said := await self._call.read()) is not EOF:
                if self._monitor is not None:
                    self._monitor.hear(is_beat=not said.answers)
                for answer in said.answers:
                    self._take(answer)
        except AioRpcError as failed:
            error = failed
        finally:
            if self._monitor is not None and self._monitor.has_stopped:
                error = _lost("the other end is silent")
            self._end(error)

    def _take(self, answer: pb.Answer) -> None:
        reply = self._replies.get(answer.id)
        if reply is None:
            return  # it was let go while the answer was on its way
        if answer.HasField("end"):
            del self._replies[answer.id]
            reply.end(_error(answer.end))
        elif not reply.hear(answer.message):
            del self._replies[answer.id]

    def _end(self, error: AioRpcError) -> None:
        self.is_over = True
        if self._monitor is not None:
            self._monitor.end()
        self._writing.cancel()
        self._call.cancel()
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply.end(_same(error))


def batch(messages: deque[Any]) -> list[Any]:
    """Take as many messages out of a queue as go into one batch: at least one."""
    taken: list[Message] = []
    size = 0
    while messages and size < BATCH_BYTES:
        size += messages[0].ByteSize()
        taken.append(messages.popleft())
    return taken


def _error(end: pb.End) -> AioRpcError | None:
    """How a call has ended, if not well, as gRPC would say it."""
    if not end.code:
        return None
    trailing = Metadata((DETAILS, end.details)) if end.details else Metadata()
    code = _CODES.get(end.code, grpc.StatusCode.UNKNOWN)
    return AioRpcError(code, Metadata(), trailing, end.message)


def _same(error: AioRpcError) -> AioRpcError:
    """One error more for one caller more: each is raised somewhere else."""
    return AioRpcError(
        error.code(), error.initial_metadata(), error.trailing_metadata(), error.details()
    )


def _failed(code: grpc.StatusCode, why: str) -> AioRpcError:
    return AioRpcError(code, Metadata(), Metadata(), why)


def _lost(why: str) -> AioRpcError:
    return _failed(grpc.StatusCode.UNAVAILABLE, why)
