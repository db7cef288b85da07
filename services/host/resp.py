"""The protocol that Redis speaks: commands to bytes, bytes to replies. Version 2 of it."""

from __future__ import annotations

from collections.abc import Sequence

Argument = str | int


class ReplyError(Exception):
    """Redis's own refusal of a command; its first word says which, such as NOSCRIPT."""

    @property
    def kind(self) -> str:
        """The first word of the error."""
        return str(self).partition(" ")[0]


Reply = int | str | ReplyError | list["Reply"] | None


def pack(arguments: Sequence[Argument]) -> bytes:
    """One command."""
    parts = [f"*{len(arguments)}\r\n"]
    for argument in arguments:
        text = argument if isinstance(argument, str) else str(argument)
        size = len(text) if text.isascii() else len(text.encode())
        parts.append(f"${size}\r\n{text}\r\n")
    return "".join(parts).encode()


class Replies:
    """Takes replies apart as they come in, in pieces of any size."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._wanted = 0  # until so much is held, looking again would find nothing new

    def feed(self, data: bytes) -> list[Reply]:
        """The replies that are whole now."""
        held = self._held
        held += data
        found: list[Reply] = []
        at = 0
        if len(held) >= self._wanted:
            self._wanted = 0
            try:
                while at < len(held):
                    reply, at = _reply(held, at)
                    found.append(reply)
            except _Torn as torn:
                self._wanted = torn.wanted - at
        del held[:at]
        return found


class _Torn(Exception):
    """A reply stops before its end; it cannot be whole before so many bytes are there."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted


def _reply(held: bytearray, at: int) -> tuple[Reply, int]:
    """The reply that begins here, and where it ends."""
    end = held.find(b"\r\n", at)
    if end < 0:
        raise _Torn(len(held) + 1)
    kind, line, end = held[at], held[at + 1 : end], end + 2
    if kind == _INTEGER:
        return int(line), end
    if kind == _BULK:
        return _bulk(held, int(line), end)
    if kind == _ARRAY:
        return _array(held, int(line), end)
    if kind == _STATUS:
        return line.decode(), end
    if kind == _ERROR:
        return ReplyError(line.decode()), end
    raise ReplyError(f"PROTOCOL a reply cannot begin with {chr(kind)!r}")


def _bulk(held: bytearray, size: int, at: int) -> tuple[Reply, int]:
    if size < 0:
        return None, at
    end = at + size
    if len(held) < end + 2:
        raise _Torn(end + 2)
    return held[at:end].decode(), end + 2


def _array(held: bytearray, size: int, at: int) -> tuple[Reply, int]:
    if size < 0:
        return None, at
    found = []
    for _ in range(size):
        reply, at = _reply(held, at)
        found.append(reply)
    return found, at


_STATUS, _ERROR, _INTEGER, _BULK, _ARRAY = b"+-:$*"
