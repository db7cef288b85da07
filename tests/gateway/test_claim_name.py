"""A guest takes a name: all that was his stays his, and what others see bears the new name."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import current_names
from tests.gateway.test_listing import ids
from tests.gateway.test_ratings import over, rating, settle, settlement
from tests.gateway.town import Caller, reason, refusal


async def guest(town, process=None):
    caller = town.nobody(process)
    made = await caller.ask(pb.CreateAccountRequest())
    return Caller(caller.channel, made.token, made.account.name)


async def claim(caller, name):
    return (await caller.ask(pb.ClaimNameRequest(name=name))).account


async def shown(caller, match):
    match = (await caller.ask(pb.GetMatchRequest(match=match))).match
    return match.creator, [seat.account or seat.bot_level for seat in match.seats]


async def profile(caller, account=""):
    return await caller.ask(pb.GetProfileRequest(account=account))


async def test_a_guest_takes_a_name(town):
    """He is the same account with the same token, and no guest; asking again changes nothing."""
    rosie = await guest(town)
    before = (await rosie.ask(pb.GetAccountRequest())).account
    after = await claim(rosie, "Rosie_C")

    assert (before.id, before.create_time) == (after.id, after.create_time)
    assert ("Rosie_C", False) == (after.name, after.guest)
    assert after == (await rosie.ask(pb.GetAccountRequest())).account
    assert after == await claim(rosie, "Rosie_C")
    for name in ("Rosie_C", "ROSIE_C", before.name, before.name.upper()):
        assert "INVALID_REQUEST" == await reason(
            town.nobody().ask(pb.CreateAccountRequest(name=name))
        )


async def test_all_that_was_a_guests_stays_his(town):
    """Matches open, running and over, his seats there, and his ratings."""
    rosie, sam = await guest(town), await town.account()
    open_one, left = [await town.open_match(rosie) for _ in range(2)]
    await rosie.ask(pb.JoinMatchRequest(match=open_one, seat="red"))
    await sam.ask(pb.JoinMatchRequest(match=open_one, seat="blue"))
    joined = await town.open_match(sam)
    await rosie.ask(pb.JoinMatchRequest(match=joined, seat="blue"))
    running = await town.running_match(rosie, sam)
    settled, unsettled = await over(town, rosie, sam), await over(town, rosie, sam)
    assert await settle(town, settled)
    assert (rosie.name, [rosie.name, sam.name]) == await shown(sam, running)
    listed = await ids(rosie, mine=True)
    await claim(rosie, "Rosie")

    for match in (open_one, running, settled, unsettled):
        assert ("Rosie", ["Rosie", sam.name]) == await shown(sam, match)
    assert ("Rosie", ["", ""]) == await shown(sam, left)
    assert (sam.name, ["", "Rosie"]) == await shown(sam, joined)
    page = (await sam.ask(pb.ListMatchesRequest())).matches
    names = {name for match in page for name in (match.creator, *(s.account for s in match.seats))}
    assert {"Rosie", sam.name, ""} == names
    assert listed == await ids(rosie, mine=True)
    assert 1 == (await town.act(rosie, running, "red")).standing.revision
    await rosie.ask(pb.StartMatchRequest(match=open_one))
    assert rosie.name == town.world.matches[open_one].request.players[0].label, "as it was written"
    await rosie.ask(pb.LeaveMatchRequest(match=joined))
    assert await settle(town, unsettled)
    assert 2 == (await rating(sam, "Rosie")).matches == (await rating(sam, rosie.name)).matches


async def test_ratings_are_one_history(town):
    """Of the guest and of the name, in whatever order matches were begun and settled."""
    rosie, sam = await guest(town), await town.account()
    assert await settle(town, await over(town, rosie, sam))
    before = await over(town, rosie, sam)
    found = await settlement(town, before)
    assert [rosie.name, sam.name] == [player.rating.account for player in found.players]
    await claim(rosie, "Rosie")
    after = await over(town, rosie, sam)
    request = pb.SettleRatingsRequest(match=before, players=found.players, record="a record")
    request.outcome.CopyFrom(town.world.matches[before].outcome())
    request.players[0].rating.mu += 1
    assert (await town.worker().ask(request)).counted, "it was read under the older name"
    found = await settlement(town, after)

    assert [(27.0, 2), (24.0, 2)] == [(p.rating.mu, p.version) for p in found.players]
    assert ["Rosie", sam.name] == [player.rating.account for player in found.players]
    assert (2, {"Rosie", sam.name}) == (
        round(found.meetings[0].matches),
        {found.meetings[0].one, found.meetings[0].other},
    )
    assert await settle(town, after)
    for name in ("Rosie", rosie.name, ""):
        mine = await rating(rosie, name)
        assert ("Rosie", 28.0, 3) == (mine.account, mine.mu, mine.matches)
    leaders = (await sam.ask(pb.ListLeadersRequest(game="hopscotch"))).leaders
    assert ["Rosie", sam.name] == [leader.account for leader in leaders]


async def test_who_plays_himself_under_two_names_proves_nothing(town):
    """A seat taken as a guest and one taken since are one player's."""
    rosie = await guest(town)
    match = await town.open_match(rosie, length=1)
    await rosie.ask(pb.JoinMatchRequest(match=match, seat="red"))
    await claim(rosie, "Rosie")
    await rosie.ask(pb.JoinMatchRequest(match=match, seat="blue"))
    await rosie.ask(pb.StartMatchRequest(match=match))
    labels = [player.label for player in town.world.matches[match].request.players]
    assert [rosie.name, "Rosie"] == labels

    assert not (await settlement(town, match)).rateable
    assert ("Rosie", ["Rosie", "Rosie"]) == await shown(rosie, match)


