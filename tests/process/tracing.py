"""What the tests of traces share."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from bree.engine.v1 import engine_pb2
from bree.process import traces
from bree.process.spans import Sender

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
ASKS, ASKS_NOT = f"00-{TRACE}-{SPAN}-01", f"00-{TRACE}-{SPAN}-00"
SERVICE = "bree.engine.v1.EngineService"
ACT = engine_pb2.ActRequest(match="m-1", seat="good", question=3, action="a secret")


@pytest.fixture(autouse=True)
def alone():
    """Each test in a context of its own, and nothing is kept after it."""
    yield
    traces.use(None)
    traces.leave()


@pytest.fixture
def memory():
    """Keeps what is asked to be kept."""
    exporter = InMemorySpanExporter()
    sender = Sender("engine:duel", SimpleSpanProcessor(exporter))
    traces.use(traces.Sampler(sender.take))
    return exporter


def seen(*said, request=None):
    """The ids with which a call is logged that came with this."""
    traces.arrive("Service/Method", [(traces.PARENT, one) for one in said])
    traces.concerns(request)
    return traces.log_ids(None, "", {})
