"""A server of ours with one method that says nothing, and whether a caller can bear with it."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import grpc

from bree.process.server import PING_MS, Server
from bree.process.settings import ProcessSettings, read

SILENCE = "/bree.test.Silence/Watch"


async def silence(_, context):
    """Says nothing until it is asked to stop."""
    await context.send_initial_metadata(())
    await asyncio.Event().wait()
    yield b""


async def held(seconds, ping_ms, allowed_ms=PING_MS):
    """Whether a silent stream with such pings is open after some seconds; if not, why."""
    with patch("bree.process.server.PING_MS", allowed_ms):
        server = Server(read(ProcessSettings, platform_token="x" * 16, drain_seconds=0))
    method = grpc.unary_stream_rpc_method_handler(silence)
    handlers = grpc.method_handlers_generic_handler("bree.test.Silence", {"Watch": method})
    server.services.add_generic_rpc_handlers((handlers,))
    await server.start([])
    pings = [("grpc.keepalive_time_ms", ping_ms), ("grpc.http2.max_pings_without_data", 0)]
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", pings) as channel:
            stream = channel.unary_stream(SILENCE)(b"")
            reading = asyncio.ensure_future(stream.read())
            done, _ = await asyncio.wait([reading], timeout=seconds)
            reading.cancel()
            return next(iter(done)).exception().details() if done else "open"
    finally:
        await server.stop()
