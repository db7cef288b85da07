"""Watching: in order, without gaps, shared, and whatever happens to the engines."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import feed, watch
from gateway.settings import GatewaySettings
from gateway.watch import Hub
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.town import reason, refusal, until


def revisions(steps):
    return [int(event.facts["revision"]) for step in steps for event in step.events]


async def test_a_watcher_sees_everything(town):
    """From the beginning, in order, up to the outcome, and then the stream ends."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    town.count(match, 3)
    stream = tom.stream(pb.WatchMatchRequest(match=match))
    steps = [await stream.next()]
    town.count(match)
    steps.append(await stream.next())
    town.count(match, 2)
    steps += await stream.rest()

    assert [1, 2, 3, 4, 5, 6] == revisions(steps)
    assert steps[-1].standing.HasField("outcome")
    assert not any(step.standing.HasField("outcome") for step in steps[:-1])
    assert all("text" not in event.facts for step in steps for event in step.events)


async def test_a_watcher_goes_on_where_it_was(town):
    """The first step comes at once, also if nothing is new."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.count(match, 4)
    request = pb.WatchMatchRequest(match=match, seat="red", after_revision=2)
    behind = rosie.stream(request)
    assert [3, 4] == revisions([await behind.next()])
    request.after_revision = 4
    level = rosie.stream(request)
    step = await level.next()

    assert ([], 4, 30) == (revisions([step]), step.standing.revision, step.question.number)
    town.count(match)
    for stream in (behind, level):
        assert [5] == revisions([await stream.next()])
    request.after_revision = 7
    denied = await refusal(rosie.stream(request).rest())
    assert ("UNKNOWN_REVISION", "5") == (denied.reason, denied.metadata["latest"])


async def test_a_match_that_is_over_is_watched(town):
    """From any revision; it ends at once."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    town.count(match, 2)

    for after, seen in ((0, [1, 2]), (1, [2]), (2, [])):
        request = pb.WatchMatchRequest(match=match, after_revision=after)
        steps = await rosie.stream(request).rest()
        assert seen == revisions(steps)
        assert steps[-1].standing.HasField("outcome")


async def test_watchers_share_a_stream(town):
    """One of the engine's for each pair of eyes, and none when nobody looks any more."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    streams = [tom.stream(pb.WatchMatchRequest(match=match)) for _ in range(5)]
    streams += [rosie.stream(pb.WatchMatchRequest(match=match, seat="red")) for _ in range(5)]
    for stream in streams:
        await stream.next()

    await until(lambda: {(match, ""): 1, (match, "red"): 1} == town.engine.watches)
    town.count(match)
    steps = [await stream.next() for stream in streams]
    assert [[1]] * 10 == [revisions([step]) for step in steps]
    assert 5 == sum("text" in step.events[0].facts for step in steps)
    for stream in streams:
        stream.cancel()
    await until(lambda: not town.engine.watches.total())
    assert not town.process.gateway.hub._feeds


async def test_who_comes_late_joins_the_others(town):
    """What it missed comes through a stream of its own, which ends when it is level."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam, length=99)
    early = tom.stream(pb.WatchMatchRequest(match=match))
    await early.next()
    for _ in range(40):
        town.count(match)
        await early.next()
    late = tom.stream(pb.WatchMatchRequest(match=match))
    recent = tom.stream(pb.WatchMatchRequest(match=match, after_revision=38))

    assert list(range(1, 41)) == revisions([await late.next()])
    assert [[39], [40]] == [revisions([await recent.next()]) for _ in range(2)]
    await until(lambda: town.engine.watches[match, ""] == 1)
    town.count(match)
    for stream in (early, late, recent):
        assert [41] == revisions([await stream.next()])


@pytest.mark.parametrize("town", [{"engines_count": 2}], indirect=True)
async def test_a_stream_goes_on_at_another_engine(town):
    """Nothing is missed, and nothing comes twice."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    streams = [tom.stream(pb.WatchMatchRequest(match=match)) for _ in range(2)]
    for stream in streams:
        await stream.next()
    town.count(match)
    for stream in streams:
        assert [1] == revisions([await stream.next()])
    [serving] = [engine for engine in town.engines if engine.watches[match, ""]]
    await serving.stop()
    town.count(match, 2)

    for stream in streams:
        steps = [await stream.next()]
        if steps[-1].standing.revision < 3:
            steps.append(await stream.next())
        assert [2, 3] == revisions(steps)


async def test_a_stream_goes_on_when_its_engine_is_back(town):
    """However long that takes, and without a word in between."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    stream = rosie.stream(pb.WatchMatchRequest(match=match, seat="red"))
    await stream.next()
    port = town.engine.port
    await town.engine.stop()
    await asyncio.sleep(0.3)
    town.engines[0] = await FakeEngine(town.world).start(port)
    await until(lambda: town.engine.watches[match, "red"])
    town.count(match)

    step = await stream.next()
    assert [1] == revisions([step])


