"""A gRPC server of the platform: health, reflection, limits, drain, and one place for errors.

Design. Handlers raise `Denied`; everything else that escapes one is a bug, which the caller sees as
INTERNAL with an incident number and nothing more. SIGTERM drains: the server says that it is not
serving, ends its streams, finishes calls for a while and stops.
"""

from __future__ import annotations

import asyncio
import hmac
import signal
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from process import metrics
from process.settings import ProcessSettings
from process.statuses import Denied

log = structlog.get_logger()

Guard = Callable[[str, Any], Awaitable[None]]
"""Looks at the method and the context before a call is answered; raises `Denied` to refuse."""

OPEN = ("/grpc.health.", "/grpc.reflection.")
"""Services that anyone may ask."""


class Guarded(grpc.aio.ServerInterceptor):
    """Refuses, measures and logs every call in the same way."""

    def __init__(self, guard: Guard | None = None) -> None:
        self.guard = guard

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        handler = await continuation(details)
        if handler is None or details.method.startswith(OPEN):
            return handler
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(handler.unary_stream, details.method),
                handler.request_deserializer,
                handler.response_serializer,
            )
        return grpc.unary_unary_rpc_method_handler(
            self._unary(handler.unary_unary, details.method),
            handler.request_deserializer,
            handler.response_serializer,
        )

    def _unary(self, answer: Any, method: str) -> Any:
        async def guarded(request: Any, context: Any) -> Any:
            async with _Call(self.guard, method, context):
                return await answer(request, context)

        return guarded

    def _stream(self, answer: Any, method: str) -> Any:
        async def guarded(request: Any, context: Any) -> AsyncIterator[Any]:
            async with _Call(self.guard, method, context):
                with metrics.STREAMS.labels(method.rpartition("/")[2]).track_inprogress():
                    async for response in answer(request, context):
                        yield response

        return guarded


class _Call:
    """One call being answered: the guard first, then the outcome noted and errors mapped."""

    def __init__(self, guard: Guard | None, method: str, context: Any) -> None:
        self.guard, self.path, self.context = guard, method, context
        service, _, self.method = method.strip("/").partition("/")
        self.service = service.rpartition(".")[2]

    async def __aenter__(self) -> None:
        self.began = time.perf_counter()
        if self.guard is not None:
            try:
                await self.guard(self.path, self.context)
            except Denied as denied:
                await self._refuse(denied)

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None:
            self._note("OK")
        elif isinstance(error, Denied):
            await self._refuse(error)
        elif isinstance(error, asyncio.CancelledError | GeneratorExit):
            self._note("CANCELLED")
        elif isinstance(error, grpc.aio.AbortError):
            pass  # refused, and noted, on the way in
        else:
            await self._confess(error)

    async def _refuse(self, denied: Denied) -> None:
        metrics.REFUSALS.labels(self.service, denied.reason).inc()
        self._note(denied.code.name)
        log.info("refused", method=self.method, reason=denied.reason, **denied.metadata)
        await self.context.abort_with_status(denied.status())

    async def _confess(self, error: BaseException) -> None:
        incident = uuid.uuid4().hex[:12]
        metrics.BUGS.labels(self.service).inc()
        log.error("bug", method=self.method, incident=incident, exc_info=error)
        await self._refuse(Denied("BUG", "this is a bug in Bree", incident=incident))

    def _note(self, code: str) -> None:
        metrics.CALLS.labels(self.service, self.method, code).inc()
        seconds = time.perf_counter() - self.began
        metrics.CALL_SECONDS.labels(self.service, self.method).observe(seconds)


def platform_only(token: str) -> Guard:
    """Lets in those who present the platform's token, and nobody else."""

    async def guard(_: str, context: Any) -> None:
        if not hmac.compare_digest(bearer(context).encode(), token.encode()):
            raise Denied("UNAUTHENTICATED", "a valid token is needed")

    return guard


def bearer(context: Any) -> str:
    """The token that a call presents, or nothing."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value.startswith("Bearer "):
            return value.removeprefix("Bearer ")
    return ""


class Server:
    """A server that is being set up, serves until it is told to stop, and drains."""

    def __init__(self, settings: ProcessSettings, guard: Guard | None = None) -> None:
        self.settings = settings
        self.stopping = asyncio.Event()
        self.health = health.aio.HealthServicer()
        self.grpc = grpc.aio.server(
            interceptors=[Guarded(guard)],
            options=[
                ("grpc.max_receive_message_length", settings.largest_message),
                ("grpc.max_send_message_length", 8 * settings.largest_message),
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
                ("grpc.so_reuseport", 0),
            ],
        )
        self.port = 0

    async def start(self, services: Sequence[str]) -> None:
        """Listen; every servicer has been added before."""
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.grpc)
        names = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self.grpc)
        self.port = self._bind()
        await self.grpc.start()
        await self._say(services, health_pb2.HealthCheckResponse.SERVING)

    def _bind(self) -> int:
        s = self.settings
        if not s.tls_certificate:
            return int(self.grpc.add_insecure_port(s.listen))
        pair = (Path(s.tls_key).read_bytes(), Path(s.tls_certificate).read_bytes())
        return int(self.grpc.add_secure_port(s.listen, grpc.ssl_server_credentials([pair])))

    async def _say(self, services: Sequence[str], serving: int) -> None:
        for service in ("", *services):
            await self.health.set(service, serving)

    async def run(self) -> None:
        """Serve until SIGTERM or SIGINT, then drain and stop."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self.stopping.set)
        await self.stopping.wait()
        await self.stop()

    async def stop(self) -> None:
        """Say that this server is going, let calls finish, and go."""
        self.stopping.set()
        await self.health.enter_graceful_shutdown()
        await self.grpc.stop(self.settings.drain_seconds)


def channel(address: str, settings: ProcessSettings) -> Any:
    """A channel to another part of the platform. It tries again by itself when that is away."""
    options = [
        ("grpc.max_receive_message_length", 8 * settings.largest_message),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]
    if not settings.tls_authority:
        return grpc.aio.insecure_channel(address, options=options)
    authority = Path(settings.tls_authority).read_bytes()
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(authority), options)


def platform_metadata(settings: ProcessSettings) -> list[tuple[str, str]]:
    """What a part of the platform says to another one to be let in."""
    return [("authorization", f"Bearer {settings.platform_token.get_secret_value()}")]
