"""Ratings: settled exactly once, shown to everyone."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import gateway_pb2 as pb
from gateway import ratings
from gateway.documents import Rating
from gateway.matches import now_ms
from tests.gateway.test_store import RECORDED
from tests.gateway.test_store import over as ended
from tests.gateway.town import reason, refusal


def outcome(red=1, blue=-1):
    scores = [{"seat": "red", "score": red}, {"seat": "blue", "score": blue}]
    return types.Outcome(ending=types.ENDING_FINISHED, scores=scores)


ABORTED = types.Outcome(ending=types.ENDING_ABORTED)


async def over(town, *players):
    """A match that red has won, as the engine knows and nobody has asked."""
    match = await town.running_match(*players, length=1)
    town.count(match)
    played = town.world.matches[match]
    played.outcome = outcome
    return match


async def settlement(town, match):
    return await town.worker().ask(pb.GetSettlementRequest(match=match))


def settled(match, found, by=1.0):
    """The request that a worker computes: the first player gains what the others lose."""
    request = pb.SettleRatingsRequest(
        match=match, outcome=outcome(), players=found.players, record="a record"
    )
    for number, player in enumerate(request.players):
        player.rating.mu += by if number == 0 else -by
        player.rating.sigma -= 0.5
        player.rating.ordinal = player.rating.mu - 3 * player.rating.sigma
    return request


async def settle(town, match, by=1.0):
    request = settled(match, await settlement(town, match), by)
    return (await town.worker().ask(request)).counted


async def rating(caller, account=""):
    request = pb.GetRatingRequest(game="hopscotch", account=account)
    return (await caller.ask(request)).rating


async def test_a_settlement_begins_with_who_played(town):
    """In the order of the seats; somebody without a rating is a beginner."""
    rosie = await town.account()
    match = await over(town, rosie, "novice")
    found = await settlement(town, match)

    assert ("hopscotch", False, True) == (found.game, found.settled, found.rateable)
    assert [("red", rosie.name), ("blue", "bot:novice")] == [
        (player.seat, player.rating.account) for player in found.players
    ]
    assert {(25.0, 25 / 3, 0.0, 0, 0)} == {
        (p.rating.mu, p.rating.sigma, p.rating.ordinal, p.rating.matches, p.version)
        for p in found.players
    }


async def test_a_match_counts_once(town):
    """Whoever settles it again changes nothing."""
    rosie = await town.account()
    match = await over(town, rosie, "novice")
    request = settled(match, await settlement(town, match))
    assert (await town.worker().ask(request)).counted
    again = await settlement(town, match)
    mine = await rating(rosie)
    bots = await rating(rosie, "bot:novice")

    assert again.settled
    assert [1, 1] == [player.version for player in again.players]
    assert not (await town.worker().ask(request)).counted
    assert not await settle(town, match)
    assert (26.0, 1) == (mine.mu, mine.matches)
    assert (24.0, 1) == (bots.mu, bots.matches)
    assert mine == await rating(rosie)


async def test_a_settled_match_is_over_and_rated(town):
    """The gateway learns from the settlement how it ended."""
    rosie = await town.account()
    match = await over(town, rosie, "novice")
    await settle(town, match)
    shown = (await rosie.ask(pb.GetMatchRequest(match=match))).match

    assert (pb.MATCH_STATE_OVER, True, outcome()) == (shown.state, shown.rated, shown.outcome)


@pytest.mark.parametrize("mends", ["settling again", "a worker's look", "a player's look"])
async def test_a_crash_between_ratings_and_match_is_mended(town, mends):
    """By whoever comes next."""
    rosie = await town.account()
    match = await over(town, rosie, "novice")
    request = settled(match, await settlement(town, match))
    change, town.process.gateway.matches.change = town.process.gateway.matches.change, None
    assert "BUG" == await reason(town.worker().ask(request))
    town.process.gateway.matches.change = change
    if mends == "settling again":
        assert not (await town.worker().ask(request)).counted
    elif mends == "a worker's look":
        assert (await settlement(town, match)).settled
    else:
        assert (await rosie.ask(pb.GetMatchRequest(match=match))).match.rated
    [shown] = (await rosie.ask(pb.ListMatchesRequest())).matches

    assert (pb.MATCH_STATE_OVER, True) == (shown.state, shown.rated)
    assert 1 == (await rating(rosie)).matches


async def test_a_match_that_does_not_count_is_settled(town):
    """An aborted one, or one against oneself: nobody's rating changes."""
    rosie = await town.account()
    match = await over(town, rosie, rosie)
    assert not (await settlement(town, match)).rateable
    request = pb.SettleRatingsRequest(match=match, outcome=ABORTED, record="a record")
    assert (await town.worker().ask(request)).counted
    assert not (await town.worker().ask(request)).counted
    shown = (await rosie.ask(pb.GetMatchRequest(match=match))).match

    assert (await settlement(town, match)).settled
    assert (pb.MATCH_STATE_OVER, False, ABORTED) == (shown.state, shown.rated, shown.outcome)
    assert 0 == (await rating(rosie)).matches


