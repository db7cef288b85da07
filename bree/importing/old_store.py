"""The store as it was before there was a ledger: its keys, and how they are gone through.

Design. What is moved is written to the ledger first and taken from here then, so whatever is found
here is still to be moved, however often an import was broken off.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

from bree.importing.report import Refused
from bree.redis.address import Place
from bree.redis.client import RedisClient
from bree.redis.clients import is_cluster
from bree.redis.resp import ReplyError

PREFIX = "bree:g:"
ACCOUNT = re.compile(r"bree:g:\{a:([^{}]+)\}")
NAME = re.compile(r"bree:g:\{n:([^{}]+)\}")
MATCH = re.compile(r"bree:g:\{m:([^{}]+)\}")
RATINGS = re.compile(r"bree:g:\{r:([^{}]+)\}:ratings")
ASKED = re.compile(r"bree:g:\{a:([^{}]+)\}:asked")

BATCH = 200
"""How many are moved together."""

SECONDS = 30.0

NO_CLUSTER = (
    "BREE_STORE_URL: a platform from before there was a ledger was never on a cluster: name the "
    "server that it is on, or its Sentinels"
)


def account_key(account: str, part: str = "") -> str:
    """The key of an account, or of one of its lists."""
    return f"{PREFIX}{{a:{account}}}{part and ':' + part}"


def code_key(code: str) -> str:
    """The key that says for which account a login code was made."""
    return f"{PREFIX}{{c:{code}}}"


def match_key(match: str, part: str = "") -> str:
    """The key of a match, or of the notes of one of its teams."""
    return f"{PREFIX}{{m:{match}}}{part and ':' + part}"


def list_key(game: str, state: str) -> str:
    """The key of the list of a game's matches in one state."""
    return f"{PREFIX}{{i:{game}}}:{state}"


def rating_key(game: str, part: str) -> str:
    """The key of a game's ratings, its leaders, or that a match is settled."""
    return f"{PREFIX}{{r:{game}}}:{part}"


class OldStore:
    """One Redis with a platform of then on it."""

    def __init__(self, url: str) -> None:
        try:
            if is_cluster(url):
                raise Refused(NO_CLUSTER)
            self.redis = RedisClient(Place(url), SECONDS)
        except ValueError as error:
            raise Refused(f"BREE_STORE_URL: {error}") from None

    async def listeners(self, games: Sequence[str]) -> int:
        """How many parts of the platform still run, as far as the store can tell."""
        channels = [PREFIX + "news", *(f"bree:{game}:moves" for game in games)]
        counted: Any = await self.redis.call("PUBSUB", "NUMSUB", *channels)
        return sum(map(int, counted[1::2]))

    async def runs(self) -> set[str]:
        """The run of this store, and those that it follows."""
        found: Any = await self.redis.call("HMGET", "{bree:epoch}", "run", "follows")
        run, follows = found
        return {run or "", *(follows or "").split()} - {""}

    async def now_ms(self) -> int:
        """The time of the store."""
        said: Any = await self.redis.call("TIME")
        seconds, micros = said
        return int(seconds) * 1000 + int(micros) // 1000

    async def found(self, key: re.Pattern[str]) -> AsyncIterator[list[str]]:
        """What the keys of one kind name, in batches."""
        glob = key.pattern.replace("\\", "").replace("([^{}]+)", "*")
        batch: list[str] = []
        async for name in self.redis.names(glob):
            if of := key.fullmatch(name):
                batch.append(of[1])
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    async def hash(self, key: str) -> dict[str, str]:
        """The fields of one key."""
        [fields] = await self.many([("HGETALL", key)])
        assert isinstance(fields, dict)
        return fields

    async def many(self, commands: Sequence[Sequence[Any]], *, whole: bool = False) -> list[Any]:
        """The replies to several commands; whole, they are done together or not at all."""
        if not commands:
            return []
        sent = [("MULTI",), *commands, ("EXEC",)] if whole else commands
        replies: Any = _allowed(await self.redis.many(sent))
        done = _allowed(replies[-1]) if whole else replies
        return [_read(command, reply) for command, reply in zip(commands, done, strict=True)]

    async def close(self) -> None:
        """Let go of the connection."""
        await self.redis.close()


def _allowed(replies: Sequence[Any]) -> Sequence[Any]:
    """The same, if nothing was refused."""
    for reply in replies:
        if isinstance(reply, ReplyError):
            raise reply
    return replies


def _read(command: Sequence[Any], reply: Any) -> Any:
    """A reply as what it stands for."""
    if command[0] != "HGETALL":
        return reply
    return dict(zip(reply[::2], reply[1::2], strict=True))
