"""Whether a part does its work: each kind is asked in its own way."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterable, Mapping

import asyncpg
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bree.local import postgres_server, redis_server
from bree.local.parts import Part
from bree.local.settings import HOST, CannotStart, LocalSettings
from bree.local.state import POSTGRES
from bree.process.epoch import keys_at
from bree.process.server import channel
from bree.redis.clients import FAILURES, client_of
from bree.redis.resp import ReplyError

ANSWER_SECONDS = 2.0
PAUSE = 0.1


def check_ports(parts: Iterable[Part]) -> None:
    """Complain about the first port that somebody else has, or that two parts want."""
    taken: dict[int, str] = {}
    for part in parts:
        for port, setting in part.ports():
            if port in taken:
                raise CannotStart(f"{setting}: port {port} is {taken[port]}'s already")
            taken[port] = part.name
            if not is_free(port):
                raise CannotStart(
                    f"port {port}, for {part.name}, is in use; "
                    f"stop what uses it, or set {setting} to another"
                )


def is_free(port: int) -> bool:
    """Whether a part could listen on it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


Passwords = Mapping[str, str]
"""The password of each server, by the name of its part."""


async def until_healthy(part: Part, settings: LocalSettings, passwords: Passwords) -> None:
    """Ask a part again and again until it is well."""
    while not await is_healthy(part, settings, passwords):  # noqa: ASYNC110  # of another process
        await asyncio.sleep(PAUSE)


async def is_healthy(part: Part, settings: LocalSettings, passwords: Passwords) -> bool:
    """Whether a part is well now."""
    if part.kind == "redis":
        return await redis_answers(redis_server.url(part.port, passwords[part.kind]))
    if part.kind == POSTGRES:
        return await postgres_answers(postgres_server.url(part.port, passwords[part.kind]))
    if part.http and not await _says_well(part.http, is_tls=bool(settings.tls_certificate)):
        return False
    if part.port:
        return await _serves(part.port, settings)
    return await _says_well(part.metrics)


async def redis_answers(url: str) -> bool:
    """Whether a store or a broker lets us in and answers, each server of it."""
    try:
        store = client_of(url, ANSWER_SECONDS)
    except ValueError:
        return False
    try:
        places = await store.places()
        asked = [("EXISTS", keys_at(place)[0]) for place in ("", *places)]
        replies = await store.many(asked)
    except FAILURES:
        return False
    finally:
        await store.close()
    return not any(isinstance(reply, ReplyError) for reply in replies)


async def postgres_answers(url: str) -> bool:
    """Whether a PostgreSQL lets us in and answers."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            connection = await asyncpg.connect(url)
            try:
                return bool(await connection.fetchval("SELECT true"))
            finally:
                connection.terminate()
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError):
        return False


async def _serves(port: int, settings: LocalSettings) -> bool:
    async with channel(f"{HOST}:{port}", settings) as opened:
        stub = health_pb2_grpc.HealthStub(opened)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=ANSWER_SECONDS)
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def _says_well(port: int, *, is_tls: bool = False) -> bool:
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            spoken = _unverified() if is_tls else None
            reader, writer = await asyncio.open_connection(HOST, port, ssl=spoken)
            writer.write(b"GET /healthy HTTP/1.0\r\n\r\n")
            status = await reader.readline()
            writer.close()
            await writer.wait_closed()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in status


def _unverified() -> ssl.SSLContext:
    """TLS with whoever answers here: nothing is told him, and gRPC asks for his certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