@pytest.mark.parametrize(
    "name", ["", "x", "x" * 25, "two words", "Jos\u00e9", "bot:novice", "admin", "Chance", "-\n-"]
)
async def test_a_bad_name_is_refused(town, name):
    """As for a new account, and the guest stays one."""
    rosie = await guest(town)
    denied = await refusal(rosie.ask(pb.ClaimNameRequest(name=name)))

    assert ("INVALID_REQUEST", {"field": "name"}) == (denied.reason, denied.metadata)
    assert (await rosie.ask(pb.GetAccountRequest())).account.guest


async def test_a_name_that_is_taken_is_refused(town):
    """Also a guest's; his own changes nothing."""
    rosie, sam, tom = await guest(town), await guest(town), await town.account("Tom")
    for name in ("tom", sam.name, sam.name.upper()):
        denied = await refusal(rosie.ask(pb.ClaimNameRequest(name=name)))
        assert ("INVALID_REQUEST", {"field": "name"}) == (denied.reason, denied.metadata)
        assert "taken" in denied.message

    assert (await claim(rosie, rosie.name)).guest
    assert not (await claim(rosie, "Rosie")).guest
    assert "Tom" == (await profile(tom)).account.name


async def test_a_name_is_claimed_once(town):
    """Who has chosen one keeps it, and so does who began with one."""
    rosie, sam = await guest(town), await town.account("Sam")
    await claim(rosie, "Rosie")
    for caller in (rosie, sam):
        denied = await refusal(caller.ask(pb.ClaimNameRequest(name="Rose")))
        assert ("NOT_ALLOWED", {"needs": "a guest"}) == (denied.reason, denied.metadata)

    assert "Sam" == (await claim(sam, "Sam")).name
    assert (await town.nobody().ask(pb.CreateAccountRequest(name="Rose"))).token


async def test_one_of_many_claims_a_name(town):
    """At two gateways; the others are told that it is taken."""
    other = await town.gateway()
    guests = [await guest(town, process) for process in (town.process, other) * 4]
    found = await asyncio.gather(*(claim(one, "Rosie") for one in guests), return_exceptions=True)
    [winner] = [one for one in found if isinstance(one, pb.Account)]

    assert winner == (await profile(guests[0], "rosie")).account
    for one, said in zip(guests, found, strict=True):
        account = (await one.ask(pb.GetAccountRequest())).account
        assert account == winner if said is winner else account.guest


async def test_one_account_claims_one_of_many_names(town):
    """The answers agree about which."""
    rosie = await guest(town)
    names = [f"Rosie{n}" for n in range(6)]
    found = await asyncio.gather(*(claim(rosie, name) for name in names), return_exceptions=True)
    [winner] = [one for one in found if isinstance(one, pb.Account)]

    assert winner == (await rosie.ask(pb.GetAccountRequest())).account
    assert winner.name in names


async def test_every_gateway_shows_the_new_name_once_it_is_claimed(town):
    """Though it has shown the older one a moment ago; an account's sessions have it too."""
    other = await town.gateway()
    rosie, sam = await guest(town), await town.account(process=other)
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    phone = town.nobody(other)
    phone.token = (await phone.ask(pb.StartSessionRequest(code=code))).token
    match = await town.running_match(rosie, "novice")
    assert (rosie.name, [rosie.name, "novice"]) == await shown(sam, match)
    assert rosie.name == (await phone.ask(pb.GetAccountRequest())).account.name
    await claim(rosie, "Rosie")

    assert "Rosie" == (await phone.ask(pb.GetAccountRequest())).account.name
    assert ("Rosie", ["Rosie", "novice"]) == await shown(sam, match)


