"""The bot stream: every question of every seat, once, whatever happens in between."""

from __future__ import annotations

import asyncio

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.documents import News
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.town import reason, refusal, until


def listen(caller, **given):
    return caller.stream(pb.ListenQuestionsRequest(**given))


def key(told):
    return told.match, told.seat, told.question.number


async def test_a_bot_is_told_what_stands_and_what_comes(town):
    """Each question once, and that the match is over."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=4)
    stream = listen(rosie)
    first = await stream.next()
    assert (match, "red", 10) == key(first)
    assert ("hopscotch", 2) == (first.game, len(first.question.choices))
    assert not first.HasField("outcome")
    assert not first.HasField("view")
    town.count(match, 2)
    assert (match, "red", 20) == key(await stream.next())
    town.count(match, 2)
    last = await stream.next()

    assert (match, "red", 0) == key(last)
    assert not last.HasField("question")
    assert town.world.matches[match].outcome() == last.outcome
    assert await stream.silent()


async def test_twenty_lines_make_a_bot(town):
    """It plays all its matches to their ends, and is told of no question twice."""
    rosie, sam = await town.account(), await town.account()
    matches = [await town.running_match(rosie, sam, length=6) for _ in range(5)]
    stream, asked = listen(rosie), []
    other = asyncio.ensure_future(_play(sam, len(matches)))
    over = set()
    while len(over) < len(matches):
        told = await stream.next()
        if told.HasField("outcome"):
            over.add(told.match)
            continue
        asked.append(key(told))
        await _answer(rosie, told)
    await other

    assert set(matches) == over
    assert {(match, "red", number) for match in matches for number in (10, 20, 30)} == set(asked)
    assert len(set(asked)) == len(asked)


async def _answer(caller, told):
    act = pb.ActRequest(
        match=told.match,
        seat=told.seat,
        question=told.question.number,
        action=told.question.choices[0].action.text,
        request_id=f"q{told.question.number}",
    )
    return await caller.ask(act)


async def _play(caller, matches):
    stream, over = listen(caller), 0
    while over < matches:
        told = await stream.next()
        over += told.HasField("outcome")
        if told.HasField("question"):
            await _answer(caller, told)


@pytest.mark.parametrize("town", [{"rescan_seconds": 600}], indirect=True)
async def test_a_match_that_starts_later_is_told_at_once(town):
    """Also if another gateway starts it; what starts before one listens for news is told, too."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    stream = listen(sam)
    listening = town.process.gateway.bots._listeners
    await until(lambda: listening)
    match = await town.running_match(sam, rosie)

    assert (match, "red", 10) == key(await stream.next(patience=2))
    there = [town.same(player, other) for player in (sam, rosie)]
    match = await town.running_match(*there)
    assert (match, "red", 10) == key(await stream.next(patience=2))


@pytest.mark.parametrize("town", [{"rescan_seconds": 0.3}], indirect=True)
async def test_a_match_that_nobody_tells_of_is_found(town, monkeypatch):
    """News may be lost; the account's matches are looked at now and then."""
    rosie, sam = await town.account(), await town.account()
    stream = listen(rosie)
    await until(lambda: town.process.gateway.bots._listeners)

    async def lose(news):
        assert isinstance(news, News)

    monkeypatch.setattr(town.store, "tell", lose)
    match = await town.running_match(rosie, sam)

    assert (match, "red", 10) == key(await stream.next(patience=3))


async def test_a_start_that_broke_off_is_finished_for_a_bot(town):
    """Whoever finds the match in between starts it again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    for player in (rosie, sam):
        await player.ask(pb.JoinMatchRequest(match=match))
    lost = Denied("OUTCOME_UNKNOWN", "lost", match=match, request_id=match)
    town.engine.before["CreateMatch"].append(lost)
    assert "OUTCOME_UNKNOWN" == await reason(rosie.ask(pb.StartMatchRequest(match=match)))

    assert (match, "red", 10) == key(await listen(rosie).next())


async def test_the_first_question_is_told_whatever_happens_to_the_first_stream(town):
    """An engine that goes away before it has said anything has told nobody where it stands."""
    rosie = await town.account()
    town.engine.before["Watch"].append(Denied("UNAVAILABLE", "going", part="engine"))
    match = await town.running_match(rosie, await town.account())
    for without_told in (False, True):
        told = rosie.stream(pb.ListenQuestionsRequest(without_told=without_told))
        question = await told.next()

        assert (match, "red") == (question.match, question.seat)
        assert question.question.number


async def test_standing_questions_are_told_again_to_who_comes_back(town):
    """Every one of them, however often one comes back."""
    rosie, sam = await town.account(), await town.account()
    matches = {await town.running_match(rosie, sam) for _ in range(3)}
    for _ in range(3):
        stream = listen(rosie)
        told = [await stream.next() for _ in matches]
        assert {(match, "red", 10) for match in matches} == {key(one) for one in told}
        stream.cancel()
    await until(lambda: not town.engine.watches.total())

    assert not town.process.gateway.bots._listeners
    assert not town.process.gateway.streams.accounts()


async def test_a_bot_plays_all_its_seats(town):
    """Each is told of its own, also the end."""
    rosie = await town.account()
    match = await town.running_match(rosie, rosie, length=2)
    stream = listen(rosie)
    assert (match, "red", 10) == key(await stream.next())
    town.count(match)
    assert (match, "blue", 10) == key(await stream.next())
    town.count(match)
    ends = [await stream.next() for _ in range(2)]

    assert {"red", "blue"} == {told.seat for told in ends if told.HasField("outcome")}


async def test_views_come_with_questions(town):
    """If they were asked for, though the engine is away for a moment."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=3)
    stream = listen(rosie, with_views=True)
    board = StringValue()
    (await stream.next()).view.Unpack(board)
    assert "red at 0" == board.value
    town.engine.before["GetSeatView"].append(Denied("UNAVAILABLE", "away", part="engine"))
    town.count(match, 2)
    (await stream.next()).view.Unpack(board)

    assert "red at 2" == board.value
    town.count(match)
    last = await stream.next()
    assert last.HasField("outcome")
    assert not last.HasField("view")


