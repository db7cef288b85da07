"""The far end of a multiplexer: calls that come together on one stream, of any method of a server.

Design. Each call is answered by a task of its own, by the same handler that a call of its own would
reach, so it is guarded, counted and refused in the same way. Answers that are ready together go out
in one batch. Methods that stream wait while too much waits to be sent: so little piles up for a
caller who reads slowly. A caller who asked for heartbeats gets one when there is nothing else.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import Any

import grpc
import structlog
from typing_extensions import override

from bree.line.v1 import line_pb2 as pb
from bree.line.v1.line_pb2_grpc import LineServiceServicer
from bree.process.multiplexer import OVERHEAD_BYTES, batch
from bree.process.statuses import Denied
from bree.process.traces import PARENT

log = structlog.get_logger()

BUFFER_BYTES = 1 << 16
"""How many bytes may wait to be sent before methods that stream must wait, too."""

Find = Callable[[str], Any]
"""From the path of a method to its handler, or nothing."""


class Demultiplexer(LineServiceServicer):
    """Answers all multiplexed calls of a server."""

    def __init__(self, find: Find, stopping: asyncio.Event, largest: int) -> None:
        self.find, self.stopping, self.largest = find, stopping, largest - OVERHEAD_BYTES

    @override
    async def OpenLine(
        self, request_iterator: AsyncIterator[pb.OpenLineRequest], context: Any
    ) -> AsyncIterator[pb.OpenLineResponse]:
        connection = _Connection(self, context.invocation_metadata())
        reading, ending = connection.read(request_iterator), self._end(connection)
        works = [asyncio.create_task(work) for work in (reading, ending)]
        try:
            async for response in connection.answers():
                yield response
        finally:
            connection.close()
            for task in [*works, *connection.tasks.values()]:
                task.cancel()

    async def _end(self, connection: _Connection) -> None:
        await self.stopping.wait()
        connection.end()


class _Connection:
    """One stream: the calls that are being answered, and the answers that are to be sent."""

    def __init__(self, server: Demultiplexer, metadata: Any) -> None:
        self.server, self.metadata = server, metadata
        self.tasks: dict[int, asyncio.Task[None]] = {}
        self._answers: deque[pb.Answer] = deque()
        self._size = 0  # of the messages that are not on their way yet
        self._news, self._sent = asyncio.Event(), asyncio.Event()
        self._ending = False
        self._beat = 0.0
        self._is_silent = False  # nothing has been said since the last look
        self._timer: asyncio.TimerHandle | None = None

    async def read(self, requests: AsyncIterator[pb.OpenLineRequest]) -> None:
        """Begin what is called, and stop what is cancelled; until the caller hangs up."""
        try:
            async for said in requests:
                if said.beat_ms and not self._beat:
                    self._beat, self._is_silent = said.beat_ms / 1000, True
                    self._look()  # the first beat says at once that more will come
                for call in said.calls:
                    self._begin(call)
                for number in said.cancelled:
                    if number in self.tasks:
                        self.tasks[number].cancel()
        except Denied:
            log.warning("a line ends, since what was said on it is garbage")
        finally:
            self.end()

    def end(self) -> None:
        """Take no new calls; the stream is over when the others have been answered."""
        self._ending = True
        self._news.set()

    def close(self) -> None:
        """Nobody reads this stream any more."""
        if self._timer is not None:
            self._timer.cancel()

    async def answers(self) -> AsyncIterator[pb.OpenLineResponse]:
        """What there is to be said, as much as has come together while it could not be."""
        while self._answers or self.tasks or not self._ending:
            await self._news.wait()
            self._news.clear()
            if self._is_silent and not self._answers:
                yield pb.OpenLineResponse()
                self._is_silent = False
            while self._answers:
                self._is_silent = False
                sent, self._sent = self._sent, asyncio.Event()
                answers = batch(self._answers)
                yield pb.OpenLineResponse(answers=answers)
                self._size -= sum([len(answer.message) for answer in answers])
                sent.set()

    def _look(self) -> None:
        """Say that there is nothing to say, if nothing was said since the last look."""
        if self._is_silent:
            self._news.set()
        self._is_silent = True
        self._timer = asyncio.get_running_loop().call_later(self._beat / 2, self._look)

    def _begin(self, call: pb.Call) -> None:
        if self._ending:
            self._finish(call, _refused(Denied("UNAVAILABLE", "this process is stopping")))
        elif call.id in self.tasks:
            self._finish(call, _refused(Denied("INVALID_REQUEST", "this call is being answered")))
        else:
            task = self.tasks[call.id] = asyncio.create_task(self._answer(call))
            task.add_done_callback(partial(self._forget, call.id))

    async def _answer(self, call: pb.Call) -> None:
        try:
            handler = self.server.find(call.method)
            if handler is None or handler.request_streaming:
                self._finish(call, _plain(grpc.StatusCode.UNIMPLEMENTED, "there is no such method"))
            elif handler.response_streaming:
                await self._stream(call, handler)
            else:
                response = await handler.unary_unary(call.request, Context(self.metadata, call))
                self._send(call, handler.response_serializer(response))
        except _Aborted as aborted:
            self._finish(call, aborted.end)
        except Exception:
            log.exception("bug", method=call.method)
            self._finish(call, _plain(grpc.StatusCode.INTERNAL, "this is a bug in Bree"))

    async def _stream(self, call: pb.Call, handler: Any) -> None:
        context = Context(self.metadata, call)
        async with aclosing(handler.unary_stream(call.request, context)) as responses:
            async for response in responses:
                self._send(call, handler.response_serializer(response))
                while self._size > BUFFER_BYTES:
                    await self._sent.wait()
        self._finish(call, pb.End())

    def _forget(self, number: int, _: asyncio.Task[None]) -> None:
        del self.tasks[number]
        self._news.set()

    def _send(self, call: pb.Call, message: bytes) -> None:
        if len(message) > self.server.largest:
            raise _Aborted(_plain(grpc.StatusCode.RESOURCE_EXHAUSTED, "too large an answer"))
        self._answers.append(pb.Answer(id=call.id, message=message))
        self._size += len(message)
        self._news.set()

    def _finish(self, call: pb.Call, end: pb.End) -> None:
        self._answers.append(pb.Answer(id=call.id, end=end))
        self._news.set()


class Context:
    """What a handler is told of a multiplexed call: all that those of this platform ask for."""

    def __init__(self, metadata: Any, call: pb.Call) -> None:
        self._metadata = (*(metadata or ()), (PARENT, call.traceparent))
        self._ends = time.monotonic() + call.timeout_ms / 1000 if call.timeout_ms else None

    def invocation_metadata(self) -> Any:
        """What the stream was opened with, and which trace the call belongs to."""
        return self._metadata

    def time_remaining(self) -> float | None:
        """How long the caller still waits."""
        return None if self._ends is None else max(0.0, self._ends - time.monotonic())

    async def send_initial_metadata(self, _: Any) -> None:
        """A multiplexed call has none."""

    async def abort_with_status(self, status: Any) -> None:
        """End the call."""
        raise _Aborted(_end(status))


class _Aborted(Exception):
    """A call that ends without an answer."""

    def __init__(self, end: pb.End) -> None:
        self.end = end
        super().__init__(end.message)


def _end(status: Any) -> pb.End:
    details = dict(status.trailing_metadata or ())
    return pb.End(
        code=status.code.value[0],
        message=status.details,
        details=next(iter(details.values()), b""),
    )


def _refused(denied: Denied) -> pb.End:
    return _end(denied.status())


def _plain(code: grpc.StatusCode, message: str) -> pb.End:
    return pb.End(code=code.value[0], message=message)
