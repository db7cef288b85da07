"""A collector of spans, as OpenTelemetry's exporters speak to one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as rpc
from typing_extensions import override


class Kept(NamedTuple):
    """A span that was sent."""

    part: str
    name: str
    trace: str
    span: str
    above: str
    links: tuple[tuple[str, str], ...]
    notes: dict[str, str]


class Collector(rpc.TraceServiceServicer):
    """Takes the spans of all parts, at an address of its own."""

    def __init__(self):
        self.spans = []
        self.server = grpc.server(ThreadPoolExecutor(2))
        rpc.add_TraceServiceServicer_to_server(self, self.server)
        self.address = f"http://127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()

    @override
    def Export(self, request, context):
        for resource in request.resource_spans:
            part = notes(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [kept(part, span) for span in scope.spans]
        return pb.ExportTraceServiceResponse()

    def until(self, found, seconds=20):
        """What is found among the spans, as soon as it is."""
        ends = time.monotonic() + seconds
        while not (answer := found(list(self.spans))):
            assert time.monotonic() < ends, self.spans
            time.sleep(0.05)
        return answer

    def of(self, trace, *names):
        """The spans of a trace by name, once there are spans of all these names."""

        def whole(spans):
            found = {span.name: span for span in spans if span.trace == trace}
            return found if set(names) <= set(found) else None

        return self.until(whole)

    def close(self):
        self.server.stop(None)


def notes(attributes):
    return {one.key: one.value.string_value for one in attributes}


def kept(part, span):
    links = tuple((link.trace_id.hex(), link.span_id.hex()) for link in span.links)
    above = span.parent_span_id.hex()
    ids = span.trace_id.hex(), span.span_id.hex(), above
    return Kept(part, span.name, *ids, links, notes(span.attributes))
