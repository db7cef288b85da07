"""Watching: in order, without gaps, from any revision, on any replica, and never without bound."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from bree.process.statuses import denied_by
from services.core.reading import parse_record
from services.host import match_cache as match_caches
from services.host import wire
from services.host.in_memory_store import InMemoryStore
from services.host.store import RedisStore
from tests.host.engines import MATCH, in_loop, refused, replica
from tests.host.stores import Faulty

C = grpc.StatusCode


async def updates(call, most=1000):
    """What a stream sends until it ends, or so much of it."""
    found = []
    async for update in call:
        found.append(update)
        if len(found) == most:
            call.cancel()
            break
    return found


async def read_on(call, found):
    """Read a stream that has been begun, to its end."""
    while (update := await call.read()) is not grpc.aio.EOF:
        found.append(update)


def told(found):
    return [event.sentence for update in found for event in update.events]


async def until_available(call):
    """Do this again as long as a part of the platform is away."""
    while True:
        try:
            return await call()
        except grpc.aio.AioRpcError as error:
            if error.code() is not C.UNAVAILABLE:
                raise
        await asyncio.sleep(0.05)


async def all_told(engine, seat):
    """All that a seat sees of a match, from its beginning."""
    return told(await updates(engine.watch(seat=seat), 1))


@in_loop
async def test_the_first_update_comes_at_once():
    """With the question and where the match stands, also if nothing is new."""
    async with replica() as engine:
        await engine.create()
        (nothing_new,) = await updates(engine.watch(seat="gondor", after=4), 1)
        (everything,) = await updates(engine.watch(seat="gondor"), 1)

        assert not nothing_new.events
        assert ["card_drawn"] * 2 == [event.kind for event in everything.events]
        view = await engine.view("gondor")
        for update in (nothing_new, everything):
            assert (view.question, view.standing) == (update.question, update.standing)


@in_loop
async def test_a_match_is_watched_to_its_end():
    """Revisions rise, nothing is told twice, and the stream ends after the outcome."""
    async with replica() as engine:
        await engine.create()
        watching = asyncio.create_task(updates(engine.watch(seat="mordor")))
        await asyncio.sleep(0.05)
        last = await engine.play_on(choice=1)
        found = await watching
        revisions = [update.standing.revision for update in found]

        assert last == found[-1].standing
        assert all(not update.standing.HasField("outcome") for update in found[:-1])
        assert sorted(set(revisions)) == revisions
        assert await all_told(engine, "mordor") == told(found)
        assert len(found) > 3


@in_loop
async def test_a_match_that_is_over_is_told_and_the_stream_ends():
    """From any revision, the last one included."""
    async with replica() as engine:
        await engine.create()
        last = await engine.play_on()
        for after in (0, 3, last.revision):
            found = await updates(engine.watch(after=after))

            assert last == found[-1].standing


@pytest.mark.parametrize("seat", ["gondor", "mordor", ""])
@in_loop
async def test_a_watcher_may_go_on_from_any_revision_anywhere(seat):
    """What comes before and what comes after it make up the whole, on this replica or another."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        last = await engine.play_on(choice=1)
        whole, sizes = await all_told(engine, seat), []
        for after in range(last.revision + 1):
            late = told(await updates((engine, other)[after % 2].watch(seat=seat, after=after)))
            sizes.append(len(late))

            assert whole[len(whole) - len(late) :] == late
        assert sorted(sizes, reverse=True) == sizes
        assert (len(whole), 0) == (sizes[0], sizes[-1])


