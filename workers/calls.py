"""Calls to the other parts of the platform: which replica is asked, for how long, how often.

Design. Every call that a worker makes is safe to repeat, so one that did not get through is sent to
the next replica, and round again for a while. While none answers at all later calls go round once
only: tasks for others wait behind those that wait. What stays refused is one exception, `Failed`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import grpc
from google.protobuf.message import Message

from bree.process import traces
from bree.process.replicas import ranked
from bree.process.server import platform_metadata
from bree.process.statuses import denied_by
from workers.settings import SweeperSettings

S = TypeVar("S")
Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

DEADLINE_SECONDS = 10.0
"""No answer takes longer; one that does is lost."""

PAUSES = (0.05, 0.1, 0.2, 0.4)
"""Seconds between rounds over all replicas; the last one again and again."""

AWAY = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
"""What the next replica, or the same one later, may do better."""


class Failed(Exception):
    """A call that was refused, or that no replica answered."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str) -> None:
        self.code = code
        self.reason = reason  # a name of ErrorReason without its prefix; empty if there is none
        self.message = message
        super().__init__(f"{code.name} {reason}: {message}")

    @property
    def is_away(self) -> bool:
        """Whether nobody answered, so that the same call may succeed another time."""
        return self.code in AWAY

    @classmethod
    def of(cls, error: grpc.RpcError) -> Failed:
        """What a status says."""
        denied = denied_by(error)
        return cls(error.code(), denied.reason if denied else "", error.details() or "")


def channel(address: str, settings: SweeperSettings) -> grpc.Channel:
    """A channel to another part of the platform. It connects when it is used."""
    options = [
        ("grpc.max_receive_message_length", 8 * settings.largest_message),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1_000),
    ]
    if not settings.tls_authority:
        return grpc.insecure_channel(address, options)
    authority = Path(settings.tls_authority).read_bytes()
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(authority), options)


class Replicas(Generic[S]):
    """All replicas of one service. Each key has its own order of them, the same everywhere."""

    def __init__(
        self, addresses: Sequence[str], stub: Callable[[grpc.Channel], S], settings: SweeperSettings
    ) -> None:
        self._channels = [channel(address, settings) for address in addresses]
        self._stubs = {
            address: stub(opened) for address, opened in zip(addresses, self._channels, strict=True)
        }
        self._metadata = tuple(platform_metadata(settings))
        self._patience = settings.patience_seconds
        self._is_away = False  # all of them, as far as the last call could tell

    def ask(
        self,
        key: str,
        method: Callable[[S], grpc.UnaryUnaryMultiCallable[Request, Response]],
        request: Request,
    ) -> Response:
        """The first answer that a replica gives; `Failed` if it is a refusal, or none comes."""
        failed: grpc.RpcError | None = None
        for stub in self._tries(key):
            try:
                with traces.span(f"call {type(request).__name__.removesuffix('Request')}"):
                    metadata = traces.with_traceparent(self._metadata)
                    answer = method(stub)(request, timeout=DEADLINE_SECONDS, metadata=metadata)
            except grpc.RpcError as error:
                failed = error
                if error.code() not in AWAY:
                    break
            else:
                self._is_away = False
                return answer
        assert failed is not None
        self._is_away = failed.code() in AWAY
        raise Failed.of(failed) from failed

    def _tries(self, key: str) -> Iterator[S]:
        """The replicas in the order of this key, again and again until patience ends."""
        stubs = [self._stubs[address] for address in ranked(key, list(self._stubs))]
        until = time.monotonic() + (0 if self._is_away else self._patience)
        pauses = iter(PAUSES)
        while True:
            yield from stubs
            pause = next(pauses, PAUSES[-1])
            if time.monotonic() + pause > until:
                return
            time.sleep(pause)

    def close(self) -> None:
        """Give the connections back."""
        for opened in self._channels:
            opened.close()
