"""A ledger that is killed, paused or full: what goes on without it, and what waits for it."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.documents import State
from gateway.outbox import Outbox
from tests.gateway.stores import joined
from tests.gateway.test_ratings import over, settled
from tests.gateway.test_ratings import rating as rated
from tests.gateway.town import refusal, until
from tests.ledgers import NAME
from tests.postgres_server import PATIENCE

AWAY = ("UNAVAILABLE", {"part": "ledger"})


@pytest.fixture
def store_of(fresh_redis, own_ledger):
    return joined(fresh_redis, own_ledger, seconds=1.0)


async def patiently(caller, request):
    """Ask again while a part is away, as a client does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await caller.ask(request)
            except grpc.aio.AioRpcError as refused:
                if refused.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)


async def refused(caller, request):
    denied = await refusal(caller.ask(request))
    return denied.reason, denied.metadata


@pytest.mark.parametrize("leave", ["kill", "pause"])
async def test_matches_go_on_without_a_ledger(town, own_postgres, leave):
    """Opened, joined, begun and played to their end by whoever was here lately."""
    rosie, sam = await town.account(), await town.account()
    played = await town.running_match(rosie, sam, length=1)
    getattr(own_postgres, leave)()
    other = await town.gateway()  # which has not seen them, and finds no ledger
    for who in (rosie, sam):
        at = town.same(who, other)
        assert who.name == (await at.ask(pb.GetAccountRequest())).account.name
    match = await town.running_match(town.same(rosie, other), town.same(sam, other), length=1)
    for one in (played, match):
        await town.act(rosie, one, "red")
        await until(lambda one=one: _is_over(town, one))
    for state in (pb.MATCH_STATE_OPEN, pb.MATCH_STATE_RUNNING):
        for mine in (True, False):
            assert not (await sam.ask(pb.ListMatchesRequest(state=state, mine=mine))).matches
    open_one = await town.open_match(rosie)
    request = pb.ListMatchesRequest(state=pb.MATCH_STATE_OPEN)
    assert [open_one] == [m.id for m in (await sam.ask(request)).matches]
    for request in (
        pb.ListMatchesRequest(state=pb.MATCH_STATE_OVER),
        pb.ListMatchesRequest(mine=True),
        pb.GetMatchRequest(match="h-abcdefghij"),
        pb.GetRatingRequest(game="hopscotch"),
        pb.ListLeadersRequest(game="hopscotch"),
        pb.ClaimNameRequest(name="Rosie"),
        pb.RotateTokenRequest(),
    ):
        assert AWAY == await refused(rosie, request), request
    assert AWAY == await refused(town.nobody(), pb.CreateAccountRequest())
    own_postgres.resume() if leave == "pause" else own_postgres.start()

    assert (await patiently(town.nobody(), pb.CreateAccountRequest())).token
    listed = await patiently(rosie, pb.ListMatchesRequest(state=pb.MATCH_STATE_OVER))
    assert {played, match} == {m.id for m in listed.matches}


async def _is_over(town, match):
    return (await town.store.match(match, past=False)).state is State.OVER


@pytest.mark.parametrize("leave", ["kill", "pause"])
async def test_a_finished_match_is_settled_when_the_ledger_is_back(town, own_postgres, leave):
    """Once, with nothing lost and nothing written in between."""
    rosie, sam = await town.account(), await town.account()
    match = await over(town, rosie, sam)
    asked = pb.GetSettlementRequest(match=match)
    request = settled(match, await town.worker().ask(asked))
    getattr(own_postgres, leave)()
    denied = await refusal(town.worker().ask(request))
    assert denied.reason in ("UNAVAILABLE", "OUTCOME_UNKNOWN")
    own_postgres.resume() if leave == "pause" else own_postgres.start()
    await patiently(town.worker(), request)
    await patiently(town.worker(), request)

    assert 1 == (await rated(rosie)).matches
    assert [(1, 1, 1)] == [tuple(row) for row in own_postgres.say(
        "SELECT (SELECT count(*) FROM bree.matches), (SELECT count(*) FROM bree.records), "
        "(SELECT count(*) FROM bree.outbox WHERE kind = 'over')", database=NAME
    )]  # fmt: skip


async def test_a_ledger_without_room_refuses_and_keeps_nothing_of_it(town, own_postgres):
    """Until it has room; play and reading go on meanwhile."""
    rosie, sam = await town.account(), await town.account()
    match = await over(town, rosie, sam)
    request = settled(match, await town.worker().ask(pb.GetSettlementRequest(match=match)))
    own_postgres.say(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$",
        "CREATE TRIGGER full_disk BEFORE INSERT ON bree.rating_history "
        "EXECUTE FUNCTION full_disk()",
        database=NAME,
    )
    denied = await refusal(town.worker().ask(request))
    assert ("UNAVAILABLE", "the ledger's disk is full") == (denied.reason, denied.message)
    [kept] = own_postgres.say(
        "SELECT (SELECT count(*) FROM bree.matches) + (SELECT count(*) FROM bree.seats) "
        "+ (SELECT count(*) FROM bree.records) + (SELECT count(*) FROM bree.ratings) "
        "+ (SELECT count(*) FROM bree.outbox WHERE kind = 'over')",
        database=NAME,
    )
    assert 0 == kept[0]
    assert 0 == (await rated(rosie)).matches
    own_postgres.say("DROP TRIGGER full_disk ON bree.rating_history", database=NAME)

    assert (await town.worker().ask(request)).counted
    assert 1 == (await rated(rosie)).matches


async def test_what_was_lost_of_a_copy_is_made_good(town, own_postgres, fresh_redis, monkeypatch):
    """Whoever made the change died before it was in Redis; the outbox brings it."""
    rosie = await town.account()
    store = town.store

    async def die(_):
        raise asyncio.CancelledError

    with monkeypatch.context() as killed:
        killed.setattr(store.copies, "keep", die)
        account, old = rosie.token.partition(".")[0], (await _token(store, rosie))
        with pytest.raises(asyncio.CancelledError):
            await store.swap_token(account, old, "")
    assert {old} == await store.token_hashes(account), "the copy does not know"
    await Outbox(store, town.process.gateway.matches).deliver()

    assert set() == await store.token_hashes(account)


async def _token(store, caller):
    return (await store.credentials(caller.token.partition(".")[0])).token_hash


async def test_a_copy_is_never_replaced_by_an_older_one(town):
    """However late whoever has read the older one comes to keep it."""
    rosie, store = await town.account(), town.store
    account = rosie.token.partition(".")[0]
    older = await store._kept(account, surely=True)
    await store.swap_token(account, older.token_hash, "new")
    await store.copies.keep(older)

    assert {"new"} == await store.token_hashes(account)


async def test_a_copy_is_looked_up_again_and_believed_without_a_ledger(
    town, own_postgres, monkeypatch
):
    """One that the store has set back is not believed for long, as long as there is a ledger."""
    rosie, store = await town.account(), town.store
    account = rosie.token.partition(".")[0]
    older = await store._kept(account, surely=True)
    await store.swap_token(account, older.token_hash, "new")
    await store.copies.drop(account)
    await store.copies.keep(older)
    assert {older.token_hash} == await store.token_hashes(account)
    monkeypatch.setattr("gateway.account_copies.FRESH_SECONDS", 0)
    own_postgres.kill()
    assert {older.token_hash} == await store.token_hashes(account)
    own_postgres.start()
    await until(lambda: _is_known(store, account))


async def _is_known(store, account):
    return {"new"} == await store.token_hashes(account)
