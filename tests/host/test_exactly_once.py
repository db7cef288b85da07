"""An answer counts once, though it is sent twice, lost on the way, or sent to two replicas."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.process import metrics
from bree.process.statuses import denied_by
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host.in_memory_store import InMemoryStore
from services.host.store import RedisStore
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, in_loop, refused, replica
from tests.host.stores import Faulty, picture

C = grpc.StatusCode


@asynccontextmanager
async def two(store=None):
    """Two replicas on one store, and a match that both have seen."""
    kept = store or InMemoryStore()
    async with replica(kept) as one, replica(kept) as other:
        await one.create()
        await other.view()
        yield one, other


async def settled(*calls):
    """The answers of calls made at once, or their reasons."""
    found = await asyncio.gather(*calls, return_exceptions=True)
    return [denied_by(x).reason if isinstance(x, grpc.aio.AioRpcError) else x for x in found]


@in_loop
async def test_the_same_request_gets_the_same_answer():
    """Again at once, and when the match has long gone on; on any replica, after a restart too."""
    async with two() as (one, other):
        asked = await one.question("gondor")
        act = ("gondor", asked.number, asked.choices[1].action.text, "r1")
        first = await one.act(*act)
        assert first == await one.act(*act)
        await one.play("mordor", "m1")
        revision = (await one.view()).standing.revision
        again = [await x.act(*act) for x in (one, other)]
        async with replica(one.engine.store) as third:
            again.append(await third.act(*act))
            await third.play_on()
            again.append(await third.act(*act))

        assert [first] * 4 == again
        assert revision > first.standing.revision


@in_loop
async def test_one_request_sent_many_times_at_once_is_one_act():
    """To two replicas that share a store: one entry, and everyone gets the same answer."""
    async with two() as (one, other):
        asked = await one.question("gondor")
        act = ("gondor", asked.number, "ready", "r1")
        answers = await settled(*[x.act(*act) for x in (one, other) * 10])

        assert [answers[0]] * 20 == answers
        assert 5 == answers[0].standing.revision == (await other.view()).standing.revision


@in_loop
async def test_of_two_answers_to_one_question_one_counts():
    """The other one is stale; which of them it is, the store decides."""
    for n in range(10):
        async with two() as (one, other):
            asked = await one.question("gondor")
            actions = [choice.action.text for choice in asked.choices][:2]
            calls = [
                x.act("gondor", asked.number, action, f"r{n}")
                for n, (x, action) in enumerate(zip((one, other), actions, strict=True))
            ]
            random.Random(n).shuffle(calls)
            answers = await settled(*calls)

            assert 1 == answers.count("STALE_QUESTION"), answers
            assert 5 == (await one.view()).standing.revision


@in_loop
async def test_answers_of_different_seats_at_once_both_count():
    """Whoever loses the race for the store decides again, and nobody notices."""
    async with two() as (one, other):
        lost = metrics.RACES_LOST.labels("skirmish")._value.get()
        number = (await one.question("gondor")).number
        answers = await asyncio.gather(
            one.act("gondor", number, "ready", "r1"), other.act("mordor", number, "ready", "r1")
        )

        assert sorted(a.standing.revision for a in answers) == [5, 8]
        assert lost + 1 == metrics.RACES_LOST.labels("skirmish")._value.get()


@in_loop
async def test_an_id_is_its_seats_own():
    """Two players may count their requests in the same way."""
    async with two() as (one, other):
        first = await one.play("gondor", "1")
        second = await other.play("mordor", "1")

        assert (5, 8) == (first.standing.revision, second.standing.revision)


@in_loop
async def test_an_id_that_was_used_is_not_used_for_anything_else():
    """Another action, another question, giving up: refused, whichever replica is asked."""
    async with two() as (one, other):
        asked = await one.question("gondor")
        picked = await one.act("gondor", asked.number, asked.choices[1].action.text, "r1")
        before = picture(one.engine.store)
        for engine in (other, one):
            for call in (
                engine.act("gondor", asked.number, "ready", "r1"),
                engine.act("gondor", picked.question.number, asked.choices[1].action.text, "r1"),
                engine.act("gondor", picked.question.number, "ready", "r1"),
                engine.call("Resign", e.ResignRequest(match=MATCH, seat="gondor", request_id="r1")),
            ):
                said = {"match": MATCH, "request_id": "r1"}
                await refused(call, "REQUEST_ID_REUSED", C.ALREADY_EXISTS, **said)

        assert before == picture(one.engine.store)


@in_loop
async def test_giving_up_and_aborting_are_done_once():
    """The same id again is the same answer; another one comes too late."""
    async with two() as (one, other):
        await one.create("m-abort")
        resign = e.ResignRequest(match=MATCH, seat="gondor", request_id="r1")
        abort = e.AbortRequest(match="m-abort", request_id="a1")
        for method, request in (("Resign", resign), ("Abort", abort)):
            first = await one.call(method, request)
            assert first == await other.call(method, request) == await one.call(method, request)
            request.request_id = "late"
            await refused(other.call(method, request), "MATCH_OVER", C.FAILED_PRECONDITION)


@in_loop
async def test_who_gave_up_does_not_do_so_again():
    """The match of three goes on without him."""
    async with replica() as engine:
        await engine.create(seats="3")
        resign = e.ResignRequest(match=MATCH, seat="rohan", request_id="r1")
        standing = (await engine.call("Resign", resign)).standing
        resign.request_id = "r2"
        await refused(engine.call("Resign", resign), "NOT_ASKED", C.FAILED_PRECONDITION)
        async with replica(engine.engine.store) as other:
            await refused(other.call("Resign", resign), "NOT_ASKED", C.FAILED_PRECONDITION)

        assert {"gondor", "mordor"} == set(standing.waiting)


@in_loop
async def test_a_match_created_at_once_on_two_replicas_is_one_match():
    """In the same way: the same answer. In different ways: one of them."""
    store = InMemoryStore()
    async with replica(store) as one, replica(store) as other:
        same = await settled(*[x.create() for x in (one, other) * 5])
        unlike = await settled(one.create("m-two"), other.create("m-two", rounds="1"))

        assert [same[0]] * 10 == same
        assert 1 == unlike.count("REQUEST_ID_REUSED")


@pytest.mark.parametrize("lost", ["lose_requests", "lose_replies"])
@pytest.mark.parametrize("where", ["here", "elsewhere"])
@in_loop
async def test_an_answer_whose_fate_is_unknown_is_found_out_by_asking_again(lost, where):
    """It was carried out whole or not at all, and with the same id is carried out once."""
    store = Faulty(InMemoryStore())
    async with two(store) as (one, other):
        number = (await one.question("gondor")).number
        setattr(store, lost, 1)
        call = one.act("gondor", number, "ready", "r1")
        said = {"match": MATCH, "request_id": "r1"}
        await refused(call, "OUTCOME_UNKNOWN", C.UNAVAILABLE, **said)
        answer = await (one if where == "here" else other).act("gondor", number, "ready", "r1")

        assert ["got_ready"] == [event.kind for event in answer.events]
        assert 5 == answer.standing.revision == (await one.view()).standing.revision


@in_loop
async def test_what_is_shown_after_an_unknown_outcome_is_the_truth():
    """The match in memory may be behind, and is looked up before it is shown."""
    store = Faulty(InMemoryStore())
    async with two(store) as (one, _):
        number = (await one.question("gondor")).number
        store.lose_replies = 1
        call = one.act("gondor", number, "ready", "r1")
        await refused(call, "OUTCOME_UNKNOWN", C.UNAVAILABLE)

        assert ["mordor"] == list((await one.view()).standing.waiting)
        await refused(one.act("gondor", number, "ready", "r2"), "STALE_QUESTION", C.ABORTED)
        assert 8 == (await one.play("mordor", "m1")).standing.revision


@pytest.mark.parametrize("lost", ["lose_requests", "lose_replies"])
@pytest.mark.parametrize("method", ["CreateMatch", "Resign", "Abort", "SettleMatch", "Expire"])
@in_loop
async def test_every_change_may_be_asked_again_when_its_outcome_is_unknown(method, lost):
    """The second time it is done, or has been."""
    store = Faulty(InMemoryStore())
    async with replica(store) as one:
        await one.create(clock=e.Clock(move_ms=1000))
        number = (await one.question("gondor")).number
        if method == "SettleMatch":
            await one.call("Abort", e.AbortRequest(match=MATCH, request_id="x"))
        call = {
            "CreateMatch": lambda: one.create("m-new"),
            "Resign": lambda: one.call(
                "Resign", e.ResignRequest(match=MATCH, seat="gondor", request_id="r")
            ),
            "Abort": lambda: one.call("Abort", e.AbortRequest(match=MATCH, request_id="r")),
            "SettleMatch": lambda: one.call("SettleMatch", e.SettleMatchRequest(match=MATCH)),
            "Expire": lambda: one.call(
                "Expire", e.ExpireRequest(match=MATCH, seat="gondor", question=number)
            ),
        }[method]
        one.engine.now.ms += 2000
        setattr(store, lost, 1)
        await refused(call(), "OUTCOME_UNKNOWN", C.UNAVAILABLE)
        await call()
        await call()
        found = store.inner.matches["m-new" if method == "CreateMatch" else MATCH]
        endings = [line for line in found.lines if line.startswith("host")]

        assert (method in ("Resign", "Abort", "Expire", "SettleMatch")) == len(endings)


@in_loop
async def test_a_refusal_is_never_about_the_past():
    """A replica that lags does not refuse what the match has come to."""
    async with two() as (one, other):
        first = await one.play("gondor", "r1", choice=1)
        answer = await other.act("gondor", first.question.number, "ready", "r2")

        assert 6 == answer.standing.revision
        seat = (await one.play("mordor", "m1")).standing.waiting[0]
        latest = (await one.question(seat)).number
        call = other.act(seat, latest + 7, "ready", "r3")
        await refused(call, "UNKNOWN_QUESTION", C.INVALID_ARGUMENT, latest=str(latest))


@in_loop
async def test_a_decision_costs_one_round_trip_to_the_store():
    """As long as nobody else has decided meanwhile."""
    store = Faulty(InMemoryStore())
    async with two(store) as (one, _):
        number = (await one.question("gondor")).number
        store.asked.clear()
        await one.act("gondor", number, "ready", "r1")

        assert ["append"] == [what for what in store.asked if what != "news"]


@in_loop
async def test_a_call_that_is_given_up_leaves_no_trace_in_memory():
    """Whoever hung up may have been in time or not; the next one finds out."""
    store = Slow(InMemoryStore())
    async with replica(store) as one:
        await one.create()
        number = (await one.question("gondor")).number
        store.seconds = 0.2
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await one.stub.Act(
                e.ActRequest(
                    match=MATCH, seat="gondor", question=number, action="ready", request_id="r"
                ),
                metadata=(("authorization", "Bearer the token of the platform"),),
                timeout=0.05,
            )
        store.seconds = 0
        answer = await one.act("gondor", number, "ready", "r")

        assert C.DEADLINE_EXCEEDED == caught.value.code()
        assert 5 == answer.standing.revision


class Slow(Faulty):
    """A store that takes its time for changes."""

    seconds = 0.0

    async def append(self, match, version, change, head=""):
        done = await super().append(match, version, change, head)
        await asyncio.sleep(self.seconds)
        return done


@in_loop
async def test_two_replicas_play_many_matches_to_their_ends(shared_redis):
    """On a real Redis, every request sent to both at once: each record verifies."""
    store = RedisStore(shared_redis.url, "skirmish-both")
    async with replica(store) as one, replica(store) as other:
        await asyncio.gather(*[play_twice(one, other, f"both-{n}") for n in range(8)])
        for n in range(8):
            record = parse_record((await other.record("", f"both-{n}")).text)
            assert replay(record, RULES).is_over
    await store.close()


async def play_twice(one, other, match):
    chance = random.Random(match)
    await asyncio.gather(one.create(match), other.create(match))
    while True:
        standing = (await chance.choice((one, other)).view("", match)).standing
        if standing.HasField("outcome"):
            return
        calls = []
        for seat in standing.waiting:
            asked = await other.question(seat, match)
            if asked.number:
                action = chance.choice(asked.choices).action.text
                calls += [
                    x.act(seat, asked.number, action, f"r{asked.number}", match)
                    for x in (one, other)
                ]
        answers = await settled(*calls)
        assert all(a == b for a, b in zip(answers[::2], answers[1::2], strict=True)), answers
