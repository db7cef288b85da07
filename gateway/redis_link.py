"""How the store on Redis is asked: what is sent again, what a refusal means, and whose past it has.

Design. A command whose connection was lost is sent once more, and every command may be sent twice.
What Redis refuses was not carried out, unless it is the second try that is refused. That something
is not there is believed only of a store that is the one which is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
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
from bree.process.redis_refusals import SENTENCES, word_of
from bree.process.statuses import Denied
from bree.process.store_monitor import StoreMonitor
from gateway.traced import Traced

log = structlog.get_logger()

SCRIPTS = files("gateway") / "scripts"
AWAY = (exceptions.ConnectionError, exceptions.TimeoutError)
TRIES, REST_SECONDS = 2, 0.05
"""A command whose connection was lost is sent once more, after a rest."""


def connection(url: str, connections: int = 64, retries: int = 0) -> Redis:
    """A client of a Redis server that notices soon when the server is away."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=5,
        decode_responses=True,
        protocol=2,
        socket_timeout=5,
        socket_connect_timeout=2,
        retry=Retry(ConstantBackoff(REST_SECONDS), retries),
    )
    pool.connection_class = type("Connection", (_Closing, pool.connection_class), {})
    return Traced(connection_pool=pool)


class _Closing(AbstractConnection):
    """A connection that may close while a command is written to it."""

    @override
    async def _send_packed_command(self, command: Iterable[bytes]) -> None:
        try:
            await super()._send_packed_command(command)
        except RuntimeError as error:  # uvloop's word for a transport that has closed
            raise ConnectionResetError(str(error)) from error


class RedisLink:
    """Sends commands to one Redis server."""

    away: tuple[type[Exception], ...] = (Denied,)

    def __init__(self, url: str) -> None:
        self.monitor: StoreMonitor | None = None  # of whoever looks after this store
        self._url = url
        self._redis = connection(url)
        self._execute: Callable[..., Awaitable[Any]] = self._redis.execute_command
        self._scripts: dict[str, Callable[..., Awaitable[Any]]] = {}
        self._look: Callable[..., Awaitable[Any]] = self._redis.register_script(SCRIPT)

    async def _ask(self, *command: Any) -> Any:
        return await self._answer(lambda: self._execute(*command), "UNAVAILABLE")

    async def _tell(self, *command: Any) -> Any:
        return await self._answer(lambda: self._execute(*command), "OUTCOME_UNKNOWN")

    async def _run(
        self, name: str, keys: list[str], *arguments: Any, lost: str = "OUTCOME_UNKNOWN"
    ) -> Any:
        return await self._answer(lambda: self._script(name)(keys, arguments), lost)

    async def _many(self, commands: Sequence[tuple[Any, ...]], lost: str) -> list[Any]:
        async def ask() -> list[Any]:
            pipe = self._redis.pipeline(transaction=False)
            for command in commands:
                pipe.execute_command(*command)
            replies = await pipe.execute(raise_on_error=False)  # which would reword the errors
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return list(replies)

        return list(await self._answer(ask, lost))

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
        """Ask the store what is left of its past."""
        return list(await _answer(lambda: self._look(KEYS, arguments), "UNAVAILABLE"))

    async def figures(self) -> str:
        """What Redis says of itself."""
        said = await _answer(lambda: self._execute("INFO"), "UNAVAILABLE")
        return "\n".join(f"{name}:{value}" for name, value in said.items())

    async def prove(self) -> None:
        """Refuse if this is not the store that is known: asked before anything is believed gone."""
        if self.monitor:
            await self.monitor.look()
            self.monitor.epoch.check()

    def _script(self, name: str) -> Callable[..., Awaitable[Any]]:
        if name not in self._scripts:
            text = (SCRIPTS / f"{name}.lua").read_text(encoding="utf-8")
            self._scripts[name] = script = self._redis.register_script(text)
            scripts.name(script.sha, name)
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
