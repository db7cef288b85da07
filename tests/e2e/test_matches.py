"""People, bots and spectators finish matches of The Confrontation, and each counts once."""

from __future__ import annotations

import asyncio
import time
import urllib.request

import pytest

from bree.engine.v1.engine_pb2 import ActRequest, Clock, GetSeatViewRequest, Viewer
from bree.engine.v1.types_pb2 import Ending
from bree.gateway.v1 import gateway_pb2 as pb
from tests.e2e.client import Refused, Seat, Watcher
from tests.e2e.matches import (
    against,
    between,
    clients,
    of_bots,
    over,
    saw_everything,
    together,
)
from workers.app import SCORE, make_app
from workers.settings import WorkerSettings

REPLICAS, PARTS = 2, 6
"""How many engines serve metrics, and at most how many other parts."""

pytestmark = pytest.mark.xdist_group("platform")


def figures(platform, name):
    """The sum of one metric over all parts of the platform, by its labels."""
    found, first = {}, platform.settings["metrics_port"]
    for port in range(first, first + REPLICAS + PARTS):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                text = answer.read().decode()
        except OSError:
            continue
        for line in text.splitlines():
            if line.startswith(name):
                key, _, value = line.rpartition(" ")
                found[port, key.removeprefix(name)] = float(value)
    return found


def test_people_finish_a_match_before_spectators(platform, play):
    """All is seen in order, the record is what was said, and the match counts once for each."""

    async def run():
        async with clients(platform, 3) as (alice, bob, carol):
            good, dark = await between(alice, bob)
            crowd, seat = Watcher(carol, good.match), Watcher(alice, good.match, "good")
            outcomes = await together(good.play(), dark.play(), crowd.watch(), seat.watch())
            record = await over(carol, good.match, good, dark)

            assert {outcome.SerializeToString() for outcome in outcomes} == {
                outcomes[0].SerializeToString()
            }
            await saw_everything(carol, crowd, record)
            await saw_everything(alice, seat, record)
            assert (await carol.rated(good.match)).rated
            assert [1, 1] == [(await carol.rating(one.name)).matches for one in (alice, bob)]

    play(run())


@pytest.mark.parametrize("level", ["uniform", "greedy"])
def test_a_person_plays_a_hosted_bot(platform, play, level):
    """The bot answers whenever it is asked, and is rated like anyone."""

    async def run():
        async with clients(platform, 1) as (alice,):
            before = (await alice.rating(f"bot:{level}")).matches
            good = await against(alice, level)
            await good.play()
            await over(alice, good.match, good)
            await alice.rated(good.match)

            assert (await alice.rating(alice.name)).matches == 1
            assert (await alice.rating(f"bot:{level}")).matches >= before + 1

    play(run())


def test_bots_play_each_other_before_a_spectator(platform, play):
    """Nobody needs to be there."""

    async def run():
        async with clients(platform, 1) as (alice,):
            match = await of_bots(alice)
            crowd = Watcher(alice, match)
            await crowd.watch()
            await saw_everything(alice, crowd, await over(alice, match))
            await alice.rated(match)

    play(run())


def test_a_program_plays_by_the_stream_of_questions(platform, play):
    """Every question put to the account comes over one stream, and so does the end."""

    async def run():
        async with clients(platform, 1) as (alice,):
            seats = [await against(alice) for _ in range(3)]
            by_match = {seat.match: seat for seat in seats}
            running = set(by_match)
            stream = alice.bots.ListenQuestions(
                pb.ListenQuestionsRequest(with_views=True), metadata=alice.metadata
            )
            async for told in stream:
                seat = by_match[told.match]
                if told.HasField("outcome"):
                    running.discard(told.match)
                elif told.question.number > seat.answered:
                    assert told.view.type_url.endswith("bree.confrontation.v1.Board")
                    await seat.answer(told.question)
                if not running:
                    break
            stream.cancel()
            for seat in seats:
                await over(alice, seat.match, seat)

    play(run())


