"""What is worth something once and for minutes, in Redis.

Design. All of an owner's is one hash, so that how much that is can be bounded, and a script stays
on one server of a cluster. Whoever takes something has it alone, even if his answer is lost: then
it is gone, and he begins again.
"""

from __future__ import annotations

from gateway.keys import once_key
from gateway.redis_link import RedisLink

AWAY = "UNAVAILABLE"
"""What is said of something that was to be kept: nobody was told yet what it is good for."""


class OnceOnRedis(RedisLink):
    """The part of a `keyring.KeyringStore` that is on one Redis server."""

    async def keep_once(self, owner: str, name: str, value: str, ms: int, most: int) -> None:
        await self._run("keep_once", [once_key(owner)], name, ms, most, value, lost=AWAY)

    async def take_once(self, owner: str, name: str) -> str:
        return str(await self._run("take_once", [once_key(owner)], name) or "")

    async def guess_once(self, owner: str, name: str, guess: str, tries: int) -> str | None:
        rest = await self._run("guess_once", [once_key(owner)], name, guess, tries)
        return None if rest is None else str(rest)

    async def count_once(self, owner: str, ms: int, most: int) -> bool:
        return bool(await self._run("count_once", [once_key(owner, "count")], ms, most, lost=AWAY))
