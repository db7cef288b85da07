"""Programs that say what they are: their marks, their terms, and those who want to meet none."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import programs_pb2 as programs
from bree.process.statuses import Denied
from gateway import call_context, company, paces
from gateway.documents import Clock, match_of, text_of
from gateway.matches import now_ms
from tests.gateway.test_ratings import outcome, over, settle
from tests.gateway.town import Caller, reason, refusal, until


async def a_bot(town, name="", **terms):
    """Somebody who has said that he is a program, and what he plays."""
    bot = await town.account(name)
    await bot.ask(programs.DeclareBotRequest())
    if terms:
        await bot.ask(programs.SetTermsRequest(terms=terms))
    return bot


async def a_hermit(town):
    """Somebody who wants to meet no bots."""
    hermit = await town.account()
    await hermit.ask(programs.SetWishesRequest(wishes={"no_bots": True}))
    return hermit


async def account_of(caller):
    return (await caller.ask(pb.GetAccountRequest())).account


async def join(caller, match, seat=""):
    return await caller.ask(pb.JoinMatchRequest(match=match, seat=seat))


async def shown(caller, match):
    return (await caller.ask(pb.GetMatchRequest(match=match))).match


async def sitting(caller, match):
    return [seat.account for seat in (await shown(caller, match)).seats if seat.account]


# Saying so.


async def test_a_bot_is_marked_wherever_it_is_shown(town):
    """In its account, its profile, each seat, lists, and ranks; and hosted bots in ranks."""
    bot, rosie = await a_bot(town), await town.account()
    match = await over(town, rosie, bot)
    await settle(town, match)
    await settle(town, await over(town, rosie, "novice"))
    listed = await rosie.ask(pb.ListMatchesRequest(account=bot.name))
    leaders = (await rosie.ask(pb.ListLeadersRequest(game="hopscotch"))).leaders
    profile = await rosie.ask(pb.GetProfileRequest(account=bot.name))
    rating = await rosie.ask(pb.GetRatingRequest(game="hopscotch", account=bot.name))
    own = await rosie.ask(pb.GetRatingRequest(game="hopscotch"))

    assert (await account_of(bot)).bot
    assert not (await account_of(rosie)).bot
    assert profile.account.bot
    assert all(rating.bot for rating in profile.ratings)
    assert (True, False) == (rating.rating.bot, own.rating.bot)
    assert [False, True] == [seat.program for seat in (await shown(rosie, match)).seats]
    assert [False, True] == [seat.program for seat in listed.matches[0].seats]
    assert {rosie.name: False, bot.name: True, "bot:novice": True} == {
        leader.account: leader.bot for leader in leaders
    }


async def test_a_bot_is_one_for_ever(town):
    """Saying it again changes nothing, and the gateway that knew it before knows it at once."""
    other = await town.gateway()
    rosie = await town.account()
    there = town.same(rosie, other)
    assert not (await account_of(there)).bot
    told = [await rosie.ask(programs.DeclareBotRequest()) for _ in range(2)]

    assert [True, True] == [one.account.bot for one in told]
    assert (await account_of(there)).bot


async def test_who_sits_somewhere_is_no_bot_yet(town):
    """Neither while a match is open or runs, nor until it has been scored."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie, length=1)
    await join(rosie, match)
    asked = programs.DeclareBotRequest()
    said = [await refusal(rosie.ask(asked))]
    await join(sam, match)
    await rosie.ask(pb.StartMatchRequest(match=match))
    said += [await refusal(rosie.ask(asked))]
    town.count(match)
    town.world.matches[match].outcome = outcome
    assert pb.MATCH_STATE_OVER == (await shown(rosie, match)).state
    said += [await refusal(rosie.ask(asked))]
    await settle(town, match)

    assert {("NOT_ALLOWED", match)} == {(one.reason, one.metadata["match"]) for one in said}
    counted = await refusal(rosie.ask(asked))
    assert ("NOT_ALLOWED", "an account without a rating") == (
        counted.reason,
        counted.metadata["needs"],
    )
    assert not (await account_of(rosie)).bot


async def test_a_match_that_does_not_count_keeps_nobody_from_it(town):
    """Who has only played against himself has no rating."""
    rosie = await town.account()
    match = await over(town, rosie, rosie)
    assert "NOT_ALLOWED" == await reason(rosie.ask(programs.DeclareBotRequest()))
    said = {"match": match, "outcome": outcome(), "record": "a record"}
    await town.worker().ask(pb.SettleRatingsRequest(**said))

    assert (await rosie.ask(programs.DeclareBotRequest())).account.bot