@pytest.mark.parametrize(
    ("players", "rateable"),
    [(("novice", "novice"), False), (("novice", "master"), True)],
)
async def test_a_bot_against_itself_proves_nothing(town, players, rateable):
    """Two bots of different levels do."""
    rosie = await town.account()
    match = await town.open_match(rosie)
    for level in players:
        await rosie.ask(pb.AddBotRequest(match=match, level=level))
    await rosie.ask(pb.StartMatchRequest(match=match))

    assert rateable == (await settlement(town, match)).rateable


async def test_a_rating_that_has_changed_settles_nothing(town):
    """Begin again with GetSettlement."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    first, second = await over(town, rosie, sam), await over(town, tom, rosie)
    late = settled(second, await settlement(town, second))
    assert await settle(town, first)
    denied = await refusal(town.worker().ask(late))

    assert "ABORTED" == denied.code.name
    assert {"match": second, "seat": "blue", "question": "0", "latest": "1"} == denied.metadata
    assert 0 == (await rating(tom)).matches
    assert await settle(town, second)
    assert (1, 2) == ((await rating(tom)).matches, (await rating(rosie)).matches)


async def test_settlements_at_once_all_count_once(town):
    """Many matches of the same players, each settled by two workers until it is."""
    rosie, sam = await town.account(), await town.account()
    matches = [await over(town, rosie, sam) for _ in range(6)]

    async def work(match):
        counted = 0
        while not (found := await settlement(town, match)).settled:
            try:
                counted += (await town.worker().ask(settled(match, found))).counted
            except grpc.aio.AioRpcError as refused:
                if refused.code() is not grpc.StatusCode.ABORTED:
                    raise
        return counted

    counted = await asyncio.gather(*(work(match) for match in matches * 2))

    assert len(matches) == sum(counted)
    mine = await rating(rosie)
    assert (25.0 + len(matches), len(matches)) == (mine.mu, mine.matches)


def changed(request, path, value):
    """A request in which one thing is otherwise."""
    new = pb.SettleRatingsRequest()
    new.CopyFrom(request)
    *way, last = path.split(".")
    part = new
    for step in way:
        part = part[int(step)] if step.isdigit() else getattr(part, step)
    if value is None:
        part.ClearField(last)
    else:
        setattr(part, last, value)
    return new


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("outcome.ending", 0),
        ("outcome.ending", 7),
        ("outcome.ending", types.ENDING_ABORTED),
        ("outcome.scores", None),
        ("outcome.scores.0.seat", "blue"),
        ("players.0.seat", "blue"),
        ("players.0.rating.account", "somebody"),
        ("players.0.rating.game", "chess"),
        ("players.0.rating.mu", float("nan")),
        ("players.0.rating.sigma", float("inf")),
        ("players.0.rating.sigma", 0.0),
        ("players.1.rating.ordinal", float("-inf")),
        ("players.1.version", -1),
    ],
)
async def test_a_settlement_that_makes_no_sense_is_refused(town, path, value):
    """With the field, and nothing is written."""
    rosie, sam = await town.account(), await town.account()
    match = await over(town, rosie, sam)
    request = settled(match, await settlement(town, match))
    denied = await refusal(town.worker().ask(changed(request, path, value)))

    assert "INVALID_REQUEST" == denied.reason
    assert denied.metadata["field"].startswith(path.partition(".")[0])
    assert not (await settlement(town, match)).settled
    assert 0 == (await rating(rosie)).matches


async def test_a_settlement_fits_its_match(town):
    """All players or none; nobody's who played himself; and how it ended is known."""
    rosie, sam = await town.account(), await town.account()
    match, practice = await over(town, rosie, sam), await over(town, rosie, rosie)
    request = settled(match, await settlement(town, match))
    for bad in (
        pb.SettleRatingsRequest(
            match=match, outcome=outcome(), players=request.players[:1], record="a record"
        ),
        settled(practice, await settlement(town, practice)),
    ):
        assert {"field": "players"} == (await refusal(town.worker().ask(bad))).metadata
    await rosie.ask(pb.GetMatchRequest(match=match))
    request.outcome.CopyFrom(outcome(red=-1, blue=1))
    assert {"field": "outcome"} == (await refusal(town.worker().ask(request))).metadata


