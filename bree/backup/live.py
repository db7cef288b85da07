"""What a live store has, read while it is used, and written into an empty one.

Design. A match is read by one script, its head with its log, so it is one that was acknowledged.
What is due follows from a field of the match and is not read. The gateway's documents come after
the matches of engines: whoever is said to have started is in an engine by then, and is read once
more if it was not yet. Lists come last: they are written before what they point to, and cleared
after it. Copies of accounts are left out, for the ledger has them, and so is who is here, and the
broker. No command has keys of more than one hash tag, so a store may be a cluster.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from bree.process.epoch import FATE_KEYS, KEYS, PLACES, keys_at
from bree.redis.clients import Client
from bree.redis.connection import Command
from bree.redis.resp import Reply
from services.host.serialization import DUE, Due
from services.host.store import partition_of

ENGINES, GATEWAY = "{bree:*:m:*:head", "bree:g:*"
EPOCH, MARKERS = KEYS
HEAD = re.compile(r"\{bree:(?P<game>\w+):p\d{3}\}:m:(?P<match>[^:]+):head")
OF_MATCH = re.compile(r"bree:g:\{m:(?P<match>[^}]+)\}")
LEFT_OUT = re.compile(r"bree:g:(\{a:[^}]*\}|\{h:all\})")
"""The copy of an account, and who is here."""

PERHAPS_OURS = "*bree:*"
PLATFORM = re.compile(r"\{bree:(?!epoch\})|bree:g:")
"""The keys of a platform."""

NOTES = re.compile(r"\{bree:epoch\}|bree:epoch:\{|bree:\{\d+\}:fence$")
"""Those in which each process notes what it knows of its store, or of one server of it."""

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

    def content(self) -> tuple[str, Any]:
        """What it has, in whichever order it was told."""
        if self.kind in ("hash", "zset"):
            return self.kind, _paired(self.value)
        return self.kind, set(self.value) if self.kind == "set" else self.value


async def matches(store: Client) -> AsyncIterator[LiveMatch]:
    """Every match that an engine has, each as it was at one moment."""
    async for name in store.names(ENGINES):
        named = HEAD.fullmatch(name)
        found = named and await match(store, named["game"], named["match"])
        if found:
            yield found


async def match(store: Client, game: str, name: str) -> LiveMatch | None:
    """One match, if an engine has it."""
    home = home_of(game, name)
    keys = (f"{home}:m:{name}:head", f"{home}:m:{name}:log")
    flat, lines = await _eval(store, READ_MATCH, *keys)
    return LiveMatch(game, name, _paired(flat), lines) if flat else None


async def keys(store: Client, *, documents: bool, now_ms: int) -> AsyncIterator[Key]:
    """The gateway's documents of matches, or all other keys that it has."""
    async for name in store.names(GATEWAY):
        if bool(OF_MATCH.fullmatch(name)) is not documents or LEFT_OUT.fullmatch(name):
            continue
        found = await key(store, name, now_ms)
        if found:
            yield found


async def key(store: Client, name: str, now_ms: int) -> Key | None:
    """One key of the gateway's, if it is there."""
    kind, left, value = await _eval(store, READ_KEY, name)
    return Key(name, kind, value, now_ms + left if left > 0 else 0) if value else None


async def _eval(store: Client, script: str, *names: str) -> Any:
    return await store.call("EVAL", script, len(names), *names)


def _paired(flat: Sequence[str]) -> dict[str, str]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def home_of(game: str, name: str) -> str:
    """Where a match lives."""
    return f"{{bree:{game}:p{partition_of(name):03}}}"


# Writing.