def test_an_act_sent_again_is_one_act(platform, play):
    """The same request gets the same answer; the same id for something else is refused."""

    async def run():
        async with clients(platform, 1) as (alice,):
            good = await against(alice)
            question = await asked(good)
            first, other = (choice.action.text for choice in question.choices[:2])
            request = good.request(question.number, first, "the-same")
            answers = [await alice.once(alice.matches.Act, request) for _ in range(3)]
            events = [[event.SerializeToString() for event in a.events] for a in answers]

            assert events[0] == events[1] == events[2]
            assert {answer.question.number for answer in answers} == {answers[0].question.number}
            reused = good.request(question.number, other, "the-same")
            assert await refused(alice, reused) == "REQUEST_ID_REUSED"
            late = good.request(question.number, other, "another")
            assert await refused(alice, late) == "STALE_QUESTION"

            good.acknowledged, good.answered = [first], question.number
            await good.play()
            await over(alice, good.match, good)

    play(run())


def test_of_answers_at_the_same_time_one_counts(platform, play):
    """Ten different requests race for each question; one is taken, the others are stale."""

    async def run():
        async with clients(platform, 1) as (alice,):
            good = await against(alice)
            for _ in range(3):
                question = await asked(good)
                actions = [choice.action.text for choice in question.choices]
                requests = [
                    good.request(
                        question.number,
                        actions[number % len(actions)],
                        f"race-{number}-{question.number}",
                    )
                    for number in range(10)
                ]
                results = await asyncio.gather(*(refused(alice, one) for one in requests))

                assert sorted(results) == ["", *["STALE_QUESTION"] * 9]
                good.acknowledged.append(requests[results.index("")].action)
                good.answered = question.number
            await good.play()
            await over(alice, good.match, good)

    play(run())


def test_both_seats_answer_at_the_same_time(platform, play):
    """What is asked of both at once is answered by each alone, also under the same request id."""

    async def run():
        async with clients(platform, 2) as (alice, bob):
            good, dark = await between(alice, bob)
            questions = await together(asked(good), asked(dark))
            actions = [question.choices[0].action.text for question in questions]
            requests = [
                seat.request(question.number, action, "the-same")
                for seat, question, action in zip((good, dark), questions, actions, strict=True)
            ]
            sent = zip((alice, bob), requests, strict=True)

            assert await asyncio.gather(*(refused(*one) for one in sent)) == ["", ""]
            for seat, question, action in zip((good, dark), questions, actions, strict=True):
                seat.acknowledged, seat.answered = [action], question.number
            await together(good.play(), dark.play())
            await over(alice, good.match, good, dark)

    play(run())


def test_two_replicas_are_one_engine(platform, play):
    """What one has acknowledged the other knows at once, and of two answers one counts."""
    engines = [platform.engine(number) for number in (0, 1)]

    async def run():
        async with clients(platform, 2) as (alice, bob):
            good, dark = await between(alice, bob)
            for turn in range(6):
                for seat in (good, dark):
                    (one, token), (two, _) = engines[turn % 2], engines[1 - turn % 2]
                    look = GetSeatViewRequest(match=good.match, viewer=Viewer(seat=seat.seat))
                    shown = one.GetSeatView(look, metadata=token, timeout=5)
                    if not shown.HasField("question"):
                        continue
                    action = seat.chance.choice(shown.question.choices).action.text
                    act = ActRequest(
                        match=good.match,
                        seat=seat.seat,
                        question=shown.question.number,
                        action=action,
                        request_id=f"replica-{turn}",
                    )
                    first = one.Act(act, metadata=token, timeout=5)
                    again = two.Act(act, metadata=token, timeout=5)
                    after = two.GetSeatView(look, metadata=token, timeout=5)

                    assert first.standing.revision <= after.standing.revision
                    assert first.question == again.question == after.question
                    seat.acknowledged.append(action)
                    seat.answered = shown.question.number
            await together(good.play(), dark.play())
            await over(alice, good.match, good, dark)

    play(run())

    busy = {port for port, _ in figures(platform, "bree_decisions_total")}
    assert len(busy) == 2


def test_a_seat_whose_time_is_out_forfeits(platform, play):
    """Who does not answer in time loses, and the record says why."""

    async def run():
        async with clients(platform, 2) as (alice, bob):
            good, dark = await between(alice, bob, clock=Clock(move_ms=1500))
            began = time.monotonic()
            outcome = await dark.play()
            seconds = time.monotonic() - began
            record = await over(alice, good.match)

            assert Ending.ENDING_FINISHED == outcome.ending
            assert record.entries[-1][:2] == ("host", "expire good")
            assert record.scores[0] < record.scores[1]
            assert seconds < 8

    play(run())