async def test_only_what_has_started_is_settled(town):
    """And only what exists."""
    rosie = await town.account()
    match = await town.open_match(rosie)
    for kind in (pb.GetSettlementRequest, pb.SettleRatingsRequest):
        assert "NOT_ALLOWED" == await reason(town.worker().ask(kind(match=match)))
        assert "UNKNOWN_MATCH" == await reason(town.worker().ask(kind(match="h-nowhere")))


async def test_ratings_are_shown_to_everyone(town):
    """By name, in capitals or not; a bot's by its level."""
    rosie, sam = await town.account("Rosie9"), await town.account()
    await settle(town, await over(town, rosie, "novice"))

    for name in ("Rosie9", "rosie9"):
        assert ("Rosie9", 26.0) == ((found := await rating(sam, name)).account, found.mu)
    assert (sam.name, 25.0, 0) == ((mine := await rating(sam)).account, mine.mu, mine.matches)
    assert 25.0 == (await rating(sam, "bot:master")).mu
    for name in ("bot:wizard", "nobody", "x" * 100, "\u00e9", "bot:", "a b"):
        request = pb.GetRatingRequest(game="hopscotch", account=name)
        assert {"field": "account"} == (await refusal(sam.ask(request))).metadata
    for game, why in (("chess", "UNKNOWN_GAME"), ("", "INVALID_REQUEST")):
        assert why == await reason(sam.ask(pb.GetRatingRequest(game=game)))
        assert why == await reason(sam.ask(pb.ListLeadersRequest(game=game)))


async def test_leaders_are_listed_page_by_page(town):
    """The highest ordinal first, also where many are equal."""
    sam = await town.account()
    for n in range(25):
        ratings = [Rating(f"player-{n:02}", 25.0, 8.0, float(n // 10))]
        await town.store.settle(ended(f"h-{n}"), ratings, RECORDED)
    found, token, sizes = [], "", []
    while True:
        request = pb.ListLeadersRequest(game="hopscotch", page_size=10, page_token=token)
        answer = await sam.ask(request)
        found += answer.leaders
        sizes.append(len(answer.leaders))
        token = answer.next_page_token
        if not token:
            break

    assert [10, 10, 5] == sizes
    assert [f"player-{n:02}" for n in (24, 23, 22, 21, 20)] == [r.account for r in found[:5]]
    assert 25 == len({leader.account for leader in found})
    assert sorted((leader.ordinal for leader in found), reverse=True) == [r.ordinal for r in found]
    usual = await sam.ask(pb.ListLeadersRequest(game="hopscotch"))
    assert 20 == len(usual.leaders)


async def test_a_settlement_tells_how_often_they_have_met(town, monkeypatch):
    """In matches that counted; those of a month ago count for half."""
    rosie, sam, lily = await town.account(), await town.account(), await town.account()
    for _ in range(3):
        await settle(town, await over(town, rosie, sam))
    await settle(town, await over(town, rosie, lily))
    await over(town, sam, rosie)
    match = await over(town, sam, rosie)
    [meeting] = (await settlement(town, match)).meetings

    assert {rosie.name, sam.name} == {meeting.one, meeting.other}
    assert meeting.matches == pytest.approx(3, abs=0.01)
    later = now_ms() + ratings.HALF_LIFE_MS
    monkeypatch.setattr(ratings, "now_ms", lambda: later)
    [meeting] = (await settlement(town, match)).meetings
    assert meeting.matches == pytest.approx(1.5, abs=0.01)


async def test_hosted_bots_are_met_as_often_as_anyone_likes(town):
    """They are not counted."""
    rosie = await town.account()
    await settle(town, await over(town, rosie, "master"))

    assert not (await settlement(town, await over(town, rosie, "master"))).meetings
