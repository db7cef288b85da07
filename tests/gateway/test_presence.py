"""Who is here: told of people at a table, by a lease that ends by itself."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.page import listening, opened
from tests.gateway.town import until

SHORT = pytest.mark.parametrize("town", [{"here_seconds": 0.8}], indirect=True)
LONG = pytest.mark.parametrize("town", [{"here_seconds": 600}], indirect=True)


def here(match):
    return {seat.account for seat in match.seats if seat.here}


async def shown(who, match):
    return here((await who.ask(pb.GetMatchRequest(match=match))).match)


async def told(page, names, match):
    """Wait until a page is told that just these are here."""
    async with asyncio.timeout(10):
        while (said := await page.next("match")).id != match or here(said) != names:
            pass


LISTENING = {
    "news": lambda match: pb.ListenNewsRequest(stream="tab"),
    "questions": lambda match: pb.ListenQuestionsRequest(),
    "a match": lambda match: pb.WatchMatchRequest(match=match),
}


@LONG
@pytest.mark.parametrize("how", LISTENING)
async def test_whoever_listens_is_here(town, how):
    """However he does; at every gateway, and only if he sits there."""
    other = await town.gateway()
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    assert set() == await shown(tom, match)
    for who in (sam, tom):
        who.stream(LISTENING[how](match))

    async def is_here():
        return {sam.name} == await shown(town.same(rosie, other), match)

    await until(is_here)


@SHORT
async def test_the_table_is_told_who_comes_and_goes(town):
    """Open or running; at whatever gateway. A page that is only loaded anew has not gone."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=match, seat="red"))
    page, _ = await opened(rosie)
    await sam.ask(pb.JoinMatchRequest(match=match, seat="blue"))
    theirs, _ = await opened(town.same(sam, other))
    await told(page, {rosie.name, sam.name}, match)
    await rosie.ask(pb.StartMatchRequest(match=match))
    theirs.stream.cancel()
    again, _ = await opened(town.same(sam, other))
    await asyncio.sleep(1)
    assert {rosie.name, sam.name} == await shown(rosie, match)
    again.stream.cancel()
    await told(page, {rosie.name}, match)


@SHORT
async def test_the_lease_of_a_gateway_that_is_killed_ends_by_itself(town):
    """And another one tells that."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    page, _ = await opened(rosie)
    await opened(town.same(sam, other))
    await told(page, {rosie.name, sam.name}, match)
    await other.gateway.presence.close()  # it says and does nothing more
    await told(page, {rosie.name}, match)

    assert {rosie.name} == await shown(rosie, match)


@SHORT
async def test_whoever_listens_at_two_gateways_is_here_as_long_as_at_one(town):
    """His other stream keeps the lease."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first, _ = await opened(sam)
    await opened(town.same(sam, other), stream="phone")
    await asyncio.sleep(0.3)
    first.stream.cancel()
    for _ in range(12):
        await asyncio.sleep(0.1)
        assert {sam.name} == await shown(rosie, match)


@LONG
async def test_nothing_is_told_of_people_at_a_table_that_is_over(town):
    """Nor, in any answer, of somebody who sits nowhere that can be seen."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=1)
    await opened(rosie)

    async def is_here():
        return {rosie.name} == await shown(sam, match)

    await until(is_here)
    town.count(match)

    async def is_over():
        return not await shown(sam, match)

    await until(is_over)
    profile = await sam.ask(pb.GetProfileRequest(account=rosie.name))
    assert {"account", "ratings"} >= {field.name for field, _ in profile.ListFields()}
