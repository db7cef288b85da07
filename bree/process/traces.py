"""Traces: which call a piece of work belongs to, and how long each part of a call took.

Design. Every call has one id from the client to the store: the trace id of the `traceparent` that
W3C defines, sampled or not. Every line of a log has it, since `logs.py` asks here.
What a caller sends is believed only if it is well formed; else the first server makes a new id.
Spans are made of calls that are sampled, and of nothing else. They are plain objects, which go to
whoever takes them: `spans.py`, where it is told to, and it alone knows OpenTelemetry. A server at
the edge decides what is sampled; those behind it sample what they are told to.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from contextvars import ContextVar, Token
from enum import Enum
from typing import Any, Self

from bree.process.settings import ProcessSettings

PARENT = "traceparent"

_FORM = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""A game or a match. Whatever else stands there was made up by the caller, and is not kept."""

Pairs = Iterable[tuple[str, Any]]
"""Metadata of a call."""


class Kind(Enum):
    """What a span is to the one below it, as OpenTelemetry numbers it."""

    SERVER = 1
    CLIENT = 2
    CONSUMER = 4


class TraceContext:
    """Where a piece of work stands: in which trace, below which span, and if that is sampled."""

    __slots__ = ("answering", "cause", "sampled", "span", "trace")

    def __init__(self, trace: str, span: str, *, sampled: bool, cause: str = "") -> None:
        self.trace, self.span, self.sampled = trace, span, sampled
        self.cause = cause  # the trace of the call that this work follows from
        self.answering: Span | None = None

    def text(self) -> str:
        """As it is sent on."""
        return f"00-{self.trace}-{self.span or _digits(64)}-{'01' if self.sampled else '00'}"


_here: ContextVar[TraceContext | None] = ContextVar("trace", default=None)


class Span:
    """A part of a call that is sampled, while it lasts."""

    def __init__(
        self, name: str, kind: Kind, above: TraceContext, notes: Mapping[str, str]
    ) -> None:
        self.name, self.kind, self.above, self.notes = name, kind, above, {**notes}
        self.link: TraceContext | None = None  # what it follows from, in another trace
        self.failed = False
        self.context = TraceContext(above.trace, _digits(64), sampled=True, cause=above.cause)
        self.began, self.ended = time.time_ns(), 0
        self._before: Token[TraceContext | None] | None = None

    def __enter__(self) -> Self:
        self._before = _here.set(self.context)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._before is not None:
            with suppress(ValueError):  # work that nobody waited for ends somewhere else
                _here.reset(self._before)
        self.end(kind.__name__ if kind else "", failed=kind is not None)

    def end(self, status: str = "", *, failed: bool = False) -> None:
        """It is over; the first word about that counts."""
        if self.ended or _sampler is None:
            return
        if status:
            self.notes["status"] = status
        self.ended, self.failed = time.time_ns(), failed
        _sampler.take(self)


NO_SPAN = nullcontext()
"""Stands for the span of what is not kept."""


class Sampler:
    """Decides which calls are kept, and takes their spans."""

    def __init__(
        self, take: Callable[[Span], None], share: float = 0, asked_a_second: float = float("inf")
    ) -> None:
        """`share` is of calls that nobody asks to keep; of the others some a second are kept."""
        self.take, self.share, self.rate = take, share, asked_a_second
        self._room, self._since = max(1.0, asked_a_second), time.monotonic()

    def samples(self, *, asked: bool) -> bool:
        """Whether a call that begins now is kept."""
        return (asked and self._has_room()) or random.random() < self.share  # noqa: S311 (a sample)

    def _has_room(self) -> bool:
        now = time.monotonic()
        self._room += (now - self._since) * self.rate if self.rate < float("inf") else 0
        self._room, self._since = min(self._room, max(1.0, self.rate)), now
        if not self.rate or self._room < 1:
            return False
        self._room -= 1
        return True


_sampler: Sampler | None = None


def use(sampler: Sampler | None) -> None:
    """From now on spans go there; or nowhere."""
    global _sampler  # noqa: PLW0603 (as loggers and metrics, one for a process)
    _sampler = sampler


def set_up(process: str, settings: ProcessSettings, *, decides: bool = True) -> Callable[[], None]:
    """Send spans where the settings say; what is given back sends the last of them.

    Who does not decide samples what others tell it to, and begins nothing.
    """
    if not settings.traces:
        return lambda: None
    from bree.process.spans import Sender  # noqa: PLC0415  # OpenTelemetry takes a while to import

    sender = Sender.to_collector(process, settings.traces)
    share, asked = settings.traces_share, settings.traces_a_second
    use(Sampler(sender.take, share, asked) if decides else Sampler(sender.take))
    return sender.close


