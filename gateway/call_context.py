"""Who calls, and until when he waits: what every transport notes before it calls the logic."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from bree.process import traces
from gateway.documents import Account, Proof

Done = TypeVar("Done")

NOBODY = Account(id="", name="")
"""Who calls what needs no account."""

account: contextvars.ContextVar[Account] = contextvars.ContextVar("account", default=NOBODY)
token_hash: contextvars.ContextVar[str] = contextvars.ContextVar("token_hash", default="")
session: contextvars.ContextVar[str] = contextvars.ContextVar("session", default="")
"""The id of the session whose token the call has, or nothing if it is the account's own token."""

scope: contextvars.ContextVar[str] = contextvars.ContextVar("scope", default="")
"""What that token may do, if that is not everything."""

address: contextvars.ContextVar[Callable[[], str]] = contextvars.ContextVar("address")
"""What tells where the call comes from, as limits for those without an account see it."""

_ends: contextvars.ContextVar[float | None] = contextvars.ContextVar("ends", default=None)


def proof() -> Proof:
    """What the caller has shown of his account."""
    return Proof(token_hash.get(), session.get())


def note_deadline(seconds_left: float | None) -> None:
    """Note how many seconds the caller still waits; none is for ever."""
    _ends.set(None if seconds_left is None else time.monotonic() + seconds_left)


def seconds_left(most: float) -> float:
    """How long a call to another part may take."""
    ends = _ends.get()
    return most if ends is None else max(0.0, min(most, ends - time.monotonic()))


def detached_task(work: Coroutine[Any, Any, Done]) -> asyncio.Task[Done]:
    """A task that works for everyone: its caller may go away, and his deadline pass."""
    context = contextvars.copy_context()
    context.run(note_deadline, None)
    context.run(traces.leave)
    return asyncio.get_running_loop().create_task(work, context=context)
