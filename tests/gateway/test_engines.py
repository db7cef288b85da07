"""Engines: which replica is asked, when another one is, and what their failures become."""

from __future__ import annotations

import asyncio

import pytest

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context
from gateway.engines import PASSED_ON
from tests.gateway.fake_engine import FakeEngine, World
from tests.gateway.town import reason, refusal, until

TWO = pytest.mark.parametrize("town", [{"engines_count": 2}], indirect=True)
THREE = pytest.mark.parametrize("town", [{"engines_count": 3}], indirect=True)
AWAY = Denied("UNAVAILABLE", "this engine is stopping", part="engine")
LOST = Denied("OUTCOME_UNKNOWN", "the store went away", match="m", request_id="r")


def engines_of(town):
    return town.process.gateway.engines


def in_order(town, match):
    """The fake engines as the gateway asks them about a match."""
    by_address = {engine.address: engine for engine in town.engines}
    order = engines_of(town).order("hopscotch", match)
    return [by_address[replica.address] for replica in order]


@THREE
async def test_a_match_goes_to_one_replica(town):
    """The same one from every gateway, and different ones for different matches."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, *rest = in_order(town, match)
    before = first.calls["GetSeatView"]
    for process in (town.process, other):
        for _ in range(3):
            await town.same(rosie, process).ask(pb.GetViewRequest(match=match))
    firsts = {in_order(town, f"h-{n}")[0].address for n in range(50)}

    assert 6 == first.calls["GetSeatView"] - before
    assert 0 == sum(engine.calls["GetSeatView"] for engine in rest)
    assert {engine.address for engine in town.engines} == firsts


@THREE
async def test_only_the_matches_of_a_lost_replica_move(town):
    """All others keep their warm caches."""
    names = [f"h-{n}" for n in range(100)]
    before = {name: in_order(town, name)[0] for name in names}
    lost = town.engines[1]
    await lost.stop()
    replicas = engines_of(town).replicas["hopscotch"]
    await until(lambda: sum(replica.is_healthy for replica in replicas) == 2)
    after = {name: in_order(town, name)[0] for name in names}

    assert {name for name in names if before[name] is lost} == {
        name for name in names if before[name] is not after[name]
    }


@TWO
@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("trouble", [AWAY, LOST], ids=lambda denied: denied.reason)
async def test_an_act_is_repeated_on_another_replica(town, where, trouble):
    """It has a request id, so it is one act, whether or not the first attempt was carried out."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, second = in_order(town, match)
    getattr(first, where)["Act"].append(trouble)
    answer = await town.act(rosie, match, "red")

    assert (1, 1) == (first.calls["Act"], second.calls["Act"])
    assert 1 == answer.standing.revision == town.world.matches[match].revision
    assert ["1 red"] == [event.sentence for event in answer.events]


@TWO
async def test_a_refusal_is_not_repeated(town):
    """It would be the same elsewhere."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, second = in_order(town, match)
    assert "ILLEGAL_ACTION" == await reason(town.act(rosie, match, "red", action="count 9"))

    assert (1, 0) == (first.calls["Act"], second.calls["Act"])


@TWO
async def test_what_may_not_be_repeated_is_not(town):
    """Even if no answer came."""
    first, second = in_order(town, "")
    first.before["ClaimDue"].append(AWAY)
    request = engine.GetRecordRequest()
    with pytest.raises(Denied) as caught:
        await engines_of(town).ask("ClaimDue", "hopscotch", request)

    assert "UNAVAILABLE" == caught.value.reason
    assert (1, 0) == (first.calls["ClaimDue"], second.calls["ClaimDue"])


@TWO
async def test_an_act_that_may_have_been_carried_out_is_said_to_be(town):
    """Though the last attempt was not."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, second = in_order(town, match)
    first.after["Act"].append(LOST)
    second.before["Act"].append(AWAY)
    act = pb.ActRequest(match=match, seat="red", question=10, action="count 1", request_id="mine")
    denied = await refusal(rosie.ask(act))

    assert "OUTCOME_UNKNOWN" == denied.reason
    assert 1 == (await rosie.ask(act)).standing.revision


@TWO
async def test_reads_and_acts_outlive_a_replica(town):
    """Nobody notices; when it is back its matches go there again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, second = in_order(town, match)
    port = first.port
    await first.stop()
    await town.act(rosie, match, "red")
    await rosie.ask(pb.GetViewRequest(match=match, seat="red"))
    await rosie.ask(pb.GetMatchRecordRequest(match=match))
    town.engines[town.engines.index(first)] = await FakeEngine(town.world).start(port)
    await until(lambda: in_order(town, match)[0].port == port)
    await town.act(sam, match, "blue")

    assert (1, 1) == (second.calls["Act"], in_order(town, match)[0].calls["Act"])


@TWO
async def test_no_match_goes_to_a_replica_that_is_stopping(town):
    """It says so itself before it is gone."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, second = in_order(town, match)
    await first.server.health.enter_graceful_shutdown()
    await until(lambda: in_order(town, match)[0] is second)
    await town.act(rosie, match, "red")

    assert (0, 1) == (first.calls["Act"], second.calls["Act"])


