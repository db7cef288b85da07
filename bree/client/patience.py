"""Refusals of the gateway as exceptions, and how long a client bears with them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import grpc

from bree.client.details import infos

DOMAIN = "bree"
PREFIX = "ERROR_REASON_"

PASSING = ("UNAVAILABLE", "OUTCOME_UNKNOWN", "RATE_LIMITED", "WATCH_LAGS")
"""Reasons that go away by waiting."""

UNDONE = ("UNAVAILABLE", "RATE_LIMITED")
"""Of these, the ones that say for sure that nothing was done."""

CHANGED = "HISTORY_CHANGED"
"""The platform has lost moves: what the caller knows of the match belongs to another history."""

BROKEN = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
)
"""Codes that the network gives, without a reason, when a connection cannot be made or breaks."""

STEADY = 30.0
"""Seconds that no attempt takes to fail: when they have passed, something worked meanwhile."""


class Refused(Exception):
    """A call that failed; without a reason it was the network that failed."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """`reason` is a name of ErrorReason without its prefix."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.trace = ""  # the id of the call in the logs of the platform

    @property
    def is_passing(self) -> bool:
        """Whether the same call may succeed later."""
        return self.reason in PASSING if self.reason else self.code in BROKEN

    @property
    def is_undone(self) -> bool:
        """Whether it is certain that nothing has been done."""
        return self.reason in UNDONE

    @property
    def retry_after(self) -> float:
        """Seconds that the gateway asks to wait, or 0."""
        text = self.metadata.get("retry_after_ms", "")
        return int(text) / 1000 if text.isdecimal() else 0


def refusal(error: grpc.RpcError) -> Refused:
    """What a failed call says, by the details of its status if there are any."""
    call: Any = error  # an error of a call is the call itself
    code, message = call.code(), call.details() or ""
    for info in infos(dict(call.trailing_metadata() or ())):
        if info.domain == DOMAIN:
            return Refused(code, message, info.reason.removeprefix(PREFIX), info.metadata)
    return Refused(code, message)


Tell = Callable[[Refused | None], None]
"""Is told each failure that is borne, and `None` when it is over."""


class Patience:
    """Waits that grow from one failure to the next, until one outage has lasted too long."""

    def __init__(
        self,
        seconds: float,
        *,
        shortest: float = 0.1,
        longest: float = 5,
        tell: Tell = lambda _: None,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """An outage is counted from its first failure, however long all was well before."""
        self.seconds, self.shortest, self.longest = seconds, shortest, longest
        self._tell, self._sleep, self._now = tell, sleep, now
        self._wait = shortest
        self._began: float | None = None
        self._tried = 0.0

    def renew(self) -> None:
        """Forget all failures: something has succeeded."""
        if self._began is not None:
            self._tell(None)
        self._began, self._wait = None, self.shortest

    def bear(self, refused: Refused, *, undone: bool = False, anew: bool = False) -> None:
        """Wait for the next attempt; or raise the refusal, if another one has no chance.

        With `undone`, only what is certainly not done may be attempted again. With `anew`, the
        caller knows nothing of the match that could belong to another history.
        """
        now = self._now()
        if self._began is not None and now - self._tried > STEADY:
            self.renew()
        self._began = now if self._began is None else self._began
        may = refused.is_undone if undone else refused.is_passing
        may = may or (anew and refused.reason == CHANGED)
        wait = max(self._wait * random.uniform(0.5, 1.5), refused.retry_after)  # noqa: S311  # spread
        if not may or now + wait - self._began > self.seconds:
            raise refused
        self._tell(refused)
        self._wait = min(2 * self._wait, self.longest)
        self._sleep(wait)
        self._tried = self._now()