@pytest.mark.parametrize("town", [{"call_seconds": 0.3}], indirect=True)
async def test_a_stream_that_cannot_begin_ends(town):
    """Nobody waits for the first step for ever."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    await town.engine.stop()

    assert "UNAVAILABLE" == await reason(rosie.stream(pb.WatchMatchRequest(match=match)).rest())


@pytest.mark.parametrize("town", [{"call_seconds": 0.3, "engines_count": 2}], indirect=True)
async def test_an_engine_that_says_nothing_is_left(town):
    """A stream whose first step does not come goes to another replica."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first = town.process.gateway.engines.order("hopscotch", match)[0].address
    [silent] = [engine for engine in town.engines if engine.address == first]
    silent.before["Watch"].append(asyncio.sleep(60))
    stream = rosie.stream(pb.WatchMatchRequest(match=match))
    await stream.next()
    [other] = [engine for engine in town.engines if engine is not silent]
    await until(lambda: other.watches[match, ""])
    town.count(match)

    assert [1] == revisions([await stream.next()])


@pytest.mark.parametrize("why", ["MATCH_FROZEN", "BUG"])
async def test_a_stream_that_an_engine_refuses_ends(town, why):
    """With its reason, for everyone."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.engine.before["Watch"].append(Denied(why, "no", revision=1, incident="i"))

    assert why == await reason(_both(rosie, match))


async def _both(caller, match):
    streams = [caller.stream(pb.WatchMatchRequest(match=match)) for _ in range(2)]
    await asyncio.gather(*(stream.rest() for stream in streams))


async def test_a_bug_ends_the_streams_it_concerns(town, monkeypatch):
    """Whoever waits hears of it, and has an incident to name."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)

    async def broken(*_):
        raise ValueError("a secret that nobody may see")

    monkeypatch.setattr(Hub, "_keep_telling", broken)
    denied = await refusal(rosie.stream(pb.WatchMatchRequest(match=match)).rest())

    assert ("BUG", 12) == (denied.reason, len(denied.metadata["incident"]))
    assert "secret" not in denied.message


@pytest.mark.parametrize("town", [{"watch_backlog": 32}], indirect=True)
async def test_a_slow_reader_is_told_how_far_it_came(town):
    """Others go on; watching again from there misses nothing."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam, length=9_999)
    slow = tom.stream(pb.WatchMatchRequest(match=match))
    quick = sam.stream(pb.WatchMatchRequest(match=match))
    for stream in (slow, quick):
        await stream.next()
    padding = "x" * 50_000
    watchers = town.process.gateway.streams._open[tom.token.partition(".")[0]]
    [watcher] = watchers
    played = town.world.matches[match]
    while not watcher.termination.has_come:
        played.entries.append((padding, "count 1", f"x{played.revision}", 0))
        played.move()
        step = await quick.next()
        assert [played.revision] == revisions([step])
    steps = []
    denied = await refusal(_read(slow, steps))
    seen = revisions(steps)

    assert "WATCH_LAGS" == denied.reason
    assert {"match": match, "revision": str(len(seen))} == denied.metadata
    assert list(range(1, len(seen) + 1)) == seen
    assert not watcher._steps
    again = tom.stream(pb.WatchMatchRequest(match=match, after_revision=len(seen)))
    assert len(seen) + 1 == revisions([await again.next()])[0]


async def _read(stream, steps):
    while (step := await stream.next()) is not None:
        steps.append(step)


@pytest.mark.parametrize("town", [{"most_streams": 3}], indirect=True)
async def test_an_account_has_so_many_streams(town):
    """Of all kinds together; one that ends makes room."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    streams = [rosie.stream(pb.WatchMatchRequest(match=match)) for _ in range(2)]
    streams.append(rosie.stream(pb.ListenQuestionsRequest()))
    for stream in streams:
        await stream.next()
    for request in (pb.WatchMatchRequest(match=match), pb.ListenQuestionsRequest()):
        denied = await refusal(rosie.stream(request).rest())
        assert {"limit": "3", "of": "open streams"} == denied.metadata
    assert await sam.stream(pb.ListenQuestionsRequest()).silent()
    streams[0].cancel()
    open_ones = town.process.gateway.streams._open
    await until(lambda: len(open_ones[rosie.token.partition(".")[0]]) == 2)

    assert await rosie.stream(pb.WatchMatchRequest(match=match)).next()


