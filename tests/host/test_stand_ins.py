"""A person hands a seat over to a hosted bot, and takes it back."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from services.host import stand_ins
from services.host.in_memory_store import InMemoryStore
from services.host.serialization import Due
from tests.host.engines import MATCH, START, Time, in_loop, refused, replica
from tests.host.stores import picture

C = grpc.StatusCode
FORFEIT, EACH = e.Clock(move_ms=1000), e.Clock(move_ms=1000, bot_level="greedy")
BANK = e.Clock(bank_ms=5000, move_ms=1000)


def dues(engine):
    return {Due.of(member)[:5] for member in engine.engine.store.due}


def who(standing):
    return [(one.seat, one.bot_level, one.changes, one.for_good) for one in standing.stand_ins]


def left(standing, seat):
    return next(one.left_ms for one in standing.clocks if one.seat == seat)


@in_loop
async def test_a_bot_plays_on_from_the_question_that_stands():
    """Its turn is due, with the number that the person was asked under; all are told who plays."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        number = (await engine.question("gondor")).number
        standing = await engine.hand_over("gondor")

        assert [("gondor", "greedy", 1, False)] == who(standing)
        assert ("bot_turn", MATCH, "gondor", number, "greedy") in dues(engine)
        assert number in [due.question for due in engine.dispatch.sent]
        assert who(standing) == who((await other.view("mordor")).standing)
        await engine.act_as(e.DECIDER_BOT, "gondor", number, "bot-1")


@in_loop
async def test_the_person_is_asked_nothing_while_a_bot_stands_in_and_may_not_answer():
    """He is told why; once the seat is taken back, the question stands under its number."""
    async with replica() as engine:
        await engine.create()
        asked = await engine.question("gondor")
        await engine.hand_over("gondor")
        view = await engine.view("gondor")
        act = engine.act_as(e.DECIDER_PERSON, "gondor", asked.number, "r1")
        denied = await refused(act, "NOT_ASKED", C.FAILED_PRECONDITION, seat="gondor")
        back = await engine.take_back("gondor")

        assert not view.HasField("question")
        assert "gondor" in view.standing.waiting
        assert "take it back" in denied.message
        assert asked == back.question == (await engine.view("gondor")).question
        assert [("gondor", "", 2, False)] == who(back.standing)
        assert not any(kind == "bot_turn" for kind, *_ in dues(engine))
        await engine.act_as(e.DECIDER_PERSON, "gondor", asked.number, "r2")


@in_loop
async def test_what_a_bot_answers_after_the_seat_was_taken_back_is_refused():
    """What it answered before counts: each question has one answer, the first."""
    async with replica() as engine:
        await engine.create()
        asked = await engine.question("gondor")
        first, text = asked.number, asked.choices[0].action.text
        await engine.hand_over("gondor")
        done = await engine.act_as(e.DECIDER_BOT, "gondor", first, "bot-1", text)
        while "gondor" not in (standing := (await engine.view()).standing).waiting:
            await engine.play(standing.waiting[0], f"r{standing.revision}")
        back = await engine.take_back("gondor")
        before = picture(engine.engine.store)
        late = engine.act_as(e.DECIDER_BOT, "gondor", back.question.number, "bot-2")
        await refused(late, "NOT_ASKED", C.FAILED_PRECONDITION, seat="gondor")

        assert back.question.number > first
        assert before == picture(engine.engine.store)
        assert done == await engine.act_as(e.DECIDER_BOT, "gondor", first, "bot-1", text)


@pytest.mark.parametrize("first", ["bot", "person"])
@in_loop
async def test_a_bots_answer_and_taking_back_at_once_is_one_or_the_other(first):
    """On two replicas of one store; and the match goes on either way."""
    store, time = InMemoryStore(), Time()
    async with replica(store, now=time) as one, replica(store, now=time) as other:
        await one.create()
        number = (await one.question("gondor")).number
        await one.hand_over("gondor")
        await other.view()
        calls = [other.act_as(e.DECIDER_BOT, "gondor", number, "bot-1"), one.take_back("gondor")]
        ordered = calls if first == "bot" else calls[::-1]
        done = await asyncio.gather(*ordered, return_exceptions=True)
        answered = done[0 if first == "bot" else 1]
        lines = [line for line in store.matches[MATCH].lines if "bot-1" in line]
        view = await one.view("gondor")

        assert [("gondor", "", 2, False)] == who(view.standing)
        if isinstance(answered, grpc.aio.AioRpcError):
            assert [] == lines
            assert number == view.question.number
        else:
            assert 1 == len(lines)
            assert number != view.question.number


