"""RESP2, the protocol of Redis: commands to bytes, bytes to replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import hiredis

Argument = str | int


class ReplyError(Exception):
    """Redis's own refusal of a command; its first word says which, such as NOSCRIPT."""

    @property
    def kind(self) -> str:
        """The first word of the error."""
        return str(self).partition(" ")[0]


Reply = int | str | ReplyError | list["Reply"] | None

INCOMPLETE: Final = object()
"""Stands for a reply whose end has not come yet."""


def pack(arguments: Sequence[Argument]) -> bytes:
    """One command."""
    packed: bytes = hiredis.pack_command(tuple(arguments))  # type: ignore[arg-type]  # of any length
    return packed


class Replies:
    """Takes replies apart as they come in, in pieces of any size."""

    def __init__(self) -> None:
        self._reader = hiredis.Reader(
            replyError=ReplyError, encoding="utf-8", notEnoughData=INCOMPLETE
        )

    def feed(self, data: bytes) -> list[Reply]:
        """The replies that are whole now."""
        self._reader.feed(data)
        found: list[Reply] = []
        try:
            while (reply := self._reader.gets()) is not INCOMPLETE:
                found.append(reply)
        except hiredis.ProtocolError as error:
            raise ReplyError(f"PROTOCOL {error}") from error
        return found
