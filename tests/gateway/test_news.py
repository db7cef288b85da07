"""One stream for a page: questions, steps of many matches, changes; whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict

import pytest

from bree.engine.v1.errors_pb2 import ErrorReason
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import PREFIX, Denied
from gateway import match_changes, news, news_stream, servicers
from gateway.documents import Account, News
from gateway.feed import Step
from gateway.play import Play
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.test_watch import lose, revisions
from tests.gateway.town import reason, refusal, until


class Page:
    """What a browser knows by its stream."""

    def __init__(self, caller, **given):
        self.caller = caller
        self.name = given.setdefault("stream", "tab")
        self.stream = caller.stream(pb.ListenNewsRequest(**given))
        self.heard = []

    async def next(self, kind="", patience=10):
        """The next piece of news, of a kind if one is named; others are kept aside."""
        async with asyncio.timeout(patience):
            while True:
                said = await self.stream.next()
                assert said is not None, "the stream ended"
                which = said.WhichOneof("news")
                if kind in ("", which):
                    return getattr(said, which)
                self.heard.append(said)

    async def steps(self, match, to, seat=""):
        """The steps of a match up to a revision."""
        found = []
        while not found or found[-1].standing.revision < to:
            said = await self.next("step")
            if (said.match, said.seat) == (match, seat):
                found.append(said.step)
        return found

    async def change(self, **given):
        await self.caller.ask(pb.ChangeNewsRequest(stream=self.name, **given))

    async def quiet(self, seconds=0.2):
        """Whether nothing more comes."""
        return await self.stream.silent(seconds)


def follow(match, seat="", after=0, head=""):
    return pb.FollowedMatch(match=match, seat=seat, after_revision=after, head=head)


async def opened(caller, **given):
    page = Page(caller, **given)
    return page, await page.next("start")


async def listening(*processes):
    """Wait until gateways hear what others tell."""
    for process in processes:
        names = process.gateway.news_subscriber.names
        names._known["probe"] = ("probe", float("inf"))
        while "probe" in names._known:
            await process.gateway.store.tell(News("named", more="probe"))
            await asyncio.sleep(0.02)


def why(unfollowed):
    return ErrorReason.Name(unfollowed.reason).removeprefix(PREFIX)


def streams_of(process):
    return process.gateway.news_subscriber.news._open


# What is told.


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
    await page.change(follow=[follow(match, "red")])
    [step] = await page.steps(match, 2, "red")
    assert [True, False] == ["text" in event.facts for event in step.events]
    await tom.ask(pb.GetMatchRequest(match=match))
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


# Limits.


async def test_a_stream_follows_so_many(town):
    """More at once are refused as a request; more one after the other are told of."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    many = [follow(f"h-{number:010}") for number in range(33)]
    denied = await refusal(rosie.stream(pb.ListenNewsRequest(stream="a", matches=many)).rest())
    assert ("INVALID_REQUEST", {"field": "matches"}) == (denied.reason, denied.metadata)
    page, _ = await opened(rosie)
    for field in ("follow", "unfollow"):
        denied = await refusal(page.change(**{field: many}))
        assert ("INVALID_REQUEST", {"field": field}) == (denied.reason, denied.metadata)
    matches = [await town.running_match(rosie, sam) for _ in range(32)]
    await page.change(follow=[follow(match) for match in matches])
    for _ in matches:
        await page.next("step")
    await page.change(follow=[follow(match)])
    said = await page.next("unfollowed")
    assert (match, "LIMIT_REACHED", "32") == (said.match, why(said), said.metadata["limit"])
    await page.change(follow=[follow(match)], unfollow=[follow(matches[0])])

    assert match == (await page.next("step")).match
    for again in matches[1:3]:
        await page.change(follow=[follow(again)])
        assert again == (await page.next("step")).match


