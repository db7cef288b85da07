"""Clocks in matches: what seats see of them, and what happens when time is out."""

from __future__ import annotations

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host.in_memory_store import InMemoryStore
from services.host.serialization import Due
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, START, Time, in_loop, refused, replica
from tests.host.stores import picture

C = grpc.StatusCode
EACH = e.Clock(move_ms=1000)
CLAIM = e.ClaimDueRequest(limit=50, lease_ms=1000)


def expire(seat, question):
    return e.ExpireRequest(match=MATCH, seat=seat, question=question)


def clocks(standing):
    """By seat: what is left, and when it is over, in ms since the match began."""
    return {
        clock.seat: (
            clock.left_ms,
            clock.expires.ToMilliseconds() - START if clock.HasField("expires") else None,
        )
        for clock in standing.clocks
    }


@in_loop
async def test_a_match_without_a_clock_waits_for_ever():
    """Nothing is ever over, and nothing is due."""
    async with replica() as engine:
        await engine.create()
        number = (await engine.question("gondor")).number
        engine.engine.now.ms += 10**9
        response = await engine.call("Expire", expire("gondor", number))

        assert not response.expired
        assert not response.standing.clocks
        assert {} == engine.engine.store.due


@in_loop
async def test_everyone_sees_how_much_time_is_left():
    """Of a seat that is asked, also until when."""
    async with replica() as engine:
        await engine.create(clock=e.Clock(bank_ms=60_000, move_ms=500))
        engine.engine.now.ms += 200
        before = (await engine.view("gondor")).standing
        after = (await engine.play("gondor", "r1")).standing

        assert {"gondor": (60_300, 60_500), "mordor": (60_300, 60_500)} == clocks(before)
        assert {"gondor": (60_300, None), "mordor": (60_300, 60_500)} == clocks(after)


@in_loop
async def test_every_replica_finds_the_same_times():
    """They follow from when entries were made, which is stored."""
    time = Time()
    async with replica(now=time) as engine:
        await engine.create(clock=e.Clock(bank_ms=60_000, move_ms=500))
        for n in range(6):
            time.ms += 137
            standing = (await engine.view()).standing
            await engine.play(standing.waiting[0], f"r{n}")
        async with replica(engine.engine.store, now=time) as other:
            assert (await engine.view()) == (await other.view())


@in_loop
async def test_a_clock_is_due_when_it_runs_out():
    """And no more once the question is answered."""
    async with replica() as engine:
        await engine.create(clock=EACH)
        number = (await engine.question("gondor")).number
        assert not (await engine.call("ClaimDue", CLAIM)).due
        await engine.play("gondor", "r1")
        engine.engine.now.ms += 1000
        (due,) = (await engine.call("ClaimDue", CLAIM)).due

        assert (e.DUE_KIND_CLOCK, "mordor", number) == (due.kind, due.seat, due.question)
        assert START + 1000 == due.since.ToMilliseconds()
        assert [] == engine.dispatch.sent  # nobody can do anything before the time


