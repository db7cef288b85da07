"""Who sits down with whom: wishes, terms, and matches between bots."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import programs_pb2 as programs
from gateway import company
from gateway.matches import now_ms
from tests.gateway.test_programs import a_bot, account_of, join, shown
from tests.gateway.town import reason, refusal


async def a_hermit(town):
    """Somebody who wants to meet no bots."""
    hermit = await town.account()
    await hermit.ask(programs.SetWishesRequest(wishes={"no_bots": True}))
    return hermit


async def sitting(caller, match):
    return [seat.account for seat in (await shown(caller, match)).seats if seat.account]


# Wishes.


async def test_who_wants_to_meet_no_bots_meets_none(town):
    """Whoever comes second is refused, and sits nowhere."""
    bot, hermit = await a_bot(town), await a_hermit(town)
    for first, second in ((bot, hermit), (hermit, bot)):
        match = await town.open_match(first)
        await join(first, match)
        denied = await refusal(join(second, match))

        assert ("NOT_ALLOWED", "other company") == (denied.reason, denied.metadata["needs"])
        assert f"{hermit.name} wants to meet no bots, and {bot.name} is one" == denied.message
        assert [first.name] == await sitting(first, match)


async def test_hosted_bots_are_no_matter(town):
    """Nor is who only opened the match, nor people among themselves."""
    bot, hermit, rosie = await a_bot(town), await a_hermit(town), await town.account()

    assert await town.running_match(hermit, "novice")
    assert await town.running_match(rosie, hermit)
    match = await town.open_match(bot)
    await join(hermit, match)
    await join(rosie, match)
    assert (await bot.ask(pb.StartMatchRequest(match=match))).match.id == match


async def test_a_wish_is_told_and_taken_back(town):
    """Only its owner is told."""
    hermit, bot = await a_hermit(town), await a_bot(town)
    told = [(await hermit.ask(programs.GetWishesRequest())).wishes.no_bots]
    await hermit.ask(programs.SetWishesRequest())
    told += [(await hermit.ask(programs.GetWishesRequest())).wishes.no_bots]

    assert [True, False] == told
    assert await town.running_match(hermit, bot)


async def test_a_wish_of_later_keeps_the_match_from_starting(town):
    """And nothing has begun."""
    bot, rosie = await a_bot(town), await town.account()
    match = await town.open_match(bot)
    for guest in (bot, rosie):
        await join(guest, match)
    await rosie.ask(programs.SetWishesRequest(wishes={"no_bots": True}))
    start = pb.StartMatchRequest(match=match)

    assert "NOT_ALLOWED" == await reason(bot.ask(start))
    assert match not in town.world.matches
    assert pb.MATCH_STATE_OPEN == (await shown(bot, match)).state
    await rosie.ask(programs.SetWishesRequest())
    assert pb.MATCH_STATE_RUNNING == (await bot.ask(start)).match.state


async def test_of_two_who_do_not_meet_one_sits(town):
    """However they race for the two seats, at two gateways."""
    other = await town.gateway()
    bot, hermit, rosie = await a_bot(town), await a_hermit(town), await town.account()
    there = town.same(hermit, other)
    matches = [await town.open_match(rosie) for _ in range(12)]
    await asyncio.gather(
        *(join(who, match) for match in matches for who in (bot, there)), return_exceptions=True
    )

    for match in matches:
        assert 1 == len(await sitting(rosie, match))


async def test_a_stranger_who_sits_down_meanwhile_is_looked_up(town, monkeypatch):
    """It is decided on the match as it is swapped, and not as it was read."""
    bot, hermit = await a_bot(town), await a_hermit(town)
    match = await town.open_match(hermit)
    enter, entered = town.store.enter, []

    async def first(account, *given):
        if not entered:
            entered.append(account)
            await join(hermit, match)
        return await enter(account, *given)

    monkeypatch.setattr(town.store, "enter", first)

    assert "NOT_ALLOWED" == await reason(join(bot, match))
    assert [hermit.name] == await sitting(hermit, match)


# Terms.


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"paces": [pb.PACE_LIVE]}, "plays no free matches"),
        ({"paces": [pb.PACE_SLOW, pb.PACE_LIVE]}, "plays no free matches"),
        ({"opponents": programs.OPPONENTS_BOTS}, "plays with bots only"),
    ],
)
async def test_a_bot_plays_on_its_terms(town, terms, why):
    """It is refused itself, and so is whoever would sit down beside it."""
    bot, rosie = await a_bot(town, **terms), await town.account()
    match = await town.open_match(rosie)
    await join(rosie, match)
    denied = await refusal(join(bot, match))

    assert ("NOT_ALLOWED", f"{bot.name} {why}") == (denied.reason, denied.message)
    await bot.ask(programs.SetTermsRequest())
    match = await town.open_match(bot)
    await join(bot, match)
    await bot.ask(programs.SetTermsRequest(terms=terms))
    denied = await refusal(join(rosie, match))
    assert f"{bot.name} {why}" == denied.message


async def test_a_bot_that_plays_with_people_meets_no_other(town):
    """Whoever comes second; people it meets, and bots meet each other."""
    picky = await a_bot(town, opponents=programs.OPPONENTS_PEOPLE)
    other = await a_bot(town, opponents=programs.OPPONENTS_BOTS)
    third, rosie = await a_bot(town), await town.account()

    assert await town.running_match(picky, rosie)
    assert await town.running_match(other, third)
    for first, second in ((picky, third), (third, picky)):
        match = await town.open_match(first)
        await join(first, match)
        assert "NOT_ALLOWED" == await reason(join(second, match))


async def test_terms_are_told_to_anyone(town):
    """As they were said; those of whoever is no bot are not there."""
    terms = programs.Terms(
        games=["hopscotch"],
        paces=[pb.PACE_FREE],
        opponents=programs.OPPONENTS_PEOPLE,
        most_matches=3,
        most_bot_matches=0,
    )
    bot, rosie = await a_bot(town, "Gaffer"), await town.account()
    set_ = await bot.ask(programs.SetTermsRequest(terms=terms))
    told = await rosie.ask(programs.GetTermsRequest(account="gaffer"))

    assert terms == set_.terms == told.terms
    assert ("Gaffer", True) == (told.account.name, told.account.bot)
    assert terms == (await bot.ask(programs.GetTermsRequest())).terms
    for asked in (programs.GetTermsRequest(), programs.SetTermsRequest(terms=terms)):
        assert "NOT_ALLOWED" == await reason(rosie.ask(asked))
    for name in ("nobody-here", "bot:novice", "?"):
        asked = programs.GetTermsRequest(account=name)
        assert "INVALID_REQUEST" == await reason(rosie.ask(asked))


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"games": ["hopscotch", "hopscotch"]}, "terms.games"),
        ({"games": ["Hopscotch"]}, "game"),
        ({"paces": [pb.PACE_LIVE, pb.PACE_LIVE]}, "terms.paces"),
        ({"paces": [0]}, "terms.paces"),
        ({"paces": [77]}, "terms.paces"),
        ({"opponents": 77}, "terms.opponents"),
        ({"most_matches": -1}, "terms.most_matches"),
        ({"most_bot_matches": 101}, "terms.most_bot_matches"),
        ({"most_bot_matches": -1}, "terms.most_bot_matches"),
    ],
)
async def test_terms_that_mean_nothing_change_nothing(town, terms, field):
    """And it is said which field is wrong."""
    bot = await a_bot(town, most_matches=3)
    denied = await refusal(bot.ask(programs.SetTermsRequest(terms=terms)))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])
    assert 3 == (await bot.ask(programs.GetTermsRequest())).terms.most_matches


async def test_a_game_of_another_platform_is_none(town):
    """Of those there are, a bot plays the ones it names."""
    bot = await a_bot(town)
    asked = programs.SetTermsRequest(terms={"games": ["leapfrog"]})

    assert "UNKNOWN_GAME" == await reason(bot.ask(asked))
    await bot.ask(programs.SetTermsRequest(terms={"games": ["hopscotch"]}))
    assert await town.running_match(bot, "novice")


async def test_a_bot_sits_in_so_many_matches_at_once(town):
    """Less than an account may; at another gateway, too, and however they race."""
    other = await town.gateway()
    bot, rosie = await a_bot(town, most_matches=2), await town.account()
    there = town.same(bot, other)
    matches = [await town.open_match(rosie) for _ in range(6)]
    done = await asyncio.gather(
        *(join(who, match) for match, who in zip(matches, (bot, there) * 3, strict=True)),
        return_exceptions=True,
    )

    assert 2 == sum(isinstance(one, pb.JoinMatchResponse) for one in done)
    left = [match for match in matches if bot.name not in await sitting(rosie, match)]
    denied = await refusal(join(bot, left[0]))
    assert ("LIMIT_REACHED", "2") == (denied.reason, denied.metadata["limit"])


# Matches between bots.


async def pair(one, other, town):
    match = await town.open_match(one)
    for guest in (one, other):
        await join(guest, match)
    return match


@pytest.mark.parametrize("town", [{"bot_pairs_a_day": 2}], indirect=True)
async def test_bots_play_so_many_matches_with_each_other(town):
    """On one day; with people and with hosted bots they play on."""
    one, other, third = [await a_bot(town) for _ in range(3)]
    rosie = await town.account()
    late = await pair(one, third, town)
    for _ in range(2):
        await town.running_match(one, other)
    match = await town.open_match(other)
    await join(other, match)
    said = [await refusal(join(third, match)), await refusal(one.ask(start(late)))]

    for denied, bot in zip(said, (other, one), strict=True):
        assert ("LIMIT_REACHED", "2") == (denied.reason, denied.metadata["limit"])
        assert f"{bot.name} plays 2 matches" in denied.message
        assert 0 < int(denied.metadata["retry_after_ms"]) <= company.DAY_MS
    assert late not in town.world.matches
    assert await town.running_match(one, rosie), "people are welcome"
    assert await town.running_match(one, "novice"), "hosted bots are no matter"
    assert [] == [entry.name for entry in await counted(town, third) if entry.name == late]
    assert await town.running_match(third, await a_bot(town))


def start(match):
    return pb.StartMatchRequest(match=match)


async def counted(town, bot):
    return await town.store.reserved(f"{(await account_of(bot)).id}.pairs")


@pytest.mark.parametrize("town", [{"bot_pairs_a_day": 1}], indirect=True)
async def test_another_day_is_another_day(town, monkeypatch):
    """At midnight in UTC; what was counted before is forgotten."""
    one, other = await a_bot(town), await a_bot(town)
    await town.running_match(one, other)
    match = await town.open_match(one)
    await join(one, match)
    assert "LIMIT_REACHED" == await reason(join(other, match))
    midnight = (now_ms() // company.DAY_MS + 1) * company.DAY_MS
    monkeypatch.setattr(company, "now_ms", lambda: midnight)
    await join(other, match)
    await one.ask(start(match))

    assert [match] == [entry.name for entry in await counted(town, one)]


async def test_a_bot_may_play_with_none(town):
    """Zero is none, and says no day."""
    one, other = await a_bot(town, most_bot_matches=0), await a_bot(town)
    match = await town.open_match(other)
    await join(other, match)
    denied = await refusal(join(one, match))

    assert "LIMIT_REACHED" == denied.reason
    assert f"{one.name} plays no matches with other bots" == denied.message
    assert "retry_after_ms" not in denied.metadata


@pytest.mark.parametrize("town", [{"bot_pairs_a_day": 3}], indirect=True)
async def test_however_they_race_so_many_start(town):
    """At two gateways at once; and starting again is starting once."""
    other = await town.gateway()
    one, two = await a_bot(town), await a_bot(town)
    there = town.same(one, other)
    matches = [await pair(one, two, town) for _ in range(8)]
    await asyncio.gather(
        *(who.ask(start(match)) for match in matches for who in (one, there)),
        return_exceptions=True,
    )
    running = [match for match in matches if match in town.world.matches]

    assert 3 == len(running)
    assert [3, 3] == [len(await counted(town, bot)) for bot in (one, two)]


@pytest.mark.parametrize("town", [{"bots_burst": 1}], indirect=True)
async def test_what_is_not_paid_for_is_not_counted(town, monkeypatch):
    """A match that is refused for another reason may be had later the same day."""
    one, two = await a_bot(town), await a_bot(town)
    await town.running_match(one, "novice")
    match = await town.open_match(one, seats=3)
    for guest in (one, two):
        await join(guest, match)
    await one.ask(pb.AddBotRequest(match=match, level="novice"))

    assert "RATE_LIMITED" == await reason(one.ask(start(match)))
    assert [[], []] == [await counted(town, bot) for bot in (one, two)]


async def test_a_person_at_the_table_makes_it_no_match_between_bots(town):
    """Nor does one bot at two seats."""
    one, two, rosie = await a_bot(town), await a_bot(town), await town.account()
    await town.running_match(one, two, rosie)
    await town.running_match(one, one)

    assert [[], []] == [await counted(town, bot) for bot in (one, two)]
