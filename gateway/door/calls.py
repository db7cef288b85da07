"""The methods over Connect: each is one of `gateway/methods.py`, let in, read, answered and noted.

Design. It is what `bree/process/guarded.py` and `servicers.py` are for gRPC: the same guard before
anything is read, the same outcomes, the same streams. A caller who goes away ends his call, and the
task in which it is answered is cancelled; so is one whose deadline passes, and he is told.
"""

from __future__ import annotations

import abc
import asyncio
import time
from contextlib import aclosing
from functools import partial
from typing import Any

import structlog
from google.protobuf.message import Message
from typing_extensions import override

from bree.process import metrics, traces
from bree.process.outcomes import Outcomes
from bree.process.statuses import Denied
from gateway import call_context, servicers
from gateway.door import connect, shields
from gateway.door.callers import Callers
from gateway.door.connect import Wrong
from gateway.door.message import NOTHING, Headers, Pairs, Reply, Request, accepts
from gateway.door.sessions import hook_of
from gateway.methods import Method

log = structlog.get_logger()

GZIP: Pairs = ((b"content-encoding", b"gzip"),)
GZIP_STREAM: Pairs = ((b"connect-content-encoding", b"gzip"),)

FAILED = shields.DATA.with_more(("content-type", "application/json"))


class Call(abc.ABC):
    """One method."""

    form = "application/"  # of the content type, before the codec's name

    def __init__(self, method: Method, callers: Callers, largest: int) -> None:
        self.method, self.callers, self.largest = method, callers, largest
        self.outcomes = Outcomes(method.path)
        self.hook = hook_of(method.path, callers)
        self.codecs = {self.form + codec.name: codec for codec in connect.CODECS}
        self.headers = {kind: self._headers(kind) for kind in self.codecs}
        self.accepted = ((b"accept-post", ", ".join(self.codecs).encode()),)

    def _headers(self, kind: str) -> Headers:
        return shields.DATA.with_more(("content-type", kind), ("vary", "accept-encoding"))

    async def answer(self, request: Request, reply: Reply) -> None:
        """Answer a call; whoever does not speak the protocol is told so."""
        said = request.header("content-type").lower()
        kind = said if said in self.codecs else said.partition(";")[0].strip()
        if kind not in self.codecs or not _is_utf8(said[len(kind) :]):
            message = f"this method takes {' or '.join(self.codecs)}"
            wrong = Wrong("unknown", message, 415)
            await reply.whole(415, FAILED, connect.written(wrong.told()), self.accepted)
            return
        await self._answer(request, reply, kind)

    @abc.abstractmethod
    async def _answer(self, request: Request, reply: Reply, kind: str) -> None:
        """Answer a call that says what it is."""

    def _arrive(self, request: Request) -> bool:
        parent = request.headers.get(traces.PARENT)
        return self.outcomes.arrive(((traces.PARENT, parent),) if parent else None)

    async def _let_in(self, request: Request, seconds: float | None) -> None:
        """The guard, and until when the caller waits."""
        call_context.note_deadline(seconds)
        connect.check_version(request.header("connect-protocol-version"))
        admission, callers = self.callers.admission, self.callers
        token = callers.token(request)
        await admission.admit(self.method.path, token, partial(callers.address, request))

    def _failed(self, error: BaseException, began: float) -> Wrong | Denied | None:
        """What the caller is told; nothing if he has gone."""
        if isinstance(error, Wrong):
            # Who does not wait any longer is one who has gone, as gRPC counts it.
            is_late = error.code == connect.TOO_LATE
            self.outcomes.note("CANCELLED" if is_late else error.code.upper(), began)
            log.info("refused", method=self.outcomes.name, code=error.code)
            return error
        return self.outcomes.failed(error, began)


