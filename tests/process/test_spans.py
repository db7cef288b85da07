"""Spans over the wire: through servers and multiplexers, and to a collector."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from typing_extensions import override

from bree.engine.v1 import engine_pb2, engine_pb2_grpc
from bree.process import spans, traces
from bree.process.multiplexer import Multiplexer
from bree.process.server import Server, channel, platform_metadata, platform_only
from bree.process.settings import ProcessSettings, read
from bree.process.statuses import Denied
from tests.process.test_server import TOKEN, settings
from tests.process.tracing import ACT, ASKS, SERVICE, TRACE, alone, memory, seen

__all__ = ["alone", "memory"]


@pytest.fixture
def nowhere():
    """The address of a collector that is not there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


# Over the wire.


class Engine(engine_pb2_grpc.EngineServiceServicer):
    """Says which trace it is in."""

    @override
    async def DescribeGame(self, request, context):
        return engine_pb2.DescribeGameResponse(game=traces.traceparent())

    @override
    async def Act(self, request, context):
        raise Denied("STALE_QUESTION", "too late")

    @override
    async def Watch(self, request, context):
        yield engine_pb2.WatchResponse()


def served(test):
    async def run():
        chosen = settings()
        server = Server(chosen, platform_only(TOKEN))
        engine_pb2_grpc.add_EngineServiceServicer_to_server(Engine(), server.services)
        server.offer_multiplexing()
        await server.start([SERVICE])
        try:
            async with channel(f"localhost:{server.port}", chosen) as opened:
                await test(opened, platform_metadata(chosen))
        finally:
            await server.stop()

    asyncio.run(run())


def asked(calls, name, kind, response):
    method = getattr(engine_pb2, f"{kind}Request").SerializeToString
    return calls.unary(f"/{SERVICE}/{name}", method, response.FromString)


@pytest.mark.parametrize("multiplexed", [False, True])
def test_a_call_and_its_answer_are_one_trace(memory, multiplexed):
    """As a call of its own, and multiplexed on a stream that was opened by another call."""

    async def test(opened, metadata):
        calls = Multiplexer(opened, metadata, 1 << 20)
        stub = engine_pb2_grpc.EngineServiceStub(opened)
        seen()  # whoever opens the stream lends it nothing
        request = engine_pb2.DescribeGameRequest()
        for parent in (None, ASKS):
            if parent:
                seen(parent)
            if multiplexed:
                call = asked(calls, "DescribeGame", "DescribeGame", engine_pb2.DescribeGameResponse)
                answer = await call(request, timeout=5)
            else:
                answer = await stub.DescribeGame(
                    request, metadata=traces.with_traceparent(metadata)
                )
        assert traces.read(answer.game).trace == TRACE
        calls.close()

    served(test)
    (call,) = memory.get_finished_spans()

    assert "EngineService/DescribeGame" == call.name == call.attributes["method"]
    assert f"{call.context.trace_id:032x}" == TRACE
    assert call.parent.is_remote


def test_refusals_and_streams_end_their_spans(memory):
    """With their status, whether they were read to the end or not."""

    async def test(opened, metadata):
        stub = engine_pb2_grpc.EngineServiceStub(opened)
        told = (*metadata, (traces.PARENT, ASKS))
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.Act(ACT, metadata=told)
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.Act(ACT, metadata=[(traces.PARENT, ASKS)])  # without the token
        async for _ in stub.Watch(engine_pb2.WatchRequest(), metadata=told):
            pass

    served(test)

    assert [
        ("EngineService/Act", "ABORTED"),
        ("EngineService/Act", "UNAUTHENTICATED"),
        ("EngineService/Watch", "OK"),
    ] == [(span.name, span.attributes["status"]) for span in memory.get_finished_spans()]


# To a collector.


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    def __init__(self):
        self.names, self.heard = [], threading.Event()

    @override
    def Export(self, request, context):
        self.names += [
            span.name
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        self.heard.set()
        return trace_service_pb2.ExportTraceServiceResponse()


def test_a_process_sends_its_spans_before_it_ends():
    """To the address that it was given."""
    collector, server = Collector(), grpc.server(ThreadPoolExecutor(1))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    close = traces.set_up("gateway", settings(traces=f"http://127.0.0.1:{port}", traces_share=1))
    seen()
    traces.answered("OK")
    close()
    server.stop(None)

    assert collector.heard.is_set()
    assert ["Service/Method"] == collector.names


def test_a_collector_that_is_away_holds_nobody_up(monkeypatch, nowhere):
    """What it cannot be told is lost."""
    monkeypatch.setattr(spans, "LAST_SECONDS", 0.1)
    close = traces.set_up("gateway", settings(traces=nowhere, traces_share=1))
    for _ in range(5000):
        seen()
        traces.answered("OK")
    closing = threading.Thread(target=close)
    closing.start()
    closing.join(10)

    assert not closing.is_alive()


def test_those_who_do_not_decide_begin_nothing(nowhere):
    """An engine keeps what gateways and workers tell it to, all of it."""
    given = {"traces": nowhere, "traces_share": 1, "traces_a_second": 0}
    traces.set_up("engine:duel", settings(**given), decides=False)
    seen()
    unasked = traces.is_sampled()
    seen(ASKS)

    assert (False, True) == (unasked, traces.is_sampled())


@pytest.mark.parametrize(
    "said", ["collector:4317", "ftp://c:1", "http://c", "http://u:p@c:4317", "http://c:4317/v1"]
)
def test_an_address_that_cannot_be_one_is_said(capsys, said):
    """At the start, with the name of the variable; a password does not belong there."""
    with pytest.raises(SystemExit):
        read(ProcessSettings, platform_token=TOKEN, traces=said)

    assert "TRACES" in capsys.readouterr().err


@pytest.mark.parametrize(
    "module",
    [
        "gateway.main",
        "services.duel.__main__",
        "workers.app",
        "workers.sweeper",
        "bree.process.server",
    ],
)
def test_where_it_is_off_opentelemetry_is_not_imported(module):
    """Not by us, and not by what we import."""
    code = f"import sys, {module}; print([m for m in sys.modules if 'opentelemetry' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()
