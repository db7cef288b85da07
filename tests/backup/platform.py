"""A platform on its servers: an engine in the process of the test, and what a gateway keeps."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from redis.asyncio import Redis, RedisCluster

from bree.backup.taking import Where
from bree.ledger.packing import pack
from bree.ledger.upgrade import upgraded
from bree.redis.address import Nodes
from bree.redis.sentinels import Sentinels, primary_now
from services import rules_of
from services.host.store import RedisStore
from tests.host.archives import creation
from tests.host.engines import Replica, Time, replica
from tests.redis_server import RedisServer

RUN, GAME = "run-of-the-old-one", "confrontation"
RULES = rules_of(GAME)
NOTED = re.compile(r"\{bree:epoch\}|bree:epoch:|bree:\{\d+\}:fence")
CLOCK = {"bank_ms": 3_600_000, "move_ms": 5_000, "bot_level": "greedy"}


class Servers(NamedTuple):
    """A Redis, and the address of an empty database."""

    redis: RedisServer
    ledger: str

    @property
    def where(self) -> Where:
        return Where(self.redis.url, self.ledger)

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Any]:
        """A client of a test's own."""
        async with client(self.redis.url) as redis:
            yield redis

    @asynccontextmanager
    async def sql(self) -> AsyncIterator[Any]:
        async with self.where.sql() as connection:
            yield connection

    @asynccontextmanager
    async def engine(self, time: Time | None = None) -> AsyncIterator[Replica]:
        store = RedisStore(self.redis.url, GAME)
        try:
            async with replica(store, RULES, time, store_new=False) as engine:
                yield engine
        finally:
            await store.close()

    async def everything(self) -> dict[str, Any]:
        """All of Bree that is there, but for what processes note of it, and what they count."""
        kept = {}
        async with self.store() as redis:
            async for key in redis.scan_iter("*bree:*"):
                if not NOTED.match(key) and ":census" not in key:
                    kept[key] = await _value(redis, key)
        return kept

    async def rows(self) -> dict[str, list[Any]]:
        """All that the ledger keeps, but for what a restoring notes itself."""
        tables = "accounts", "names", "sessions", "ratings", "matches", "seats", "records", "outbox"
        async with self.sql() as sql:
            return {
                table: [tuple(row) for row in await sql.fetch(f"TABLE bree.{table}")]
                for table in tables
            }


def client(url: str) -> Any:
    """One of redis-py: of a server, of the nodes of a cluster, of whom Sentinels name now."""
    nodes, sentinels = Nodes.of(url), Sentinels.of(url)
    if nodes is not None:
        return RedisCluster(*nodes.seeds[0], decode_responses=True)
    server = sentinels.server(primary_now(sentinels)) if sentinels else url
    return Redis.from_url(server, decode_responses=True)


async def _value(redis: Any, key: str) -> Any:
    kind = await redis.type(key)
    read = {
        "string": lambda: redis.get(key),
        "hash": lambda: redis.hgetall(key),
        "set": lambda: redis.smembers(key),
        "list": lambda: redis.lrange(key, 0, -1),
        "zset": lambda: redis.zrange(key, 0, -1, withscores=True),
    }
    return kind, await read[kind]()


async def begin(servers: Servers) -> None:
    """A store that is known and a ledger with a schema, as a platform has them."""
    async with servers.store() as redis:
        await redis.hset("{bree:epoch}", mapping={"run": RUN, "place": 0, "follows": "before-it"})
        await redis.sadd("{bree:epoch}:fate", "a-fingerprint")
    await upgraded(servers.ledger)


async def play(engine: Replica, match: str, decisions: int, *, clock: bool = False) -> Any:
    """Begin a match of two people, and play a little."""
    given = creation(RULES, match, {})
    if clock:
        given.clock.bank_ms, given.clock.move_ms = CLOCK["bank_ms"], CLOCK["move_ms"]
        given.clock.bot_level = CLOCK["bot_level"]
    await engine.call("CreateMatch", given)
    return await engine.play_on(match, decisions)


async def document(redis: Any, match: str, state: str) -> None:
    """What the gateway keeps of a match."""
    kept = {"id": match, "game": GAME, "state": state, "seats": []}
    key = f"bree:g:{{m:{match}}}"
    await redis.hset(key, mapping={"version": 3, "doc": json.dumps(kept, separators=(",", ":"))})
    await redis.zadd(f"bree:g:{{i:{GAME}}}:{state}", {match: 1_700_000_000_000})


async def account(sql: Any, name: str) -> None:
    await sql.execute(
        "INSERT INTO bree.accounts (id, name, first_name, guest, created_ms, token_hash)"
        " VALUES ($1, $2, '', false, 1, 'a hash')",
        *(f"id-{name}", name),
    )
    await sql.execute("INSERT INTO bree.names VALUES ($1, $2)", name.lower(), f"id-{name}")
    await sql.execute(
        "INSERT INTO bree.outbox (kind, account, at_ms) VALUES ('account', $1, 1)", f"id-{name}"
    )


async def ended(sql: Any, match: str, record: str) -> None:
    """A match that is over, as the ledger has it."""
    await sql.execute(
        "INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc, settled)"
        " VALUES ($1, $2, 'over', 1, 2, $3, 'counted')",
        *(match, GAME, json.dumps({"id": match})),
    )
    await sql.execute(
        "INSERT INTO bree.records VALUES ($1, $2, $3, 'h', 7)",
        *(match, pack(record.encode()), pack(b"kept")),
    )
