"""A request and the reply to it, whatever the version of HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

Pairs = tuple[tuple[bytes, bytes], ...]
"""Headers, their names in small letters."""

NOTHING: Pairs = ()


def lines(pairs: Pairs) -> bytes:
    """Headers as HTTP/1.1 writes them."""
    return b"".join([b"%b: %b\r\n" % pair for pair in pairs])


class Headers:
    """Headers that are sent again and again, and so are written once."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs: Pairs = tuple((name.encode(), value.encode()) for name, value in pairs)
        self.lines = lines(self.pairs)

    def with_more(self, *pairs: tuple[str, str]) -> Headers:
        """These and others."""
        more = Headers(*pairs)
        more.pairs = self.pairs + more.pairs
        more.lines = lines(more.pairs)
        return more


@dataclass(slots=True)
class Request:
    """What somebody asks for; all of it has come."""

    method: str
    path: str  # still encoded
    headers: Mapping[str, str]  # those that came more than once are joined, as HTTP has it
    host: str  # the address that it came from
    is_tls: bool
    body: bytes = b""

    def header(self, name: str) -> str:
        """The value of a header, or nothing."""
        return self.headers.get(name, "")


class Reply(Protocol):
    """Where the answer goes. Either it is whole, or it is begun, written piece by piece, and ended.

    What is written waits while its reader is slow. Once he has gone, the task that answers is
    cancelled.
    """

    async def whole(
        self, status: int, headers: Headers, body: bytes = b"", more: Pairs = NOTHING
    ) -> None:
        """Answer at once."""

    async def begin(self, status: int, headers: Headers, more: Pairs = NOTHING) -> None:
        """Send the headers."""

    async def write(self, data: bytes) -> None:
        """Send a piece, when there is room for it."""

    async def end(self) -> None:
        """There is no more."""

    @property
    def is_begun(self) -> bool:
        """Whether anything has been sent."""


Answer = Callable[[Request, Reply], Awaitable[None]]
"""Answers a request."""


@lru_cache(maxsize=256)
def accepts(said: str, coding: str) -> bool:
    """Whether an Accept-Encoding names this coding, and not as one that is unwanted."""
    for one in said.lower().split(","):
        name, _, weight = one.partition(";")
        if name.strip() == coding:
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False
