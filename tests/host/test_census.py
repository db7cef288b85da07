"""What is due is counted by one engine of a game, for all of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import pytest

from services.host.census import Census, told, words_of
from services.host.store import PARTITIONS, Change, RedisStore
from tests.host.engines import in_loop

GAMES = (f"counted{n}" for n in count())
NOW, EVERY = 1_700_000_000_000, 10_000


@asynccontextmanager
async def stores(server, number: int) -> AsyncIterator[list[RedisStore]]:
    """Engines' stores of one game in which a bot's turn is due."""
    game = next(GAMES)
    opened = [RedisStore(server.url, game) for _ in range(number)]
    await due(opened[0], "m-1")
    try:
        yield opened
    finally:
        for store in opened:
            await store.close()


async def due(store: RedisStore, match: str) -> None:
    """Have a bot's turn of a new match wait since a second before now."""
    change = Change(["a"], due=[(NOW - 1000, f"bot|{match}|{NOW - 1000}")])
    assert await store.append(match, 0, change)


def counted(server) -> int:
    """How often a partition's list has been read from its beginning."""
    found = re.search(rb"cmdstat_zrangebyscore:calls=(\d+)", server.say("INFO", "commandstats"))
    return int(found[1]) if found else 0


@in_loop
async def test_of_many_engines_that_ask_at_once_one_counts(shared_redis):
    """Each partition is read once, and all are told the same."""
    async with stores(shared_redis, 8) as engines:
        before = counted(shared_redis)
        found = await asyncio.gather(*(store.census(NOW, EVERY) for store in engines))

        assert [{"bot": Census(1, NOW - 1000)}] * 8 == found
        assert counted(shared_redis) - before == PARTITIONS


@in_loop
async def test_a_count_is_good_for_as_long_as_is_said_and_no_longer(shared_redis):
    """Until then others are told it, and whoever wants it older than that counts anew."""
    async with stores(shared_redis, 2) as (one, other):
        assert {"bot": Census(1, NOW - 1000)} == await one.census(NOW, 1500)
        await due(one, "m-2")
        assert {"bot": Census(1, NOW - 1000)} == await other.census(NOW + 1500, 1500)
        assert {"bot": Census(2, NOW - 1000)} == await other.census(NOW + 1501, 1500)


@in_loop
async def test_who_wants_no_old_count_counts_at_once(shared_redis):
    """Whoever else counts meanwhile."""
    async with stores(shared_redis, 2) as (one, other):
        await one.census(NOW, 600_000)
        await due(one, "m-2")

        assert {"bot": Census(2, NOW - 1000)} == await other.census(NOW)


@in_loop
async def test_another_counts_when_the_one_whose_turn_it_is_dies(shared_redis):
    """After as long as its count would have been good."""
    async with stores(shared_redis, 3) as (dead, one, other):
        assert "" == await dead.turn_to_count(NOW, 1500)  # and nothing more is heard of it
        before = counted(shared_redis)
        async with asyncio.timeout(10):
            found = await asyncio.gather(*(s.census(NOW, 1500) for s in (one, other)))

        assert [{"bot": Census(1, NOW - 1000)}] * 2 == found
        assert counted(shared_redis) - before == PARTITIONS


@in_loop
async def test_a_count_from_the_future_is_not_believed(shared_redis):
    """A store that failed over to a machine whose clock is behind has one."""
    async with stores(shared_redis, 2) as (one, other):
        await one.census(NOW + 3_600_000, 1000)
        await due(one, "m-2")

        assert {"bot": Census(2, NOW - 1000)} == await other.census(NOW, 1000)


@in_loop
async def test_nothing_due_is_told_as_nothing(shared_redis):
    """It is a count like any other, and is not taken anew by each."""
    opened = RedisStore(shared_redis.url, next(GAMES))
    before = counted(shared_redis)

    assert [{}, {}] == [await opened.census(NOW, EVERY), await opened.census(NOW + 1, EVERY)]
    assert counted(shared_redis) - before == PARTITIONS
    await opened.close()


@pytest.mark.parametrize(
    "found", [{}, {"bot": Census(3, 17)}, {"bot": Census(1, 2), "score": Census(3, 4)}]
)
def test_a_count_is_told_in_words_and_understood(found):
    """What one engine writes another reads."""
    assert found == told(words_of(NOW, found))
