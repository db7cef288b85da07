"""A store that takes no changes: whoever asks for one is told why, and nothing has changed."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import grpc
import pytest
import redis

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied, denied_by
from bree.redis.client import Away, Unsure
from bree.redis.connection import Connection
from bree.redis.resp import ReplyError
from gateway.contract import Reservation
from gateway.documents import Account, ListEntry, Match, News, Seat, Session, State
from gateway.keys import account_key, list_key
from gateway.store import RedisStore
from tests.fake_redis import refusing_redis
from tests.gateway.stores import joined
from tests.gateway.test_ratings import over, settled
from tests.gateway.town import refusal

SAM = Account("s" * 16, "Sam", guest=True, created_ms=1)
ROSIE = Account("r" * 16, "Rosie", guest=False, created_ms=1)
PHONE = Session("phone234", "hash-p", 1, 1)
MATCH = Match("h-one", "hopscotch", (), (Seat("red", SAM.id, "Sam"),), SAM.id, "Sam", 1, "c")
OTHER = replace(MATCH, id="h-two")
TOLD = ("tell",)
REMOVES = (*TOLD, "unlist_match", "unreserve", "unlive", "finish")
"""What a full store does all the same, since it needs no room."""

WRITES = {
    "reserve": lambda s: s.reserve(SAM.id, Reservation("h-two", "digest", "q"), 5, 10),
    "unreserve": lambda s: s.unreserve(SAM.id, [ListEntry(1, "h-one")]),
    "add_match": lambda s: s.add_match(OTHER),
    "swap_match": lambda s: s.swap_match(MATCH, replace(MATCH, version=MATCH.version + 1)),
    "list_match": lambda s: s.list_match(MATCH, State.RUNNING),
    "unlist_match": lambda s: s.unlist_match(MATCH, State.OPEN),
    "enter": lambda s: s.enter(SAM.id, OTHER, 5, 10),
    "unlive": lambda s: s.unlive(SAM.id, [ListEntry(1, "h-one")]),
    "finish": lambda s: s.finish(MATCH),
    "tell": lambda s: s.tell(News("token", accounts=(SAM.id,))),
}


@pytest.fixture
def store_of(own_redis, ledger_url):
    return joined(own_redis, ledger_url)


def make_full(client, _):
    client.config_set("maxmemory", 1)


def make_a_replica(client, _):
    client.replicaof("127.0.0.1", 1)


def leave_alone(client, _):
    client.config_set("min-replicas-to-write", 1)


def break_the_disk(client, folder):
    gone = folder / "gone"
    gone.mkdir()
    client.config_set("dir", str(gone))
    gone.rmdir()
    client.config_set("save", "3600 1")
    client.bgsave()
    until = time.monotonic() + 10
    while client.info("persistence")["rdb_last_bgsave_status"] == "ok":
        assert time.monotonic() < until
        time.sleep(0.01)


REFUSALS = {
    "the store is full": (make_full, REMOVES),
    "the store is a replica, which takes no changes": (make_a_replica, TOLD),
    "the store has too few replicas": (leave_alone, TOLD),
    "the store cannot write to its disk": (break_the_disk, TOLD),
}


async def _filled(store):
    await store.reserve(SAM.id, Reservation("h-one", "digest", "p"), 1, 10)
    await store.add_match(MATCH)
    await store.list_match(MATCH, State.OPEN)
    await store.enter(SAM.id, MATCH, 1, 10)


async def _denied(write, store):
    try:
        await write(store)
    except Denied as denied:
        return denied
    return None


@pytest.mark.parametrize("words", REFUSALS)
async def test_every_write_that_is_refused_says_why_and_changes_nothing(own_redis, words):
    """Whatever the store refuses, it is never a bug; what needs no room a full one does."""
    refuse, done = REFUSALS[words]
    store = RedisStore(own_redis.url)
    with redis.Redis(port=own_redis.port) as client:
        await _filled(store)
        refuse(client, own_redis.folder)
        for name, write in WRITES.items():
            before = client.execute_command("DEBUG", "DIGEST")
            denied = await _denied(write, store)
            assert (denied is None) == (name in done), (name, denied)
            if denied:
                said = (denied.reason, denied.message, denied.metadata)
                assert ("UNAVAILABLE", words, {"part": "store"}) == said, name
                assert before == client.execute_command("DEBUG", "DIGEST"), name
    await store.close()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("LOADING Redis is loading the dataset in memory", "the store is starting"),
        ("CLUSTERDOWN The cluster is down", "the cluster of the store is down"),
        ("MASTERDOWN Link with MASTER is down", "the store has lost its master"),
        ("TRYAGAIN Multiple keys request", "the cluster of the store moves what it keeps"),
        ("BUSY Redis is busy running a script.", "the store is busy"),
        ("NOAUTH Authentication required.", "the store lets nobody in without a password"),
        ("ERR max number of clients reached", "the store has too many callers"),
    ],
)
async def test_every_write_says_so_too_whatever_the_error(error, words):
    """These need a cluster, or a moment that is hard to meet."""
    with refusing_redis(error) as url:
        store = RedisStore(url)
        for name, write in WRITES.items():
            denied = await _denied(write, store)

            assert denied, name
            assert ("UNAVAILABLE", words) == (denied.reason, denied.message), name
        await store.close()


async def test_news_that_are_refused_are_waited_for():
    """Whoever listens tries again, and it is no bug."""
    with refusing_redis("MASTERDOWN Link with MASTER is down") as url:
        store = RedisStore(url)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(store.news()), 0.5)
        await store.close()


@pytest.mark.parametrize(
    ("lost", "of_a_change"),
    [
        (Unsure("closed by server"), "OUTCOME_UNKNOWN"),
        (Away("nobody is there"), "UNAVAILABLE"),
    ],
)
async def test_a_store_that_comes_back_refusing_says_what_is_known_of_a_change(
    own_redis, monkeypatch, lost, of_a_change
):
    """If the connection was lost first, the change may have been made; not if there was none."""
    store = RedisStore(own_redis.url)
    await _filled(store)
    asked = []

    async def ask(*command):
        asked.append(command)
        raise lost if len(asked) == 1 else ReplyError("READONLY You can't write")

    for name in ("call", "call_safely"):
        monkeypatch.setattr(store._client, name, ask)
    assert (
        of_a_change == (await _denied(lambda s: s.list_match(MATCH, State.RUNNING), store)).reason
    )
    asked.clear()
    assert "UNAVAILABLE" == (await _denied(lambda s: s.match("h-one"), store)).reason
    assert 2 == len(asked)
    await store.close()


async def test_of_several_commands_the_least_sure_counts(own_redis, monkeypatch):
    """One that was refused is no reason to say that nothing was done."""
    store, asked = RedisStore(own_redis.url), []

    async def ask(*command):
        asked.append(command)
        if len(asked) % 3 == 0:
            return 1
        raise ReplyError("READONLY You can't write") if len(asked) % 3 == 1 else Unsure("closed")

    monkeypatch.setattr(store._client, "call_safely", ask)
    with pytest.raises(Denied) as caught:
        await store._many([("DEL", f"{n}") for n in range(3)], "OUTCOME_UNKNOWN")
    assert "OUTCOME_UNKNOWN" == caught.value.reason
    assert 6 == len(asked), "all of them are sent again"
    await store.close()


async def test_a_bug_within_a_fence_is_one(own_redis):
    """What Redis does not understand is no failure of the fence, which would pass."""
    store = RedisStore(own_redis.url)
    with pytest.raises(ReplyError, match="unknown command"):
        async with store.fenced():
            await store._ask("NONSENSE")
    await store.close()


async def test_what_a_lost_connection_means_depends_on_what_was_asked(own_redis):
    """What changes something may be one of several commands of a call; a look is none."""
    store = RedisStore(own_redis.url)
    await _filled(store)
    own_redis.kill()
    gone = "the store went away before it answered"
    for write in (lambda s: s.list_match(MATCH, State.RUNNING), lambda s: s.finish(MATCH)):
        denied = await _denied(write, store)
        assert ("OUTCOME_UNKNOWN", gone, {}) == (denied.reason, denied.message, denied.metadata)
    for read in (lambda s: s.match("h-one"), lambda s: s.matches(["h-one", "h-two"])):
        denied = await _denied(read, store)
        said = (denied.reason, denied.message, denied.metadata)
        assert ("UNAVAILABLE", gone, {"part": "store"}) == said
    await store.close()


async def test_a_store_that_lets_nobody_in_says_so():
    """With a password, too: that is what a connection says first."""
    with refusing_redis("WRONGPASS invalid username-password pair") as url:
        store = RedisStore(url.replace("//", "//:secret@"))
        for name, write in WRITES.items():
            denied = await _denied(write, store)
            words = "the store does not let us in"
            assert ("UNAVAILABLE", words) == (denied.reason, denied.message), name
        await store.close()


async def test_commands_of_a_call_leave_together(own_redis, monkeypatch):
    """And those of all calls of one turn: they travel, and are made durable, as one."""
    store, writes = RedisStore(own_redis.url), []
    await _filled(store)
    flush = Connection._flush

    def counted(connection):
        writes.append(len(connection._unsent))
        flush(connection)

    monkeypatch.setattr(Connection, "_flush", counted)
    found = await asyncio.gather(
        store.match(MATCH.id),
        store.add_match(MATCH),
        store.listed(MATCH.game, State.OPEN, None, 9),
        store.reservation(SAM.id, "p"),
        store.matches([MATCH.id, OTHER.id]),
    )
    assert [MATCH.id, MATCH.id] == [match.id for match in found[:2]]
    assert [6] == writes
    writes.clear()
    gone = [("ZREM", list_key(MATCH.game, state), MATCH.id) for state in State]
    assert [1, *(0 for _ in gone[1:])] == await store._many(gone, "OUTCOME_UNKNOWN")
    assert [len(gone)] == writes
    await store.close()


async def test_a_command_whose_connection_closes_before_it_leaves_is_sent_on_another(own_redis):
    """Nobody is told of it."""
    store = RedisStore(own_redis.url)
    await _filled(store)
    connection = store._client._connection
    asked = asyncio.create_task(store.match(MATCH.id))
    while not connection._unsent:  # noqa: ASYNC110
        await asyncio.sleep(0)
    connection.connection_lost(None)

    assert MATCH.id == (await asked).id
    assert connection is not store._client._connection
    connection.abort()
    await store.close()


async def test_accounts_need_no_room_in_the_store(own_redis, ledger_url):
    """The ledger has them; of an older copy is never more left than of what was taken away."""
    store = joined(own_redis, ledger_url)()
    await store.add_account(SAM, "hash")
    await store.add_session(SAM.id, PHONE, 20)
    with redis.Redis(port=own_redis.port) as client:
        assert client.exists(account_key(SAM.id))
        make_full(client, None)
        assert await store.add_account(ROSIE, "hash")
        assert await store.swap_token(SAM.id, "hash", "other")
        assert {"other", "hash-p"} == await store.token_hashes(SAM.id)
        assert 1 == await store.end_sessions(SAM.id, [PHONE.id])
        assert {"other"} == await store.token_hashes(SAM.id)
        client.config_set("maxmemory", 0)
        assert {"other"} == await store.token_hashes(SAM.id)
        assert client.exists(account_key(SAM.id))
        leave_alone(client, None)
        denied = await _denied(lambda s: s.swap_token(SAM.id, "other", ""), store)
        assert "OUTCOME_UNKNOWN" == denied.reason, "an older copy may be believed"
        client.config_set("min-replicas-to-write", 0)
    assert await store.swap_token(SAM.id, "other", "")

    assert set() == await store.token_hashes(SAM.id)
    await store.close()


async def test_a_caller_is_told_that_the_store_is_full(town, own_redis):
    """And what was there is there when it has room again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    with redis.Redis(port=own_redis.port) as client:
        client.config_set("maxmemory", 1)
        denied = await refusal(rosie.ask(pb.CreateMatchRequest(game="hopscotch", request_id="q")))
        assert ("UNAVAILABLE", "the store is full") == (denied.reason, denied.message)
        assert (await town.nobody().ask(pb.CreateAccountRequest(name="Lobelia"))).token
        client.config_set("maxmemory", 0)

    assert 1 == (await town.act(rosie, match, "red")).standing.revision
    assert (await rosie.ask(pb.RotateTokenRequest())).token