class Unary(Call):
    """A method with one answer."""

    @override
    async def _answer(self, request: Request, reply: Reply, kind: str) -> None:
        began, more = time.perf_counter(), NOTHING
        is_sampled = self._arrive(request)
        try:
            async with Deadline(request) as seconds:
                await self._let_in(request, seconds)
                asked = self._asked(request, kind)
                if is_sampled:
                    traces.concerns(asked)
                answer = await self.method.answer(asked)
            if self.hook is not None:
                more = self.hook.headers(request, asked, answer)
            body = self.codecs[kind].write(answer)
        except BaseException as error:
            told = self._failed(error, began)
            if told is None:
                raise
            await _refuse(reply, told)
            return
        self.outcomes.answered(began, is_sampled=is_sampled)
        is_large = len(body) >= connect.WORTH_COMPRESSING
        if is_large and accepts(request.header("accept-encoding"), "gzip"):
            body, more = connect.packed(body), more + GZIP
        await reply.whole(200, self.headers[kind], body, more)

    def _asked(self, request: Request, kind: str) -> Message:
        body, coding = request.body, request.header("content-encoding")
        if coding:
            connect.check_coding(coding)
            body = connect.unpacked(body, self.largest) if coding == "gzip" else body
        connect.check_size(body, self.largest)
        if self.hook is not None:
            self.hook.check(request)
        return self.codecs[kind].read(self.method.request, body)


class Streamed(Call):
    """A method with a stream of answers, the last of which says how it ended."""

    form = "application/connect+"

    def __init__(self, method: Method, callers: Callers, largest: int) -> None:
        super().__init__(method, callers, largest)
        self.streams = metrics.STREAMS.labels(method.name)

    @override
    def _headers(self, kind: str) -> Headers:
        # Nothing may keep what is told until there is more of it.
        return shields.DATA.with_more(("content-type", kind), ("x-accel-buffering", "no"))

    @override
    async def _answer(self, request: Request, reply: Reply, kind: str) -> None:
        began = time.perf_counter()
        self._arrive(request)
        packs = accepts(request.header("connect-accept-encoding"), "gzip")
        more, last = GZIP_STREAM if packs else NOTHING, b"{}"
        try:
            async with Deadline(request) as seconds:
                await self._let_in(request, seconds)
                with self.streams.track_inprogress():
                    asked = self._asked(request, kind)
                    traces.concerns(asked)
                    # Nobody has to guess whether he is listening.
                    await reply.begin(200, self.headers[kind], more)
                    await self._tell(asked, reply, kind, packs=packs)
        except BaseException as error:
            told = self._failed(error, began)
            if told is None:
                raise
            last = connect.written({"error": _said(told)})
        else:
            self.outcomes.note("OK", began)
        if not reply.is_begun:
            await reply.begin(200, self.headers[kind], more)
        await reply.write(connect.envelope(last, connect.ENDS))
        await reply.end()

    def _asked(self, request: Request, kind: str) -> Message:
        coding = request.header("connect-content-encoding")
        connect.check_coding(coding)
        body = connect.opened(request.body, coding, self.largest)
        return self.codecs[kind].read(self.method.request, body)

    async def _tell(self, asked: Any, reply: Reply, kind: str, *, packs: bool) -> None:
        write = self.codecs[kind].write
        async with aclosing(servicers.told(self.method, asked)) as responses:
            async for response in responses:
                data, flags = write(response), 0
                if packs and len(data) >= connect.WORTH_COMPRESSING:
                    data, flags = connect.packed(data), connect.COMPRESSED
                await reply.write(connect.envelope(data, flags))


def call_of(method: Method, callers: Callers, largest: int) -> Call:
    """How a method is called over Connect."""
    return (Streamed if method.streams else Unary)(method, callers, largest)


class Deadline:
    """As long as the caller of a request waits. When that is over, he is told so."""

    __slots__ = ("_timer", "seconds")

    def __init__(self, request: Request) -> None:
        self.seconds = connect.milliseconds(request.header("connect-timeout-ms"))
        self._timer = None if self.seconds is None else asyncio.timeout(self.seconds)

    async def __aenter__(self) -> float | None:
        if self._timer is not None:
            await self._timer.__aenter__()
        return self.seconds

    async def __aexit__(self, *raised: object) -> None:
        if self._timer is None:
            return
        try:
            await self._timer.__aexit__(*raised)  # type: ignore[arg-type]
        except TimeoutError:
            raise Wrong(connect.TOO_LATE, "the deadline of this call has passed") from None


def _is_utf8(parameters: str) -> bool:
    return parameters.strip("; ").replace('"', "") in {"", "charset=utf-8"}


def _said(told: Wrong | Denied) -> dict[str, Any]:
    return told.told() if isinstance(told, Wrong) else connect.told(told)


async def _refuse(reply: Reply, told: Wrong | Denied) -> None:
    status = told.status if isinstance(told, Wrong) else connect.status_of(told)
    await reply.whole(status, FAILED, connect.written(_said(told)))