@pytest.mark.parametrize("town", [{"most_streams": 2}], indirect=True)
async def test_a_stream_of_news_is_one_stream(town):
    """Whatever it follows; a page that comes back is not kept out by its dead one."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    watching = rosie.stream(pb.WatchMatchRequest(match=match))
    await watching.next()
    older, _ = await opened(rosie, matches=[follow(match), follow(match, "red")])
    assert "LIMIT_REACHED" == await reason(
        rosie.stream(pb.ListenNewsRequest(stream="other")).rest()
    )
    newer, _ = await opened(rosie, matches=[follow(match)])
    denied = await refusal(older.stream.rest())

    said = (denied.reason, denied.metadata)
    assert ("LIMIT_REACHED", {"limit": "1", "of": "streams of one name"}) == said
    town.count(match)
    assert [1] == revisions(await newer.steps(match, 1))
    account = rosie.token.partition(".")[0]
    assert 2 == len(town.process.gateway.streams._open[account])


async def test_an_older_stream_ends_wherever_it_is(town):
    """Others of the account, and those of the same name of other accounts, stay."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam = await town.account(), await town.account()
    older, _ = await opened(town.same(rosie, other))
    stays = [(await opened(rosie, stream="two"))[0], (await opened(town.same(sam, other)))[0]]
    newer, _ = await opened(rosie)
    assert "LIMIT_REACHED" == await reason(older.stream.rest())
    match = await town.running_match(rosie, sam)

    for page in (newer, *stays):
        assert match == (await page.next("match")).id
    assert 1 == len(streams_of(other))


async def test_of_two_at_once_one_stays(town):
    """At two gateways, and at one."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie = await town.account()
    for processes in ((town.process, other), (town.process, town.process)):
        pages = [Page(town.same(rosie, process), stream="x") for process in processes * 3]
        await asyncio.sleep(0.5)
        left = [*streams_of(town.process).values(), *streams_of(other).values()]

        assert 1 == len(left)
        assert not left[0].termination.has_come
        for page in pages:
            page.stream.cancel()
        await until(lambda: not streams_of(town.process) and not streams_of(other))


@pytest.mark.parametrize("town", [{"watch_backlog": 32}], indirect=True)
async def test_who_lags_loses_the_match_and_may_go_on(town):
    """From the revision that he is told; what is kept for him is bounded, and the rest goes on."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match, calm = [await town.running_match(rosie, sam, length=9_999) for _ in range(2)]
    page, _ = await opened(tom, matches=[follow(match), follow(calm)])
    quick = tom.stream(pb.WatchMatchRequest(match=match))
    await quick.next()
    [stream] = streams_of(town.process).values()
    await until(lambda: len(stream.watchers) == 2)
    watcher, played = stream.watchers[match, ""], town.world.matches[match]
    while not watcher.termination.has_come:
        played.entries.append(("x" * 50_000, "count 1", f"x{played.revision}", 0))
        played.move()
        await quick.next()
        assert watcher.kept <= 32
    seen = []
    while True:
        said = await page.stream.next()
        if said.HasField("unfollowed"):
            break
        if said.step.match == match:
            seen += revisions([said.step.step])

    told = said.unfollowed
    assert (match, "WATCH_LAGS", str(len(seen))) == (
        told.match,
        why(told),
        told.metadata["revision"],
    )
    assert list(range(1, len(seen) + 1)) == seen
    await page.change(follow=[follow(match, "", len(seen))])
    assert len(seen) + 1 == revisions([(await page.next("step")).step])[0]
    town.count(calm)
    assert [1] == revisions(await page.steps(calm, 1))


async def test_all_that_is_followed_shares_what_is_kept(monkeypatch):
    """So a reader of many matches costs no more than one of a few; each has some room."""
    monkeypatch.setattr(news_stream, "MOST_KEPT", 70)
    stream = news_stream.NewsStream(Account("a1", "Rosie"), "a", "1")
    watchers = [news_stream.FollowWatcher(stream, f"h-{n}", 0, "", 64) for n in range(4)]
    stream.watchers = {(watcher.match, ""): watcher for watcher in watchers}
    for watcher, steps in zip(watchers, (64, 32, 33, 10), strict=True):
        for _ in range(steps):
            watcher.hear(Step(0, pb.WatchMatchResponse()))

    assert [False, False, True, False] == [watcher.termination.has_come for watcher in watchers]
    watchers[0].hear(Step(0, pb.WatchMatchResponse()))
    assert [0, 32, 0, 10] == [watcher.kept for watcher in watchers]


