"""How the store on Redis is asked: what is sent again, what a refusal means, and whose past it has.

Design. A command whose connection was lost is sent once more, and every command may be sent twice.
What Redis refuses was not carried out, unless it is the second try that is refused. That something
is not there is believed only of a store that is the one which is known.

Where replicas must have what is acknowledged, each command that may change something goes out with
a fence, which is a change of no meaning, and a `WAIT`, on one connection. So replicas have what it
did when it is answered; and what it found done, too, which may have been done on any connection.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

import structlog
from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff
from typing_extensions import override

from bree.process import metrics, scripts
from bree.process.epoch import KEYS, SCRIPT
from bree.process.statuses import Denied
from bree.process.store_monitor import StoreMonitor
from bree.redis.primaries import UNKNOWN, AsyncFollower, Course
from bree.redis.refusals import SENTENCES, word_of
from bree.redis.sentinels import Sentinels
from gateway.traced import Traced

log = structlog.get_logger()

SCRIPTS = files("gateway") / "scripts"
AWAY = (exceptions.ConnectionError, exceptions.TimeoutError)
TRIES, REST_SECONDS = 2, 0.05
"""A command whose connection was lost is sent once more, after a rest."""

FENCE = ("SET", "bree:g:fence", "1")
TOO_FEW = "the store has too few replicas"
FIRST_MARKER = 4  # among what a probe is given


def connection(url: str, connections: int = 64, retries: int = 0) -> Redis:
    """A client of Redis that notices soon when the server is away, or another is the primary."""
    sentinels = Sentinels.of(url)
    pool = BlockingConnectionPool.from_url(
        sentinels.server(UNKNOWN) if sentinels else url,
        max_connections=connections,
        timeout=5,
        decode_responses=True,
        protocol=2,
        socket_timeout=5,
        socket_connect_timeout=2,
        retry=Retry(ConstantBackoff(REST_SECONDS), retries),
        **({"sentinels": sentinels, "course": Course()} if sentinels else {}),
    )
    kinds = (_Closing, *((AsyncFollower,) if sentinels else ()), pool.connection_class)
    pool.connection_class = type("Connection", kinds, {})
    return Traced(connection_pool=pool)


class _Closing(AbstractConnection):
    """A connection that may close while a command is written to it."""

    @override
    async def _send_packed_command(self, command: Iterable[bytes]) -> None:
        try:
            await super()._send_packed_command(command)
        except RuntimeError as error:  # uvloop's word for a transport that has closed
            raise ConnectionResetError(str(error)) from error


class _Script:
    """A script, and what Redis calls it by."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class RedisLink:
    """Sends commands to one Redis server, or to the primary of several."""

    away: tuple[type[Exception], ...] = (Denied,)

    def __init__(self, url: str, replicas: int = 0, replica_ms: int = 1000) -> None:
        self.monitor: StoreMonitor | None = None  # of whoever looks after this store
        self._url = url
        self._redis = connection(url)
        self._replicas, self._replica_ms = replicas, replica_ms
        # Of a store that is one server it never changes.
        self._course: Course = self._redis.connection_pool.connection_kwargs.get("course", Course())
        self._execute: Callable[..., Awaitable[Any]] = self._redis.execute_command
        self._scripts: dict[str, _Script] = {}
        self._look = _Script(SCRIPT)

    async def _ask(self, *command: Any) -> Any:
        return await self._answer(lambda: self._execute(*command), "UNAVAILABLE")

    async def _tell(self, *command: Any) -> Any:
        if command[0] == "PUBLISH":  # there is nothing to be lost
            return await self._answer(lambda: self._execute(*command), "OUTCOME_UNKNOWN")
        return (await self._many([command], "OUTCOME_UNKNOWN"))[0]

    async def _run(
        self, name: str, keys: list[str], *arguments: Any, lost: str = "OUTCOME_UNKNOWN"
    ) -> Any:
        script, asked = self._script(name), (len(keys), *keys, *arguments)
        return await self._answer(lambda: self._call(script, asked, lost), lost)

    async def _many(self, commands: Sequence[tuple[Any, ...]], lost: str) -> list[Any]:
        return list(await self._answer(lambda: self._sent(commands, lost), lost))

    @asynccontextmanager
    async def fenced(self) -> AsyncIterator[None]:
        """What is read within cannot be lost once this has ended; else `OUTCOME_UNKNOWN`."""
        began = self._course.changes or 1
        yield
        await self.fence()
        if self._replicas and self._course.changes > began:  # it may have been read of the former
            raise Denied("OUTCOME_UNKNOWN", "the store has another primary now")

    async def fence(self) -> None:
        """Return when replicas have all that was read of this primary; else `OUTCOME_UNKNOWN`."""
        if self._replicas:
            await self._many([], "OUTCOME_UNKNOWN")

    # How commands are sent.

    async def _call(self, script: _Script, asked: tuple[Any, ...], lost: str) -> Any:
        """Run a script; Redis forgets them when it starts, and is then told the text again."""
        try:
            return (await self._sent([("EVALSHA", script.digest, *asked)], lost))[0]
        except exceptions.NoScriptError:
            return (await self._sent([("EVAL", script.text, *asked)], lost))[0]

    async def _sent(self, commands: Sequence[tuple[Any, ...]], lost: str) -> list[Any]:
        """The replies to commands, which replicas must have if a loss of them would matter."""
        is_safe = bool(self._replicas) and lost == "OUTCOME_UNKNOWN"
        if len(commands) == 1 and not is_safe:
            return [await self._execute(*commands[0])]
        pipe = self._redis.pipeline(transaction=False)
        safely = (FENCE, ("WAIT", self._replicas, self._replica_ms)) if is_safe else ()
        for command in (*commands, *safely):
            pipe.execute_command(*command)
        replies = list(await pipe.execute(raise_on_error=False))  # which would reword the errors
        done, said = replies[: len(commands)], replies[len(commands) :]
        for reply in done:
            if isinstance(reply, Exception):
                raise reply
        if is_safe:
            await self._see_to_it(*said)
        return done

    async def _see_to_it(self, fence: object, replicas: object) -> None:
        """Refuse to acknowledge what too few replicas have."""
        if fence is True and isinstance(replicas, int) and replicas >= self._replicas:
            return
        log.warning("too few replicas", wanted=self._replicas, have=replicas, fence=fence)
        metrics.STORE_UNCONFIRMED.inc()
        # Whoever has no replicas may be no primary any more: the next one is asked for anew.
        await self._redis.connection_pool.disconnect(inuse_connections=False)
        raise Denied("OUTCOME_UNKNOWN", TOO_FEW)

    async def many(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The answers to commands that change nothing."""
        return await self._many(commands, "UNAVAILABLE") if commands else []

    async def note(self, key: str, field: str, value: str) -> None:
        """Note something for good, unless it is noted already."""
        await self._tell("HSETNX", key, field, value)

    async def drop(self, key: str) -> None:
        """Have nothing under a key; a store that is full does that, too."""
        await self._tell("DEL", key)

    async def run(self, name: str, keys: list[str], *arguments: Any) -> Any:
        """Run a script that changes something."""
        return await self._run(name, keys, *arguments)

    async def _answer(self, ask: Callable[[], Awaitable[Any]], lost: str) -> Any:
        if self.monitor:
            if not self.monitor.epoch.has_looked:
                await self.prove()
            self.monitor.epoch.check()
        return await _answer(ask, lost)

    # Whether it is the store that is known.

    async def look(self, arguments: Sequence[str]) -> Sequence[Any]:
        """Ask the store what is left of its past.

        What is remembered of that from now on is what replicas have, too: else a failover without
        any loss would look like one.
        """
        is_remembered = bool(arguments[0]) or len(arguments) == FIRST_MARKER
        lost = "OUTCOME_UNKNOWN" if is_remembered else "UNAVAILABLE"
        asked = (len(KEYS), *KEYS, *arguments)
        try:
            return list(await _answer(lambda: self._call(self._look, asked, lost), lost))
        except Denied as denied:  # a look that was lost has not happened
            raise Denied("UNAVAILABLE", denied.message, part="store") from denied

    async def figures(self) -> str:
        """What Redis says of itself."""
        said = await _answer(lambda: self._execute("INFO"), "UNAVAILABLE")
        return "\n".join(f"{name}:{value}" for name, value in said.items())

    async def prove(self) -> None:
        """Refuse if this is not the store that is known: asked before anything is believed gone."""
        if self.monitor:
            await self.monitor.look()
            self.monitor.epoch.check()

    def _script(self, name: str) -> _Script:
        if name not in self._scripts:
            self._scripts[name] = _Script((SCRIPTS / f"{name}.lua").read_text(encoding="utf-8"))
            scripts.name(self._scripts[name].digest, name)
        return self._scripts[name]

    async def close(self) -> None:
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()


async def _answer(ask: Callable[[], Awaitable[Any]], lost: str) -> Any:
    """What Redis answers; `lost` is what to say of a command whose connection was lost."""
    for left in reversed(range(TRIES)):
        try:
            return await ask()
        except exceptions.RedisError as error:
            word = word_for(error)
            if word:  # what it says to a second try is no news of the first
                raise _refused(word, error, "UNAVAILABLE" if left == TRIES - 1 else lost) from None
            if not isinstance(error, AWAY):
                raise
            if not left:
                raise _went_away(error, lost) from None
            await asyncio.sleep(REST_SECONDS)
    raise AssertionError(lost)


def word_for(error: exceptions.RedisError) -> str:
    """Why Redis refused something, where the client may have put its word aside."""
    word = error.status_code or ""
    return word if word in SENTENCES else word_of(str(error))


def _refused(word: str, error: exceptions.RedisError, reason: str) -> Denied:
    log.warning("store refuses", word=word, error=str(error))
    metrics.STORE_REFUSALS.labels(word).inc()
    part = {"part": "store"} if reason == "UNAVAILABLE" else {}
    return Denied(reason, SENTENCES[word], **part)


def _went_away(error: exceptions.RedisError, reason: str) -> Denied:
    log.warning("store away", error=str(error))
    part = {"part": "store"} if reason == "UNAVAILABLE" else {}
    return Denied(reason, "the store went away before it answered", **part)
