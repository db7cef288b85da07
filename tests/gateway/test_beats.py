"""Beats of streams: an engine that hangs is left, and callers who ask for beats get them."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import servicers
from tests.clients.wire import Wire
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.test_watch import revisions
from tests.gateway.town import Town, until

BEAT = 0.05


class Hanging:
    """A town with two engines, which hang when they are told to."""

    def __init__(self, store_of):
        self.town = Town(store_of)
        self.wires = {}
        self.rosie = None

    async def open(self, **given):
        town = self.town
        town.engines = [await FakeEngine(town.world).start() for _ in range(2)]
        self.wires = {engine: Wire(engine.port) for engine in town.engines}
        addresses = ",".join(f"127.0.0.1:{wire.port}" for wire in self.wires.values())
        await town.gateway(engines=f"hopscotch={addresses}", beat_seconds=BEAT, **given)

    def hang(self, engine):
        self.wires[engine].hold()

    def serving(self, match, seat):
        [serving] = [engine for engine in self.town.engines if engine.watches[match, seat]]
        return serving

    async def close(self):
        for wire in self.wires.values():
            wire.close()
        await self.town.close()


@pytest.fixture
def hanging(loop, store_of):
    made = Hanging(store_of)
    yield made
    loop.run(made.close())


async def begun(hanging, **given):
    """A match that is watched, listened to and played, and the engine that serves the watching."""
    await hanging.open(**given)
    town = hanging.town
    rosie, sam = await town.account(), await town.account()
    hanging.rosie = rosie
    match = await town.running_match(rosie, sam)
    watching = rosie.stream(pb.WatchMatchRequest(match=match, seat="red"))
    await watching.next()
    listening = sam.stream(pb.ListenQuestionsRequest())
    await until(lambda: town.process.gateway.hub._feeds.get((match, "blue", 1)))
    await asyncio.sleep(5 * BEAT)
    return town, match, watching, listening


async def test_streams_leave_an_engine_that_hangs(hanging):
    """Its connections are open and it says nothing; what happens is told by another one.

    The health of engines is not looked at here, so it is beats that are missed.
    """
    town, match, watching, listening = await begun(hanging, health_seconds=60)
    serving = hanging.serving(match, "red")
    hanging.hang(serving)
    town.count(match)

    async with asyncio.timeout(5):
        assert [1] == revisions([await watching.next()])
        assert (match, "blue") == ((told := await listening.next()).match, told.seat)
        town.count(match)
        assert [2] == revisions([await watching.next()])
    assert not town.process.gateway.engines.order("hopscotch", match)[1].is_healthy


async def test_an_act_leaves_an_engine_that_hangs(hanging):
    """It is done once, at another one, long before its deadline."""
    town, match, _, _ = await begun(hanging, health_seconds=60, call_seconds=600)
    hanging.hang(hanging.serving(match, "red"))
    act = pb.ActRequest(match=match, seat="red", question=10, action="count 1", request_id="r")

    async with asyncio.timeout(8):
        answer = await hanging.rosie.ask(act, timeout=600)
    assert 1 == answer.standing.revision == town.world.matches[match].revision


async def test_streams_bear_with_an_engine_without_beats(hanging, monkeypatch):
    """An older one sends none; its silence means that nothing happens."""
    monkeypatch.setattr(FakeEngine, "Watch", FakeEngine._steps)
    monkeypatch.setattr("bree.process.demultiplexer._Connection._look", lambda _: None)
    town, match, watching, listening = await begun(hanging)
    await asyncio.sleep(20 * BEAT)
    opened = [key for engine in town.engines for key in engine.watched.elements()]
    town.count(match)

    assert [1] == revisions([await watching.next()])
    assert match == (await listening.next()).match
    assert [(match, "blue"), (match, "red")] == sorted(opened)


@pytest.mark.parametrize("town", [{"beat_seconds": BEAT}], indirect=True)
async def test_a_silent_engine_that_lives_is_kept(town):
    """Its beats are not told, and no stream is opened twice."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    streams = [rosie.stream(pb.WatchMatchRequest(match=match, seat="red"))]
    streams.append(sam.stream(pb.ListenQuestionsRequest()))
    assert 0 == (await streams[0].next()).standing.revision
    await asyncio.sleep(20 * BEAT)
    town.count(match)

    assert [1] == revisions([await streams[0].next()])
    assert match == (await streams[1].next()).match
    assert {(match, "red"): 1, (match, "blue"): 1} == town.engine.watched


async def test_callers_who_ask_are_sent_beats(town, monkeypatch):
    """Empty messages, as long as nothing happens; never more often than is allowed."""
    monkeypatch.setattr(servicers, "LEAST_BEAT_MS", 30)
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    watching = rosie.stream(pb.WatchMatchRequest(match=match, beat_ms=1))
    listening = sam.stream(pb.ListenQuestionsRequest(beat_ms=1))
    assert pb.WatchMatchResponse() == await watching.next()
    while not (await watching.next()).HasField("standing"):
        pass  # a beat, where the engine is slow to say
    loop = asyncio.get_running_loop()
    began = loop.time()

    for _ in range(4):
        assert pb.WatchMatchResponse() == await watching.next()
        assert pb.ListenQuestionsResponse() == await listening.next()
    assert 4 * 0.03 <= loop.time() - began
    town.count(match)
    while not (step := await watching.next()).HasField("standing"):
        pass
    assert [1] == revisions([step])


async def test_callers_who_do_not_ask_are_sent_none(town, monkeypatch):
    """They would take one for a step."""
    monkeypatch.setattr(servicers, "LEAST_BEAT_MS", 10)
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    watching = rosie.stream(pb.WatchMatchRequest(match=match))
    await watching.next()

    assert await watching.silent()
    assert await sam.stream(pb.ListenQuestionsRequest()).silent()
