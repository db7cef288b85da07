"""What surrounds every method: the guard first, then the outcome noted and errors mapped.

Design. Handlers raise `Denied`; everything else that escapes one is a bug, which the caller sees as
INTERNAL with an incident number and nothing more. Methods are surrounded once, when a server is
told of them: an interceptor would do it anew for each call, at a tenth of what the call costs.
Requests come as bytes, and are read only once the guard has let their caller in.
"""

from __future__ import annotations

import asyncio
import inspect
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import grpc
import structlog
from google.protobuf.message import DecodeError
from typing_extensions import override

from bree.process import metrics, traces
from bree.process.statuses import Denied

log = structlog.get_logger()

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
    """One method, with the metrics of its calls."""

    def __init__(self, path: str, guard: Guard | None) -> None:
        self.path, self.guard = path, guard
        service, _, self.name = path.strip("/").partition("/")
        self.service = service.rpartition(".")[2]
        self.called = f"{self.service}/{self.name}"  # in traces
        self._seconds = metrics.CALL_SECONDS.labels(self.service, self.name)
        self._answered = metrics.CALLS.labels(self.service, self.name, "OK")

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
            is_sampled = traces.arrive(self.called, context.invocation_metadata())
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
            self._answered.inc()
            self._seconds.observe(time.perf_counter() - began)
            if is_sampled:
                traces.answered("OK")
            return response

        return guarded

    def _stream(self, answer: Any, read: Read) -> Any:
        streams = metrics.STREAMS.labels(self.name)

        async def guarded(said: Any, context: Any) -> AsyncIterator[Any]:
            began = time.perf_counter()
            traces.arrive(self.called, context.invocation_metadata())
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
            self._note("OK", began)

        return guarded

    async def _failed(self, error: BaseException, context: Any, began: float) -> None:
        """Tell the caller, unless he has gone."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            self._note("CANCELLED", began)
            return
        denied = error if isinstance(error, Denied) else self._confessed(error)
        metrics.REFUSALS.labels(self.service, denied.reason).inc()
        self._note(denied.code.name, began)
        log.info("refused", method=self.name, reason=denied.reason, **denied.metadata)
        await context.abort_with_status(denied.status())

    def _confessed(self, error: BaseException) -> Denied:
        if isinstance(error, UNSENT):  # and most likely nobody hears this either
            return Denied("OUTCOME_UNKNOWN", "the connection broke")
        incident = uuid.uuid4().hex[:12]
        metrics.BUGS.labels(self.service).inc()
        log.error("bug", method=self.name, incident=incident, exc_info=error)
        return Denied("BUG", "this is a bug in Bree", incident=incident)

    def _note(self, code: str, began: float) -> None:
        traces.answered(code)
        metrics.CALLS.labels(self.service, self.name, code).inc()
        self._seconds.observe(time.perf_counter() - began)


def _read(read: Read, said: bytes) -> Any:
    try:
        return read(said)
    except DecodeError:
        raise Denied("INVALID_REQUEST", "the request is garbage") from None


async def _each(read: Read, said: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    async for one in said:
        yield _read(read, one)