async def test_listeners_share_the_streams_of_the_engine(town):
    """One for each seat and for how much is wanted, however many listen."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    streams = [listen(rosie) for _ in range(3)]
    streams += [rosie.stream(pb.WatchMatchRequest(match=match, seat="red")) for _ in range(2)]
    for stream in streams:
        await stream.next()

    await until(lambda: town.engine.watches.total() >= 2)
    await asyncio.sleep(0.1)  # in which one too many would come

    assert {(match, "red"): 2} == town.engine.watches


@pytest.mark.parametrize("more", [{}, {"without_told": True}])
async def test_who_comes_late_is_told_what_stands(town, more):
    """And not what has been answered meanwhile, though the stream that is shared told it last."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    streams = [listen(rosie, **more)]
    assert (match, "red", 10) == key(await streams[0].next())
    streams.append(listen(rosie, **more))
    assert (match, "red", 10) == key(await streams[1].next())
    town.count(match)
    streams.append(listen(rosie, **more))
    await asyncio.sleep(0.2)
    town.count(match)

    assert [(match, "red", 20)] * 3 == [key(await stream.next()) for stream in streams]
    assert {(match, "red"): 1} == town.engine.watches


@pytest.mark.parametrize("town", [{"rescan_seconds": 600}], indirect=True)
async def test_a_bot_goes_on_when_its_engine_is_back(town):
    """It is told what is new, and nothing twice."""
    rosie, sam = await town.account(), await town.account()
    matches = [await town.running_match(rosie, sam) for _ in range(2)]
    stream = listen(rosie)
    for _ in matches:
        await stream.next()
    port = town.engine.port
    await town.engine.stop()
    town.count(matches[0], 2)
    await asyncio.sleep(0.2)
    town.engines[0] = await FakeEngine(town.world).start(port)

    assert (matches[0], "red", 20) == key(await stream.next())
    town.count(matches[1], 2)
    assert (matches[1], "red", 20) == key(await stream.next())


@pytest.mark.parametrize("town", [{"rescan_seconds": 0.2}], indirect=True)
async def test_a_match_that_cannot_be_followed_is_tried_again(town):
    """And keeps no other one from being told."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.engine.before["GetSeatView"].append(Denied("MATCH_FROZEN", "no", match=match, revision=1))

    assert (match, "red", 10) == key(await listen(rosie).next())


@pytest.mark.parametrize("town", [{"listen_backlog": 5}], indirect=True)
async def test_a_bot_that_does_not_read_is_ended(town):
    """Only a bounded number of questions that no longer stand is kept."""
    rosie, sam = await town.account(), await town.account()
    matches = [await town.running_match(rosie, sam, length=9_999) for _ in range(3)]
    stream = listen(rosie)
    for _ in matches:
        await stream.next()
    [listener] = town.process.gateway.bots._listeners[rosie.token.partition(".")[0]]
    most = 0
    for played in (town.world.matches[match] for match in matches):
        played.question = _huge(played.question)
    while not listener.termination.has_come:
        for match in matches:
            town.count(match, 2)
        await asyncio.sleep(0)
        most = max(most, len(listener._notices))
    denied = await refusal(stream.rest())

    assert ("WATCH_LAGS", True) == (denied.reason, denied.metadata["match"] in matches)
    assert most <= 5 + len(matches)
    again, told = listen(rosie), {}
    numbers = {match: town.world.matches[match].number("red") for match in matches}
    while told != numbers:  # what was on its way may be told before what stands
        one = await again.next()
        told[one.match] = one.question.number


def _huge(question):
    def asked(seat):
        found = question(seat)
        if found:
            found.sentence = "x" * 100_000
        return found

    return asked


async def test_a_bug_ends_a_bot_stream(town, monkeypatch):
    """It would otherwise wait for ever."""
    rosie = await town.account()

    async def broken(*_):
        raise ValueError("a secret that nobody may see")

    monkeypatch.setattr(town.process.gateway.bots, "_follow_new", broken)

    assert "BUG" == await reason(listen(rosie).rest())


@pytest.mark.parametrize("town", [{"rescan_seconds": 600}], indirect=True)
async def test_what_a_lost_history_asked_is_asked_anew(town):
    """By numbers that were told before, with the head of the history that goes on."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    town.count(match, 2)
    stream = listen(rosie)
    first = await stream.next()
    port = town.engine.port
    await town.engine.stop()
    others = [("red", "count 2", "other", 10), ("blue", "count 2", "other", 10)]
    town.world.matches[match].lose(0, *others)
    town.engines[0] = await FakeEngine(town.world).start(port)
    again = await stream.next()

    assert key(first) == key(again) == (match, "red", 20)
    assert first.head != again.head
    view = await rosie.ask(pb.GetViewRequest(match=match, seat="red"))
    assert view.standing.head == again.head
