"""What a live store has, read while it is used, and written into an empty one.

Design. A match is read by one script, its head with its log, so it is one that was acknowledged.
What is due follows from a field of the match and is not read. The gateway's documents come after
the matches of engines: whoever is said to have started is in an engine by then, and is read once
more if it was not yet. Lists come last: they are written before what they point to, and cleared
after it. Copies of accounts are left out, for the ledger has them, and so is who is here, and the
broker.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from redis.asyncio import Redis

from services.host.serialization import DUE, Due
from services.host.store import partition_of

ENGINES, GATEWAY = "{bree:*:m:*:head", "bree:g:*"
EPOCH, MARKERS, FATE = "{bree:epoch}", "{bree:epoch}:beads", "{bree:epoch}:fate"
OURS = ("{bree:*", "bree:g:*")
HEAD = re.compile(r"\{bree:(?P<game>\w+):p\d{3}\}:m:(?P<match>[^:]+):head")
OF_MATCH = re.compile(r"bree:g:\{m:(?P<match>[^}]+)\}")
LEFT_OUT = re.compile(r"bree:g:(\{a:[^}]*\}|\{h:all\})")
"""The copy of an account, and who is here."""

AT_ONCE = 500

READ_MATCH = """
local head = redis.call('HGETALL', KEYS[1])
return {head, redis.call('LRANGE', KEYS[2], 0, -1)}
"""
READ_KEY = """
local kind = redis.call('TYPE', KEYS[1]).ok
local left, value = redis.call('PTTL', KEYS[1]), false
if kind == 'string' then value = redis.call('GET', KEYS[1])
elseif kind == 'hash' then value = redis.call('HGETALL', KEYS[1])
elseif kind == 'set' then value = redis.call('SMEMBERS', KEYS[1])
elseif kind == 'list' then value = redis.call('LRANGE', KEYS[1], 0, -1)
elseif kind == 'zset' then value = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') end
return {kind, left, value}
"""


class LiveMatch(NamedTuple):
    """A match as an engine has it."""

    game: str
    match: str
    fields: dict[str, str]  # its version and its head among them
    lines: list[str]

    @property
    def head(self) -> str:
        """Of its history; empty for matches that began without."""
        return self.fields.get("head", "")


class Key(NamedTuple):
    """A key of the gateway's."""

    name: str
    kind: str
    value: Any
    until_ms: int  # when it ends; 0: never


async def matches(redis: Redis) -> AsyncIterator[LiveMatch]:
    """Every match that an engine has, each as it was at one moment."""
    async for name in _names(redis, ENGINES):
        named = HEAD.fullmatch(name)
        found = named and await match(redis, named["game"], named["match"])
        if found:
            yield found


async def match(redis: Redis, game: str, name: str) -> LiveMatch | None:
    """One match, if an engine has it."""
    home = home_of(game, name)
    keys = (f"{home}:m:{name}:head", f"{home}:m:{name}:log")
    flat, lines = await _eval(redis, READ_MATCH, *keys)
    fields = dict(zip(flat[::2], flat[1::2], strict=True))
    return LiveMatch(game, name, fields, lines) if fields else None


async def keys(redis: Redis, *, documents: bool, now_ms: int) -> AsyncIterator[Key]:
    """The gateway's documents of matches, or all other keys that it has."""
    async for name in _names(redis, GATEWAY):
        if bool(OF_MATCH.fullmatch(name)) is not documents or LEFT_OUT.fullmatch(name):
            continue
        kind, left, value = await _eval(redis, READ_KEY, name)
        if value:
            yield Key(name, kind, value, now_ms + left if left > 0 else 0)


async def _names(redis: Redis, pattern: str) -> AsyncIterator[str]:
    """Every key of this pattern, once; a scan may come upon one twice."""
    seen = set()
    async for name in redis.scan_iter(pattern, count=AT_ONCE):
        if name not in seen:
            seen.add(name)
            yield name


async def _eval(redis: Redis, script: str, *names: str) -> Any:
    run: Callable[..., Awaitable[Any]] = redis.execute_command
    return await run("EVAL", script, len(names), *names)


def home_of(game: str, name: str) -> str:
    """Where a match lives."""
    return f"{{bree:{game}:p{partition_of(name):03}}}"


# Writing.


async def put_matches(redis: Redis, found: Sequence[LiveMatch]) -> None:
    """Write matches, and what is due in them."""
    pipe = redis.pipeline(transaction=False)
    for one in found:
        home = home_of(one.game, one.match)
        pipe.hset(f"{home}:m:{one.match}:head", mapping=dict[Any, Any](one.fields))
        if one.lines:
            pipe.rpush(f"{home}:m:{one.match}:log", *one.lines)
        due = {member: Due.of(member).since for member in one.fields.get(DUE, "").split()}
        if due:
            pipe.zadd(f"{home}:due", due)
    await pipe.execute()


async def put_keys(redis: Redis, found: Sequence[Key]) -> None:
    """Write keys of the gateway's."""
    pipe = redis.pipeline(transaction=False)
    for key in found:
        pipe.execute_command(*_command(key))
        if key.until_ms:
            pipe.pexpireat(key.name, key.until_ms)
    await pipe.execute()


def _command(key: Key) -> tuple[Any, ...]:
    """What writes a key."""
    value = key.value
    if key.kind == "zset":
        value = [part for at in range(0, len(value), 2) for part in (value[at + 1], value[at])]
    write = {"string": "SET", "hash": "HSET", "set": "SADD", "list": "RPUSH", "zset": "ZADD"}
    parts = [value] if key.kind == "string" else value
    return (write[key.kind], key.name, *parts)


async def empty(redis: Redis) -> None:
    """Delete all that is Bree's."""
    for pattern in OURS:
        batch = []
        async for name in redis.scan_iter(pattern, count=AT_ONCE):
            batch.append(name)
            if len(batch) == AT_ONCE:
                await redis.unlink(*batch)
                batch = []
        if batch:
            await redis.unlink(*batch)


async def has_something(redis: Redis) -> bool:
    """Whether anything of a platform is there, but for what each process notes of its store."""
    for pattern in OURS:
        async for name in redis.scan_iter(pattern, count=AT_ONCE):
            if name not in (EPOCH, MARKERS, FATE):
                return True
    return False


async def epoch(redis: Redis) -> Mapping[str, str]:
    """What the store says of its own past."""
    kept: Mapping[Any, Any] = await redis.hgetall(EPOCH)
    return {str(name): str(value) for name, value in kept.items()}