@in_loop
async def test_who_plays_is_known_everywhere_and_after_a_restart():
    """Through any number of changes, at the revisions at which they were."""
    time = Time()
    async with replica(now=time) as engine, replica(engine.engine.store, now=time) as other:
        await engine.create(clock=BANK)
        for n in range(3):
            await engine.hand_over("gondor", ("greedy", "novice")[n % 2])
            await other.play_on(most=1)
            time.ms += 10
            await other.take_back("gondor")
        await other.hand_over("gondor")
        now = (await engine.view()).standing
        async with replica(engine.engine.store, now=time) as fresh:
            assert now == (await fresh.view()).standing

        assert [("gondor", "greedy", 7, False)] == who(now)


@in_loop
async def test_handing_over_and_back_twice_is_once():
    """Whoever is not sure asks again; and neither is written into the record."""
    async with replica() as engine:
        await engine.create()
        for call in (lambda: engine.hand_over("gondor"), lambda: engine.take_back("gondor")):
            await call()
            before = picture(engine.engine.store)
            await call()
            assert before == picture(engine.engine.store)
        await engine.take_back("mordor")

        assert before == picture(engine.engine.store)
        assert all(line.startswith("chance") for line in engine.engine.store.matches[MATCH].lines)


@in_loop
async def test_what_cannot_be_handed_over_is_refused():
    """With a reason each: no such level, another bot, the host's seat, given up, over."""
    async with replica() as engine:
        await engine.create(levels={"mordor": "greedy"})
        await refused(
            engine.hand_over("gondor", "god"), "INVALID_REQUEST", C.INVALID_ARGUMENT,
            field="bot_level",
        )  # fmt: skip
        await engine.hand_over("gondor", "novice")
        another = await refused(
            engine.hand_over("gondor", "greedy"), "NOT_ALLOWED", C.PERMISSION_DENIED
        )
        hosts = await refused(
            engine.hand_over("mordor", "novice"), "NOT_ALLOWED", C.PERMISSION_DENIED
        )
        await refused(engine.take_back("mordor"), "NOT_ALLOWED", C.PERMISSION_DENIED)
        await refused(engine.hand_over("shire"), "UNKNOWN_SEAT", C.NOT_FOUND)
        await engine.take_back("gondor")
        resign = e.ResignRequest(match=MATCH, seat="gondor", request_id="r")
        await engine.call("Resign", resign)
        for call in (engine.hand_over("gondor"), engine.take_back("gondor")):
            await refused(call, "MATCH_OVER", C.FAILED_PRECONDITION)

        assert "take it back first" in another.message
        assert "hosted bot plays this seat" in hosts.message


@in_loop
async def test_a_seat_is_not_handed_over_for_ever(monkeypatch):
    """All of it is kept; who has it handed over gets it back all the same."""
    monkeypatch.setattr(stand_ins, "MOST_HANDOVERS", 2)
    async with replica() as engine:
        await engine.create()
        for _ in range(2):
            await engine.hand_over("gondor")
            await engine.take_back("gondor")
        await refused(engine.hand_over("gondor"), "NOT_ALLOWED", C.PERMISSION_DENIED)
        await engine.hand_over("mordor")
        await engine.take_back("mordor")


@pytest.mark.parametrize("clock", [BANK, FORFEIT])
@in_loop
async def test_no_time_passes_or_is_given_while_a_bot_stands_in(clock):
    """What was left of a question is what is left of it when it is put again."""
    async with replica() as engine:
        await engine.create(clock=clock)
        time = engine.engine.now
        time.ms += 400
        before = (await engine.view()).standing
        await engine.hand_over("gondor")
        time.ms += 60_000
        kept = (await engine.view()).standing
        back = (await engine.take_back("gondor")).standing
        time.ms += 100

        assert left(before, "gondor") == left(back, "gondor")
        assert left(kept, "gondor") >= left(back, "gondor")
        assert left(back, "gondor") - 100 == left((await engine.view()).standing, "gondor")
        expires = next(one.expires for one in back.clocks if one.seat == "gondor")
        assert ("clock", MATCH, "gondor") in {due[:3] for due in dues(engine)}
        assert expires.ToMilliseconds() == time.ms - 100 + left(back, "gondor")


@in_loop
async def test_a_question_that_the_person_was_never_asked_gets_its_time():
    """As if the bot had not been there."""
    async with replica() as engine:
        await engine.create(clock=FORFEIT)
        await engine.hand_over("gondor")
        number = (await engine.question("gondor")).number
        engine.engine.now.ms += 700
        await engine.act_as(e.DECIDER_BOT, "gondor", number, "bot-1")
        while "gondor" not in (standing := (await engine.view()).standing).waiting:
            await engine.play(standing.waiting[0], f"r{standing.revision}")
        back = await engine.take_back("gondor")

        assert number < back.question.number
        assert 1000 == left(back.standing, "gondor")


