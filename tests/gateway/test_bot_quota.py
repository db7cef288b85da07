"""What hosted bots cost: who opened a match pays for them."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.documents import Outcome
from tests.gateway.town import reason, refusal


async def start(rosie, match):
    return await rosie.ask(pb.StartMatchRequest(match=match))


async def ready(town, rosie, *levels):
    """A match of these bots that may be started."""
    match = await town.open_match(rosie, seats=len(levels))
    for level in levels:
        await rosie.ask(pb.AddBotRequest(match=match, level=level))
    return match


async def end(town, match):
    """Let a match be over."""
    matches = town.process.gateway.matches
    await matches.end(await matches.read(match), Outcome(1, (("red", 1), ("blue", 0))))


@pytest.mark.parametrize("town", [{"most_alone": 2}], indirect=True)
async def test_an_account_has_so_many_matches_without_people(town):
    """The refused one stays open, and begins when one of the others is over."""
    rosie, sam = await town.account(), await town.account()
    made = [await ready(town, rosie, "novice", "master") for _ in range(3)]
    for match in made[:2]:
        await start(rosie, match)
    denied = await refusal(start(rosie, made[2]))

    assert ("LIMIT_REACHED", "2") == (denied.reason, denied.metadata["limit"])
    assert "wait until one is over" in denied.message
    assert 0 < int(denied.metadata["retry_after_ms"])
    shown = await rosie.ask(pb.GetMatchRequest(match=made[2]))
    assert pb.MATCH_STATE_OPEN == shown.match.state
    assert await start(sam, await ready(town, sam, "novice", "master"))
    assert await town.running_match(rosie, "master"), "matches with people are not concerned"
    await end(town, made[0])
    assert pb.MATCH_STATE_RUNNING == (await start(rosie, made[2])).match.state


@pytest.mark.parametrize("town", [{"most_alone": 1}], indirect=True)
async def test_starting_again_needs_no_more_room(town):
    """The answer to the first attempt may have been lost."""
    rosie = await town.account()
    match = await ready(town, rosie, "novice", "master")

    assert await start(rosie, match) == await start(rosie, match)


@pytest.mark.parametrize("town", [{"bots_burst": 3}], indirect=True)
async def test_an_account_sets_so_many_bots_to_work(town):
    """It is told when to come back; nothing of the refused match has begun, nor counts."""
    rosie, sam = await town.account(), await town.account()
    await start(rosie, await ready(town, rosie, "novice", "master"))
    match = await ready(town, rosie, "novice", "master")
    denied = await refusal(start(rosie, match))

    assert ("RATE_LIMITED", "60 bots a minute") == (denied.reason, denied.metadata["limit"])
    assert 0 < int(denied.metadata["retry_after_ms"]) <= 1000
    assert match not in town.world.matches
    places = await town.store.reserved(f"{(await me(rosie)).id}.alone")
    assert match not in [place.name for place in places]
    assert await start(sam, await ready(town, sam, "novice", "master"))
    assert await town.running_match(rosie, sam), "people cost nothing"


async def me(caller):
    return (await caller.ask(pb.GetAccountRequest())).account


async def test_the_engine_is_told_who_pays(town):
    """The account that opened the match, whoever plays in it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, "master")

    assert (await me(rosie)).id == town.world.matches[match].request.payer


async def test_only_the_creator_pays(town):
    """Somebody else is refused before anything is counted."""
    rosie, sam = await town.account(), await town.account()
    match = await ready(town, rosie, "novice", "master")

    assert "NOT_ALLOWED" == await reason(start(sam, match))
