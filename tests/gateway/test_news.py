"""One stream for a page: questions and the steps of many matches, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import news
from gateway.play import Play
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.page import follow, listening, opened, streams_of, why
from tests.gateway.test_watch import lose, revisions
from tests.gateway.town import refusal, until


async def test_the_first_piece_of_news_is_whose_they_are(town):
    """And which release the gateway runs."""
    rosie = await town.account()
    _, start = await opened(rosie)

    assert (await rosie.ask(pb.GetAccountRequest())).account == start.account
    assert news.__version__ == start.release
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", start.release)


async def test_questions_and_ends_are_told_as_to_a_bot(town):
    """In whatever match: those that stand, those that come, and that it is over."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=3)
    page, _ = await opened(rosie)
    bot = rosie.stream(pb.ListenQuestionsRequest())
    told = []
    for moves in (2, 1, 0):
        question = await page.next("question")
        assert await bot.next() == question
        told.append(question)
        town.count(match, moves)

    assert [10, 20, 0] == [question.question.number for question in told]
    assert town.world.matches[match].outcome() == told[-1].outcome


async def test_an_end_that_was_not_brought_is_told_again(town):
    """To the next stream, as long as none has lasted."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=1)
    town.count(match)
    await rosie.ask(pb.GetMatchRequest(match=match))
    for number in range(2):
        page, _ = await opened(rosie, stream=f"tab{number}")
        assert (await page.next("question")).HasField("outcome")
        page.stream.cancel()


async def test_steps_of_many_matches_are_told(town):
    """Each as `WatchMatch` tells it: at once, in order, without gaps, to the outcome."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    mine = await town.running_match(rosie, sam)
    others = await town.running_match(sam, tom, length=4)
    town.count(others)
    page, _ = await opened(rosie, matches=[follow(mine, "red"), follow(others)])
    first = {said.match: said for said in [await page.next("step") for _ in range(2)]}
    assert ([], 10) == (revisions([first[mine].step]), first[mine].step.question.number)
    assert ("", [1]) == (first[others].seat, revisions([first[others].step]))
    town.count(others, 3)
    last = await page.steps(others, 4)
    town.count(mine)

    assert [2, 3, 4] == revisions(last)
    assert last[-1].standing.HasField("outcome")
    [step] = await page.steps(mine, 1, "red")
    assert "count 2" == step.events[0].facts["text"]
    assert [(mine, "red")] == list(streams_of(town.process).popitem()[1].followed)


async def test_what_is_followed_is_changed(town):
    """While the stream is open; the same match with two pairs of eyes, too."""
    rosie, sam = await town.account(), await town.account()
    matches = [await town.running_match(rosie, sam) for _ in range(2)]
    page, _ = await opened(rosie, matches=[follow(matches[0])])
    await page.steps(matches[0], 0)
    await page.change(follow=[follow(matches[1]), follow(matches[1], "red")])
    assert {("", 0), ("red", 0)} == {
        (said.seat, said.step.standing.revision)
        for said in [await page.next("step") for _ in range(2)]
    }
    await page.change(unfollow=[follow(matches[0]), follow("h-nowhere00", "red")])
    for match in matches:
        town.count(match)

    said = [await page.next("step") for _ in range(2)]
    assert {(matches[1], ""), (matches[1], "red")} == {(step.match, step.seat) for step in said}
    page.heard.clear()
    assert await page.quiet()
    await until(lambda: town.engine.watches[matches[0], ""] == 0)


async def test_who_follows_again_is_told_again(town):
    """From the revision that he names."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=9)
    page, _ = await opened(rosie, matches=[follow(match)])
    town.count(match, 4)
    await page.steps(match, 4)
    for after in (4, 2, 0):
        await page.change(follow=[follow(match, after=after)])
        assert list(range(after + 1, 5)) == revisions([(await page.next("step")).step])
    town.count(match)

    assert [5] == revisions(await page.steps(match, 5))
    assert await page.quiet()


# Resumption.


async def test_a_page_goes_on_where_it_was(town):
    """Its stream is killed again and again: nothing is missed, and nothing comes twice."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam, tom = [await town.account() for _ in range(3)]
    matches = [await town.running_match(rosie, sam, length=60) for _ in range(2)]
    known, seen = dict.fromkeys(matches), defaultdict(list)
    for round_number in range(6):
        at = town.same(tom, (town.process, other)[round_number % 2])
        wanted = [
            follow(match, "", said.standing.revision, said.standing.head)
            if (said := known[match])
            else follow(match)
            for match in matches
        ]
        page, _ = await opened(at, matches=wanted)
        for match in matches:
            town.count(match)
            await asyncio.sleep(0.02 * round_number)
            town.count(match)
        for _ in range(1 + round_number % 2):  # the rest is on its way when the stream is killed
            said = await page.next("step")
            known[said.match] = said.step
            seen[said.match] += revisions([said.step])
        page.stream.cancel()
    page, _ = await opened(tom, matches=[follow(m, "", len(seen[m])) for m in matches])
    while any(len(seen[match]) < 12 for match in matches):
        said = await page.next("step")
        seen[said.match] += revisions([said.step])

    assert {match: list(range(1, 13)) for match in matches} == seen