async def test_a_seat_taken_while_it_is_declared_is_marked(town, monkeypatch):
    """Whoever is faster: the mark is in the match afterwards."""
    rosie = await town.account()
    match = await town.open_match(rosie)
    declare = town.store.declare_bot

    async def declared(*given):
        await join(rosie, match)
        return await declare(*given)

    monkeypatch.setattr(town.store, "declare_bot", declared)
    await rosie.ask(programs.DeclareBotRequest())

    assert [True, False] == [seat.program for seat in (await shown(rosie, match)).seats]


def test_an_older_gateway_reads_a_match_without_programs():
    """The mark is written only where it says something."""
    doc = {
        "id": "h-1", "game": "g", "options": [], "creator": "", "creator_name": "",
        "created_ms": 1, "commitment": "", "clock": None, "state": "open", "outcome": None,
        "settled": "", "left": [], "version": 1,
        "seats": [{"name": "red", "account": "a", "label": "b", "bot_level": "", "nonce": ""}],
    }  # fmt: skip
    match = match_of(json.dumps(doc))
    [seat] = match.seats

    assert "program" not in text_of(match)
    marked = replace(match, seats=(replace(seat, program=True),))
    assert match_of(text_of(marked)) == marked


# Lists without them.


async def test_lists_may_leave_bots_out(town):
    """Of matches and of ranks, whichever bots they are; pages go on where they ended."""
    bot, rosie, sam = await a_bot(town), await town.account(), await town.account()
    people = [await town.running_match(rosie, sam) for _ in range(3)]
    for guest in (bot, "novice"):
        await settle(town, await over(town, rosie, guest))
    people += [await over(town, rosie, sam)]
    await settle(town, people[-1])
    found, token = [], ""
    while True:
        page = await rosie.ask(
            pb.ListMatchesRequest(without_bots=True, page_size=1, page_token=token)
        )
        found += [match.id for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    ranks, token = [], ""
    while True:
        asked = pb.ListLeadersRequest(game="hopscotch", page_size=1, page_token=token)
        asked.without_bots = True
        told = await rosie.ask(asked)
        ranks += told.leaders
        assert 1 == len(told.leaders)
        token = told.next_page_token
        if not token:
            break

    assert people[::-1] == found
    assert {rosie.name, sam.name} == {leader.account for leader in ranks}
    asked = pb.ListLeadersRequest(game="hopscotch", page_size=1)
    token = (await rosie.ask(asked)).next_page_token
    asked.page_token, asked.without_bots = token, True
    assert "INVALID_REQUEST" == await reason(rosie.ask(asked))


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


# Who may ask.


async def test_no_program_changes_what_it_is_by_a_token_with_a_scope(town, monkeypatch):
    """It may read terms."""
    bot = await a_bot(town)
    caller = Caller(bot.channel, bot.token)
    prove = town.process.gateway.admission.accounts.prove

    async def scoped(token):
        account = await prove(token)
        call_context.scope.set("bot")
        return account

    monkeypatch.setattr(town.process.gateway.admission.accounts, "prove", scoped)
    monkeypatch.setattr(town.process.gateway.admission.accounts, "believed", lambda _: None)

    assert (await caller.ask(programs.GetTermsRequest())).account.bot
    for asked in (programs.DeclareBotRequest(), programs.SetTermsRequest()):
        assert "NOT_ALLOWED" == await reason(caller.ask(asked))


async def test_a_bot_is_seen_by_who_listens(town):
    """Its seat says so in news of the match."""
    rosie, bot = await town.account(), await a_bot(town)
    match = await town.open_match(rosie)
    news = rosie.stream(pb.ListenNewsRequest(stream="one"))
    await until(town.process.gateway.streams.accounts)
    await join(bot, match)
    while not (said := await news.next()).match.seats or not said.match.seats[0].account:
        pass

    assert said.match.seats[0].program
    news.cancel()


@pytest.mark.parametrize(
    ("clock", "pace"),
    [
        (None, "free"),
        (Clock(3_600_000, 0, ""), "live"),
        (Clock(0, 60_000, ""), "live"),
        (Clock(3_600_000, 1, ""), "slow"),
        (Clock(0, 86_400_000, ""), "slow"),
    ],
)
def test_a_clock_has_a_pace(clock, pace):
    """An hour a seat, with what sixty questions add."""
    assert pace == paces.pace_of(clock)


async def test_a_store_that_is_away_lets_nobody_sit_unseen(town, monkeypatch):
    """Who cannot be looked up is not seated."""
    bot, rosie = await a_bot(town), await town.account()
    match = await town.open_match(rosie)

    async def away(_):
        raise Denied("UNAVAILABLE", "the ledger is away", part="ledger")

    monkeypatch.setattr(town.store, "accounts", away)

    assert "UNAVAILABLE" == await reason(join(bot, match))
