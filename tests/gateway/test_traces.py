"""What a trace tells of a gateway: the calls to its engines, and the commands to its store."""

from __future__ import annotations

from collections import Counter

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import traces
from gateway import call_context
from gateway.documents import Account, Match, Seat, State
from gateway.store import RedisStore
from tests.gateway.town import until

ASKS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def kept():
    """The spans that have ended."""
    spans = []
    traces.use(traces.Sampler(spans.append))
    yield spans
    traces.use(None)


def names(spans):
    return Counter(span.name for span in spans)


async def test_commands_are_named_and_nothing_of_them_is_told(fresh_redis, kept):
    """Scripts by their names, pipelines by their first command."""
    store = RedisStore(fresh_redis.url)
    seats = (Seat("red", account="alice"),)
    match = Match("m-1", "hopscotch", (), seats, "alice", "secret", 1, "commitment")
    traces.arrive("Service/Method", [(traces.PARENT, ASKS)])
    await store.add_match(match)
    await store.match("m-1")
    await store.matches(["m-1", "m-2"])
    await store.list_match(match, State.OPEN)
    await store.finish(match)
    await store.close()

    assert {
        "store add_match", "store HGET", "store 2 HGET", "store ZADD", "store 2 ZREM",
        "store finish",
    } <= set(names(kept))  # fmt: skip
    assert {"bree:g:", "alice", "secret"}.isdisjoint(str([vars(span) for span in kept]).split("'"))
    assert {(), ("NoScriptError",)} >= {tuple(span.notes.values()) for span in kept}


async def test_who_asks_sees_where_the_time_went(town, kept):
    """The call, its store and its engine, in one trace; and who does not ask costs nothing."""
    alice = await town.account()
    match = await town.running_match(alice, alice)

    assert [] == kept
    call = alice.channel.unary_unary(
        "/bree.gateway.v1.MatchService/GetView",
        request_serializer=pb.GetViewRequest.SerializeToString,
        response_deserializer=pb.GetViewResponse.FromString,
    )
    told = [*alice.metadata, (traces.PARENT, ASKS)]
    await call(pb.GetViewRequest(match=match), metadata=told)
    found = {span.name: span for span in kept}
    mine, asked, engine = (
        found[name]
        for name in ("MatchService/GetView", "engine GetSeatView", "EngineService/GetSeatView")
    )

    assert {ASKS.split("-")[1]} == {span.context.trace for span in kept}
    assert ASKS.split("-")[2] == mine.above.span
    assert (mine.context.span, asked.context.span) == (asked.above.span, engine.above.span)
    assert {"method": "MatchService/GetView", "match": match, "status": "OK"} == mine.notes
    looks = {"store HMGET", "store 2 HMGET", "store HGET"}
    assert looks >= {name for name in found if name.startswith("store")}


@pytest.mark.parametrize("store_of", ["ledger"], indirect=True)
async def test_the_ledger_is_seen_and_nothing_of_what_it_is_asked(store, kept):
    """What was asked for, by its name; no query, and nobody's name."""
    traces.arrive("Service/Method", [(traces.PARENT, ASKS)])
    await store.add_account(Account("a1", "Rosie Cotton"), "hash")
    assert await store.credentials("a1", surely=True)
    asked = {name: span for span in kept if (name := span.name).startswith("ledger ")}

    assert len(asked) >= 2
    assert {()} == {tuple(span.notes.values()) for span in asked.values()}
    assert "Rosie" not in str([vars(span) for span in kept])


async def test_a_watchers_own_stream_is_part_of_his_call(town, kept):
    """Whoever names a history has the past read for him alone."""
    alice = await town.account()
    match = await town.running_match(alice, alice)
    head = (await town.act(alice, match, "red")).standing.head
    told = [*alice.metadata, (traces.PARENT, ASKS)]
    request = pb.WatchMatchRequest(match=match, after_revision=1, head=head)
    watching = alice.channel.unary_stream(
        "/bree.gateway.v1.MatchService/WatchMatch",
        request_serializer=pb.WatchMatchRequest.SerializeToString,
        response_deserializer=pb.WatchMatchResponse.FromString,
    )(request, metadata=told)
    await watching.read()
    watching.cancel()
    await until(lambda: {"EngineService/Watch", "MatchService/WatchMatch"} <= set(names(kept)))
    found = {span.name: span for span in kept}

    assert found["MatchService/WatchMatch"].context.span == found["EngineService/Watch"].above.span


async def test_what_goes_on_for_everyone_belongs_to_no_call(kept):
    """A feed that a caller has begun does not end with his call, and is not part of it."""
    said = []

    async def work():
        said.append((traces.is_sampled(), traces.traceparent()))

    traces.arrive("Service/Method", [(traces.PARENT, ASKS)])
    await call_context.detached_task(work())

    assert traces.is_sampled()
    assert [(False, "")] == said
