"""How the calls of a method end, noted in metrics, traces and the log, whatever the transport.

Design. Whoever answers calls says when one arrives and how it ends. What is raised is mapped here:
`Denied` is a refusal, everything else a bug, which the caller sees as INTERNAL with an incident
number and nothing more. How he is told is the transport's.
"""

from __future__ import annotations

import asyncio
import time
import uuid

import structlog

from bree.process import metrics, traces
from bree.process.statuses import Denied

log = structlog.get_logger()


class Outcomes:
    """One method, with the metrics of its calls."""

    def __init__(self, path: str) -> None:
        service, _, self.name = path.strip("/").partition("/")
        self.service = service.rpartition(".")[2]
        self.called = f"{self.service}/{self.name}"  # in traces
        self._seconds = metrics.CALL_SECONDS.labels(self.service, self.name)
        self._answered = metrics.CALLS.labels(self.service, self.name, "OK")

    def arrive(self, metadata: traces.Pairs | None) -> bool:
        """A call has come; whether its spans are kept."""
        return traces.arrive(self.called, metadata)

    def answered(self, began: float, *, is_sampled: bool) -> None:
        """A call was answered."""
        self._answered.inc()
        self._seconds.observe(time.perf_counter() - began)
        if is_sampled:
            traces.answered("OK")

    def failed(self, error: BaseException, began: float) -> Denied | None:
        """What its caller is to be told of a call that was not; nothing if he has gone."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            self.note("CANCELLED", began)
            return None
        denied = error if isinstance(error, Denied) else self._confessed(error)
        metrics.REFUSALS.labels(self.service, denied.reason).inc()
        self.note(denied.code.name, began)
        log.info("refused", method=self.name, reason=denied.reason, **denied.metadata)
        return denied

    def _confessed(self, error: BaseException) -> Denied:
        incident = uuid.uuid4().hex[:12]
        metrics.BUGS.labels(self.service).inc()
        log.error("bug", method=self.name, incident=incident, exc_info=error)
        return Denied("BUG", "this is a bug in Bree", incident=incident)

    def note(self, code: str, began: float) -> None:
        """A call ended with this status."""
        traces.answered(code)
        metrics.CALLS.labels(self.service, self.name, code).inc()
        self._seconds.observe(time.perf_counter() - began)