async def put_matches(store: Client, found: Sequence[LiveMatch]) -> None:
    """Write matches, and what is due in them."""
    commands: list[Command] = []
    for one in found:
        home = home_of(one.game, one.match)
        fields = [part for field in one.fields.items() for part in field]
        commands.append(("HSET", f"{home}:m:{one.match}:head", *fields))
        if one.lines:
            commands.append(("RPUSH", f"{home}:m:{one.match}:log", *one.lines))
        due = [(Due.of(member).since, member) for member in one.fields.get(DUE, "").split()]
        commands.extend(("ZADD", f"{home}:due", *each) for each in due)
    await _do(store, commands)


async def put_keys(store: Client, found: Sequence[Key]) -> None:
    """Write keys of the gateway's."""
    await _do(store, [_command(key) for key in found])
    ends = [("PEXPIREAT", key.name, key.until_ms) for key in found if key.until_ms]
    await _do(store, ends)


def _command(key: Key) -> Command:
    """What writes a key."""
    value = key.value
    if key.kind == "zset":
        value = [part for at in range(0, len(value), 2) for part in (value[at + 1], value[at])]
    write = {"string": "SET", "hash": "HSET", "set": "SADD", "list": "RPUSH", "zset": "ZADD"}
    parts = [value] if key.kind == "string" else value
    return (write[key.kind], key.name, *parts)


async def _do(store: Client, commands: Iterable[Command]) -> list[Reply]:
    """Do all of it, and return when enough replicas have what it did."""
    done = (store.call_safely(*command) for command in commands)
    replies = await asyncio.gather(*done, return_exceptions=True)
    for reply in replies:
        if isinstance(reply, BaseException):
            raise reply
    return [reply for reply in replies if not isinstance(reply, BaseException)]


async def empty(store: Client) -> None:
    """Delete all that is Bree's."""
    batch: list[Command] = []
    async for name in store.names(PERHAPS_OURS):
        if PLATFORM.match(name) or NOTES.match(name):
            batch.append(("UNLINK", name))
        if len(batch) == AT_ONCE:
            await _do(store, batch)
            batch = []
    await _do(store, batch)


async def has_something(store: Client) -> bool:
    """Whether anything of a platform is there, but for what each process notes of its store."""
    async with aclosing(store.names(PERHAPS_OURS)) as names:
        async for name in names:
            if PLATFORM.match(name):
                return True
    return False


# Its past.


async def epoch(store: Client) -> Mapping[str, str]:
    """What the store says of its own past."""
    return await _hash(store, EPOCH)


async def pasts(store: Client) -> set[str]:
    """The runs of all servers of a cluster, and those that they follow."""
    found: set[str] = set()
    for place in await members(store, PLACES):
        kept = await _hash(store, keys_at(place)[0])
        found |= {kept.get("run", ""), *kept.get("follows", "").split()}
    return found - {""}


async def members(store: Client, name: str) -> list[str]:
    """Those of a set, in order."""
    found: Any = await store.call("SMEMBERS", name)
    return sorted(map(str, found))


async def _hash(store: Client, name: str) -> dict[str, str]:
    flat: Any = await store.call("HGETALL", name)
    return _paired(flat)


BEGIN = """
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'place', 0, 'follows', ARGV[2])
"""
BEGIN_ALL = f"""{BEGIN}
redis.call('DEL', KEYS[3], KEYS[4])
local fate = 3 + ARGV[3]
if fate > 3 then redis.call('SADD', KEYS[5], unpack(ARGV, 4, fate)) end
if #ARGV > fate then redis.call('SADD', KEYS[4], unpack(ARGV, fate + 1)) end
"""


async def begin(store: Client, run: str, follows: str, fate: Sequence[str], mark: str) -> None:
    """Give a store a run that follows others, and take a mark away: all at once, last of all.

    Every server of a cluster has that run before.
    """
    places = await store.places()
    await _do(store, [("EVAL", BEGIN, 2, *keys_at(place), run, follows) for place in places])
    names = (EPOCH, MARKERS, mark, PLACES, FATE_KEYS)
    known = ("EVAL", BEGIN_ALL, len(names), *names, run, follows)
    await _do(store, [(*known, len(fate), *fate, *places)])