@in_loop
async def test_what_other_replicas_store_is_seen_here():
    """The store tells of it; so it is with a real one."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        watching = asyncio.create_task(updates(other.watch(seat="gondor", after=4)))
        await asyncio.sleep(0.05)
        last = await engine.play_on(choice=1)
        found = await asyncio.wait_for(watching, 5)

        assert last == found[-1].standing
        assert told(await updates(engine.watch(seat="gondor", after=4))) == told(found)


@in_loop
async def test_watchers_see_what_was_stored_while_redis_was_lost(own_redis):
    """The connection for news is made anew, and then everything watched is looked up."""
    here = RedisStore(own_redis.url, "skirmish", patience=1)
    there = RedisStore(own_redis.url, "skirmish", patience=1)
    async with replica(here) as engine, replica(there) as other:
        await engine.create()
        watching = asyncio.create_task(updates(other.watch(seat="gondor")))
        await asyncio.sleep(0.1)
        await engine.play("gondor", "r1", 1)
        own_redis.kill()
        await asyncio.sleep(0.3)
        own_redis.start()
        # Before the watching replica listens again: what is published now, it does not hear.
        await until_available(lambda: engine.play_on(choice=1))
        found = await asyncio.wait_for(watching, 5)

        assert found[-1].standing.HasField("outcome")
        assert await all_told(engine, "gondor") == told(found)
    await here.close()
    await there.close()


@in_loop
async def test_news_that_cannot_be_looked_up_are_looked_up_later():
    """The store answers again after a while."""
    store = Faulty(InMemoryStore())
    async with replica(store.inner) as engine, replica(store) as other:
        await engine.create()
        watching = asyncio.create_task(updates(other.watch(after=4), 2))
        await asyncio.sleep(0.05)
        store.away = True
        await engine.play("gondor", "r1")
        await asyncio.sleep(0.4)
        assert not watching.done()
        store.away = False
        found = await asyncio.wait_for(watching, 5)

        assert [4, 5] == [update.standing.revision for update in found]


@in_loop
async def test_one_who_reads_slowly_gets_fewer_updates_and_no_less():
    """What came while he did not look comes as one."""
    async with replica() as engine:
        await engine.create()
        hub = engine.engine.hub
        watching = hub.watch(MATCH, "gondor", 4)
        await anext(watching)
        await engine.play("gondor", "g1")
        last = await engine.play("mordor", "m1")
        update = await anext(watching)

        assert last.standing.revision == update.state.revision
        assert update.state.revision - 4 == len(update.emitted) == 4
        await watching.aclose()


@in_loop
async def test_one_who_reads_too_slowly_is_ended_and_can_go_on(monkeypatch):
    """What is kept to be told is bounded; where he was is in the status."""
    monkeypatch.setattr(match_caches, "RECENT_WATCHED", 6)
    async with replica() as engine:
        await engine.create()
        watching = engine.engine.hub.watch(MATCH, "gondor", 4)
        await anext(watching)
        await engine.play_on(choice=1)
        cached = engine.engine.matches.cache.find(MATCH)
        assert 6 == len(cached.recent)
        with pytest.raises(Exception, match="WATCH_LAGS") as caught:
            await anext(watching)
        after = int(caught.value.metadata["revision"])
        late = await updates(engine.watch(seat="gondor", after=after))

        assert 4 == after
        assert late[-1].standing.HasField("outcome")


@in_loop
async def test_a_stream_that_nobody_reads_takes_no_more_than_its_window(monkeypatch):
    """Over gRPC: its reader finds what was on the way, and then that he was too slow."""
    large = [t.Event(kind="large", sentence="x" * 300_000)]
    monkeypatch.setattr(match_caches, "RECENT_WATCHED", 6)
    monkeypatch.setattr(wire, "events", lambda *_: large)
    async with replica() as engine:
        await engine.create(rounds="6")
        call = engine.watch(after=4)
        found = [await call.read()]
        await engine.play_on(choice=1)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await read_on(call, found)
        denied = denied_by(caught.value)

        assert ("WATCH_LAGS", C.RESOURCE_EXHAUSTED) == (denied.reason, caught.value.code())
        assert str(found[-1].standing.revision) == denied.metadata["revision"]


@in_loop
async def test_only_watched_matches_keep_much_to_be_told():
    """And none keeps it after the last watcher has gone."""
    async with replica() as engine:
        await engine.create(rounds="6")
        call = engine.watch()
        await call.read()
        await engine.play_on(most=12, choice=1)
        cached = engine.engine.matches.cache.find(MATCH)
        watched = len(cached.recent)
        call.cancel()
        await asyncio.sleep(0.05)
        await engine.play_on(most=1)

        assert watched > match_caches.RECENT
        assert (0, 0) == (cached.watchers, engine.engine.hub.watchers)
        assert match_caches.RECENT >= len(cached.recent)


@in_loop
async def test_there_are_no_more_watchers_than_an_engine_can_bear():
    """One who is too many is told so, and one who leaves makes room."""
    async with replica(most_watchers=2) as engine:
        await engine.create()
        calls = [engine.watch(), engine.watch()]
        for call in calls:
            await call.read()
        await refused(engine.watch().read(), "LIMIT_REACHED", C.RESOURCE_EXHAUSTED, limit="2")
        calls[0].cancel()
        await asyncio.sleep(0.05)

        assert (await engine.watch().read()).standing.revision


@in_loop
async def test_streams_end_when_the_engine_stops():
    """Those who watched go on elsewhere."""
    async with replica() as engine:
        await engine.create()
        call = engine.watch()
        await call.read()
        stopping = asyncio.create_task(engine.engine.server.stop())
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(call.read(), 5)
        await stopping

        assert "UNAVAILABLE" == denied_by(caught.value).reason


@in_loop
async def test_many_watchers_of_one_match_cost_one_look():
    """However many watch here, what another replica stored is read once."""
    store = Faulty(InMemoryStore())
    async with replica(store.inner) as engine, replica(store) as other:
        await engine.create()
        calls = [other.watch(after=4) for _ in range(20)]
        for call in calls:
            await call.read()
        store.asked.clear()
        await engine.play("gondor", "r1")
        found = [await call.read() for call in calls]

        assert {5} == {update.standing.revision for update in found}
        assert 1 == store.asked.count("load")


async def numbers_told(engine, seat, wanted):
    """The numbers of a seat's questions that a stream tells while a match is played to its end."""
    watching = asyncio.create_task(updates(engine.watch(seat=seat, wanted=wanted)))
    await asyncio.sleep(0.05)
    await engine.play_on()
    found = await watching

    assert not any(update.events for update in found)
    assert found[-1].standing.HasField("outcome")
    return [update.question.number for update in found[:-1]]


