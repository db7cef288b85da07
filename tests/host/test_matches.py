"""Matches in memory: found, replayed, measured, forgotten, and frozen when they do not fit."""

from __future__ import annotations

import asyncio
import copy
import gc
import re
import tracemalloc
from statistics import median

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.process import metrics
from bree.process.statuses import Denied, denied_by
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host import following
from services.host import match_cache as match_caches
from services.host import match_state as match_states
from services.host import matches as found_matches
from services.host.in_memory_store import InMemoryStore
from services.host.match_cache import size_of
from services.host.serialization import FROZEN, LogEntry
from services.host.store import partition_of
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, in_loop, refused, replica
from tests.host.garbage import only_new_objects
from tests.host.stores import Faulty, Late, picture
from tests.host.test_match_state import begun, played

C = grpc.StatusCode


def forget(engine, match=MATCH):
    engine.engine.matches.cache.drop(engine.engine.matches.cache.find(match))


@in_loop
async def test_a_match_is_read_once_for_all_who_ask_at_once():
    """However many calls meet a match that is not in memory."""
    store = Faulty(InMemoryStore())
    async with replica(store) as engine:
        await engine.create()
        forget(engine)
        store.asked.clear()
        matches = engine.engine.matches
        found = await asyncio.gather(*[matches.find(MATCH) for _ in range(20)])

        assert 1 == store.asked.count("load")
        assert 1 == len({id(cached) for cached in found})


@in_loop
async def test_a_match_that_is_read_while_it_is_created_is_one_object():
    """The first one known here is the one that everyone gets."""
    async with replica() as engine:
        await engine.create()
        cache = engine.engine.matches.cache
        first = cache.find(MATCH)
        size = cache.size
        again = await engine.engine.matches._load(MATCH)

        assert first is again is cache.find(MATCH)
        assert size == cache.size


@in_loop
async def test_one_who_gives_up_waiting_does_not_stop_the_reading():
    """The others still get the match."""
    async with replica() as engine:
        await engine.create()
        forget(engine)
        matches = engine.engine.matches
        first = asyncio.create_task(matches.find(MATCH))
        second = asyncio.create_task(matches.find(MATCH))
        await asyncio.sleep(0)
        first.cancel()

        assert MATCH == (await second).name
        assert first.cancelled()


@in_loop
async def test_a_reading_that_fails_when_nobody_waits_any_more_troubles_nobody():
    """The caller hangs up while the store is slow to fail; no error is left unretrieved."""
    store, said = Late(InMemoryStore()), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context))
    async with replica(store) as engine:
        matches = engine.engine.matches
        store.hold()
        asking = asyncio.create_task(matches.find("nobody's"))
        await store.has_read.wait()
        asking.cancel()
        await asyncio.wait([asking])
        await asyncio.sleep(0)
        reading = matches._loading["nobody's"]
        store.let_go()
        await asyncio.wait([reading])
        del asking, reading  # which holds what it waited for
        gc.collect()

        assert [] == said
        with pytest.raises(Denied):
            await matches.find("nobody's")


@in_loop
async def test_a_long_replay_lets_others_go_on(monkeypatch):
    """The loop is not held for longer than a slice."""
    monkeypatch.setattr(following, "SLICE_SECONDS", 0)
    async with replica() as engine:
        await engine.create(rounds="6")
        await engine.play_on(choice=1)
        forget(engine)
        turns = 0

        async def count():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        cached = await engine.engine.matches.find(MATCH)
        counting.cancel()

        assert turns > cached.state.revision / 3


@pytest.mark.parametrize("at", [1, 5, 12])
@in_loop
async def test_a_match_whose_log_was_changed_is_frozen(at):
    """It says at which entry, keeps its log, is counted, and is no longer due. Others go on."""
    async with replica() as engine, replica(engine.engine.store) as other:
        frozen = metrics.FROZEN.labels("skirmish")
        before = frozen._value.get()
        await engine.create(levels={"gondor": "greedy", "mordor": "greedy"})
        await engine.create("m-other")
        await engine.play_on(most=8)
        store = engine.engine.store
        lines = store.matches[MATCH].lines
        lines[at - 1] = LogEntry.of(lines[at - 1])._replace(digest="0badcafe").text()
        log = list(lines)
        forget(engine)
        for replica_ in (engine, engine, other):
            call = replica_.view()
            await refused(call, "MATCH_FROZEN", C.DATA_LOSS, match=MATCH, revision=str(at))

        assert before + 1 == frozen._value.get()
        assert (str(at), log) == (store.matches[MATCH].fields[FROZEN], store.matches[MATCH].lines)
        assert [] == [member for member in store.due if MATCH in member]
        assert (await other.play("gondor", "r", match="m-other")).standing.revision


