"""What surrounds every method: the guard first, then the outcome noted and errors mapped.

Design. What a handler raises is mapped by `outcomes.py`. Methods are surrounded once, when a server
is told of them: an interceptor would do it anew for each call, at a tenth of what the call costs.
Requests come as bytes, and are read only once the guard has let their caller in.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from typing_extensions import override

from bree.process import metrics, traces
from bree.process.outcomes import Outcomes
from bree.process.statuses import Denied

Guard = Callable[[str, Any], Awaitable[None]]
"""Looks at the method and the context before a call is answered; raises `Denied` to refuse."""


Read = Callable[[Any], Any]
"""From what came over the wire to a request, or to several as they come."""

UNSENT = (grpc.aio.InternalError, grpc.aio.UsageError)
"""What gRPC raises when it can tell its caller nothing more: he has hung up."""


class Guarded(grpc.GenericRpcHandler):
    """Stands for a server when services are added to it, and surrounds each of their methods."""

    def __init__(self, server: Any, guard: Guard | None) -> None:
        self.guard = guard
        self._handlers: list[Any] = []
        self._known: dict[str, Any] = {}
        server.add_generic_rpc_handlers((self,))

    def add_generic_rpc_handlers(self, handlers: Iterable[Any]) -> None:
        self._handlers += handlers

    @override
    def service(self, handler_call_details: Any) -> Any:
        return self.find(handler_call_details.method)

    def find(self, path: str) -> Any:
        """The surrounded method of this path, or nothing."""
        known = self._known.get(path)
        if known is None:
            found = (handler.service(_Path(path)) for handler in self._handlers)
            method = next((one for one in found if one is not None), None)
            if method is None:
                return None  # and not kept: callers may ask for any name
            known = self._known[path] = _Method(path, self.guard).around(method)
        return known

    def add_registered_method_handlers(self, service: str, handlers: Any) -> None:
        """Generated code says everything twice; the first time is enough."""


class _Path(NamedTuple):
    """What a handler is found by."""

    method: str


class _Method:
    """One method, surrounded."""

    def __init__(self, path: str, guard: Guard | None) -> None:
        self.path, self.guard = path, guard
        self.outcomes = Outcomes(path)

    def around(self, handler: Any) -> Any:
        """A handler that does the same, surrounded."""
        read, write = handler.request_deserializer or bytes, handler.response_serializer
        if handler.request_streaming:
            answer = self._stream(handler.stream_stream, partial(_each, read))
            return grpc.stream_stream_rpc_method_handler(answer, None, write)
        if handler.response_streaming:
            answer = self._stream(handler.unary_stream, partial(_read, read))
            return grpc.unary_stream_rpc_method_handler(answer, None, write)
        answer = self._unary(handler.unary_unary, partial(_read, read))
        return grpc.unary_unary_rpc_method_handler(answer, None, write)

    def _unary(self, answer: Any, read: Read) -> Any:
        async def guarded(said: bytes, context: Any) -> Any:
            began = time.perf_counter()
            is_sampled = self.outcomes.arrive(context.invocation_metadata())
            try:
                if self.guard is not None:
                    await self.guard(self.path, context)
                request = read(said)
                if is_sampled:
                    traces.concerns(request)
                response = await answer(request, context)
            except BaseException as error:
                await self._failed(error, context, began)
                raise
            self.outcomes.answered(began, is_sampled=is_sampled)
            return response

        return guarded

    def _stream(self, answer: Any, read: Read) -> Any:
        streams = metrics.STREAMS.labels(self.outcomes.name)

        async def guarded(said: Any, context: Any) -> AsyncIterator[Any]:
            began = time.perf_counter()
            self.outcomes.arrive(context.invocation_metadata())
            try:
                if self.guard is not None:
                    await self.guard(self.path, context)
                with streams.track_inprogress():
                    request = read(said)
                    traces.concerns(request)
                    answers = answer(request, context)
                    if inspect.isawaitable(answers):  # it writes by itself
                        await answers
                        return
                    async for response in answers:
                        yield response
            except BaseException as error:
                await self._failed(error, context, began)
                raise
            self.outcomes.note("OK", began)

        return guarded

    async def _failed(self, error: BaseException, context: Any, began: float) -> None:
        """Tell the caller, unless he has gone."""
        if isinstance(error, UNSENT):  # and most likely nobody hears this either
            error = Denied("OUTCOME_UNKNOWN", "the connection broke")
        denied = self.outcomes.failed(error, began)
        if denied is not None:
            await context.abort_with_status(denied.status())


def _read(read: Read, said: bytes) -> Any:
    try:
        return read(said)
    except DecodeError:
        raise Denied("INVALID_REQUEST", "the request is garbage") from None


async def _each(read: Read, said: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    async for one in said:
        yield _read(read, one)
