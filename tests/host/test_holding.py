"""The host holds a match: nothing is decided or due in it, no time passes; and it goes on."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host import holding
from services.host.kept import packed, unpacked
from services.host.serialization import Due
from services.host.store import Change
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, in_loop, refused, replica
from tests.host.stores import picture

C = grpc.StatusCode
BANK = e.Clock(bank_ms=5000, move_ms=1000)
EACH = e.Clock(move_ms=1000)
BOTS = {"gondor": "greedy", "mordor": "uniform"}


async def hold(engine, hold=True):
    asked = e.HoldMatchRequest(match=MATCH, hold=hold)
    return (await engine.call("HoldMatch", asked)).standing


async def release(engine):
    return await hold(engine, hold=False)


async def inspected(engine):
    return await engine.call("InspectMatch", e.InspectMatchRequest(match=MATCH))


async def replayed(engine):
    found = await engine.call("ReplayMatch", e.ReplayMatchRequest(match=MATCH))
    return found.revision, found.replays, found.differs_at


def clocks(standing):
    """By seat: what is left, and whether it passes."""
    return {one.seat: (one.left_ms, one.HasField("expires")) for one in standing.clocks}


def dues(engine):
    return sorted(Due.of(member)[:5] for member in engine.engine.store.due)


def resign(by_host):
    return e.ResignRequest(match=MATCH, seat="gondor", request_id="r-host", by_host=by_host)


@in_loop
async def test_nothing_is_decided_in_a_match_that_is_held():
    """Not by a person nor by a bot, on any replica; what is refused changes nothing."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create(levels={"mordor": "greedy"})
        asked = await engine.question("gondor")
        text = asked.choices[0].action.text
        standing = await hold(engine)
        assert (True, 1) == (standing.hold.held, standing.hold.changes)
        assert standing == await hold(other)
        before = picture(engine.engine.store)
        for one in (engine, other):
            act = one.act_as(e.DECIDER_PERSON, "gondor", asked.number, "r1", text)
            denied = await refused(act, "NOT_ALLOWED", C.PERMISSION_DENIED, match=MATCH)
            assert "the host has stopped this match" == denied.message
            act = one.act_as(e.DECIDER_BOT, "gondor", asked.number, "r2", text)
            await refused(act, "NOT_ASKED", C.FAILED_PRECONDITION)
            for call in (
                one.act("gondor", asked.number, text, "r3"),
                one.undo("gondor", "r4"),
                one.offer("gondor", e.OFFER_KIND_ABORT, "r5"),
                one.hand_over("gondor"),
                one.take_back("gondor"),
                one.call("Resign", resign(by_host=False)),
            ):
                denied = await refused(call, "NOT_ALLOWED", C.PERMISSION_DENIED)
                assert "the host has stopped this match" == denied.message
            assert not (await one.view("gondor")).HasField("question")
        assert before == picture(engine.engine.store)
        assert (False, 2) == ((await release(other)).hold.held, 2)

        assert asked == (await engine.view("gondor")).question
        await engine.act_as(e.DECIDER_PERSON, "gondor", asked.number, "r1", text)


@in_loop
async def test_no_bot_is_given_up_in_a_match_that_is_held():
    """A worker that was at it meanwhile may say that it failed."""
    async with replica() as engine:
        await engine.create(levels=BOTS)
        [seat] = (await engine.view()).standing.waiting[:1]
        number = (await engine.engine.matches.fresh(MATCH)).state.asked[0]
        await hold(engine)
        before = picture(engine.engine.store)
        failed = e.ReplaceBotRequest(match=MATCH, seat=seat, question=number, bot_level=BOTS[seat])
        answer = await engine.call("ReplaceBot", failed)

        assert (BOTS[seat], False) == (answer.bot_level, answer.frozen)
        assert before == picture(engine.engine.store)


@in_loop
async def test_nothing_is_due_in_it_and_all_is_due_again_afterwards():
    """Bots are told of their turns anew."""
    async with replica() as engine:
        await engine.create(levels=BOTS)
        before = dues(engine)
        assert before
        await hold(engine)
        assert [] == dues(engine)
        assert [] == list((await inspected(engine)).due)
        engine.dispatch.sent.clear()
        await release(engine)

        assert before == dues(engine)
        assert len(before) == len(engine.dispatch.sent) == len((await inspected(engine)).due)


@in_loop
@pytest.mark.parametrize("clock", [BANK, EACH])
async def test_no_time_passes_while_it_is_held(clock):
    """Everybody has afterwards what he had, however long it was; and then it goes on."""
    async with replica() as engine, replica(engine.engine.store, now=engine.engine.now) as other:
        await engine.create(clock=clock)
        now = engine.engine.now
        number = (await engine.question("gondor")).number
        now.ms += 300
        had = {seat: left for seat, (left, _) in clocks((await engine.view()).standing).items()}
        await hold(engine)
        now.ms += 10**7
        for one in (engine, other):
            standing = (await one.view()).standing
            assert {seat: (left, False) for seat, left in had.items()} == clocks(standing)
            expire = e.ExpireRequest(match=MATCH, seat="gondor", question=number)
            assert not (await one.call("Expire", expire)).expired
        await release(other)
        standing = (await engine.view()).standing
        assert had == {seat: left for seat, (left, _) in clocks(standing).items()}
        [expires] = [c.expires for c in standing.clocks if c.seat == "gondor"]
        assert now.ms + had["gondor"] == expires.ToMilliseconds()
        [due] = [Due.of(x) for x in engine.engine.store.due if Due.of(x).seat == "gondor"]
        assert now.ms + had["gondor"] == due.since
        now.ms += had["gondor"] - 1
        assert not (await engine.call("Expire", expire)).expired
        now.ms += 1

        assert (await engine.call("Expire", expire)).expired