@in_loop
async def test_nobody_hands_over_to_escape_a_clock():
    """Time that is out is out, whoever comes first; and then its bot plays to the end."""
    async with replica() as engine:
        await engine.create(clock=EACH)
        number = (await engine.question("gondor")).number
        engine.engine.now.ms += 1000
        late = await refused(engine.hand_over("gondor"), "NOT_ALLOWED", C.PERMISSION_DENIED)
        await engine.call("Expire", e.ExpireRequest(match=MATCH, seat="gondor", question=number))
        standing = (await engine.view()).standing
        denied = await refused(engine.take_back("gondor"), "NOT_ALLOWED", C.PERMISSION_DENIED)
        async with replica(engine.engine.store, now=engine.engine.now) as fresh:
            assert standing == (await fresh.view()).standing

        assert "time of this seat is out" in late.message
        assert "plays to the end" in denied.message
        assert [("gondor", "greedy", 1, True)] == who(standing)


@in_loop
async def test_who_watches_is_told_of_every_change():
    """Spectators and the seat itself; no revision changes by it, and no secret is told."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        calls = [other.watch(seat=seat, after=4) for seat in ("", "gondor", "mordor")]
        first = [await call.read() for call in calls]
        await engine.hand_over("gondor")
        over = [await call.read() for call in calls]
        await engine.take_back("gondor")
        back = [await call.read() for call in calls]

        assert [[("gondor", "greedy", 1, False)]] * 3 == [who(one.standing) for one in over]
        assert [[("gondor", "", 2, False)]] * 3 == [who(one.standing) for one in back]
        assert {first[0].standing.revision} == {one.standing.revision for one in over + back}
        assert [False, False, True] == [one.HasField("question") for one in over]
        assert [one.question for one in first] == [one.question for one in back]


@pytest.mark.parametrize("wanted", [e.WANTED_QUESTIONS, e.WANTED_QUESTIONS_UNTOLD])
@in_loop
async def test_a_program_is_asked_again_when_its_seat_is_back(wanted):
    """And it hears nothing of what the bot is asked meanwhile."""
    async with replica() as engine:
        await engine.create()
        call = engine.watch(seat="gondor", wanted=wanted)
        number = (await call.read()).question.number
        await engine.hand_over("gondor")
        relieved = await call.read()
        await engine.act_as(e.DECIDER_BOT, "gondor", number, "bot-1")
        while "gondor" not in (standing := (await engine.view()).standing).waiting:
            await engine.play(standing.waiting[0], f"r{standing.revision}")
        back = await engine.take_back("gondor")
        told = await call.read()

        assert not relieved.HasField("question")
        assert back.question == told.question


@in_loop
async def test_a_bot_that_fails_in_a_persons_seat_is_replaced_and_the_seat_can_be_taken_back():
    """It was lent; the weakest bot has it no longer than the other one had."""
    async with replica() as engine:
        await engine.create()
        number = (await engine.question("gondor")).number
        await engine.hand_over("gondor")
        failed = e.ReplaceBotRequest(
            match=MATCH, seat="gondor", question=number, bot_level="greedy"
        )
        await engine.call("ReplaceBot", failed)
        replaced = (await engine.view()).standing
        back = await engine.take_back("gondor")

        assert [("gondor", "uniform", 2, False)] == who(replaced)
        assert number == back.question.number


@in_loop
async def test_a_match_in_which_bots_play_for_everyone_waits_behind_those_with_people():
    """As long as nobody takes his seat back."""
    async with replica() as engine:
        await engine.create(levels={"mordor": "greedy"})
        await engine.hand_over("gondor")
        await engine.play_on(most=2)
        alone = [due.alone for due in engine.dispatch.sent][-1]
        await engine.take_back("gondor")
        await engine.play_on(most=2)

        assert alone
        assert not [due.alone for due in engine.dispatch.sent][-1]
        assert START <= engine.dispatch.sent[-1].since


@in_loop
async def test_what_a_bot_decided_is_not_taken_back_by_the_person():
    """Bots take nothing back, and nobody for them; nor are offers made for a seat that is away."""
    async with replica() as engine:
        await engine.create()
        await engine.hand_over("gondor")
        offer = engine.offer("gondor", e.OFFER_KIND_ABORT, "o1")
        denied = await refused(offer, "NOT_ALLOWED", C.PERMISSION_DENIED)
        number = (await engine.question("gondor")).number
        await engine.act_as(e.DECIDER_BOT, "gondor", number, "bot-1")
        await engine.take_back("gondor")
        await refused(engine.undo("gondor", "u1"), "NOT_ALLOWED", C.PERMISSION_DENIED)

        assert "take it back first" in denied.message
