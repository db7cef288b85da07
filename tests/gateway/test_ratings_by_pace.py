"""Ratings are kept for each pace besides, written with the others or not at all; what they were."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from gateway.documents import Rating
from tests.gateway.played import LIVE, SLOW, keep, match, people, rating
from tests.gateway.test_ratings import outcome, settlement
from tests.gateway.test_results import at
from tests.gateway.town import refusal

CLOCKS = {pb.PACE_LIVE: LIVE, pb.PACE_SLOW: SLOW, pb.PACE_FREE: None}


async def over(town, clock, *players):
    """A match with this clock that red has won."""
    asked = pb.CreateMatchRequest(game="hopscotch")
    for name, value in (("seats", "2"), ("length", "1")):
        asked.options.add(name=name, value=value)
    if clock:
        asked.clock.bank_ms, asked.clock.move_ms = clock.bank_ms, clock.move_ms
    made = (await players[0].ask(asked)).match.id
    for player, seat in zip(players, ("red", "blue"), strict=True):
        await player.ask(pb.JoinMatchRequest(match=made, seat=seat))
    await players[0].ask(pb.StartMatchRequest(match=made))
    town.count(made)
    town.world.matches[made].outcome = outcome
    return made


def settled(match, found, *, in_pace=True):
    """What a worker computes: red gains what blue loses, in its pace twice as much."""
    request = pb.SettleRatingsRequest(match=match, outcome=outcome(), record="a record")
    request.players.extend(found.players)
    if in_pace:
        request.pace_players.extend(found.pace_players)
    for players, by in ((request.players, 1.0), (request.pace_players, 2.0)):
        for number, player in enumerate(players):
            player.rating.mu += by if number == 0 else -by
            player.rating.ordinal = player.rating.mu - 3 * player.rating.sigma
    return request


async def ratings(caller):
    """By pace: the estimate, how many matches have counted, and which pace is said."""
    found = {}
    for pace in pb.Pace.values():
        asked = pb.GetRatingRequest(game="hopscotch", pace=pace)
        said = (await caller.ask(asked)).rating
        found[pace] = said.mu, said.matches
        assert pace == said.pace
    return found


@pytest.mark.parametrize("pace", CLOCKS)
async def test_a_match_counts_in_its_pace_besides(town, pace):
    """And in no other; each rating has a version of its own."""
    rosie, sam = await town.account(), await town.account()
    for _ in range(2):
        played = await over(town, CLOCKS[pace], rosie, sam)
        found = await settlement(town, played)
        await town.worker().ask(settled(played, found))
    beginner = dict.fromkeys(pb.Pace.values(), (25.0, 0))

    assert beginner | {0: (27.0, 2), pace: (29.0, 2)} == await ratings(rosie)
    assert beginner | {0: (23.0, 2), pace: (21.0, 2)} == await ratings(sam)
    assert [pace, pace] == [player.rating.pace for player in found.pace_players]
    assert [0, 0] == [player.rating.pace for player in found.players]


async def test_an_older_worker_sends_one_kind_of_ratings(town):
    """That is written; those of the pace stay as they are."""
    rosie, sam = await town.account(), await town.account()
    played = await over(town, LIVE, rosie, sam)
    old = settled(played, await settlement(town, played), in_pace=False)

    assert (await town.worker().ask(old)).counted
    mine = await ratings(rosie)
    assert [(26.0, 1), (25.0, 0)] == [mine[pb.PACE_UNSPECIFIED], mine[pb.PACE_LIVE]]


async def test_a_rating_of_a_pace_that_has_changed_settles_nothing(town):
    """Neither that one nor the game's own, and it is said which version there is."""
    rosie, sam = await town.account(), await town.account()
    played = await over(town, LIVE, rosie, sam)
    late = settled(played, await settlement(town, played))
    late.pace_players[1].version = 7
    before = await ratings(rosie)
    denied = await refusal(town.worker().ask(late))

    assert ("STALE_QUESTION", "blue", "7", "0") == (
        *(denied.reason, denied.metadata["seat"]),
        *(denied.metadata["question"], denied.metadata["latest"]),
    )
    assert before == await ratings(rosie)
    assert not (await settlement(town, played)).settled
    assert [] == list((await rosie.ask(profiles.ListResultsRequest())).results)
    fresh = settled(played, await settlement(town, played))
    assert (await town.worker().ask(fresh)).counted


@pytest.mark.parametrize("wrong", ["alone", "others", "sigma"])
async def test_ratings_of_a_pace_that_make_no_sense_are_refused(town, wrong):
    """As the others are; and nothing is written."""
    rosie, sam = await town.account(), await town.account()
    played = await over(town, LIVE, rosie, sam)
    request = settled(played, await settlement(town, played))
    if wrong == "alone":
        del request.players[:]
    elif wrong == "others":
        request.pace_players[0].rating.account = "somebody"
    else:
        request.pace_players[1].rating.sigma = 0
    denied = await refusal(town.worker().ask(request))

    assert denied.metadata["field"].startswith("pace_players")
    assert not (await settlement(town, played)).settled


