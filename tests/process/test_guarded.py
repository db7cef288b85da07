"""What surrounds a method: who is let in before anything is read, and whose going is no bug."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from grpc._cython import cygrpc
from prometheus_client import REGISTRY
from typing_extensions import override

from bree.engine.v1 import engine_pb2, engine_pb2_grpc
from bree.line.v1 import line_pb2
from bree.process.server import Server, channel, platform_metadata, platform_only
from bree.process.settings import ProcessSettings, read
from bree.process.statuses import Denied, denied_by

TOKEN = "a token of sixteen or more"
ENGINE, LINE = "/bree.engine.v1.EngineService", "/bree.line.v1.LineService/OpenLine"
GARBAGE = b"\xff\xff\xff"


class Engine(engine_pb2_grpc.EngineServiceServicer):
    """Fails as it is told, at each of its points."""

    def __init__(self):
        self.error = None

    @override
    async def Act(self, request, context):
        await asyncio.sleep(0.002)
        if self.error:
            raise self.error
        return engine_pb2.ActResponse()

    @override
    async def Watch(self, request, context):
        await context.send_initial_metadata(())
        for number in range(100):
            yield engine_pb2.WatchResponse(standing={"revision": number, "head": "x" * 2000})
            await asyncio.sleep(0.001)
        if self.error:
            raise self.error


def bugs():
    return REGISTRY.get_sample_value("bree_bugs_total", {"service": "EngineService"}) or 0


def served(test):
    """Run a test with a server, its engine and a connection."""

    async def run():
        settings = read(ProcessSettings, platform_token=TOKEN, drain_seconds=1)
        engine, server = Engine(), Server(settings, platform_only(TOKEN))
        engine_pb2_grpc.add_EngineServiceServicer_to_server(engine, server.services)
        server.offer_multiplexing()
        await server.start([])
        try:
            async with channel(f"127.0.0.1:{server.port}", settings) as connection:
                await test(connection, engine, platform_metadata(settings))
        finally:
            await server.stop()

    asyncio.run(run())


OWN_TROUBLE = "Internal error from Core"
"""What gRPC's client now and then says when it is refused while it writes."""


async def said(stream):
    """How a stream is refused: the reason, or what the client has instead."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stream.read()
    denied = denied_by(refused.value)
    return denied.reason if denied else refused.value.details()


async def reason(call):
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return denied_by(refused.value).reason


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ([("authorization", "Bearer no")], "UNAUTHENTICATED"),
        ([("authorization", f"Bearer {TOKEN}")], "INVALID_REQUEST"),
    ],
    ids=["stranger", "platform"],
)
def test_nothing_of_a_stranger_is_read(metadata, expected, monkeypatch):
    """What he sends is refused for who he is, and only ours for what it is."""

    async def test(connection, engine, _):
        act = connection.unary_unary(f"{ENGINE}/Act")
        watch = connection.unary_stream(f"{ENGINE}/Watch")

        assert expected == await reason(act(GARBAGE, metadata=metadata))
        assert expected == await reason(watch(GARBAGE, metadata=metadata).read())

    served(test)


def test_nothing_that_a_stranger_says_on_a_line_is_read():
    """He is refused before his first call."""

    async def test(connection, engine, metadata):
        opened = connection.stream_stream(LINE)
        stranger = [("authorization", "Bearer no")]
        told = [await said(opened(iter([GARBAGE]), metadata=stranger)) for _ in range(5)]
        assert {"UNAUTHENTICATED"} == set(told) - {OWN_TROUBLE}
        ours = opened(iter([GARBAGE]), metadata=metadata)

        assert grpc.aio.EOF is await ours.read()

    served(test)


def test_garbage_within_a_line_is_refused():
    """Other calls go on."""

    async def test(connection, engine, metadata):
        said = [
            line_pb2.OpenLineRequest(
                calls=[line_pb2.Call(id=n, method=f"{ENGINE}/Act", request=request)]
            ).SerializeToString()
            for n, request in ((1, GARBAGE), (2, b""))
        ]
        line = connection.stream_stream(
            LINE, response_deserializer=line_pb2.OpenLineResponse.FromString
        )(iter(said), metadata=metadata)
        answers = [answer async for told in line for answer in told.answers]

        assert {1: 3, 2: 0} == {answer.id: answer.end.code for answer in answers}

    served(test)


@pytest.mark.parametrize("streams", [False, True], ids=["call", "stream"])
@pytest.mark.parametrize("refused", [False, True], ids=["answered", "refused"])
def test_whoever_hangs_up_at_any_moment_is_no_bug(streams, refused):
    """Before he is let in, while he is answered, while he is refused."""

    async def test(connection, engine, metadata):
        engine.error = Denied("STALE_QUESTION", "no") if refused else None
        before = bugs()
        stub = engine_pb2_grpc.EngineServiceStub(connection)
        for number in range(60):
            if streams:
                call = stub.Watch(engine_pb2.WatchRequest(), metadata=metadata)
                reading = asyncio.ensure_future(call.read())
            else:
                call = stub.Act(engine_pb2.ActRequest(), metadata=metadata)
                reading = asyncio.ensure_future(call.code())
            await asyncio.sleep(number / 10_000)
            call.cancel()
            await asyncio.wait([reading])
            reading.cancelled() or reading.exception()
        await asyncio.sleep(0.05)

        assert before == bugs()

    served(test)


async def _code(call):
    """How a call ends, when all of it has been read."""
    try:
        if isinstance(call, grpc.aio.UnaryUnaryCall):
            await call
        else:
            async for _ in call:
                pass
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


@pytest.mark.parametrize(
    "error",
    [
        cygrpc.ExecuteBatchError("Failed 'execute_batch': send_initial_metadata"),
        cygrpc.InternalError("the call has been closed"),
        grpc.aio.UsageError("RPC already finished."),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("method", ["Act", "Watch"])
def test_what_grpc_cannot_send_is_no_bug(error, method):
    """So it tells a handler that its caller has hung up."""

    async def test(connection, engine, metadata):
        engine.error, before = error, bugs()
        stub = engine_pb2_grpc.EngineServiceStub(connection)
        if method == "Act":
            call = stub.Act(engine_pb2.ActRequest(), metadata=metadata)
        else:
            call = stub.Watch(engine_pb2.WatchRequest(), metadata=metadata)

        assert grpc.StatusCode.OK is not await asyncio.wait_for(_code(call), 5)
        assert before == bugs()

    served(test)
