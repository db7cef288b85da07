"""The door: processor time of the gateway for one call over HTTP, beside the same call over gRPC.

All three callers stand before one gateway and call the same method, 32 calls at once, in turns; and
only the processor time of the gateway's process counts. HTTP/1.1 has a connection for each call in
flight, as browsers and tools do; HTTP/2 has one for all of them, and so has gRPC. None speaks TLS.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median

import grpc
import h2.connection
import h2.events

from bench.measure import Measure
from bench.town import HOST, Town, platform
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as services

ROUNDS, SECONDS, AT_ONCE = 9, 1.5, 32
PATH = "/bree.gateway.v1.AccountService/GetAccount"
KIND = "application/proto"

Ask = Callable[[], Awaitable[None]]
"""Makes one call, and reads its answer."""


def measures() -> Iterator[Measure]:
    """What a call costs over HTTP/1.1 and over HTTP/2."""
    with platform(BREE_GAMES="duel") as town:
        yield from asyncio.run(_measures(town))


async def _measures(town: Town) -> list[Measure]:
    async with AsyncExitStack() as stack:
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(town.gateway))
        token = await _token(channel)
        ways: dict[str, list[Ask]] = {"gRPC": [_native(channel, token)] * AT_ONCE}
        port = int(town.http.partition(":")[2])
        ways["HTTP/1.1"] = [
            await stack.enter_async_context(_first(port, token)) for _ in range(AT_ONCE)
        ]
        ways["HTTP/2"] = [await stack.enter_async_context(_second(port, token))] * AT_ONCE
        rounds = [
            {way: await _turn(town, asks) for way, asks in ways.items()} for _ in range(ROUNDS + 1)
        ][1:]  # the first one warms up
    return [_measure(way, rounds) for way in ("HTTP/1.1", "HTTP/2")]


def _measure(way: str, rounds: list[dict[str, float]]) -> Measure:
    ours, theirs = (median(one[each] for one in rounds) for each in (way, "gRPC"))
    ratio = median(one[way] / one["gRPC"] for one in rounds)
    name = f"door: processor time per call, {way}"
    wanted = "<= 1" if way == "HTTP/1.1" else ""
    return Measure(name, round(ours), "us", f"native gRPC {theirs:.0f} us", ratio, wanted)


async def _turn(town: Town, asks: list[Ask]) -> float:
    """Microseconds of the gateway's processor time for one call."""
    loop = asyncio.get_running_loop()
    end, before = loop.time() + SECONDS, town.spent_by("gateway")

    async def again(ask: Ask) -> int:
        done = 0
        while loop.time() < end:
            await ask()
            done += 1
        return done

    done = sum(await asyncio.gather(*map(again, asks)))
    return 1e6 * (town.spent_by("gateway") - before) / done


async def _token(channel: grpc.aio.Channel) -> str:
    made = await services.AccountServiceStub(channel).CreateAccount(pb.CreateAccountRequest())
    return made.token


def _native(channel: grpc.aio.Channel, token: str) -> Ask:
    stub = services.AccountServiceStub(channel)
    metadata = (("authorization", f"Bearer {token}"),)

    async def ask() -> None:
        await stub.GetAccount(pb.GetAccountRequest(), metadata=metadata)

    return ask


def _headers(token: str) -> dict[str, str]:
    """What a page's calls carry."""
    return {
        "content-type": KIND,
        "connect-protocol-version": "1",
        "authorization": f"Bearer {token}",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "bench",
        "content-length": "0",
    }


@asynccontextmanager
async def _first(port: int, token: str) -> AsyncIterator[Ask]:
    """HTTP/1.1 on a connection of its own."""
    reader, writer = await asyncio.open_connection(HOST, port)
    lines = [f"{name}: {value}" for name, value in _headers(token).items()]
    request = "\r\n".join([f"POST {PATH} HTTP/1.1", f"host: {HOST}", *lines, "", ""]).encode()

    async def ask() -> None:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"the door does not answer: {head!r}")
        length = head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
        await reader.readexactly(int(length))

    yield ask
    writer.close()


class _Together(asyncio.Protocol):
    """A client of HTTP/2 that makes many calls on one connection."""

    def __init__(self, token: str) -> None:
        self.h2 = h2.connection.H2Connection()
        self.waiting: dict[int, asyncio.Future[None]] = {}
        self.pairs = [
            (":method", "POST"), (":scheme", "http"), (":authority", HOST), (":path", PATH),
            *_headers(token).items(),
        ]  # fmt: skip

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport
        self.h2.initiate_connection()
        self._flush()

    def data_received(self, data: bytes) -> None:
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                if dict(event.headers or ())[b":status"] != b"200":
                    raise SystemExit(f"the door does not answer: {event.headers}")
            elif isinstance(event, h2.events.DataReceived):
                size, number = event.flow_controlled_length or 0, event.stream_id or 0
                self.h2.acknowledge_received_data(size, number)
            elif isinstance(event, h2.events.StreamEnded):
                self.waiting.pop(event.stream_id or 0).set_result(None)
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        for one in self.waiting.values():
            one.set_exception(exc or ConnectionError("the door has closed"))

    async def ask(self) -> None:
        """Make a call on a stream of its own."""
        number = self.h2.get_next_available_stream_id()
        self.waiting[number] = answered = asyncio.get_running_loop().create_future()
        self.h2.send_headers(number, self.pairs, end_stream=True)
        self._flush()
        await answered

    def _flush(self) -> None:
        self.transport.write(self.h2.data_to_send())


@asynccontextmanager
async def _second(port: int, token: str) -> AsyncIterator[Ask]:
    loop = asyncio.get_running_loop()
    transport, together = await loop.create_connection(lambda: _Together(token), HOST, port)
    yield together.ask
    transport.close()