async def test_leaders_and_profiles_are_told_by_pace(town):
    """Each in their own order; a page token is for its own."""
    rosie, sam = await town.account(), await town.account()
    await town.worker().ask(
        settled(first := await over(town, LIVE, rosie, sam), await settlement(town, first))
    )
    await town.worker().ask(
        settled(other := await over(town, None, sam, rosie), await settlement(town, other))
    )

    async def leaders(pace, **more):
        asked = pb.ListLeadersRequest(game="hopscotch", pace=pace, **more)
        return await rosie.ask(asked)

    live, free = await leaders(pb.PACE_LIVE, page_size=1), await leaders(pb.PACE_FREE)
    assert [rosie.name] == [one.account for one in live.leaders]
    assert [sam.name, rosie.name] == [one.account for one in free.leaders]
    assert not (await leaders(pb.PACE_SLOW)).leaders
    bad = leaders(pb.PACE_FREE, page_token=live.next_page_token)
    assert {"field": "page_token"} == (await refusal(bad)).metadata
    [mine] = (await sam.ask(pb.GetProfileRequest(account=rosie.name, pace=1))).ratings
    assert (27.0, pb.PACE_LIVE) == (mine.mu, mine.pace)
    for kind in (pb.GetRatingRequest, pb.ListLeadersRequest):
        assert {"field": "pace"} == (
            await refusal(sam.ask(kind(game="hopscotch", pace=9)))
        ).metadata


# What ratings were.


@pytest.fixture
def rated(loop, town):
    """A town in which Ann has played thirty matches, each a little better than the one before."""

    async def begun():
        await people(town.store)
        for number in range(30):
            ended = match(number, ("Ann", "Bob"), (1, 0), clock=LIVE if number % 2 else None)
            both = [rating("Ann", 25.0 + number, number), rating("Bob", 25.0 - number, number)]
            in_pace = [Rating(one.player, one.mu, 8.0, 1.0, 0, number // 2) for one in both]
            assert (await keep(town.store, ended, ratings=both, paced_ratings=in_pace)).now
        return await town.account()

    return loop.run(begun())


async def history(caller, **asked):
    return await caller.ask(profiles.GetRatingHistoryRequest(game="hopscotch", **asked))


async def test_what_a_rating_was_is_told_oldest_first(rated):
    """With the match after which it was so."""
    told = await history(rated, account="ann")

    assert not told.thinned
    assert ("Ann", 54.0, 30) == (told.rating.account, told.rating.mu, told.rating.matches)
    assert [(f"h-{n:04}", 25.0 + n, n + 1) for n in range(30)] == [
        (point.match, point.mu, point.matches) for point in told.points
    ]
    times = [point.time.ToMilliseconds() for point in told.points]
    assert sorted(times) == times
    live = await history(rated, account="Ann", pace=pb.PACE_LIVE)
    assert [f"h-{n:04}" for n in range(1, 30, 2)] == [point.match for point in live.points]
    assert (pb.PACE_LIVE, 15) == (live.rating.pace, live.rating.matches)


@pytest.mark.parametrize("most", [2, 3, 7, 29])
async def test_many_points_are_thinned(rated, most):
    """To such as there are; the first and the last are always there, and it is said."""
    whole, few = await history(rated, account="Ann"), await history(
        rated, account="Ann", most_points=most
    )  # fmt: skip

    assert few.thinned
    assert len(few.points) <= most
    assert all(point in whole.points for point in few.points)
    matches = [point.matches for point in few.points]
    assert sorted(set(matches)) == matches
    assert whole.points[-1] == few.points[-1]
    assert whole.points[0].time == few.points[0].time


async def test_a_time_of_a_rating_is_told(rated):
    """From when, and until before when."""
    whole = (await history(rated, account="Ann")).points
    first, last = whole[5].time.ToMilliseconds(), whole[20].time.ToMilliseconds()
    told = await history(rated, account="Ann", from_time=at(first), until_time=at(last))

    assert list(told.points) == [
        point for point in whole if first <= point.time.ToMilliseconds() < last
    ]
    assert 30 == told.rating.matches


async def test_a_rating_that_nobody_has_was_never_anything(rated):
    """A beginner's is told, without points; what makes no sense is refused."""
    told = await history(rated)
    assert (25.0, 0, False) == (told.rating.mu, len(told.points), told.thinned)
    for asked, field in (
        ({"most_points": 1}, "most_points"),
        ({"most_points": 501}, "most_points"),
        ({"account": "nobody"}, "account"),
        ({"pace": 7}, "pace"),
        ({"from_time": at(9), "until_time": at(8)}, "from_time"),
    ):
        assert {"field": field} == (await refusal(history(rated, **asked))).metadata
