"""Spans of sampled calls, sent to a collector by OpenTelemetry's own exporter.

Design. This module alone imports OpenTelemetry, and it alone is not imported unless a process is
told where to send spans. Spans are made of what `traces.py` has noted; the tracer of the SDK would
take six times as long over each. A bounded queue and a thread of the SDK send them, so nobody waits
for a collector, and what it cannot take is lost.
"""

from __future__ import annotations

import atexit
import threading

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from bree.process.traces import Kind, Span, TraceContext

EXPORT_SECONDS, LAST_SECONDS = 5, 2

_SCOPE = InstrumentationScope("bree")
_KEPT = TraceFlags(TraceFlags.SAMPLED)
_KINDS = {
    Kind.SERVER: SpanKind.SERVER,
    Kind.CLIENT: SpanKind.CLIENT,
    Kind.CONSUMER: SpanKind.CONSUMER,
}


class Sender:
    """Makes OpenTelemetry's spans of ours."""

    def __init__(self, process: str, to: SpanProcessor) -> None:
        """A process is named as its log names it: `gateway`, or `engine:risk` with its game."""
        name, _, game = process.partition(":")
        about = {"service.namespace": "bree", "service.name": name}
        self.resource = Resource.create({**about, "game": game} if game else about)
        self.to = to
        # The SDK would wait for half a minute for a collector that is away.
        self.closing = threading.Event()
        self.last = threading.Thread(target=self._close, name="last spans", daemon=True)

    @classmethod
    def to_collector(cls, process: str, collector: str) -> Sender:
        """Sends to a collector, in a thread of its own, until the process ends."""
        is_plain = collector.startswith("http://")
        exporter = OTLPSpanExporter(collector, insecure=is_plain, timeout=EXPORT_SECONDS)
        sender = cls(process, BatchSpanProcessor(exporter))
        sender.last.start()
        atexit.register(sender.close)
        return sender

    def close(self) -> None:
        """Send what is left, unless that takes long."""
        self.closing.set()
        if self.last.is_alive():
            self.last.join(LAST_SECONDS)

    def _close(self) -> None:
        self.closing.wait()
        self.to.shutdown()

    def take(self, span: Span) -> None:
        """Send a span that is over."""
        code = StatusCode.ERROR if span.failed else StatusCode.UNSET
        link = span.link
        self.to.on_end(
            ReadableSpan(
                span.name,
                _context(span.context, is_remote=False),
                parent=_context(span.above, is_remote=span.kind is Kind.SERVER)
                if span.above.span
                else None,
                resource=self.resource,
                attributes=span.notes,
                links=[Link(_context(link, is_remote=True))] if link else (),
                kind=_KINDS[span.kind],
                status=Status(code),
                start_time=span.began,
                end_time=span.ended,
                instrumentation_scope=_SCOPE,
            )
        )


def _context(context: TraceContext, *, is_remote: bool) -> SpanContext:
    return SpanContext(int(context.trace, 16), int(context.span, 16), is_remote, _KEPT)
