"""Races: many at once, on two gateways of one store, and one outcome."""

from __future__ import annotations

import asyncio
from collections import Counter

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import denied_by
from gateway.documents import State


async def outcomes(*calls):
    """What each call came to: its response, or the reason of its refusal."""
    found = await asyncio.gather(*calls, return_exceptions=True)
    for one in found:
        assert not isinstance(one, Exception) or isinstance(one, grpc.aio.AioRpcError), one
    return [denied_by(one).reason if isinstance(one, Exception) else one for one in found]


async def crowd(town, size):
    """Accounts, every second of them at another gateway."""
    other = await town.gateway()
    return [
        await town.account(process=process)
        for _ in range(size // 2)
        for process in (town.process, other)
    ]


async def test_one_of_many_gets_a_seat(town):
    """The others are told that it is taken."""
    callers = await crowd(town, 8)
    match = await town.open_match(callers[0])
    found = await outcomes(
        *(caller.ask(pb.JoinMatchRequest(match=match, seat="red")) for caller in callers)
    )

    assert 7 == found.count("WRONG_SEAT")
    [winner] = [one for one in found if one != "WRONG_SEAT"]
    kept = await town.store.match(match)
    assert winner.match.seats[0].account == kept.seat("red").label
    assert kept.seat("blue").is_free


async def test_as_many_get_seats_as_there_are(town):
    """Each another one, and nobody two."""
    callers = await crowd(town, 8)
    match = await town.open_match(callers[0], seats=4)
    found = await outcomes(*(caller.ask(pb.JoinMatchRequest(match=match)) for caller in callers))

    assert 4 == found.count("NOT_ALLOWED")
    taken = [one.seat for one in found if one != "NOT_ALLOWED"]
    assert {"red", "blue", "green", "white"} == set(taken)
    kept = await town.store.match(match)
    assert 4 == len({seat.account for seat in kept.seats})


async def test_joining_twice_at_once_is_joining_once(town):
    """Without a seat named, one account gets one seat."""
    [rosie, *_] = await crowd(town, 2)
    there = town.same(rosie, town.processes[1])
    match = await town.open_match(rosie, seats=4)
    request = pb.JoinMatchRequest(match=match)
    found = await outcomes(*(caller.ask(request) for caller in (rosie, there) * 5))

    assert {"red"} == {one.seat for one in found}
    assert 1 == len([seat for seat in (await town.store.match(match)).seats if seat.account])


async def test_starting_twice_at_once_is_starting_once(town):
    """At two gateways; the engine begins it once, and everyone gets the same answer."""
    rosie, sam = await crowd(town, 2)
    match = await town.open_match(rosie)
    for player in (rosie, sam):
        await player.ask(pb.JoinMatchRequest(match=match))
    there = town.same(rosie, town.processes[1])
    request = pb.StartMatchRequest(match=match)
    found = await outcomes(*(caller.ask(request) for caller in (rosie, there) * 4))

    assert {pb.MATCH_STATE_RUNNING} == {one.match.state for one in found}
    assert 1 == town.world.creations[match]
    assert State.RUNNING is (await town.store.match(match)).state


async def test_leaving_and_starting_at_once_is_one_of_the_two(town):
    """Whoever plays is in the match that its engine has begun."""
    rosie, sam = await crowd(town, 2)
    seen = Counter()
    for _ in range(8):
        match = await town.open_match(rosie)
        for player in (rosie, sam):
            await player.ask(pb.JoinMatchRequest(match=match))
        start, leave = await outcomes(
            rosie.ask(pb.StartMatchRequest(match=match)), sam.ask(pb.LeaveMatchRequest(match=match))
        )
        kept = await town.store.match(match)
        if start == "SEATS_NOT_FILLED":
            assert kept.seat("blue").is_free
            assert match not in town.world.matches
        else:
            assert "NOT_ALLOWED" == leave
            assert sam.name == kept.seat("blue").label
            assert sam.name == town.world.matches[match].request.players[1].label
        seen[str(start)[:4]] += 1

    assert 8 == seen.total()


async def test_the_same_request_at_once_opens_one_match(town):
    """At two gateways."""
    [rosie, *_] = await crowd(town, 2)
    there = town.same(rosie, town.processes[1])
    request = pb.CreateMatchRequest(game="hopscotch", request_id="r1")
    found = await outcomes(*(caller.ask(request) for caller in (rosie, there) * 5))

    assert 1 == len({one.match.id for one in found})
    assert 1 == len((await rosie.ask(pb.ListMatchesRequest())).matches)


@pytest.mark.parametrize("town", [{"most_open": 3}], indirect=True)
async def test_no_more_matches_are_opened_at_once_than_allowed(town):
    """However many gateways are asked."""
    [rosie, *_] = await crowd(town, 2)
    there = town.same(rosie, town.processes[1])
    request = pb.CreateMatchRequest(game="hopscotch")
    found = await outcomes(*(caller.ask(request) for caller in (rosie, there) * 5))

    assert 7 == found.count("LIMIT_REACHED")
    assert 3 == len((await rosie.ask(pb.ListMatchesRequest())).matches)


async def test_one_of_many_gets_a_name(town):
    """The others are told that it is taken."""
    await crowd(town, 2)
    request = pb.CreateAccountRequest(name="Rosie7")
    callers = [town.nobody(process) for process in town.processes for _ in range(4)]
    found = await outcomes(*(caller.ask(request) for caller in callers))

    assert 7 == found.count("INVALID_REQUEST")


async def test_answers_at_once_are_one_act(town):
    """The same request id, at two gateways."""
    rosie, sam = await crowd(town, 2)
    match = await town.running_match(rosie, sam)
    there = town.same(rosie, town.processes[1])
    act = pb.ActRequest(match=match, seat="red", question=10, action="count 1", request_id="r")
    found = await outcomes(*(caller.ask(act) for caller in (rosie, there) * 5))

    assert 1 == town.world.matches[match].revision
    assert {1} == {one.standing.revision for one in found}