async def test_engines_that_are_away_are_borne_in_silence(town):
    """A match goes on when its engine is back, also one that could not begin."""
    rosie, sam = await town.account(), await town.account()
    matches = [await town.running_match(rosie, sam) for _ in range(2)]
    page, _ = await opened(rosie, matches=[follow(matches[0], "red")])
    await page.steps(matches[0], 0, "red")
    port = town.engine.port
    await town.engine.stop()
    await page.change(follow=[follow(matches[1])])
    town.count(matches[0])
    await asyncio.sleep(0.3)
    town.engines[0] = await FakeEngine(town.world).start(port)

    said = [await page.next("step") for _ in range(2)]
    found = {step.match: step.step for step in said}
    assert [1] == revisions([found[matches[0]]])
    assert 0 == found[matches[1]].standing.revision
    assert not [one for one in page.heard if one.HasField("unfollowed")]


@pytest.mark.parametrize("town", [{"call_seconds": 0.2}], indirect=True)
async def test_a_follow_that_fails_for_now_goes_on_from_the_last_step(town, monkeypatch):
    """What was sent is not sent again, though the whole of it is opened anew."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=20)
    steps, failing = Play.steps, [1, 2, 2]

    async def broken(play, account, match, seat, watcher):
        left = failing.pop(0) if failing else 99
        async for said in steps(play, account, match, seat, watcher):
            yield said
            left -= 1
            if not left:
                raise Denied("UNAVAILABLE", "away", part="engine")

    monkeypatch.setattr(Play, "steps", broken)
    page, _ = await opened(rosie, matches=[follow(match)])
    found = await page.steps(match, 0)
    for number in range(1, 6):
        await asyncio.sleep(0.1)  # in which it is opened anew, and nothing is new
        town.count(match)
        found += await page.steps(match, number)

    assert [1, 2, 3, 4, 5] == revisions(found)
    assert [0, 1, 2, 3, 4, 5] == [step.standing.revision for step in found]
    assert not failing


async def test_a_lost_history_is_told_of(town):
    """One that changes while it is followed, and one that is followed on from an older one."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match, other = [await town.running_match(rosie, sam) for _ in range(2)]
    town.count(match, 2)
    page, _ = await opened(tom, matches=[follow(match), follow(other)])
    known = (await page.steps(match, 2))[-1].standing.head
    port = town.engine.port
    await town.engine.stop()
    lose(town, match, 1)
    town.engines[0] = await FakeEngine(town.world).start(port)
    said = await page.next("unfollowed")
    assert (match, "", "HISTORY_CHANGED") == (said.match, said.seat, why(said))
    assert {"match", "revision"} == set(said.metadata)
    await page.change(follow=[follow(match, "", 2, known)])
    assert "HISTORY_CHANGED" == why(await page.next("unfollowed"))
    await page.change(follow=[follow(match)])

    assert [1, 2] == revisions(await page.steps(match, 2))
    town.count(other)
    assert [1] == revisions(await page.steps(other, 1))


# What cannot be followed.


async def test_a_match_that_cannot_be_followed_ends_nothing_else(town):
    """Each says why, as `WatchMatch` would; the others are told."""
    rosie, sam = await town.account(), await town.account()
    match, open_one = await town.running_match(rosie, sam), await town.open_match(rosie)
    wrong = {
        (match, "blue"): ("WRONG_SEAT", {"match": match, "seat": "blue"}),
        (match, "pink"): (
            "UNKNOWN_SEAT",
            {"match": match, "seat": "pink", "seats": "red blue"},
        ),
        ("h-nowhere00", ""): ("UNKNOWN_MATCH", {"match": "h-nowhere00"}),
        (open_one, ""): ("NOT_ALLOWED", {"match": open_one, "needs": "a match that has started"}),
    }
    wanted = [follow(*key) for key in wrong]
    page, _ = await opened(rosie, matches=[*wanted, follow(match, "red", 9), follow(match)])
    await page.steps(match, 0)
    told = [one.unfollowed for one in page.heard if one.HasField("unfollowed")]
    told += [await page.next("unfollowed") for _ in range(5 - len(told))]
    found = {(said.match, said.seat): (why(said), dict(said.metadata)) for said in told}

    assert "UNKNOWN_REVISION" == found.pop((match, "red"))[0]
    assert wrong == found
    assert all(said.message for said in told)
    town.count(match)
    assert [1] == revisions(await page.steps(match, 1))


async def test_nobody_sees_through_the_eyes_of_others(town):
    """Until the match is over: then anyone does, as its engine says and not what was noted."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam, length=2)
    town.count(match)
    page, _ = await opened(tom, matches=[follow(match, "red")])
    assert "WRONG_SEAT" == why(await page.next("unfollowed"))
    town.count(match)
    await tom.ask(pb.GetMatchRequest(match=match))
    await page.change(follow=[follow(match, "red")])
    [step] = await page.steps(match, 2, "red")
    assert [True, False] == ["text" in event.facts for event in step.events]
    town.world.matches[match].lose(1)
    await page.change(follow=[follow(match, "red")])

    assert "WRONG_SEAT" == why(await page.next("unfollowed"))


async def test_a_bug_ends_the_stream(town, monkeypatch):
    """It would otherwise be silent for ever."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)

    async def broken(*_):
        raise ValueError("a secret that nobody may see")

    monkeypatch.setattr(news, "authorized", broken)
    page, _ = await opened(rosie, matches=[follow(match)])
    denied = await refusal(page.stream.rest())

    assert "BUG" == denied.reason
    assert "secret" not in denied.message