@pytest.mark.parametrize("refuse", [make_full, make_a_replica, leave_alone, break_the_disk])
async def test_no_call_ends_in_a_bug_when_the_store_refuses(town, own_redis, refuse):
    """Whatever is asked is answered, or refused as `UNAVAILABLE`; tokens change all the same."""
    rosie, sam = await town.account(), await town.account()
    open_one = await town.open_match(rosie)
    await sam.ask(pb.JoinMatchRequest(match=open_one, seat="blue"))
    running, ended = await town.running_match(rosie, sam), await over(town, rosie, sam)
    settlement = settled(ended, await town.worker().ask(pb.GetSettlementRequest(match=ended)))
    with redis.Redis(port=own_redis.port) as client:
        refuse(client, own_redis.folder)
    asked = {
        rosie: (
            pb.CreateMatchRequest(game="hopscotch", request_id="q"),
            pb.JoinMatchRequest(match=open_one, seat="red"),
            pb.AddBotRequest(match=open_one, seat="red", level="novice"),
            pb.StartMatchRequest(match=open_one),
            pb.ResignMatchRequest(match=running, seat="red", request_id="q"),
            pb.GetMatchRequest(match=ended),
            pb.ListMatchesRequest(),
            pb.RevokeTokenRequest(),
        ),
        sam: (
            pb.LeaveMatchRequest(match=open_one),
            pb.GetRatingRequest(game="hopscotch"),
            pb.RotateTokenRequest(),
        ),
        town.nobody(): (pb.CreateAccountRequest(), pb.ListGamesRequest()),
        town.worker(): (pb.GetSettlementRequest(match=ended), settlement),
    }
    said = [await _said(who, request) for who, requests in asked.items() for request in requests]

    allowed = {"NOT_ALLOWED", "SEATS_NOT_FILLED", "OUTCOME_UNKNOWN"}
    assert {"", "UNAVAILABLE"} == set(said) - allowed, said
    assert 5 <= said.count("UNAVAILABLE")


async def _said(caller, request):
    """Why a request is refused, or nothing if it is answered."""
    try:
        await caller.ask(request)
    except grpc.aio.AioRpcError as error:
        return denied_by(error).reason
    return ""


async def test_that_there_is_no_match_is_not_said_by_a_server_that_was_replaced(
    own_redis, ledger_url
):
    """One that was a primary once has nothing that others were told since, and no replicas."""
    for replicas, said in ((0, []), (1, ["UNAVAILABLE"])):
        store, refusals = joined(own_redis, ledger_url, replicas=replicas, replica_ms=20)(), []
        try:
            assert await store.match("h-nobody") is None
        except Denied as denied:
            refusals.append(denied.reason)
        await store.close()

        assert said == refusals
