"""Finished matches leave Redis, through every part of a real platform, and answer as before."""

from __future__ import annotations

import asyncio

import pytest
from redis import Redis

from bree.gateway.v1 import gateway_pb2 as pb
from tests.e2e.client import GAME, Refused
from tests.e2e.matches import against, between, clients
from tests.e2e.platform import Platform
from tests.local.parts import left_of

LIVE_SECONDS = 6


@pytest.fixture
def leaving(tmp_path):
    """A platform on which matches stay for a few seconds only."""
    platform = Platform(tmp_path / "state", games=(GAME,), live_seconds=LIVE_SECONDS)
    try:
        yield platform.start()
    finally:
        parts = platform.parts()
        assert platform.stop() == 0, "\n".join(platform.said)
        assert not {name: left_of(pid) for name, pid in parts.items() if left_of(pid)}


async def answers(client, matches):
    """What somebody is told of matches that are over."""
    asked = [pb.ListMatchesRequest(mine=True)]
    for match in matches:
        asked += [
            pb.GetMatchRequest(match=match),
            pb.GetMatchRecordRequest(match=match),
            pb.GetViewRequest(match=match),
            pb.GetViewRequest(match=match, seat="good", revision=3),
            pb.ResignMatchRequest(match=match, seat="good", request_id="late"),
        ]
    return [await answer(client, request) for request in asked]


async def answer(client, request):
    """What comes of a call, or why it is refused; a part that was killed is waited for."""
    method = getattr(client.matches, type(request).__name__.removesuffix("Request"))
    try:
        return await client.call(method, request)
    except Refused as refused:
        return refused.code, refused.reason, refused.metadata


def held(platform):
    """The keys of matches that Redis has yet."""
    with Redis.from_url(platform.broker(), decode_responses=True) as redis:
        return [key for key in redis.scan_iter() if ":m:" in key or "{m:" in key]


def test_matches_that_are_over_leave_and_answer_as_before(leaving):
    """One of two people and one against a bot; then every part that remembers them is killed."""

    async def run():
        async with clients(leaving, 2) as (alice, bob):
            good, dark = await between(alice, bob)
            other = await against(alice)
            await asyncio.gather(good.play(), dark.play(), other.play())
            matches = (good.match, other.match)
            for match in matches:
                await alice.rated(match)
            before = await answers(alice, matches)
            while held(leaving):  # noqa: ASYNC110  # in another process
                await asyncio.sleep(0.2)
            after = await answers(alice, matches)
            for part in (f"{GAME}-1", "gateway"):
                leaving.kill(part)
            again = await answers(alice, matches)

            assert before == after
            assert before == again
            assert not held(leaving)

    asyncio.run(asyncio.wait_for(run(), 90))
