"""The other end of `artist`: starts it when somebody wants a picture, and asks one at a time.

Design. Who has asked may go away; what he asked for is finished, as another answer would else be
taken for his. An artist that takes too long or dies is ended, and the next request starts another;
one that nobody has asked for a while is ended, too. How many wait is bounded.

He is started by `subprocess`, not by the loop: that copies nothing of this process, in which gRPC
has threads that do not like to be copied.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import structlog

from bree.process.retrieved import retrieve_error
from bree.process.statuses import Denied
from gateway import call_context

log = structlog.get_logger()

COMMAND = (sys.executable, "-P", "-m", "gateway.pictures.artist")
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "LD_LIBRARY_PATH", "FONTCONFIG_PATH")
"""What of the environment an artist is given: nothing that is secret."""

MOST_WAITING = 32
IDLE_SECONDS = 300.0
BUSY_MS = 2_000
"""When it is worth asking again where too many wait."""


DIED = (OSError, asyncio.IncompleteReadError)
"""What is found of an artist that is no more."""


class Unable(Exception):
    """It takes something to draw this that is not here; to ask again will not help."""


class Artist(NamedTuple):
    """The process that draws, and the wire to it."""

    process: subprocess.Popen[bytes]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def is_there(self) -> bool:
        """Whether he lives, as far as one can see."""
        return self.process.poll() is None


class Studio:
    """One artist, or none while nobody wants anything."""

    def __init__(self, seconds: float, command: Sequence[str] = COMMAND) -> None:
        self.seconds, self.command = seconds, command
        self.idle_seconds = IDLE_SECONDS
        self._artist: Artist | None = None
        self._lock = asyncio.Lock()
        self._working: set[asyncio.Task[bytes]] = set()
        self._idle: asyncio.TimerHandle | None = None

    @property
    def process_id(self) -> int:
        """The process that draws; 0 if there is none."""
        return self._artist.process.pid if self._artist and self._artist.is_there else 0

    async def ask(self, body: bytes = b"", **asked: Any) -> bytes:
        """What the artist makes of it."""
        if len(self._working) >= MOST_WAITING:
            raise _busy()
        task = asyncio.get_running_loop().create_task(self._asked(asked, body))
        self._working.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    def _forget(self, task: asyncio.Task[bytes]) -> None:
        self._working.discard(task)
        retrieve_error(task)

    async def _asked(self, asked: dict[str, Any], body: bytes) -> bytes:
        async with self._lock:
            try:
                async with asyncio.timeout(self.seconds):
                    return await self._answer_of_any(asked, body)
            except (TimeoutError, *DIED) as error:
                log.warning("picture failed", why=type(error).__name__, **_told(asked))
                await self._end()
                why = "this picture could not be drawn in time"
                raise Denied("UNAVAILABLE", why, part="pictures") from None
            except asyncio.CancelledError:
                await self._end()
                raise

    async def _answer_of_any(self, asked: dict[str, Any], body: bytes) -> bytes:
        """Of the artist who is here; if he has died meanwhile, of another."""
        if self.process_id and "film" not in asked:
            try:
                return await self._answer(asked, body)
            except DIED:
                await self._end()
        return await self._answer(asked, body)

    async def _answer(self, asked: dict[str, Any], body: bytes) -> bytes:
        artist = await self._ready()
        head = json.dumps({**asked, "bytes": len(body)}).encode()
        artist.writer.write(head + b"\n" + body)
        await artist.writer.drain()
        answer = await _heard(artist)
        self._rest()
        return answer

    async def _ready(self) -> Artist:
        if self._artist is None or not self._artist.is_there:
            await self._end()
            self._artist = await self._hired()
            try:
                await _heard(self._artist)
            except Unable:
                await self._end()
                raise
        return self._artist

    async def _hired(self) -> Artist:
        given = {name: os.environ[name] for name in KEPT if name in os.environ}
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: ASYNC220, S603 (it is ours, and begins at once)
                self.command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                env=given,
                start_new_session=True,  # whoever stops the gateway by a key stops him by the wire
            )
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        return Artist(process, reader, writer)

    def _rest(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(self.idle_seconds, self._let_go)

    def _let_go(self) -> None:
        if not self._working:
            call_context.detached_task(self._end())

    async def _end(self) -> None:
        artist, self._artist = self._artist, None
        if artist is None:
            return
        artist.writer.close()
        artist.process.kill()
        await asyncio.to_thread(artist.process.wait)

    async def close(self) -> None:
        """End it."""
        if self._idle is not None:
            self._idle.cancel()
        for task in list(self._working):
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        await self._end()


async def _heard(artist: Artist) -> bytes:
    """The next answer."""
    line = await artist.reader.readline()
    if not line.endswith(b"\n"):
        raise asyncio.IncompleteReadError(line, None)
    said = json.loads(line)
    body = await artist.reader.readexactly(said["bytes"])
    for why in ("missing", "refused"):
        if why in said:
            raise Unable(said[why])
    return body


def _busy() -> Denied:
    why = "too many pictures are being drawn: ask again in a while"
    return Denied("UNAVAILABLE", why, part="pictures", retry_after_ms=BUSY_MS)


def _told(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: asked[name] for name in ("game", "form", "width") if name in asked}