@in_loop
async def test_what_was_decided_before_may_be_taken_back_after():
    """With the time that was left for it."""
    async with replica() as engine:
        await engine.create(clock=BANK)
        engine.engine.now.ms += 100
        seat = (await engine.view()).standing.waiting[0]
        await engine.play(seat, "r1")
        could = (await engine.view(seat)).can_undo
        await hold(engine)
        engine.engine.now.ms += 10**7
        await release(engine)

        assert could == (await engine.view(seat)).can_undo


@in_loop
async def test_the_host_may_end_what_he_holds():
    """A seat gives up as the record says; and so every verifier understands."""
    async with replica() as engine:
        await engine.create()
        await engine.play_on(most=3)
        await hold(engine)
        ended = (await engine.call("Resign", resign(by_host=True))).standing
        assert ended.HasField("outcome")
        record = parse_record((await engine.record()).text)

        assert "resign gondor" in [entry.what for entry in record.entries]
        replay(record, RULES)
        await refused(hold(engine), "MATCH_OVER", C.FAILED_PRECONDITION)
        await refused(release(engine), "MATCH_OVER", C.FAILED_PRECONDITION)
        score = e.DUE_KIND_SCORE
        assert [score] == [due.kind for due in (await inspected(engine)).due]


@in_loop
async def test_a_record_says_nothing_of_holds_and_replays_with_them():
    """On an engine that has seen none of it, too; and so does what is kept of the match."""
    async with replica() as engine:
        await engine.create(clock=BANK)
        await engine.play_on(most=2)
        await hold(engine)
        engine.engine.now.ms += 5000
        await release(engine)
        await engine.play_on(most=2)
        await hold(engine)
        async with replica(engine.engine.store, now=engine.engine.now) as other:
            assert (await engine.view()).standing == (await other.view()).standing
            assert (True, 3) == ((await other.view()).standing.hold.held, 3)
        await release(engine)
        await engine.play_on()
        text = (await engine.record()).text
        stored = await engine.engine.store.load(MATCH)

        assert "@host" not in text
        assert (
            stored.fields["handovers"] == unpacked(packed(stored, text), text).fields["handovers"]
        )
        revision = stored.revision
        assert (revision, True, 0) == await replayed(engine)


@in_loop
async def test_who_listens_is_told_that_it_is_held_and_asked_again_afterwards():
    """Watchers of every step, and programs that wait for questions alone."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        steps, asked = other.watch(), engine.watch(seat="gondor", wanted=e.WANTED_QUESTIONS)
        assert not (await steps.read()).standing.HasField("hold")
        question = (await asked.read()).question
        await hold(engine)
        assert (await steps.read()).standing.hold.held
        told = await asked.read()
        assert (True, False) == (told.standing.hold.held, told.HasField("question"))
        await release(engine)

        assert not (await steps.read()).standing.hold.held
        assert question == (await asked.read()).question


@in_loop
async def test_two_at_once_hold_a_match_once():
    """Whoever asks, and at whichever replica; what is so stays so."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        told = await asyncio.gather(*(hold(one) for one in (engine, other) * 4))
        assert {(True, 1)} == {(one.hold.held, one.hold.changes) for one in told}
        told = await asyncio.gather(*(release(one) for one in (engine, other) * 4))

        assert {(False, 2)} == {(one.hold.held, one.hold.changes) for one in told}


@in_loop
async def test_a_match_is_held_so_often(monkeypatch):
    """All of that is kept."""
    monkeypatch.setattr(holding, "MOST_HOLDS", 2)
    async with replica() as engine:
        await engine.create()
        for _ in range(2):
            await hold(engine)
            await release(engine)
        await refused(hold(engine), "NOT_ALLOWED", C.PERMISSION_DENIED)


# Replaying.


@in_loop
async def test_a_match_that_leads_elsewhere_is_found_and_stays_as_it_is():
    """The first entry that does is named; nothing is frozen by it."""
    async with replica() as engine:
        await engine.create()
        await engine.play_on(most=4)
        revision = (await engine.view()).standing.revision
        assert (revision, True, 0) == await replayed(engine)
        store = engine.engine.store
        kept = await store.load(MATCH)
        who, what, digest, *rest = kept.lines[2].split("\t")
        store.matches[MATCH].lines[2] = "\t".join([who, what, "0" * len(digest), *rest])
        before = picture(store)

        assert (revision, False, 3) == await replayed(engine)
        assert before == picture(store)


@in_loop
async def test_a_frozen_match_is_looked_at():
    """Though it takes nothing more."""
    async with replica() as engine:
        await engine.create()
        await engine.play_on(most=2)
        at = (await engine.engine.store.load(MATCH)).position
        frozen = Change(fields={"frozen": "2 bot", "due": ""})
        assert await engine.engine.store.append(MATCH, at.version, frozen, at.head)
        found = await inspected(engine)

        assert ("this match is frozen: a hosted bot cannot answer", []) == (
            found.frozen,
            list(found.due),
        )
        assert (await replayed(engine))[1]


@in_loop
async def test_what_is_due_is_counted():
    """By kind, with how long the oldest has waited."""
    async with replica() as engine:
        await engine.create(levels=BOTS)
        engine.engine.now.ms += 700
        [count] = (await engine.call("CountDue", e.CountDueRequest())).counts

        assert (e.DUE_KIND_BOT_TURN, len(dues(engine)), 700) == (
            count.kind,
            count.count,
            count.oldest_ms,
        )