@in_loop
async def test_a_seat_whose_time_is_out_forfeits():
    """Not a moment before; it is an entry of the record, and done once."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create(clock=EACH)
        number = (await engine.question("gondor")).number
        engine.engine.now.ms += 999
        early = await engine.call("Expire", expire("gondor", number))
        assert not early.expired
        engine.engine.now.ms += 1
        response = await engine.call("Expire", expire("gondor", number))
        record = parse_record((await engine.record()).text)
        again = await other.call("Expire", expire("gondor", number))

        assert response.expired
        assert t.ENDING_FINISHED == response.standing.outcome.ending
        assert ("host", "expire gondor") == record.entries[-1][:2]
        assert replay(record, RULES).is_over
        assert not again.expired
        assert ["score"] == [due.kind for due in engine.dispatch.sent]


@in_loop
async def test_a_question_that_was_answered_in_time_does_not_expire():
    """Nor one that was answered late, before anyone came to end it."""
    async with replica() as engine:
        await engine.create(clock=EACH)
        number = (await engine.question("gondor")).number
        engine.engine.now.ms += 5000
        await engine.play("gondor", "late")
        before = picture(engine.engine.store)
        response = await engine.call("Expire", expire("gondor", number))

        assert not response.expired
        assert before == picture(engine.engine.store)


@in_loop
async def test_a_bot_takes_over_a_seat_whose_time_is_out():
    """If that was agreed: its turn is due, its time passes no more, the match goes on."""
    async with replica() as engine:
        await engine.create(clock=e.Clock(move_ms=1000, bot_level="greedy"))
        number = (await engine.question("gondor")).number
        engine.engine.now.ms += 1000
        response = await engine.call("Expire", expire("gondor", number))
        due = Due("bot_turn", MATCH, "gondor", number, "greedy", START + 1000)

        assert response.expired
        assert (4, ["gondor", "mordor"]) == (
            response.standing.revision,
            list(response.standing.waiting),
        )
        assert [due] == engine.dispatch.sent
        assert {"gondor": (1000, None), "mordor": (0, 1000)} == clocks(response.standing)
        await engine.play_on(most=8)
        assert {"greedy"} == {one.level for one in engine.dispatch.sent if one.kind == "bot_turn"}
        assert len(engine.dispatch.sent) > 1
        assert all(not m.startswith("clock") or "mordor" in m for m in engine.engine.store.due)


@in_loop
async def test_a_bot_that_took_over_is_known_everywhere_and_after_a_restart():
    """It stands in the head of the match; who watches is told that time has stopped."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create(clock=e.Clock(move_ms=1000, bot_level="greedy"))
        number = (await other.question("gondor")).number
        call = other.watch(after=4)
        await call.read()
        engine.engine.now.ms += 1000
        response = await engine.call("Expire", expire("gondor", number))
        update = await call.read()

        assert clocks(response.standing)["gondor"] == clocks(update.standing)["gondor"]
        assert clocks((await other.view()).standing)["gondor"] == (1000, None)
        assert not (await other.call("Expire", expire("gondor", number))).expired
        await other.play("gondor", "r1")
        async with replica(engine.engine.store, now=engine.engine.now) as third:
            assert clocks((await third.view()).standing)["gondor"] == (1000, None)
            await third.play_on(most=6)
            assert {"greedy"} == {
                one.level for one in third.dispatch.sent if one.kind == "bot_turn"
            }


@in_loop
async def test_a_hosted_bot_is_never_out_of_time():
    """If workers are late it is not the bot's fault, nor its opponent's luck."""
    async with replica() as engine:
        await engine.create(levels={"mordor": "greedy"}, clock=EACH)
        number = (await engine.question("mordor")).number
        engine.engine.now.ms += 100_000

        assert not (await engine.call("Expire", expire("mordor", number))).expired
        assert (await engine.call("Expire", expire("gondor", number))).expired


@in_loop
async def test_the_answer_to_a_request_has_the_times_it_had():
    """Whenever it is sent again, and though a bot has taken over since."""
    async with replica() as engine:
        await engine.create(clock=e.Clock(bank_ms=5000, bot_level="greedy"))
        asked = await engine.question("gondor")
        act = ("gondor", asked.number, asked.choices[1].action.text, "r1")
        engine.engine.now.ms += 300
        first = await engine.act(*act)
        engine.engine.now.ms += 9000
        assert (await engine.call("Expire", expire("gondor", first.question.number))).expired
        await engine.play_on(most=3)
        async with replica(engine.engine.store, now=engine.engine.now) as other:
            assert [first, first] == [await x.act(*act) for x in (engine, other)]

        assert (4700, 5000) == clocks(first.standing)["gondor"]


@pytest.mark.parametrize("seats", ["2", "3"])
@in_loop
async def test_time_out_is_decided_once_though_many_come(seats):
    """Two replicas, and sweepers that overlap."""
    store = InMemoryStore()
    time = Time()
    async with replica(store, now=time) as one, replica(store, now=time) as other:
        await one.create(clock=EACH, seats=seats)
        number = (await other.question("gondor")).number
        time.ms += 2000
        found = [await x.call("Expire", expire("gondor", number)) for x in (one, other, one)]

        assert [True, False, False] == [response.expired for response in found]
        assert 1 == sum("expire" in line for line in store.matches[MATCH].lines)


@in_loop
async def test_a_question_that_was_never_put_cannot_expire():
    """Somebody has made its number up."""
    async with replica() as engine:
        await engine.create(clock=EACH)
        call = engine.call("Expire", expire("gondor", 99))
        await refused(call, "UNKNOWN_QUESTION", C.INVALID_ARGUMENT)