@in_loop
async def test_a_replica_learns_that_a_match_was_frozen_elsewhere():
    """Before it adds to it, and while it is watched."""
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create()
        await engine.play_on(most=3)
        number = (await other.question("mordor")).number
        call = other.watch()
        await call.read()
        store = engine.engine.store
        store.matches[MATCH].lines[1] = "chance\tdraw horn\t00000000\t0\t"
        forget(engine)
        await refused(engine.view(), "MATCH_FROZEN", C.DATA_LOSS)
        before = picture(store)
        act = other.act("mordor", number, "ready", "r")
        await refused(act, "MATCH_FROZEN", C.DATA_LOSS, revision="2")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(call.read(), 5)

        assert "MATCH_FROZEN" == denied_by(caught.value).reason
        assert before == picture(store)


@in_loop
async def test_a_match_that_is_frozen_no_more_goes_on():
    """Its log is right again and the mark is gone: what must happen next is due as before."""
    async with replica() as engine:
        await engine.create(levels={"gondor": "greedy"})
        store, whole = engine.engine.store, picture(engine.engine.store)
        match = store.matches[MATCH]
        right, match.lines[0] = match.lines[0], "chance\tdraw horn\t00000000\t0\t"
        forget(engine)
        await refused(engine.view(), "MATCH_FROZEN", C.DATA_LOSS)
        assert {} == store.due
        match.lines[0] = right
        del match.fields[FROZEN]
        await engine.view()
        match.version = 1

        assert whole == picture(store)


@in_loop
async def test_a_finished_match_keeps_its_record_though_it_is_frozen():
    """And though no engine here has its edition: a record can be read without rules."""
    async with replica() as engine:
        await engine.create()
        await engine.play_on()
        whole = (await engine.record()).text
        store = engine.engine.store
        store.matches[MATCH].lines[0] = store.matches[MATCH].lines[0].replace("draw", "DRAW")
        forget(engine)
        await refused(engine.view(), "MATCH_FROZEN", C.DATA_LOSS)
        response = await engine.record()

        assert whole.replace("draw", "DRAW", 1) == response.text
        assert response.standing.outcome.scores
        fields = store.matches[MATCH].fields
        fields["setup"] = fields["setup"].replace("[1,", "[7,", 1)
        del fields[FROZEN]
        response = await engine.record()
        assert 7 == parse_record(response.text.replace("DRAW", "draw")).edition
        assert response.standing.revision == len(store.matches[MATCH].lines)
        await engine.call("SettleMatch", e.SettleMatchRequest(match=MATCH))


@in_loop
async def test_a_store_that_lost_something_is_believed():
    """Whoever knew what it had is told so once; then all goes on from what the store has."""
    async with replica() as engine:
        await engine.create()
        kept = copy.deepcopy(engine.engine.store.matches)
        lost = (await engine.play("gondor", "r1")).standing
        engine.engine.store.matches = kept
        changed = metrics.HISTORIES_CHANGED.labels("skirmish")._value.get()
        await refused(engine.view("gondor"), "HISTORY_CHANGED", C.ABORTED, revision="4")
        view = await engine.view("gondor")

        assert changed + 1 == metrics.HISTORIES_CHANGED.labels("skirmish")._value.get()
        assert 4 == view.standing.revision
        assert view.question.choices
        assert lost.head != view.standing.head
        assert 5 == (await engine.play("gondor", "r1")).standing.revision


@in_loop
async def test_two_histories_are_never_mixed():
    """Other moves than those that were lost lead to the same version, and to another head."""
    store = InMemoryStore()
    async with replica(store) as old, replica(store) as new:
        await old.create()
        kept = copy.deepcopy(store.matches)
        lost = await old.play("gondor", "r1")
        number = (await old.question("mordor")).number
        watching = old.watch(seat="mordor")
        await anext(aiter(watching))
        store.matches = kept
        other = await new.play("gondor", "r2", 1)

        assert lost.standing.revision == other.standing.revision
        assert lost.standing.head != other.standing.head
        act = old.act("mordor", number, "ready", "r3", head=lost.standing.head)
        await refused(act, "HISTORY_CHANGED", C.ABORTED)
        await refused(anext(aiter(watching)), "HISTORY_CHANGED", C.ABORTED)
        act = old.act("mordor", number, "ready", "r3", head=lost.standing.head)
        await refused(act, "HISTORY_CHANGED", C.ABORTED)  # by its head, now that the truth is known
        watched = old.watch(seat="gondor", after=5, head=lost.standing.head)
        await refused(anext(aiter(watched)), "HISTORY_CHANGED", C.ABORTED)
        await refused(
            old.act("mordor", number, "ready", "r3", head="x"),
            "INVALID_REQUEST",
            C.INVALID_ARGUMENT,
        )
        assert other.standing == (await old.view("gondor")).standing
        await old.act("mordor", number, "ready", "r3", head=other.standing.head)


