"""Taking the last decision back: who may, what others see of it, and that it is done once."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.process import metrics
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host import match_state
from services.host.in_memory_store import InMemoryStore
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, START, Time, in_loop, refused, replica
from tests.host.stores import Faulty, picture

C = grpc.StatusCode
TOO_LATE = {"needs": "a decision that nobody has learnt from"}


async def picked(engine, request="pick", seat="gondor"):
    """A seat picks a card, which nobody else sees."""
    return await engine.play(seat, request, 1)


@in_loop
async def test_what_nobody_has_learnt_anything_by_is_taken_back():
    """The position is what it was; the question comes back under a new number."""
    async with replica() as engine:
        await engine.create()
        before = await engine.view("gondor")
        did = await picked(engine)
        assert did.can_undo
        counted = metrics.TAKEN_BACK.labels("skirmish", "alone")._value
        was = counted.get()
        undone = await engine.undo("gondor", "u1")
        after = await engine.view("gondor")

        assert was + 1 == counted.get()
        assert before.view == after.view
        assert undone.question == after.question
        assert not undone.can_undo
        assert (before.question.choices, 6) == (after.question.choices, after.standing.revision)
        assert after.question.number > did.question.number > before.question.number
        assert ["decision_taken_back"] == [event.kind for event in undone.events]
        assert "Gondor takes the last decision back." == undone.events[0].sentence
        stale = engine.act("gondor", did.question.number, "ready", "late")
        await refused(stale, "STALE_QUESTION", C.ABORTED)


@in_loop
async def test_others_see_that_it_was_taken_back_and_nothing_of_what():
    """The same whatever had been picked; their own question stands under its number."""
    seen = []
    for choice in (1, 2):
        async with replica() as engine:
            await engine.create(rounds="6")
            before = await engine.view("mordor")
            watching = engine.watch(seat="mordor", after=before.standing.revision)
            await watching.read()
            await engine.play("gondor", "pick", choice)
            await engine.undo("gondor", "u1")
            steps = []
            while not steps or steps[-1].standing.revision < 6:
                steps.append(await watching.read())
            for step in steps:
                step.standing.head = ""
            now = await engine.view("mordor")
            seen.append(steps)

            assert (before.view, before.question) == (now.view, now.question)
            assert ["decision_taken_back"] == [x.kind for step in steps for x in step.events]
            assert {"seat": "gondor", "revision": 4, "agreed": False} == dict(
                steps[-1].events[0].facts
            )
            assert not any(step.can_undo for step in steps)
    assert seen[0] == seen[1]


@in_loop
async def test_it_is_told_to_nobody_else_that_it_could_be_taken_back():
    """Not to the other seat, nor to who only watches."""
    async with replica() as engine:
        await engine.create()
        await picked(engine)

        viewers = ("gondor", "mordor", "")
        assert [True, False, False] == [(await engine.view(seat)).can_undo for seat in viewers]
        first = [await engine.watch(seat=seat).read() for seat in viewers]
        assert [True, False, False] == [step.can_undo for step in first]


@in_loop
async def test_what_others_have_seen_stays():
    """To be ready is told; then chance rolls, and nobody takes anything back."""
    async with replica() as engine:
        await engine.create()
        before = picture(engine.engine.store)
        await refused(engine.undo("gondor", "u0"), "NOT_ALLOWED", C.PERMISSION_DENIED, **TOO_LATE)
        assert before == picture(engine.engine.store)
        await picked(engine)
        await refused(engine.undo("mordor", "u1"), "NOT_ALLOWED", C.PERMISSION_DENIED, **TOO_LATE)
        assert not (await engine.play("gondor", "ready")).can_undo
        await refused(engine.undo("gondor", "u2"), "NOT_ALLOWED", C.PERMISSION_DENIED, **TOO_LATE)
        await engine.play("mordor", "ready")
        for seat in ("gondor", "mordor"):
            await refused(engine.undo(seat, "u3"), "NOT_ALLOWED", C.PERMISSION_DENIED, **TOO_LATE)


@in_loop
async def test_a_head_names_the_decision_that_is_meant():
    """Of another history: refused so; of an earlier decision: it has gone on."""
    async with replica() as engine:
        await engine.create()
        first = await picked(engine)
        second = await picked(engine, "p2", "mordor")
        head = first.standing.head
        gone_on = {"needs": "the last decision"}
        await refused(
            engine.undo("gondor", "u1", head=head), "NOT_ALLOWED", C.PERMISSION_DENIED, **gone_on
        )
        lost = engine.undo("mordor", "u1", head="0" * 64)
        await refused(lost, "HISTORY_CHANGED", C.ABORTED)
        undone = await engine.undo("mordor", "u1", head=second.standing.head)

        assert 7 == undone.standing.revision
        again = await engine.undo("mordor", "u1", head=second.standing.head)
        assert undone == again


@in_loop
async def test_the_same_request_is_one_undo_and_gets_the_same_answer():
    """On any replica, and after a restart; and the id stands for nothing else."""
    store = InMemoryStore()
    async with replica(store) as one, replica(store) as other:
        await one.create()
        await picked(one, "p1")
        await picked(one, "p2", "mordor")
        answers = await asyncio.gather(*[x.undo("mordor", "u1") for x in (one, other) * 5])
        assert [answers[0]] * 10 == answers
        await one.undo("gondor", "u2")
        assert answers[0] == await other.undo("mordor", "u1")
        reused = one.act("mordor", 1, "ready", "u1")
        await refused(reused, "REQUEST_ID_REUSED", C.ALREADY_EXISTS)
        reused = one.undo("gondor", "p1")
        await refused(reused, "REQUEST_ID_REUSED", C.ALREADY_EXISTS)
    async with replica(store) as third:
        assert answers[0] == await third.undo("mordor", "u1")
        assert 8 == (await third.view()).standing.revision


@in_loop
async def test_what_could_be_taken_back_can_be_after_a_restart():
    """And on another replica, and after the match was forgotten: it follows from the log."""
    store = InMemoryStore()
    async with replica(store) as one:
        await one.create()
        before = await one.view("gondor")
        await picked(one, "p1")
        await picked(one, "p2", "mordor")
    async with replica(store) as two, replica(store) as three:
        assert (await two.view("mordor")).can_undo
        assert (await three.undo("mordor", "u1")).standing.revision == 7
        assert (await two.view("gondor")).can_undo
        assert (await two.undo("gondor", "u2")).standing.revision == 8
        now = await three.view("gondor")
        assert (before.view, before.question.choices) == (now.view, now.question.choices)


@in_loop
async def test_an_undo_and_another_seats_act_at_once():
    """Whichever the store takes first; if it is the act, there is nothing to take back any more."""
    for n in range(8):
        store = InMemoryStore()
        async with replica(store) as one, replica(store) as other:
            await one.create()
            await picked(one)
            number = (await other.question("mordor")).number
            calls = [one.undo("gondor", "u"), other.act("mordor", number, "ready", "r")]
            first, second = await asyncio.gather(
                *(calls if n % 2 else calls[::-1]), return_exceptions=True
            )
            undone, acted = (first, second) if n % 2 else (second, first)

            assert acted.standing.revision in (6, 7)
            if isinstance(undone, grpc.aio.AioRpcError):
                assert C.PERMISSION_DENIED == undone.code()
            else:
                assert {6, 7} == {undone.standing.revision, acted.standing.revision}
            views = [(await x.view("gondor")).SerializeToString() for x in (one, other)]
            assert views[0] == views[1]


@in_loop
async def test_a_hosted_bot_takes_nothing_back():
    """Whoever asks in its name; the person at the other seat may."""
    async with replica() as engine:
        await engine.create(levels={"mordor": "greedy"})
        assert not (await picked(engine, "p1", "mordor")).can_undo
        needs = {"needs": "a person at this seat"}
        await refused(engine.undo("mordor", "u"), "NOT_ALLOWED", C.PERMISSION_DENIED, **needs)
        table = (await engine.engine.matches.find(MATCH)).state.table
        assert [None] == [undo.game for undo in table.undo_stack]
        due = dict(engine.engine.store.due)
        await picked(engine, "p2", "gondor")
        await engine.undo("gondor", "u")

        assert due == engine.engine.store.due


@in_loop
async def test_a_match_that_is_over_or_unknown_takes_nothing_back():
    """Nor one that is frozen; nothing is changed."""
    async with replica() as engine:
        await engine.create()
        await picked(engine)
        await refused(engine.undo("rohan", "u"), "UNKNOWN_SEAT", C.NOT_FOUND)
        await refused(engine.undo("gondor", "u", "s-none"), "UNKNOWN_MATCH", C.NOT_FOUND)
        await refused(engine.undo("gondor", "u u"), "INVALID_REQUEST", C.INVALID_ARGUMENT)
        await engine.call("Resign", e.ResignRequest(match=MATCH, seat="mordor", request_id="r"))
        await refused(engine.undo("gondor", "u"), "MATCH_OVER", C.FAILED_PRECONDITION)
        assert not (await engine.view("gondor")).can_undo
        await engine.create("s-ice")
        await engine.play("gondor", "p", 1, "s-ice")
        kept = engine.engine.store.matches["s-ice"]
        kept.lines[-1] = kept.lines[-1].replace("pick", "burn")
        engine.engine.matches.cache.drop(engine.engine.matches.cache.find("s-ice"))
        await refused(engine.undo("gondor", "u", "s-ice"), "MATCH_FROZEN", C.DATA_LOSS)


@in_loop
async def test_an_undo_of_which_nobody_knows_is_asked_again():
    """With the same id: it is done once, whether it had reached the store or not."""
    for lost in ("lose_requests", "lose_replies"):
        faulty = Faulty(InMemoryStore())
        async with replica(faulty) as engine:
            await engine.create()
            await picked(engine)
            setattr(faulty, lost, 1)
            await refused(engine.undo("gondor", "u"), "OUTCOME_UNKNOWN", C.UNAVAILABLE)
            undone = await engine.undo("gondor", "u")

            assert 6 == undone.standing.revision == (await engine.view()).standing.revision
            faulty.away = True
            await refused(engine.undo("gondor", "u2"), "UNAVAILABLE", C.UNAVAILABLE)


@in_loop
async def test_time_that_has_run_stays_run():
    """Taking back gives no time: as if the question had never been answered."""
    for terms, added in ((e.Clock(bank_ms=10_000, move_ms=700), 700), (e.Clock(move_ms=5_000), 0)):
        async with replica() as engine:
            await engine.create(clock=terms)
            left = (await engine.view()).standing.clocks[0].left_ms
            engine.engine.now.ms += 1000
            await picked(engine)
            engine.engine.now.ms += 300
            undone = await engine.undo("gondor", "u")
            clock = undone.standing.clocks[0]

            assert left - 1300 == clock.left_ms, added
            assert START + 1300 + clock.left_ms == clock.expires.ToMilliseconds()
            assert undone == await engine.undo("gondor", "u")
            mordor = undone.standing.clocks[1]
            assert (left - 1300) == mordor.left_ms
            due = [one for one in engine.engine.store.due if "|gondor|" in one]
            assert [str(START + left)] == [one.rpartition("|")[2] for one in due]


@in_loop
async def test_what_has_no_time_left_does_not_come_back():
    """Who answered at the last moment has thought about it long enough."""
    async with replica() as engine:
        await engine.create(clock=e.Clock(move_ms=1_000))
        engine.engine.now.ms += 900
        assert (await picked(engine)).can_undo
        engine.engine.now.ms += 99
        assert (await engine.view("gondor")).can_undo
        engine.engine.now.ms += 1
        assert not (await engine.view("gondor")).can_undo
        await refused(engine.undo("gondor", "u"), "NOT_ALLOWED", C.PERMISSION_DENIED, **TOO_LATE)


@in_loop
async def test_times_are_the_same_on_a_replica_that_follows():
    """What an undo gives back stands in no entry: it follows from those before."""
    store, now = InMemoryStore(), Time()
    async with replica(store, now=now) as one:
        await one.create(clock=e.Clock(bank_ms=10_000, move_ms=700))
        for n in range(4):
            now.ms += 111
            await picked(one, f"p{n}")
            now.ms += 222
            await one.undo("gondor", f"u{n}")
        shown = (await one.view()).standing
    async with replica(store, now=now) as two:
        assert shown == (await two.view()).standing
        assert 10_700 - 4 * 333 == shown.clocks[0].left_ms


@in_loop
async def test_taking_back_has_an_end(monkeypatch):
    """Nobody fills a match with nothing: beside what stands, there are so many second thoughts."""
    monkeypatch.setattr(match_state, "UNDOS_BESIDE", 3)
    async with replica() as engine:
        await engine.create()
        for n in range(4):
            assert (await picked(engine, f"p{n}")).can_undo
            await engine.undo("gondor", f"u{n}")
        assert not (await picked(engine, "p4")).can_undo
        await refused(engine.undo("gondor", "u4"), "NOT_ALLOWED", C.PERMISSION_DENIED, **TOO_LATE)
        assert (await picked(engine, "p5", "mordor")).can_undo


@in_loop
async def test_a_match_that_becomes_too_long_by_it_ends(monkeypatch):
    """As it does by a decision."""
    monkeypatch.setattr(match_state, "LONGEST", 6)
    store = InMemoryStore()
    async with replica(store) as engine:
        await engine.create()
        await picked(engine)
        undone = await engine.undo("gondor", "u")
        assert (7, True) == (undone.standing.revision, undone.standing.HasField("outcome"))
    async with replica(store) as twin:
        assert undone.standing == (await twin.view()).standing


@in_loop
async def test_the_record_tells_it_and_verifies():
    """Played to the end by who thinks better of it again and again."""
    async with replica() as engine:
        await engine.create(rounds="3")
        n = 0
        while waiting := (await engine.view()).standing.waiting:
            n += 1
            did = await engine.play(waiting[0], f"p{n}", n % 3)
            if did.can_undo and n % 2:
                await engine.undo(waiting[0], f"u{n}")
        text = (await engine.record()).text

        assert text.count("host: undo ") >= 2
        table = replay(parse_record(text), RULES)
        assert table.is_over


@in_loop
async def test_the_question_is_told_on_a_stream_of_questions():
    """A bot that hears of questions alone is asked again, once."""
    async with replica() as engine:
        await engine.create()
        stream = engine.watch(seat="gondor", wanted=e.WANTED_QUESTIONS)
        first = await stream.read()
        await picked(engine)
        second = await stream.read()
        undone = await engine.undo("gondor", "u")
        third = await stream.read()

        numbers = [step.question.number for step in (first, second, third)]
        assert sorted({*numbers}) == numbers
        assert third.question == undone.question


@pytest.mark.parametrize("count", [1, 5])
@in_loop
async def test_a_running_record_tells_what_was_taken_back(count):
    """Each viewer what it saw, and that it was taken back."""
    async with replica() as engine:
        await engine.create()
        for n in range(count):
            await picked(engine, f"p{n}")
            await engine.undo("gondor", f"u{n}")
        theirs = (await engine.record("mordor")).seen[4:]

        assert ["gondor", "host"] * count == [entry.who for entry in theirs]
        kinds = [[event.kind for event in entry.events] for entry in theirs]
        assert [[], ["decision_taken_back"]] * count == kinds
