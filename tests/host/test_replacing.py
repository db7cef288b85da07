"""A hosted bot that cannot answer: another takes its seat over, and the match is not stuck."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.process import metrics
from bree.process.statuses import denied_by
from services.host.serialization import FROZEN, Due
from tests.host.engines import MATCH, START, Time, in_loop, refused, replica
from tests.host.stores import picture

C = grpc.StatusCode


def replace(number, level="greedy", seat="gondor"):
    return e.ReplaceBotRequest(match=MATCH, seat=seat, question=number, bot_level=level)


async def begun(engine, level="greedy"):
    """The number of the first question of a match that a bot of this level plays."""
    await engine.create(levels={"gondor": level}, clock=e.Clock(move_ms=1000))
    return (await engine.question("gondor")).number


def turns(store):
    return [Due.of(member) for member in store.due if member.startswith("bot_turn")]


@in_loop
async def test_the_weakest_bot_takes_over():
    """Its turn is due at once, it keeps the seat, and every replica knows it."""
    time = Time()
    async with replica(now=time) as engine, replica(engine.engine.store, now=time) as other:
        number = await begun(engine)
        await other.view()
        time.ms += 60_000
        response = await engine.call("ReplaceBot", replace(number))
        due = Due("bot_turn", MATCH, "gondor", number, "uniform", START + 60_000)

        assert ("uniform", False) == (response.bot_level, response.frozen)
        assert [due] == turns(engine.engine.store)
        assert due in engine.dispatch.sent
        await other.play_on(most=6)
        later = [one.level for one in other.dispatch.sent if one.kind == "bot_turn"]
        assert {"uniform"} == set(later)


@in_loop
async def test_a_replacement_twice_is_one():
    """A worker that is told nothing asks again; a turn that was answered is nobody's trouble."""
    async with replica() as engine:
        number = await begun(engine)
        await engine.call("ReplaceBot", replace(number))
        before = picture(engine.engine.store)
        again = await engine.call("ReplaceBot", replace(number))
        assert ("uniform", False) == (again.bot_level, again.frozen)
        assert before == picture(engine.engine.store)
        await engine.play("gondor", "r1")
        before = picture(engine.engine.store)
        late = await engine.call("ReplaceBot", replace(number, "uniform"))

        assert not late.frozen
        assert before == picture(engine.engine.store)


@in_loop
async def test_a_match_whose_weakest_bot_fails_is_frozen():
    """Nothing is due, it is counted, and whoever plays or watches is told why; others go on."""
    async with replica() as engine, replica(engine.engine.store) as other:
        frozen = metrics.FROZEN.labels("skirmish")
        before = frozen._value.get()
        number = await begun(engine, "uniform")
        await engine.create("m-other")
        watched = other.watch(after=4)
        await watched.read()
        response = await engine.call("ReplaceBot", replace(number, "uniform"))

        assert ("", True) == (response.bot_level, response.frozen)
        assert before + 1 == frozen._value.get()
        assert [] == [member for member in engine.engine.store.due if MATCH in member]
        for one in (engine, other):
            denied = await refused(one.view(), "MATCH_FROZEN", C.DATA_LOSS, revision="4")
            assert "4" == denied.metadata["revision"]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(watched.read(), 5)
        assert "MATCH_FROZEN" == denied_by(caught.value).reason
        assert "a hosted bot cannot answer" in caught.value.details()
        assert (await engine.call("ReplaceBot", replace(number, "uniform"))).frozen
        assert (await other.play("gondor", "r", match="m-other")).standing.revision


@in_loop
async def test_a_match_whose_bot_can_answer_again_goes_on():
    """The mark is taken away: the turn is due as it was."""
    async with replica() as engine:
        number = await begun(engine, "uniform")
        store = engine.engine.store
        due = sorted(store.due)
        await engine.call("ReplaceBot", replace(number, "uniform"))
        del store.matches[MATCH].fields[FROZEN]

        async with replica(store, now=engine.engine.now) as fresh:
            await fresh.view()
            assert due == sorted(store.due)


@in_loop
async def test_no_person_is_replaced():
    """Whatever is said of a seat that a person has, it stays hers."""
    async with replica() as engine:
        await begun(engine)
        number = (await engine.question("mordor")).number
        before = picture(engine.engine.store)
        for level in ("", "greedy"):
            response = await engine.call("ReplaceBot", replace(number, level, "mordor"))
            assert ("", False) == (response.bot_level, response.frozen)

        assert before == picture(engine.engine.store)
