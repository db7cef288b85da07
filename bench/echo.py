"""A bare two-hop gRPC echo: what the platform's own two hops are measured against.

Two processes that do nothing: the first forwards bytes to the second, which sends as many back as
it is told. No protobuf, no rules, no store.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc

METHOD = "/bree.bench.Echo/Call"


def _bytes(handler: Any) -> Any:
    method: Any = grpc.unary_unary_rpc_method_handler(handler)
    return grpc.method_handlers_generic_handler("bree.bench.Echo", {"Call": method})


async def _serve(handler: Any) -> None:
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((_bytes(handler),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until it is closed
    await server.stop(0)


async def end(size: int) -> None:
    """The second hop: answers every call with `size` bytes."""
    answer = b"x" * size

    async def call(request: bytes, context: Any) -> bytes:
        return answer

    await _serve(call)


async def forward(address: str) -> None:
    """The first hop: asks the second one and passes its answer on."""
    async with grpc.aio.insecure_channel(address) as channel:
        ask: Any = channel.unary_unary(METHOD)

        async def call(request: bytes, context: Any) -> bytes:
            answer: bytes = await ask(request)
            return answer

        await _serve(call)


if __name__ == "__main__":
    kind, argument = sys.argv[1:]
    asyncio.run(end(int(argument)) if kind == "end" else forward(argument))