async def test_changes_that_nobody_reads_are_bounded(monkeypatch):
    """Of each match the last one; in the end the stream is."""
    monkeypatch.setattr(news_stream, "MOST_NOTICES", 5)
    stream = news_stream.NewsStream(Account("a1", "Rosie"), "a", "1")
    for version in range(100):
        match = pb.Match(id=f"h-{version % 5}", creator=f"{version}")
        stream.put(("match", match.id), pb.ListenNewsResponse(match=match))
    told = stream.told()
    found = [(await anext(told)).match for _ in range(5)]
    assert [("h-0", "95"), ("h-4", "99")] == [(m.id, m.creator) for m in (found[0], found[4])]
    for number in range(6):
        stream.put(("match", f"h-{number}"), pb.ListenNewsResponse())

    with pytest.raises(Denied) as caught:
        await anext(told)
    assert "WATCH_LAGS" == caught.value.reason
    assert not stream._notices


@pytest.mark.parametrize("town", [{"calls_a_second": 10, "calls_burst": 400}], indirect=True)
async def test_following_is_paid_as_watching_is(town):
    """Out of the same bucket; who owes is told later, and not refused."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    matches = [await town.running_match(rosie, sam) for _ in range(3)]
    town.process.gateway.admission.calls.charge(tom.token.partition(".")[0], 395)
    page, _ = await opened(tom, matches=[follow(match) for match in matches])
    assert "RATE_LIMITED" == await reason(tom.ask(pb.GetAccountRequest()))
    found = {(await page.next("step")).match for _ in matches}

    assert set(matches) == found
    assert not [one for one in page.heard if one.HasField("unfollowed")]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"stream": ""}, "stream"),
        ({"stream": "x" * 41}, "stream"),
        ({"stream": "a b"}, "stream"),
        ({"stream": "a\u200b"}, "stream"),
        ({"matches": [follow("")]}, "matches[0].match"),
        ({"matches": [follow("h-0000000000"), follow("H-1")]}, "matches[1].match"),
        ({"matches": [follow("h-0000000000", "Red")]}, "matches[0].seat"),
        ({"matches": [follow("h-0000000000", after=-1)]}, "matches[0].after_revision"),
        ({"matches": [follow("h-0000000000", head="x")]}, "matches[0].head"),
    ],
)
async def test_a_bad_request_opens_and_changes_nothing(town, given, field):
    """And says which field it is, with its place."""
    rosie = await town.account()
    page, _ = await opened(rosie)
    denied = await refusal(rosie.stream(pb.ListenNewsRequest(**({"stream": "tab"} | given))).rest())
    assert ("INVALID_REQUEST", {"field": field}) == (denied.reason, denied.metadata)
    matches = given.get("matches", [])
    change = pb.ChangeNewsRequest(stream=given.get("stream", "tab"), follow=matches)
    denied = await refusal(rosie.ask(change))

    assert field.replace("matches", "follow") == denied.metadata["field"]
    assert await page.quiet()


# Changes.


async def test_changes_of_ones_own_matches_are_told(town):
    """Of those that one opened and of those where one sits: seats, the start, the end."""
    await listening(town.process)
    rosie, sam, tom = [await town.account() for _ in range(3)]
    pages = {who: (await opened(who))[0] for who in (rosie, sam, tom)}
    match = await town.open_match(rosie, length=1)
    assert pb.MATCH_STATE_OPEN == (await pages[rosie].next("match")).state
    await sam.ask(pb.JoinMatchRequest(match=match, seat="red"))
    for who in (rosie, sam):
        assert sam.name == (await pages[who].next("match")).seats[0].account
    await sam.ask(pb.LeaveMatchRequest(match=match))
    for who in (rosie, sam):
        assert "" == (await pages[who].next("match")).seats[0].account
    await rosie.ask(pb.AddBotRequest(match=match, seat="red", level="novice"))
    assert "novice" == (await pages[rosie].next("match")).seats[0].bot_level
    await rosie.ask(pb.JoinMatchRequest(match=match, seat="blue"))
    await rosie.ask(pb.StartMatchRequest(match=match))
    states = []
    while pb.MATCH_STATE_RUNNING not in states:
        states.append((await pages[rosie].next("match")).state)
    town.count(match)
    await rosie.ask(pb.GetMatchRequest(match=match))
    over = await pages[rosie].next("match")

    assert pb.MATCH_STATE_OVER == over.state
    assert town.world.matches[match].outcome() == over.outcome
    assert await pages[sam].quiet()
    assert await pages[tom].quiet()


async def test_the_lobby_is_told_to_those_who_want_it(town):
    """Every change of any match, at every gateway; until it is switched off."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam = await town.account(), await town.account()
    page, _ = await opened(town.same(sam, other), with_lobby=True)
    without, _ = await opened(sam, stream="without")
    match = await town.open_match(rosie)
    assert (match, pb.MATCH_STATE_OPEN) == ((told := await page.next()).id, told.state)
    await rosie.ask(pb.LeaveMatchRequest(match=match))
    assert pb.MATCH_STATE_CLOSED == (await page.next()).state
    await page.change(with_lobby=False)
    await until(lambda: not other.gateway.changes._lobby)
    await town.open_match(rosie)
    await asyncio.sleep(0.3)
    await page.change(with_lobby=True)
    await until(lambda: other.gateway.changes._lobby)
    last = await town.open_match(rosie)

    assert last == (await page.next()).id
    await page.change(follow=[follow(last)])  # which does not switch it off
    await page.next("unfollowed")
    assert other.gateway.changes._lobby
    assert await without.quiet()