async def test_a_gateway_that_stops_ends_its_streams(town):
    """So that its callers go to another one."""
    other = await town.gateway()
    rosie = await town.account(process=other)
    sam = await town.account(process=other)
    match = await town.running_match(rosie, sam)
    watching = rosie.stream(pb.WatchMatchRequest(match=match))
    listening = rosie.stream(pb.ListenQuestionsRequest())
    for stream in (watching, listening):
        await stream.next()
    ends = asyncio.gather(refusal(watching.rest()), refusal(listening.rest()))
    await other.server.stop()

    for denied in await ends:
        assert ("UNAVAILABLE", {"part": "gateway"}) == (denied.reason, denied.metadata)


def test_what_is_told_again_leaves_room_for_more():
    """Else who comes a little late would be too slow before he has read anything."""
    least = GatewaySettings(platform_token="x" * 16, engines="duel=a:1", watch_backlog=32)

    assert 2 * feed.RECENT_STEPS <= least.watch_backlog
    with pytest.raises(ValidationError):
        GatewaySettings(platform_token="x" * 16, engines="duel=a:1", watch_backlog=31)


# A store that went back in time.


def lose(town, match, kept):
    """The moves after a number of them are lost, and another is made instead of the first."""
    played = town.world.matches[match]
    played.lose(kept)
    seat = played.waiting
    played.entries.append((seat, "count 2", "other", played.number(seat)))


async def test_an_answer_to_a_lost_history_is_refused(town):
    """Though a question of the same number stands in the one that goes on."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.count(match, 3)
    known = (await sam.ask(pb.GetViewRequest(match=match, seat="blue"))).standing.head
    lose(town, match, 2)
    act = {"match": match, "seat": "blue", "question": 20, "action": "count 1", "request_id": "r"}
    denied = await refusal(sam.ask(pb.ActRequest(**act, head=known)))

    assert ("HISTORY_CHANGED", "3") == (denied.reason, denied.metadata["revision"])
    assert {"field": "head"} == (await refusal(sam.ask(pb.ActRequest(**act, head="x")))).metadata
    now = (await sam.ask(pb.GetViewRequest(match=match, seat="blue"))).standing
    assert 4 == (await sam.ask(pb.ActRequest(**act, head=now.head))).standing.revision


async def test_watching_never_goes_on_from_another_history(town):
    """Neither a new stream, nor one that its engine was gone from meanwhile."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    town.count(match, 2)
    stream = tom.stream(pb.WatchMatchRequest(match=match))
    known = (await stream.next()).standing
    request = pb.WatchMatchRequest(match=match, after_revision=2, head=known.head)
    assert known == (await tom.stream(request).next()).standing
    port = town.engine.port
    await town.engine.stop()
    lose(town, match, 1)
    town.engines[0] = await FakeEngine(town.world).start(port)

    assert "HISTORY_CHANGED" == await reason(stream.rest())
    assert "HISTORY_CHANGED" == await reason(tom.stream(request).rest())
    anew = await tom.stream(pb.WatchMatchRequest(match=match)).next()
    assert (2, [1, 2]) == (anew.standing.revision, revisions([anew]))


class Streams:
    """An engine whose only stream says this."""

    def __init__(self, *said):
        self.said = said

    @asynccontextmanager
    async def watch(self, *_):
        async def updates():
            for one in self.said:
                yield one

        yield updates()


async def test_what_changes_between_a_look_and_a_stream_is_told():
    """A seat that is taken back is asked at the revision of before; the same is said once."""
    lent, back, over = (pb.WatchMatchResponse() for _ in range(3))
    lent.standing.revision = back.standing.revision = 7
    over.standing.revision = 8
    lent.standing.stand_ins.add(seat="red", bot_level="greedy")
    back.question.number = 3
    over.standing.outcome.SetInParent()
    match = SimpleNamespace(id="h-1", game="hopscotch")
    followed = feed.Feed(match, "red", watch.EVERYTHING)
    for told, said in ((lent, [back, over]), (back, [over])):
        steps = watch._steps(Streams(back, over), followed, 7, "", told)

        assert said == [step.said async for step in steps]