@in_loop
async def test_a_head_of_long_ago_is_known():
    """However much has happened since; one that never was is not."""
    async with replica() as engine:
        first = (await engine.create()) and (await engine.view()).standing.head
        last = await engine.play_on()
        cached = engine.engine.matches.cache.find(MATCH)
        cached.heads.clear()
        found = [update async for update in engine.watch(after=0, head=first)]

        assert last.head == found[-1].standing.head
        await refused(anext(aiter(engine.watch(head="0" * 64))), "HISTORY_CHANGED", C.ABORTED)


@in_loop
async def test_a_log_that_does_not_lead_to_its_head_is_frozen():
    """Though every line of it replays: something was left out at its end."""
    async with replica() as engine:
        await engine.create()
        await engine.play("gondor", "r1")
        match = engine.engine.store.matches[MATCH]
        match.version += 1
        del match.lines[4:]
        forget(engine)
        await refused(engine.view(), "MATCH_FROZEN", C.DATA_LOSS)


@in_loop
async def test_a_match_from_before_histories_were_bound_is_not_gone_on_with():
    """It is told in words; once it is over, its record is written as it was then."""
    async with replica() as engine:
        await engine.create()
        await engine.play_on()
        match = engine.engine.store.matches[MATCH]
        match.head = ""
        match.lines = [line.rpartition("\t")[0] for line in match.lines]
        players = re.compile(r'(\["\w+","[^"]*","\w*","\w+"),"\w+"\]')
        match.fields["setup"] = players.sub(r"\1]", match.fields["setup"])
        forget(engine)

        await refused(engine.view(), "EDITION_UNSUPPORTED", C.UNIMPLEMENTED)
        text = (await engine.record()).text
        assert text.startswith("bree record 1\n")
        assert replay(parse_record(text), RULES).is_over


@in_loop
async def test_another_key_is_told_from_a_broken_record():
    """It is a mistake in a setting: nothing is frozen, and the right engine goes on."""
    store = InMemoryStore()
    async with replica(store) as engine, replica(store, fate_key="11" * 32) as wrong:
        await engine.create()
        before = picture(store)
        await refused(wrong.view(), "UNAVAILABLE", C.UNAVAILABLE, part="engine")

        assert before == picture(store)
        assert (await engine.play("gondor", "r1")).standing.revision


@in_loop
async def test_the_past_is_told_in_pieces(monkeypatch):
    """Each with the standing it led to; together they are everything."""
    monkeypatch.setattr(found_matches, "CHUNK", 5)
    async with replica() as engine:
        await engine.create(rounds="6")
        last = await engine.play_on(choice=1)
        found = [update async for update in engine.watch(seat="gondor")]
        seen = (await engine.record("gondor")).standing

        assert len(found) > 3
        revisions = [update.standing.revision for update in found]
        assert sorted(set(revisions)) == revisions
        assert last == seen == found[-1].standing
        assert all(update.standing.waiting for update in found[:-1])


# Memory.


@in_loop
async def test_the_cache_forgets_the_longest_unused_when_it_is_full():
    """And finds it again in the store when it is wanted."""
    async with replica(cache_bytes=1 << 20) as engine:
        cache = engine.engine.matches.cache
        cache.capacity = 150_000
        for n in range(60):
            await engine.create(f"m-{n}-x")
            await engine.view("", "m-0-x")

        assert 3 < len(cache) < 60
        assert cache.size <= cache.capacity
        assert cache.find("m-0-x") is not None
        assert cache.find("m-1-x") is None
        assert 4 == (await engine.view("", "m-1-x")).standing.revision
        assert len(cache) == metrics.CACHED_MATCHES.labels("skirmish")._value.get()


