"""Hosted bots that stand in for people, as the gateway lets them and tells of them."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from tests.gateway.page import follow, listening, opened
from tests.gateway.town import reason, refusal, until


async def lend(who, match, seat="red", level="novice"):
    return await who.ask(pb.HandOverSeatRequest(match=match, seat=seat, level=level))


async def back(who, match, seat="red"):
    return await who.ask(pb.TakeBackSeatRequest(match=match, seat=seat))


def stand_ins(match):
    return {seat.seat: seat.stand_in for seat in match.seats if seat.stand_in}


async def shown(who, match):
    return stand_ins((await who.ask(pb.GetMatchRequest(match=match))).match)


async def test_a_seat_is_handed_over_and_taken_back(town):
    """All see who plays for whom; the person is asked nothing meanwhile, and again afterwards."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    view = pb.GetViewRequest(match=match, seat="red")
    asked = (await rosie.ask(view)).question
    lent = await lend(rosie, match)
    assert [("red", "novice")] == [(x.seat, x.bot_level) for x in lent.standing.stand_ins]
    assert {"red": "novice"} == await shown(sam, match)
    assert not (await rosie.ask(view)).HasField("question")
    denied = await refusal(town.act(rosie, match, "red"))
    assert ("NOT_ASKED", "a hosted bot stands in") == (denied.reason, denied.message)
    given = await back(rosie, match)

    assert asked == given.question
    assert {} == await shown(sam, match)
    assert 1 == (await town.act(rosie, match, "red")).standing.revision


async def test_followers_are_told_of_every_change(town):
    """On their streams, by a step of the match and by its change; and a program is asked again."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    page, _ = await opened(town.same(tom, other), matches=[follow(match)], with_lobby=True)
    await page.next("step")
    bot = town.same(rosie, other).stream(pb.ListenQuestionsRequest())
    assert 10 == (await bot.next()).question.number
    await lend(rosie, match)
    step = (await page.next("step")).step
    assert {"red": "novice"} == {x.seat: x.bot_level for x in step.standing.stand_ins}
    while stand_ins(await page.next("match")) != {"red": "novice"}:
        pass
    town.count(match, 2)  # the bot plays, and then blue
    await until(lambda: town.world.matches[match].number("red") == 20)
    await back(rosie, match)

    assert 20 == (await bot.next()).question.number
    while stand_ins(await page.next("match")):
        pass


async def test_the_same_question_is_told_again_when_the_seat_is_back(town):
    """To a program that has been told it before."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    bot = rosie.stream(pb.ListenQuestionsRequest())
    assert 10 == (await bot.next()).question.number
    await lend(rosie, match)
    await back(rosie, match)

    assert 10 == (await bot.next()).question.number


async def test_what_cannot_be_handed_over_is_refused(town):
    """With a reason each: whose seat it is, which level, and when."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=1)
    waiting = await town.open_match(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=waiting, seat="red"))
    assert "WRONG_SEAT" == await reason(lend(sam, match))
    assert "WRONG_SEAT" == await reason(back(sam, match))
    assert "UNKNOWN_SEAT" == await reason(lend(rosie, match, "white"))
    assert "INVALID_REQUEST" == await reason(lend(rosie, match, ""))
    assert "level" == (await refusal(lend(rosie, match, level="god"))).metadata["field"]
    assert "NOT_ALLOWED" == await reason(lend(rosie, waiting))
    assert {} == town.world.matches[match].stand_ins
    await lend(rosie, match)
    assert "NOT_ALLOWED" == await reason(lend(rosie, match, level="master"))
    town.count(match)
    assert "MATCH_OVER" == await reason(back(rosie, match))


@pytest.mark.parametrize("town", [{"bots_burst": 2, "bots_a_minute": 1}], indirect=True)
async def test_whoever_hands_a_seat_over_pays_for_the_bot(town):
    """Not whoever opened the match; and once, however often he says it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    for _ in range(3):
        await lend(sam, match, "blue")
    await back(sam, match, "blue")
    await lend(sam, match, "blue")
    await back(sam, match, "blue")
    denied = await refusal(lend(sam, match, "blue"))

    assert ("RATE_LIMITED", "1 bots a minute") == (denied.reason, denied.metadata["limit"])
    assert {} == await shown(rosie, match)
    await lend(rosie, match)


@pytest.mark.parametrize("town", [{"most_alone": 1}], indirect=True)
async def test_a_match_that_is_left_to_bots_counts_as_one_without_people(town):
    """As long as nobody plays there himself."""
    rosie = await town.account()
    matches = [await town.running_match(rosie, "novice") for _ in range(2)]
    await lend(rosie, matches[0])
    assert "LIMIT_REACHED" == await reason(lend(rosie, matches[1]))
    await back(rosie, matches[0])
    await lend(rosie, matches[1])


async def test_a_call_whose_answer_was_lost_is_made_again(town):
    """And what the gateway did not note is found by whoever looks."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.engine.after["HandOverSeat"].append(Denied("UNAVAILABLE", "gone", part="engine"))
    try:
        await lend(rosie, match)
    except Exception:  # noqa: BLE001 (whatever it was told, it asks again)
        await lend(rosie, match)

    assert [["novice", 1]] == list(town.world.matches[match].stand_ins.values())
    town.world.matches[match].lend("blue", "master")  # a clock ran out, say
    other = await town.gateway()
    assert {"red": "novice", "blue": "master"} == await shown(town.same(sam, other), match)


async def test_an_older_standing_changes_nothing(town):
    """Answers may overtake each other."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    older = (await lend(rosie, match)).standing
    await back(rosie, match)
    matches = town.process.gateway.matches
    seen = await matches.see(await matches.read(match), older)

    assert "" == seen.stand_in("red")
    assert {} == await shown(sam, match)
