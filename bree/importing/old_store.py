"""The store as it was before there was a ledger: its keys, and how they are gone through.

Design. What is moved is written to the ledger first and taken from here then, so whatever is found
here is still to be moved, however often an import was broken off.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

from redis.asyncio import Redis

PREFIX = "bree:g:"
ACCOUNT = re.compile(r"bree:g:\{a:([^{}]+)\}")
NAME = re.compile(r"bree:g:\{n:([^{}]+)\}")
MATCH = re.compile(r"bree:g:\{m:([^{}]+)\}")
RATINGS = re.compile(r"bree:g:\{r:([^{}]+)\}:ratings")
ASKED = re.compile(r"bree:g:\{a:([^{}]+)\}:asked")

BATCH = 200
"""How many are moved together."""

SECONDS = 30.0


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
        self.redis: Any = Redis.from_url(
            url,
            decode_responses=True,
            protocol=2,
            socket_timeout=SECONDS,
            socket_connect_timeout=SECONDS,
        )

    async def listeners(self, games: Sequence[str]) -> int:
        """How many parts of the platform still run, as far as the store can tell."""
        channels = [PREFIX + "news", *(f"bree:{game}:moves" for game in games)]
        counted = await self.redis.pubsub_numsub(*channels)
        return sum(int(count) for _, count in counted)

    async def runs(self) -> set[str]:
        """The run of this store, and those that it follows."""
        run, follows = await self.redis.hmget("{bree:epoch}", ["run", "follows"])
        return {run or "", *(follows or "").split()} - {""}

    async def now_ms(self) -> int:
        """The time of the store."""
        seconds, micros = await self.redis.time()
        return int(seconds) * 1000 + int(micros) // 1000

    async def found(self, key: re.Pattern[str]) -> AsyncIterator[list[str]]:
        """What the keys of one kind name, in batches; each at least once."""
        glob = key.pattern.replace("\\", "").replace("([^{}]+)", "*")
        batch: list[str] = []
        async for name in self.redis.scan_iter(match=glob, count=1000):
            if of := key.fullmatch(name):
                batch.append(of[1])
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    async def many(self, commands: Sequence[Sequence[Any]], *, whole: bool = False) -> list[Any]:
        """The replies to several commands; whole, they are done together or not at all."""
        if not commands:
            return []
        async with self.redis.pipeline(transaction=whole) as pipe:
            for command in commands:
                pipe.execute_command(*command)
            return list(await pipe.execute())

    async def close(self) -> None:
        """Let go of the connection."""
        await self.redis.aclose()