# At a server.


def arrive(method: str, metadata: Pairs | None) -> bool:
    """A call has come: what this task does from now on belongs to it. Whether it is kept."""
    asked, context = False, None
    for key, value in metadata or ():
        if key == PARENT:
            context = read(value)
            asked = context is not None and context.sampled
            break
    if context is None:
        context = TraceContext(_digits(128), "", sampled=False)
    if _sampler is None:
        context.sampled = False
    else:
        _decide(context, _sampler, asked=asked)
    if context.sampled:
        span = Span(method, Kind.SERVER, context, {"method": method})
        context = span.context
        context.answering = span
    _here.set(context)
    return context.sampled


def concerns(request: Any) -> None:
    """The call that this task answers has been read, and is about this."""
    context = _here.get()
    if context is not None and context.answering is not None:
        context.answering.notes.update(subject(request))


def answered(code: str) -> None:
    """The call that this task has been answering ended with this status."""
    context = _here.get()
    if context is not None and context.answering is not None:
        context.answering.end(code, failed=code in FAILURES)


FAILURES = {"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNKNOWN", "DEADLINE_EXCEEDED"}
"""Not because of what the caller said."""


def _decide(context: TraceContext, sampler: Sampler, *, asked: bool) -> None:
    context.sampled = sampler.samples(asked=asked)
    if context.sampled and not asked:
        context.span = ""  # the caller keeps no span that this could stand below


def subject(request: Any) -> dict[str, str]:
    """What a request is about: a game, a match, and nothing else that it says."""
    said = {name: getattr(request, name, "") for name in ("game", "match")}
    return {
        name: value
        for name, value in said.items()
        if isinstance(value, str) and _NAME.fullmatch(value)
    }


# Within.


def is_sampled() -> bool:
    """Whether spans of what is done here are kept."""
    here = _here.get()
    return _sampler is not None and here is not None and here.sampled


def span(name: str, kind: Kind = Kind.CLIENT, **notes: str) -> Span | nullcontext[None]:
    """A part of the call that is being answered, as long as a `with` lasts."""
    here = _here.get()
    if _sampler is None or here is None or not here.sampled:
        return NO_SPAN
    return Span(name, kind, here, notes)


def leave() -> None:
    """What is done from here on belongs to no call."""
    _here.set(None)


def log_ids(_: object, __: str, event: Any) -> Any:
    """Add the ids of the call to a line of the log, as structlog wants it."""
    context = _here.get()
    if context is not None:
        event["trace"] = context.trace
        if context.cause:
            event["cause"] = context.cause
    return event


# Onward.


def traceparent() -> str:
    """What another part is told of this call; nothing where there is none."""
    context = _here.get()
    return "" if context is None else context.text()


def with_traceparent(metadata: Pairs) -> tuple[tuple[str, Any], ...]:
    """Metadata, with this call in it."""
    context = _here.get()
    return tuple(metadata) if context is None else (*metadata, (PARENT, context.text()))


def headers() -> dict[str, str]:
    """The same for a task."""
    context = _here.get()
    return {} if context is None else {PARENT: context.text()}


def read(text: object) -> TraceContext | None:
    """What another part has told, if that is well formed."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    return found and TraceContext(found[1], found[2], sampled=bool(int(found[3], 16) & 1))


# Later.


class LinkedTrace:
    """Work that follows from a call, in a trace of its own that is linked to that of the call."""

    def __init__(self, name: str, cause: object, **notes: str) -> None:
        """`cause` is what the call was sent on as."""
        self._cause = read(cause)
        self._name, self._notes = name, notes
        self._work: Span | nullcontext[None] = NO_SPAN

    def __enter__(self) -> None:
        cause = self._cause
        context = TraceContext(_digits(128), "", sampled=False, cause=cause.trace if cause else "")
        if _sampler is not None and (cause is None or cause.sampled):
            _decide(context, _sampler, asked=cause is not None)
            context.span = ""
        _here.set(context)
        self._work = span(self._name, Kind.CONSUMER, **self._notes)
        if isinstance(self._work, Span):
            self._work.link = cause
        self._work.__enter__()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._work.__exit__(kind, *rest)
        leave()


def _digits(bits: int) -> str:
    """An id. It is no secret."""
    return f"{random.getrandbits(bits) or 1:0{bits // 4}x}"
