"""A gRPC server of the platform: health, reflection, limits and drain.

Design. What a server serves is added to its `services`, where it is guarded; health and reflection
are for everyone. SIGTERM drains: the server says that it is not serving, ends its streams, finishes
calls for a while and stops.
"""

from __future__ import annotations

import asyncio
import hmac
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha.reflection_pb2_grpc import add_ServerReflectionServicer_to_server

from bree.line.v1.line_pb2_grpc import add_LineServiceServicer_to_server
from bree.process.demultiplexer import Demultiplexer
from bree.process.guarded import Guard, Guarded
from bree.process.settings import ProcessSettings
from bree.process.statuses import Denied

PING_MS = 5_000
"""Who pings more often is hung up on. Callers are told ten seconds: pings bunch up on their way."""


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

    def __init__(
        self, settings: ProcessSettings, guard: Guard | None = None, visit: Guard | None = None
    ) -> None:
        self.settings = settings
        self.stopping = asyncio.Event()
        self.health = health.aio.HealthServicer()
        self.grpc = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", settings.largest_message),
                ("grpc.max_send_message_length", 8 * settings.largest_message),
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.http2.min_ping_interval_without_data_ms", PING_MS),
                ("grpc.http2.max_pings_without_data", 0),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.so_reuseport", 0),
            ],
        )
        self._guarded = Guarded(self.grpc, guard)
        self.services: Any = self._guarded  # as generated code wants a server
        # Health and reflection are for everyone, as far as `visit` lets them.
        self._visited: Any = Guarded(self.grpc, visit) if visit else self.grpc
        self.port = 0

    def offer_multiplexing(self) -> None:
        """Let callers make many calls at once, of all methods that have been added or will be."""
        demultiplexer = Demultiplexer(
            self._guarded.find, self.stopping, 8 * self.settings.largest_message
        )
        add_LineServiceServicer_to_server(demultiplexer, self.services)

    async def start(self, services: Sequence[str]) -> None:
        """Listen; every servicer has been added before."""
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self._visited)
        names = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflecting = reflection.aio.ReflectionServicer(names)
        add_ServerReflectionServicer_to_server(reflecting, self._visited)
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
        await self.told_to_stop()
        await self.stop()

    async def told_to_stop(self) -> None:
        """Wait until SIGTERM or SIGINT."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self.stopping.set)
        await self.stopping.wait()

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
        ("grpc.http2.max_pings_without_data", 0),  # on a silent stream they never cease
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
