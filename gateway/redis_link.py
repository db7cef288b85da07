"""How the store on Redis is asked: what is sent again, what a refusal means, and whose past it has.

Design. A command whose connection was lost is sent once more, and every command may be sent twice.
What Redis refuses was not carried out, unless it is the second try that is refused, and the first
may have been. What was never sent is told as what was lost all the same: it may have been one of
several that a call needs. That something is not there is believed only of a store that is the one
which is known.

Where replicas must have what is acknowledged, they have what a command did when it is answered; and
what it found done, too, which may have been done on any connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Any

import structlog

from bree.process import metrics
from bree.process.statuses import Denied
from bree.process.store_monitor import StoreMonitor
from bree.redis.client import NO_PRIMARY, Away, Quorum, Unsure
from bree.redis.clients import client_of
from bree.redis.connection import TOO_FEW, Command
from bree.redis.past import Past
from bree.redis.refusals import SENTENCES, word_of
from bree.redis.resp import Argument, ReplyError
from bree.redis.script import Script

log = structlog.get_logger()

SCRIPTS = files("gateway") / "scripts"
LOST = "OUTCOME_UNKNOWN"
TRIES, REST_SECONDS = 2, 0.05
"""A command whose connection was lost is sent once more, after a rest."""

SILENT_SECONDS = 5.0
"""After so long without an answer a connection is given up."""

WENT_AWAY = "the store went away before it answered"
REPLACED = "the store has another primary now"


class RedisLink:
    """Sends commands to one Redis server, to the primary of several, or to a cluster."""

    away: tuple[type[Exception], ...] = (Denied,)

    def __init__(self, url: str, replicas: int = 0, replica_ms: int = 1000) -> None:
        self.monitor: StoreMonitor | None = None  # of whoever looks after this store
        self._client = client_of(url, SILENT_SECONDS, Quorum(replicas, replica_ms, finds=True))
        self._past = Past(self._client)
        self._scripts: dict[str, Script] = {}

    async def _ask(self, *command: Argument) -> Any:
        return await self._answer(lambda: self._client.call(*command), "UNAVAILABLE")

    async def _tell(self, *command: Argument) -> Any:
        return await self._answer(lambda: self._client.call_safely(*command), LOST)

    async def _run(self, name: str, keys: list[str], *arguments: Argument, lost: str = LOST) -> Any:
        script, client = self._script(name), self._client
        send = client.call_safely if lost == LOST else client.call
        return await self._answer(lambda: script.run(send, keys, arguments), lost)

    async def _many(self, commands: Sequence[Command], lost: str) -> list[Any]:
        """The answers to commands that go out together."""
        return list(await self._answer(lambda: self._sent(commands, lost), lost))

    async def _sent(self, commands: Sequence[Command], lost: str) -> list[Any]:
        if lost != LOST:
            return _whole(await self._client.many(commands))
        sent = (self._client.call_safely(*command) for command in commands)
        return _whole(await asyncio.gather(*sent, return_exceptions=True))

    async def many(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to commands that change nothing."""
        return await self._many(commands, "UNAVAILABLE") if commands else []

    async def note(self, key: str, field: str, value: str) -> None:
        """Note something for good, unless it is noted already."""
        await self._tell("HSETNX", key, field, value)

    async def drop(self, key: str) -> None:
        """Have nothing under a key; a store that is full does that, too."""
        await self._tell("DEL", key)

    async def run(self, name: str, keys: list[str], *arguments: Argument) -> Any:
        """Run a script that changes something."""
        return await self._run(name, keys, *arguments)

    @asynccontextmanager
    async def fenced(self) -> AsyncIterator[None]:
        """What is read within cannot be lost once this has ended; else `OUTCOME_UNKNOWN`."""
        try:
            async with self._client.fenced():
                yield
        except (Away, Unsure, ReplyError) as error:
            raise _unconfirmed(error) from None

    def _script(self, name: str) -> Script:
        if name not in self._scripts:
            self._scripts[name] = Script.read(SCRIPTS, name)
        return self._scripts[name]

    async def _answer(self, ask: Callable[[], Awaitable[Any]], lost: str) -> Any:
        if self.monitor:
            if not self.monitor.epoch.has_looked:
                await self.prove()
            self.monitor.check()
        return await _answer(ask, lost)

    # Whether it is the store that is known.

    async def look(self, arguments: Sequence[str], place: str = "") -> Sequence[Any]:
        """Ask the store what is left of its past."""
        return list(await self._looked(lambda: self._past.look(arguments, place)))

    async def places(self) -> Mapping[str, bool]:
        """Where else there is a past to be looked at, and whether one has begun there."""
        return dict(await self._looked(self._past.places))

    async def begin(self, place: str) -> None:
        """Note that one has begun there."""
        await self._looked(lambda: self._past.begin(place))

    async def _looked(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await _answer(ask, LOST)
        except Denied as denied:  # a look that was lost has not happened
            raise Denied("UNAVAILABLE", denied.message, part="store") from denied

    async def misnamed(self) -> str:
        """Why the URL must name the store in another way; nothing of one that is away."""
        with suppress(Denied):
            return str(await _answer(self._client.misnamed, "UNAVAILABLE"))
        return ""

    async def figures(self) -> str:
        """What Redis says of itself."""
        return str(await _answer(self._client.figures, "UNAVAILABLE"))

    async def prove(self) -> None:
        """Refuse if this is not the store that is known: asked before anything is believed gone."""
        if self.monitor:
            await self.monitor.look()
            self.monitor.check()

    async def close(self) -> None:
        await self._client.close()


def _whole(replies: Sequence[Any]) -> list[Any]:
    """All replies, if nothing has gone wrong; else what is the least sure of that is raised."""
    for kind in (Unsure, Away, BaseException):
        for reply in replies:
            if isinstance(reply, kind):
                raise reply
    return list(replies)


async def _answer(ask: Callable[[], Awaitable[Any]], lost: str) -> Any:
    """What Redis answers; `lost` is what to say of a command whose connection was lost."""
    reason = "UNAVAILABLE"  # as long as it is sure that nothing was carried out
    for left in reversed(range(TRIES)):
        try:
            return await ask()
        except (Away, Unsure, ReplyError) as error:
            refusal = error.__cause__ if isinstance(error, Away) else error
            if isinstance(refusal, ReplyError) and (word := word_of(str(refusal))):
                # What it says to a second try is no news of the first.
                raise _refused(word, refusal, reason) from None
            if isinstance(error, ReplyError):
                raise
            if not left or TOO_FEW in str(error):
                raise _went_away(error, lost) from None
            reason = lost if isinstance(error, Unsure) else reason
            await asyncio.sleep(REST_SECONDS)
    raise AssertionError(lost)


def _unconfirmed(error: Away | Unsure | ReplyError) -> Exception:
    """What it means that what was read is not confirmed."""
    if not isinstance(error, ReplyError):
        return _went_away(error, LOST)
    word = word_of(str(error))
    if error.kind in NO_PRIMARY:  # the one that is may never have had it
        return Denied(LOST, REPLACED)
    return _refused(word, error, LOST) if word else error


def _refused(word: str, error: ReplyError, reason: str) -> Denied:
    log.warning("store refuses", word=word, error=str(error))
    metrics.STORE_REFUSALS.labels(word).inc()
    return _denied(reason, SENTENCES[word])


def _went_away(error: Away | Unsure, reason: str) -> Denied:
    log.warning("store away", error=str(error))
    if TOO_FEW in str(error):
        return _denied(reason, TOO_FEW)
    refused = error.refused if isinstance(error, Unsure) else None
    return _denied(reason, SENTENCES.get(word_of(str(refused or "")), WENT_AWAY))


def _denied(reason: str, sentence: str) -> Denied:
    return Denied(reason, sentence, **({"part": "store"} if reason == "UNAVAILABLE" else {}))
