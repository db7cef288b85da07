"""The methods over gRPC: bytes in, bytes out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing
from operator import methodcaller
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.heartbeats import with_heartbeats
from gateway import call_context
from gateway.methods import Method
from gateway.refusals import invalid

BEATS: dict[str, Message] = {
    "WatchMatch": pb.WatchMatchResponse(),
    "ListenQuestions": pb.ListenQuestionsResponse(),
    "ListenNews": pb.ListenNewsResponse(),
}
"""What a stream says when it has nothing to say, to those who ask for that."""

LEAST_BEAT_MS = 1000
"""Nobody is sent beats more often."""

_written = methodcaller("SerializeToString")


def add_to(server: Any, methods: Iterable[Method]) -> list[str]:
    """Let a server answer all methods; gives the names of their services."""
    services: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for method in methods:
        services[method.service][method.name] = _handler(method)
    server.add_generic_rpc_handlers(
        tuple(
            grpc.method_handlers_generic_handler(name, handlers)
            for name, handlers in services.items()
        )
    )
    return list(services)


def _handler(method: Method) -> Any:
    make: Callable[..., Any] = grpc.unary_unary_rpc_method_handler
    answer: Callable[..., Any] = method.answer
    if method.streams:
        make, answer = grpc.unary_stream_rpc_method_handler, _stream(method)
    return make(answer, request_deserializer=_reader(method), response_serializer=_written)


def _reader(method: Method) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Message:
        try:
            return method.request.FromString(data)
        except DecodeError:
            named = method.request.DESCRIPTOR.full_name
            raise invalid("", f"the request is no {named}") from None

    return read


def _stream(method: Method) -> Callable[[Any, Any], AsyncIterator[Message]]:
    async def answer(request: Any, context: Any) -> AsyncIterator[Message]:
        # Nobody is left to guess whether he is listening: the first message may be long in coming.
        await context.send_initial_metadata(())
        async with aclosing(told(method, request)) as responses:
            async for response in responses:
                yield response

    return answer


def told(method: Method, request: Any) -> AsyncGenerator[Message, None]:
    """What a stream tells the account that calls, with beats if it asks for them."""
    responses: AsyncGenerator[Message, None]
    responses = method.logic(call_context.account.get(), request)
    if method.name not in BEATS:  # it never pauses
        return responses
    beat_ms = request.beat_ms and max(LEAST_BEAT_MS, request.beat_ms)
    return with_heartbeats(responses, beat_ms, BEATS[method.name])
