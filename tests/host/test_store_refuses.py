"""A store that takes no changes: an engine says so in words, and nothing has changed."""

from __future__ import annotations

import time
from itertools import count

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.redis.connection import Quorum
from services.host.store import Away, Change, RedisStore, Unsure
from tests.fake_redis import refusing_redis
from tests.host.engines import MATCH, in_loop, refused, replica
from tests.redis_server import RedisServer

ONE = Change(lines=["good\tmove"], fields={"setup": "s"}, due=[(100, "bot|m-1|90")], head="aa")
MORE = Change(
    lines=["dark\tmove"], fields={"x": "y"}, undue=["bot|m-1|90"], due=[(1, "bot|m|1")], head="bb"
)
GAMES = (f"refused{n}" for n in count())


def make_full(server: RedisServer) -> None:
    server.say("CONFIG", "SET", "maxmemory", "1")


def make_a_replica(server: RedisServer) -> None:
    server.say("REPLICAOF", "127.0.0.1", "1")


def leave_alone(server: RedisServer) -> None:
    server.say("CONFIG", "SET", "min-replicas-to-write", "1")


def break_the_disk(server: RedisServer) -> None:
    gone = server.folder / "gone"
    gone.mkdir()
    server.say("CONFIG", "SET", "dir", str(gone))
    gone.rmdir()
    server.say("CONFIG", "SET", "save", "3600 1")
    server.say("BGSAVE")
    until = time.monotonic() + 10
    while b"rdb_last_bgsave_status:ok" in server.say("INFO", "persistence"):
        assert time.monotonic() < until
        time.sleep(0.01)


REFUSALS = {
    "the store is full": make_full,
    "the store is a replica, which takes no changes": make_a_replica,
    "the store has too few replicas": leave_alone,
    "the store cannot write to its disk": break_the_disk,
}


@pytest.mark.parametrize("words", REFUSALS)
@in_loop
async def test_a_change_that_is_refused_is_not_made(own_redis, words):
    """Neither a match that begins nor one that goes on; reading does go on."""
    store = RedisStore(own_redis.url, next(GAMES))
    await store.append("m-1", 0, ONE)
    REFUSALS[words](own_redis)
    before = own_redis.say("DEBUG", "DIGEST")
    for match, version, change, head in (
        ("m-1", 1, MORE, "aa"),
        ("m-1", 1, MORE._replace(lines=[]), "aa"),
        ("m-2", 0, ONE, ""),
    ):
        with pytest.raises(Away) as caught:
            await store.append(match, version, change, head)
        assert words == caught.value.sentence
    stored = await store.load("m-1")

    assert before == own_redis.say("DEBUG", "DIGEST")
    assert (1, ["good\tmove"]) == (stored.version, list(stored.lines))
    await store.close()
    own_redis.kill()  # without a disk it would not go when it is asked to


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("LOADING Redis is loading the dataset in memory", "the store is starting"),
        ("CLUSTERDOWN The cluster is down", "the cluster of the store is down"),
        ("TRYAGAIN Multiple keys request", "the cluster of the store moves what it keeps"),
        ("MASTERDOWN RedisClient with MASTER is down", "the store has lost its master"),
        ("BUSY Redis is busy running a script.", "the store is busy"),
        ("ERR max number of clients reached", "the store has too many callers"),
    ],
)
@in_loop
async def test_whatever_is_refused_is_away(error, words):
    """Every command of a store, those that read too."""
    with refusing_redis(error) as url:
        store = RedisStore(url, "game")
        for ask in (
            lambda: store.append("m-1", 0, ONE),
            lambda: store.load("m-1"),
            lambda: store.claim(1, 2, 3),
            lambda: store.census(1),
        ):
            with pytest.raises(Away) as caught:
                await ask()
            assert words == caught.value.sentence
        await store.close()


@in_loop
async def test_a_player_is_told_why_his_move_is_not_taken(own_redis):
    """The same move is taken once there is room, and it is one move."""
    store = RedisStore(own_redis.url, next(GAMES))
    async with replica(store) as engine:
        await engine.create()
        asked = await engine.question("gondor")
        text = asked.choices[0].action.text
        own_redis.say("CONFIG", "SET", "maxmemory", "1")
        move = ("gondor", asked.number, text, "r1")
        unavailable = ("UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)
        denied = await refused(engine.act(*move), *unavailable, part="store")
        assert "the store is full" == denied.message
        await refused(engine.create("s-match-2"), *unavailable, part="store")
        await refused(
            engine.call("Resign", e.ResignRequest(match=MATCH, seat="gondor", request_id="r2")),
            *unavailable,
            part="store",
        )
        own_redis.say("CONFIG", "SET", "maxmemory", "0")
        taken = await engine.act(*move)

        assert taken == await engine.act(*move)
    await store.close()


@in_loop
async def test_that_there_is_no_match_is_not_said_by_a_server_that_was_replaced(own_redis):
    """One that was a primary once has nothing that others were told since, and no replicas."""
    alone = RedisStore(own_redis.url, next(GAMES), quorum=Quorum(1, 20))
    async with replica(alone) as engine:
        assert await alone.load("m-1") is None
        with pytest.raises((Away, Unsure), match="too few replicas"):
            await alone.load("m-1", surely=True)
        asked = engine.call("GetRecord", e.GetRecordRequest(match="m-nobody"))
        await refused(asked, "UNAVAILABLE", grpc.StatusCode.UNAVAILABLE, part="store")
    await alone.close()