def test_a_seat_whose_time_is_out_is_handed_to_a_bot(platform, play):
    """The match goes on without its player, and finishes."""

    async def run():
        async with clients(platform, 2) as (alice, bob):
            clock = Clock(move_ms=1500, bot_level="uniform")
            good, dark = await between(alice, bob, clock=clock)
            await dark.play()
            record = await over(alice, good.match, dark)

            assert any(entry.who == "good" for entry in record.entries)
            assert not any(entry.what.startswith("expire") for entry in record.entries)

    play(run())


def test_a_seat_may_resign(platform, play):
    """The other one wins; the match is rated."""

    async def run():
        async with clients(platform, 2) as (alice, bob):
            good, dark = await between(alice, bob)
            await good.play(5)  # with fewer one has not played, and nothing counts
            request = pb.ResignMatchRequest(match=good.match, seat="good", request_id="enough")
            for _ in range(2):
                await alice.once(alice.matches.ResignMatch, request)
            outcome = await dark.play()
            record = await over(alice, good.match, good)

            assert record.scores[0] < record.scores[1]
            assert [score.score for score in outcome.scores] == list(record.scores)
            assert (await alice.rated(good.match)).rated

    play(run())


def test_a_match_counts_once_however_often_it_is_scored(platform, play):
    """Tasks that come again, as they may, change no rating."""
    settings = WorkerSettings(
        platform_token=platform.secret("platform_token"),
        engines="confrontation=127.0.0.1:1",
        store_url=platform.broker(),
    )
    tasks = make_app(settings)

    def repeated():
        counts = figures(platform, "bree_settlements_total")
        return sum(count for (_, labels), count in counts.items() if '"repeated"' in labels)

    async def run():
        async with clients(platform, 2) as (alice, bob):
            good, dark = await between(alice, bob)
            await together(good.play(), dark.play())
            await alice.rated(good.match)
            before = [await alice.rating(one.name) for one in (alice, bob)]
            seen = repeated()
            for _ in range(6):
                tasks.send_task(SCORE, kwargs={"game": "confrontation", "match": good.match})
            while repeated() < seen + 6:  # noqa: ASYNC110  # in another process
                await asyncio.sleep(0.1)

            assert before == [await alice.rating(one.name) for one in (alice, bob)]
            assert [1, 1] == [rating.matches for rating in before]

    play(run())


def test_parts_that_are_killed_are_not_missed(platform, play):
    """An engine, the gateway and the workers die while people and bots play; all goes on."""

    async def run():
        async with clients(platform, 3) as (alice, bob, carol):
            good, dark = await between(alice, bob)
            other = await against(carol, "greedy")
            crowd = Watcher(carol, good.match)
            for seat in (good, dark, other):
                seat.pause = 0.05

            async def kill():
                for name in ("confrontation-1", "gateway", "worker-1", "redis", "confrontation-2"):
                    await asyncio.sleep(0.7)
                    platform.kill(name)

            await together(good.play(), dark.play(), other.play(), crowd.watch(), kill())
            record = await over(carol, good.match, good, dark)
            await over(carol, other.match, other)
            await saw_everything(carol, crowd, record)
            await together(carol.rated(good.match), carol.rated(other.match))

    play(run())


def test_matches_go_on_after_everything_was_stopped(platform, play):
    """Accounts, open matches and running ones are where they were before the restart."""

    async def run():
        async with clients(platform, 2) as (alice, bob):
            good, dark = await between(alice, bob)
            lone = await against(alice)
            waiting = (await alice.open()).id
            await together(good.play(5), dark.play(4), lone.play(3))
            await asyncio.to_thread(platform.stop)
            await asyncio.to_thread(platform.start)

            assert (await alice.match(waiting)).creator == alice.name
            await together(good.play(), dark.play(), lone.play())
            await over(alice, good.match, good, dark)
            await over(alice, lone.match, lone)

    play(run())


async def asked(seat: Seat):
    """The question put to a seat; it is waited for."""
    async for update in seat.client.updates(seat.match, seat.seat):
        if update.HasField("question") and update.question.number > seat.answered:
            return update.question
    raise AssertionError("the match is over")


async def refused(client, request) -> str:
    """The reason why an act was refused; empty if it was not."""
    try:
        await client.once(client.matches.Act, request)
    except Refused as refusal:
        return refusal.reason or refusal.code.name
    return ""
