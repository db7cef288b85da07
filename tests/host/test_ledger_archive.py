"""Matches that have left, in a real PostgreSQL: read as they were, and out of reach with it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import asyncpg
import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.ledger.link import Ledger
from bree.ledger.packing import pack
from bree.ledger.upgrade import upgraded
from services import rules_of
from services.host.archived_store import ArchivedStore
from services.host.in_memory_store import InMemoryStore
from services.host.ledger_archive import LedgerArchive
from services.host.settings import HostSettings
from tests.games.skirmish.rules import RULES
from tests.host.archives import Archive, creation, everything, play
from tests.host.engines import KEY, MATCH, TOKEN, Time, in_loop, refused, replica

C = grpc.StatusCode
SECONDS = 1.0


@asynccontextmanager
async def archived(url, rules=RULES):
    """A match of the ledger at this URL; what it answers, and a maker of engines for it."""
    await upgraded(url)
    time, archive, live = Time(), Archive(), InMemoryStore()
    ledger = Ledger(url, 2, SECONDS)
    create = creation(rules, MATCH, {})

    @asynccontextmanager
    async def engine():
        store = ArchivedStore(live, LedgerArchive(ledger, rules.name))
        async with replica(store, rules, time, ledger_url=url) as made:
            yield made

    async with engine() as one:
        await one.call("CreateMatch", create)
        await play(one, MATCH, time, luck=5)
        kept = await archive.take(one, MATCH)
        await one.call("SettleMatch", e.SettleMatchRequest(match=MATCH))
        before = await everything(one, MATCH, create, every=9)
        await keep(url, rules.name, *archive.matches[MATCH], kept)
        asked = e.ForgetMatchRequest(match=MATCH, head=kept.head, revision=kept.revision)
        await one.call("ForgetMatch", asked)
    assert not live.matches
    try:
        yield before, create, engine
    finally:
        await ledger.close()


async def keep(url, game, text, data, kept):
    """Write a match into the ledger."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(
            "INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc, settled)"
            " VALUES ($1, $2, 'over', 1, 2, '{}', 'counted')",
            *(MATCH, game),
        )
        await connection.execute(
            "INSERT INTO bree.records (match, record, kept, head, revision)"
            " VALUES ($1, $2, $3, $4, $5)",
            *(MATCH, pack(text.encode()), pack(data), kept.head, kept.revision),
        )
    finally:
        await connection.close()


@pytest.mark.parametrize("game", ["confrontation", "duel"])
def test_what_the_ledger_has_is_answered_as_before(database, game):
    """On every version of PostgreSQL, by an engine that has never seen the match."""

    @in_loop
    async def test():
        kept = archived(database, rules_of(game))
        async with kept as (before, create, engine), engine() as one:
            assert before == await everything(one, MATCH, create, every=9)

    test()


def test_a_match_is_looked_for_among_those_of_its_game(database):
    """Another engine knows nothing of it, as before."""

    @in_loop
    async def test():
        async with archived(database):
            ledger = Ledger(database, 2, SECONDS)
            store = ArchivedStore(InMemoryStore(), LedgerArchive(ledger, "duel"))
            async with replica(store, rules_of("duel")) as other:
                await refused(other.view(), "UNKNOWN_MATCH", C.NOT_FOUND)
            await ledger.close()

    test()


def test_a_ledger_that_dies_is_out_of_reach_until_it_is_back(own_postgres):
    """What has left is UNAVAILABLE, what begins begins; and nothing has to be started anew."""

    @in_loop
    async def test():
        with own_postgres.fresh() as url:
            async with archived(url) as (_, _, engine), engine() as one:
                standing = (await one.view()).standing
                own_postgres.kill()
                async with engine() as new:
                    await refused(new.view(), "UNAVAILABLE", C.UNAVAILABLE, part="ledger")
                    await new.call("CreateMatch", creation(RULES, "new-1", {}))
                    own_postgres.start()

                    assert standing == (await back(new)).standing

    test()


def test_a_ledger_that_is_silent_keeps_nobody_waiting_for_long(own_postgres):
    """It is there and does not answer: so it is away."""

    @in_loop
    async def test():
        with own_postgres.fresh() as url:
            async with archived(url) as (_, _, engine), engine() as one:
                own_postgres.pause()
                try:
                    await refused(one.view(), "UNAVAILABLE", C.UNAVAILABLE, part="ledger")
                    await one.call("CreateMatch", creation(RULES, "new-1", {}))
                finally:
                    own_postgres.resume()

                assert (await back(one)).standing.HasField("outcome")

    test()


async def back(engine):
    """What a match shows as soon as the ledger is there again."""
    while True:
        try:
            return await engine.view()
        except grpc.aio.AioRpcError as error:
            if error.code() is not C.UNAVAILABLE:
                raise
            await asyncio.sleep(0.05)


def test_an_engine_is_told_where_the_ledger_is_and_how_long_matches_stay():
    """Without one none leaves, whatever else is set."""

    def stay(**more):
        return HostSettings(platform_token=TOKEN, fate_key=KEY, **more).stay_ms

    assert -1 == stay() == stay(live_seconds=5)
    assert 3_600_000 == stay(ledger_url="postgresql://a/b")
    assert 500 == stay(ledger_url="postgresql://a/b", live_seconds=0.5)
    for wrong in ({"ledger_url": "redis://a/b"}, {"live_seconds": -1}):
        with pytest.raises(ValueError, match=r"ledger_url|live_seconds"):
            stay(**wrong)