async def test_without_engines_calls_are_refused(town):
    """Reads were not carried out; of an act nobody knows."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    await town.engine.stop()
    denied = await refusal(rosie.ask(pb.GetViewRequest(match=match)))
    assert ("UNAVAILABLE", {"part": "engine"}) == (denied.reason, denied.metadata)
    act = pb.ActRequest(match=match, seat="red", question=10, action="count 1", request_id="mine")
    denied = await refusal(rosie.ask(act))
    assert "OUTCOME_UNKNOWN" == denied.reason
    assert {"match": match, "request_id": "mine"} == denied.metadata
    assert "UNAVAILABLE" == await reason(rosie.ask(pb.CreateMatchRequest(game="hopscotch")))


async def test_the_catalogue_is_what_is_served_now(town):
    """Anyone may read it."""
    nobody = town.nobody()
    [game] = (await nobody.ask(pb.ListGamesRequest())).games
    assert ("hopscotch", ["novice", "master"]) == (game.game, list(game.bot_levels))
    port = town.engine.port
    await town.engine.stop()
    replicas = engines_of(town).replicas["hopscotch"]
    await until(lambda: not replicas[0].is_healthy)
    assert not (await nobody.ask(pb.ListGamesRequest())).games
    town.engines[0] = await FakeEngine(town.world).start(port)
    await until(lambda: replicas[0].is_healthy)

    assert (await nobody.ask(pb.ListGamesRequest())).games


async def test_an_engine_of_another_game_is_not_asked(town):
    """A mistake in the settings hurts nobody's match."""
    wrong = await FakeEngine(World("chess")).start()
    town.engines.append(wrong)
    other = await town.gateway()
    rosie = await town.account(process=other)
    for _ in range(20):
        await town.open_match(rosie)

    assert 0 == wrong.calls["CommitMatch"]
    [game] = (await rosie.ask(pb.ListGamesRequest())).games
    assert "hopscotch" == game.game


async def test_the_engine_has_as_long_as_the_caller(town):
    """And without a deadline, as long as the settings say."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    view = pb.GetViewRequest(match=match)
    await rosie.ask(view, timeout=3)
    assert 2 < town.engine.deadlines["GetSeatView"] < 3.5
    await rosie.ask(view, timeout=None)
    assert 9 < town.engine.deadlines["GetSeatView"] < 10.5
    await rosie.ask(view, timeout=500)
    assert 9 < town.engine.deadlines["GetSeatView"] < 10.5


@pytest.mark.parametrize("town", [{"engines_count": 2, "call_seconds": 2}], indirect=True)
async def test_a_replica_that_hangs_leaves_time_for_another(town):
    """Half of it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, second = in_order(town, match)
    first.before["GetSeatView"].append(asyncio.sleep(60))
    await rosie.ask(pb.GetViewRequest(match=match), timeout=None)

    assert 1 == second.calls["GetSeatView"]
    assert 0 < second.deadlines["GetSeatView"] < 1.5


@pytest.mark.parametrize("town", [{"call_seconds": 0.2}], indirect=True)
async def test_an_engine_that_takes_too_long_is_not_waited_for(town):
    """Its answer is not known, and it is not taken for dead."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.engine.before["Act"].append(asyncio.sleep(60))
    act = pb.ActRequest(match=match, seat="red", question=10, action="count 1", request_id="mine")

    assert "OUTCOME_UNKNOWN" == await reason(rosie.ask(act))
    assert all(replica.is_healthy for replica in engines_of(town).replicas["hopscotch"])
    assert 1 == (await rosie.ask(act)).standing.revision


async def test_a_detached_task_outlives_its_callers_deadline():
    """It works for others, too."""
    left = []

    async def work():
        left.append(call_context.seconds_left(60))

    call_context.note_deadline(0.5)
    await call_context.detached_task(work())

    assert [60] == left
    assert call_context.seconds_left(60) <= 0.5
    call_context.note_deadline(-1)
    assert 0 == call_context.seconds_left(60)


@pytest.mark.parametrize("method", PASSED_ON)
def test_what_is_passed_on_has_the_same_fields(method):
    """Bytes of an engine's answer are bytes of the gateway's own."""
    theirs = engine.DESCRIPTOR.services_by_name["EngineService"].methods_by_name[method]

    assert theirs.input_type.name == PASSED_ON[method][0].DESCRIPTOR.name
    assert fields_of(theirs.output_type) == fields_of(PASSED_ON[method][1].DESCRIPTOR)


def fields_of(message):
    return [
        (field.number, field.name, _type_of(field), field.is_repeated) for field in message.fields
    ]


def _type_of(field):
    return field.message_type.full_name if field.message_type else field.type