@in_loop
async def test_who_wants_questions_is_told_each_one_once():
    """Without events; and the outcome."""
    async with replica() as engine:
        await engine.create()
        first = await engine.view("gondor")
        told = await numbers_told(engine, "gondor", e.WANTED_QUESTIONS)

        assert first.question.number == told[0]
        assert sorted(set(told)) == told
        record = parse_record((await engine.record()).text)
        assert len(told) == sum(entry.who == "gondor" for entry in record.entries)


@in_loop
async def test_what_an_answer_told_may_be_left_out():
    """Then a stream tells exactly the questions that no answer of the seat's own has told."""
    async with replica() as engine:
        await engine.create()
        standing = await engine.view("gondor")
        told = [standing.question.number]
        watching = asyncio.create_task(
            updates(engine.watch(seat="gondor", wanted=e.WANTED_QUESTIONS_UNTOLD))
        )
        await asyncio.sleep(0.05)
        known = set(told)
        while not standing.standing.HasField("outcome"):
            seat = standing.standing.waiting[0]
            asked = await engine.question(seat)
            if seat == "gondor" and asked.number not in known:
                told.append(asked.number)
                known.add(asked.number)
            standing = await engine.act(
                seat, asked.number, asked.choices[-1].action.text, f"r{asked.number}"
            )
            if seat == "gondor":
                known.add(standing.question.number)
            await asyncio.sleep(0)  # a watcher that is slower may be told less
        found = await watching

        assert told == [update.question.number for update in found[:-1]]
        assert len(told) < len(known) - 1
        assert found[-1].standing.HasField("outcome")


@pytest.mark.parametrize(("seat", "wanted"), [("", e.WANTED_QUESTIONS), ("gondor", 77)])
@in_loop
async def test_what_can_be_wanted_is_checked(seat, wanted):
    """A spectator is asked nothing, so he must want everything."""
    async with replica() as engine:
        await engine.create()
        call = engine.watch(seat=seat, wanted=wanted)
        await refused(call.read(), "INVALID_REQUEST", C.INVALID_ARGUMENT, field="wanted")