async def test_of_many_changes_at_once_the_last_is_told(town, monkeypatch):
    """And read once, for everyone who listens; not at all where nobody does."""
    await listening(town.process)
    monkeypatch.setattr(match_changes, "GATHER_SECONDS", 0.3)
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    await asyncio.sleep(0.1)
    read, matches = [], town.store.matches

    async def counted(ids):
        read.append(list(ids))
        return await matches(ids)

    monkeypatch.setattr(town.store, "matches", counted)
    await sam.ask(pb.JoinMatchRequest(match=match, seat="red"))
    await asyncio.sleep(0.4)
    assert not read
    pages = [
        (await opened(caller, stream=f"{number}", with_lobby=caller is sam))[0]
        for number, caller in enumerate((rosie, rosie, sam))
    ]
    await asyncio.sleep(0.1)
    read.clear()
    for request in (pb.LeaveMatchRequest, pb.JoinMatchRequest) * 2:
        await sam.ask(request(match=match))
    told = [await page.next("match") for page in pages]

    assert [sam.name] * 3 == [shown.seats[0].account for shown in told]
    assert [[match]] == [ids for ids in read if ids]
    for page in pages:
        assert await page.quiet(0.4)


async def test_changes_that_nobody_told_of_are_found(town):
    """Who may have missed news tells again whatever could have changed."""
    await listening(town.process)
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match, closed = await town.open_match(rosie), await town.open_match(tom)
    page, _ = await opened(rosie)
    lobby, _ = await opened(sam, with_lobby=True)
    await tom.ask(pb.JoinMatchRequest(match=closed))
    assert closed == (await lobby.next("match")).id
    changes = town.process.gateway.changes
    hear, changes.hear_of = changes.hear_of, lambda *_: None
    await tom.ask(pb.JoinMatchRequest(match=match, seat="red"))
    await tom.ask(pb.LeaveMatchRequest(match=closed))
    await asyncio.sleep(0.2)
    changes.hear_of = hear
    await changes.look_again()

    assert tom.name == (await page.next("match")).seats[0].account
    told = {(shown := await lobby.next("match")).id: shown for _ in range(2)}
    assert pb.MATCH_STATE_CLOSED == told[closed].state
    assert tom.name == told[match].seats[0].account