async def test_names_are_shown_as_written_while_they_cannot_be_looked_up(town, monkeypatch):
    """What was asked for is answered all the same, and what is sure is not looked up again."""
    rosie, sam = await guest(town), await guest(town)
    match = await town.running_match(rosie, sam)
    await claim(rosie, "Rosie")
    assert ("Rosie", ["Rosie", sam.name]) == await shown(sam, match)
    monkeypatch.setattr(current_names, "GUEST_SECONDS", -1)
    town.process.gateway.news_subscriber.names.forget(await _ids(town, sam), sam.name)
    looked = []

    async def away(ids):
        looked.append(ids)
        raise Denied("UNAVAILABLE", "away", part="store")

    monkeypatch.setattr(town.store, "accounts", away)
    assert ("Rosie", ["Rosie", sam.name]) == await shown(sam, match)
    assert [await _ids(town, sam)] == looked


async def _ids(town, caller):
    return [caller.token.partition(".")[0]]


# Profiles and lists.


async def test_a_profile_is_what_everyone_may_know(town):
    """By any name that it has had; empty for the caller's."""
    rosie, sam = await guest(town), await town.account("Sam_G")
    made = (await rosie.ask(pb.GetAccountRequest())).account
    assert pb.GetProfileResponse(account=made) == await profile(sam, rosie.name)
    await settle(town, await over(town, rosie, sam))
    after = await claim(rosie, "Rosie")
    found = await profile(sam, "ROSIE")

    assert after == found.account
    [only] = found.ratings
    assert ("Rosie", "hopscotch", 26.0, 1) == (only.account, only.game, only.mu, only.matches)
    for caller, name in ((sam, rosie.name.upper()), (rosie, "")):
        assert found == await profile(caller, name)
    for name in ("nobody", "x" * 100, "a b", "\u00e9", " "):
        denied = await refusal(profile(sam, name))
        assert ("INVALID_REQUEST", {"field": "account"}) == (denied.reason, denied.metadata)


async def test_a_hosted_bot_has_a_profile(town):
    """Without an id; a level that no game has is none, unless it has been rated."""
    rosie = await town.account()
    assert pb.GetProfileResponse(account=pb.Account(name="bot:novice")) == await profile(
        rosie, "bot:novice"
    )
    await settle(town, await over(town, rosie, "novice"))
    found = await profile(rosie, "bot:novice")

    assert ("bot:novice", 24.0) == (found.ratings[0].account, found.ratings[0].mu)
    for name in ("bot:wizard", "bot:", "bot:NOVICE"):
        assert {"field": "account"} == (await refusal(profile(rosie, name))).metadata


async def test_matches_are_listed_by_account(town):
    """Those in which it sits or sat, by any of its names; page by page."""
    rosie, sam = await guest(town), await town.account()
    mine = [await town.running_match(rosie, sam) for _ in range(3)]
    await town.running_match(sam, "novice")
    left = await town.open_match(sam)
    for request in (pb.JoinMatchRequest, pb.LeaveMatchRequest):
        await rosie.ask(request(match=left))
    await claim(rosie, "Rosie")

    for name in ("Rosie", "rosie", rosie.name):
        assert {*mine, left} == set(await ids(sam, account=name))
    assert await ids(rosie, mine=True) == await ids(sam, account="Rosie", page_size=2)
    assert [left] == await ids(sam, account="Rosie", state=pb.MATCH_STATE_OPEN)
    assert [] == await ids(sam, account=(await town.account()).name)
    for given in ({"account": "Rosie", "mine": True}, {"account": "nobody"}, {"account": "a b"}):
        denied = await refusal(sam.ask(pb.ListMatchesRequest(**given)))
        assert ("INVALID_REQUEST", {"field": "account"}) == (denied.reason, denied.metadata)
    assert "INVALID_REQUEST" == await reason(sam.ask(pb.ListMatchesRequest(account="bot:novice")))
    first = await sam.ask(pb.ListMatchesRequest(account="Rosie", page_size=1))
    token = first.next_page_token
    assert "INVALID_REQUEST" == await reason(
        sam.ask(pb.ListMatchesRequest(page_token=token, account=sam.name))
    )
    assert (await sam.ask(pb.ListMatchesRequest(page_token=token, account=rosie.name))).matches
