"""Streams of news: how many, how much is kept for them, and how they end, at two gateways."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import news_stream, servicers
from gateway.documents import Account
from gateway.feed import Step
from tests.gateway.page import Page, follow, listening, opened, streams_of, why
from tests.gateway.test_watch import revisions
from tests.gateway.town import reason, refusal, until


@pytest.mark.parametrize("town", [{"calls_burst": 10_000}], indirect=True)
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
        ends = [asyncio.ensure_future(reason(page.stream.rest())) for page in pages]
        await until(lambda ends=ends: sum(end.done() for end in ends) == 5)
        left = [*streams_of(town.process).values(), *streams_of(other).values()]

        assert 1 == len(left)
        assert {"LIMIT_REACHED"} == {end.result() for end in ends if end.done()}
        [stays] = [end for end in ends if not end.done()]
        stays.cancel()
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


# How they end.


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


@pytest.mark.parametrize("store_of", ["ledger"], indirect=True)
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