@in_loop
async def test_a_match_in_use_is_one_object_though_it_was_forgotten():
    """Those who watch it go on hearing of it."""
    async with replica() as engine:
        await engine.create()
        call = engine.watch(after=4)
        await call.read()
        cache = engine.engine.matches.cache
        cached = cache.find(MATCH)
        cache.capacity = 0
        await engine.create("m-other")
        assert MATCH not in cache._kept

        assert cache.find(MATCH) is cached
        await engine.play("gondor", "r1")
        assert 5 == (await call.read()).standing.revision
        call.cancel()


@in_loop
async def test_a_cache_of_nothing_still_serves():
    """Each call reads the match anew."""
    async with replica() as engine:
        engine.engine.matches.cache.capacity = 0
        for n in range(4):
            await engine.create(f"m-{n}-y")
        for n in range(4):
            await engine.play_on(f"m-{n}-y")
        assert len(engine.engine.matches.cache) <= 1


@pytest.mark.parametrize(
    ("game", "chosen"),
    [("skirmish", {}), ("confrontation", {}), ("confrontation", {"preset": "deluxe_draft"})],
)
def test_the_size_of_a_match_is_what_it_takes(game, chosen):
    """Within a half of what the interpreter itself counts, for matches half played."""
    count = 20
    live_of(game, chosen, 0)  # tables that are made once
    with only_new_objects():
        tracemalloc.start()
        taken = median(memory_of(lambda: played_by_now(count, game, chosen)) for _ in range(5))
        tracemalloc.stop()
    measured = sum(size_of(cached) for cached in played_by_now(count, game, chosen))

    assert 0.67 < measured / taken < 1.5, (measured / count, taken / count)


def memory_of(make):
    """The bytes of what this makes, and of what other threads happen to make or free meanwhile."""
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    made = make()
    gc.collect()

    assert made
    return tracemalloc.get_traced_memory()[0] - before


def played_by_now(count, game, chosen):
    return [live_of(game, chosen, seed) for seed in range(count)]


def live_of(game, chosen, seed):
    state, lines = begun(game, **chosen)
    state = played(state, lines, seed, 40)[-1]
    cached = match_caches.CachedMatch(f"m-{seed}-measured", state)
    cached.seen_requests += bytes(4 * len(lines))
    return cached


@pytest.mark.parametrize(
    ("game", "chosen"), [("skirmish", {"rounds": "6", "seats": "3"}), ("confrontation", {})]
)
def test_a_match_never_takes_twice_what_the_cache_believes(game, chosen):
    """It is measured again when it has grown, and the sum is kept up to date."""
    cache = match_caches.MatchCache("measured", 1 << 30)
    first, lines = begun(game, **chosen)
    cached = match_caches.CachedMatch("m-1", first)
    sizes = set()
    for state in played(first, lines, 3):
        cached.state = state
        cache.keep(cached)
        sizes.add(cached.size)

        assert size_of(cached) < 2 * cached.size
        assert cache.size == cached.size
    assert len(sizes) > 1


def test_partitions_are_used_evenly():
    """And a match stays where it is: these are facts that stores rely on."""
    counts = [0] * 256
    for n in range(25_600):
        counts[partition_of(f"c-{n:06x}")] += 1

    assert min(counts) > 40
    assert max(counts) < 200
    assert (246, 183) == (partition_of("c-7f3k2m"), partition_of("s-match-1"))


@in_loop
async def test_a_log_without_the_answers_of_chance_does_not_replay():
    """A match begins with them; an empty log is not whole."""
    async with replica() as engine:
        await engine.create()
        engine.engine.store.matches[MATCH].lines.clear()
        forget(engine)
        await refused(engine.view(), "MATCH_FROZEN", C.DATA_LOSS, revision="1")


@in_loop
async def test_a_match_that_does_not_end_is_ended(monkeypatch):
    """Its record could not be read any more. The last answer is stored, and found again."""
    monkeypatch.setattr(match_states, "LONGEST", 12)
    async with replica() as engine, replica(engine.engine.store) as other:
        await engine.create(rounds="6")
        while not (standing := (await engine.view()).standing).HasField("outcome"):
            seat = standing.waiting[0]
            asked = await engine.question(seat)
            text = asked.choices[-1].action.text
            last = (seat, asked.number, text, f"r{asked.number}")
            response = await engine.act(*last)
        record = parse_record((await other.record()).text)

        assert 12 < len(record.entries) < 20
        assert record.aborted
        assert ("host", "abort") == record.entries[-1][:2]
        assert record == parse_record(record.text())
        assert response == await other.act(*last)
        assert standing == response.standing
        assert replay(record, RULES).aborted