async def test_changes_bear_the_names_of_now(town):
    """As everything that is shown does."""
    await listening(town.process)
    nobody = town.nobody()
    made = await nobody.ask(pb.CreateAccountRequest())
    nobody.token, nobody.name = made.token, made.account.name
    match = await town.open_match(nobody)
    await nobody.ask(pb.ClaimNameRequest(name="Rosie"))
    page, _ = await opened(nobody)
    sam = await town.account()
    await sam.ask(pb.JoinMatchRequest(match=match))

    assert "Rosie" == (await page.next("match")).creator


# Two gateways.


async def test_a_stream_is_changed_from_another_gateway(town):
    """At once; a stream that nobody has is no matter."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    page, _ = await opened(rosie, stream="=tab/1")
    page.caller = town.same(rosie, other)
    await page.change(follow=[follow(match, "red")], with_lobby=True)
    assert (match, "red") == ((told := await page.next("step")).match, told.seat)
    await until(lambda: town.process.gateway.changes._lobby)
    [stream] = streams_of(town.process).values()
    await page.change(unfollow=[follow(match, "red")])
    await until(lambda: not stream.followed)
    await page.caller.ask(pb.ChangeNewsRequest(stream="none", follow=[follow(match)]))
    there = town.same(sam, other)
    await there.ask(pb.ChangeNewsRequest(stream="=tab/1", follow=[follow(match)]))
    town.process.gateway.news_subscriber.news.hear_of_change(
        rosie.token.partition(".")[0], "garbage"
    )

    town.count(match, 2)
    page.heard.clear()
    assert 20 == (await page.next("question")).question.number
    assert not [said for said in page.heard if said.HasField("step")]


async def test_a_stream_ends_with_its_session(town):
    """That was ended at another gateway; so do all that it follows."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie = town.nobody()
    rosie.token = (await rosie.ask(pb.StartSessionRequest())).token
    match = await town.running_match(rosie, "novice")
    page, _ = await opened(rosie, matches=[follow(match, "red")])
    await page.next("step")
    await town.same(rosie, other).ask(pb.EndSessionRequest())

    async with asyncio.timeout(1):
        assert "UNAUTHENTICATED" == await reason(page.stream.rest())
    await until(lambda: not town.engine.watches.total())
    assert not streams_of(town.process)


async def test_a_gateway_that_stops_ends_its_streams_of_news(town):
    """So that pages go to another one."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie = await town.account()
    page, _ = await opened(town.same(rosie, other))
    ending = asyncio.ensure_future(refusal(page.stream.rest()))
    await other.server.stop()

    assert ("UNAVAILABLE", {"part": "gateway"}) == (
        (denied := await ending).reason,
        denied.metadata,
    )


@pytest.mark.parametrize("store_of", ["redis"], indirect=True)
async def test_a_gateway_may_stop_as_soon_as_it_has_started(town):
    """Though it has not begun to hear news."""
    for _ in range(4):
        process = await town.gateway()
        town.processes.remove(process)
        async with asyncio.timeout(5):
            await process.stop()


async def test_nothing_is_left_of_a_stream_that_ended(town):
    """No task, no feed, no place in any list."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    page, _ = await opened(rosie, matches=[follow(match), follow(match, "red")], with_lobby=True)
    [stream] = streams_of(town.process).values()
    for _ in range(2):
        await page.next("step")
    page.stream.cancel()
    gateway = town.process.gateway
    await until(lambda: not streams_of(town.process) and not gateway.hub._feeds)

    assert not gateway.streams.accounts()
    assert not gateway.changes._streams
    assert not gateway.changes._lobby
    assert not gateway.bots._listeners
    await until(lambda: not stream.tasks)


async def test_beats_come_to_those_who_ask(town, monkeypatch):
    """Empty, and between the news."""
    monkeypatch.setattr(servicers, "LEAST_BEAT_MS", 30)
    rosie = await town.account()
    stream = rosie.stream(pb.ListenNewsRequest(stream="a", beat_ms=1))

    assert pb.ListenNewsResponse() == await stream.next()
    assert (await stream.next()).HasField("start")
    for _ in range(3):
        assert pb.ListenNewsResponse() == await stream.next()
