"""Programs that say what they are: their marks, their terms, and those who want to meet none."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import programs_pb2 as programs
from bree.process.statuses import Denied
from gateway import call_context, paces
from gateway.documents import Clock, match_of, text_of
from tests.gateway.test_ratings import outcome, over, settle
from tests.gateway.town import Caller, reason, refusal, until


async def a_bot(town, name="", **terms):
    """Somebody who has said that he is a program, and what he plays."""
    bot = await town.account(name)
    await bot.ask(programs.DeclareBotRequest())
    if terms:
        await bot.ask(programs.SetTermsRequest(terms=terms))
    return bot


async def account_of(caller):
    return (await caller.ask(pb.GetAccountRequest())).account


async def join(caller, match, seat=""):
    return await caller.ask(pb.JoinMatchRequest(match=match, seat=seat))


async def shown(caller, match):
    return (await caller.ask(pb.GetMatchRequest(match=match))).match


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
