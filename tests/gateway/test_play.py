"""Playing: whose seat it is, what passes through, and what does not."""

from __future__ import annotations

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from tests.gateway.town import reason, refusal


def board(view):
    found = StringValue()
    assert view.Unpack(found)
    return found.value


async def test_an_answer_gets_what_happened_and_what_is_asked_next(town):
    """One round trip a move."""
    rosie = await town.account()
    match = await town.running_match(rosie, "novice")
    first = await town.act(rosie, match, "red", action="count 2")

    assert ["1 red"] == [event.sentence for event in first.events]
    assert "count 2" == first.events[0].facts["text"]
    assert not first.HasField("question")
    assert (1, ["blue"]) == (first.standing.revision, list(first.standing.waiting))


async def test_an_answer_gets_the_next_question(town):
    """If the same seat is asked again at once."""
    rosie = await town.account()
    match = await town.open_match(rosie, seats=1)
    await rosie.ask(pb.JoinMatchRequest(match=match))
    await rosie.ask(pb.StartMatchRequest(match=match))
    answer = await town.act(rosie, match, "red")

    assert 20 == answer.question.number
    assert ["count 1", "count 2"] == [choice.action.text for choice in answer.question.choices]


async def test_the_same_request_is_one_act(town):
    """And gets the same answer."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first = await town.act(rosie, match, "red", question=10, request_id="r")

    assert first == await town.act(rosie, match, "red", question=10, request_id="r")
    assert 1 == town.world.matches[match].revision
    other = town.act(rosie, match, "red", question=10, request_id="r", action="count 2")
    assert "REQUEST_ID_REUSED" == await reason(other)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"question": 9}, "STALE_QUESTION"),
        ({"question": 99}, "UNKNOWN_QUESTION"),
        ({"action": "count 3"}, "ILLEGAL_ACTION"),
        ({"action": "leap"}, "INVALID_ACTION"),
    ],
)
async def test_what_an_engine_refuses_is_passed_on(town, given, why):
    """With its status, its reason and its details, and nothing is changed."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    denied = await refusal(town.act(rosie, match, "red", **given))

    assert why == denied.reason
    if why == "STALE_QUESTION":
        said = {"match": match, "seat": "red", "question": "9", "latest": "10"}
        assert said == denied.metadata
    assert 0 == town.world.matches[match].revision


async def test_a_match_that_is_over_takes_no_more(town):
    """Its record is whole."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=1)
    await town.act(rosie, match, "red")
    act = pb.ActRequest(match=match, seat="blue", question=1, action="count 1", request_id="r")

    assert "MATCH_OVER" == await reason(sam.ask(act))
    record = await sam.ask(pb.GetMatchRecordRequest(match=match))
    assert ("bree record 1\n", 0) == (record.text, len(record.seen))
    assert record.standing.HasField("outcome")


async def test_a_seat_sees_its_own_view(town):
    """A spectator sees what everyone may."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    red = await rosie.ask(pb.GetViewRequest(match=match, seat="red"))
    nobody = await tom.ask(pb.GetViewRequest(match=match))

    assert ("red at 0", 10) == (board(red.view), red.question.number)
    assert "spectator at 0" == board(nobody.view)
    assert not nobody.HasField("question")
    assert red.standing == nobody.standing


async def test_a_record_of_a_running_match_is_what_its_reader_saw(town):
    """A seat's own secrets are its own."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    await town.act(rosie, match, "red")
    mine = await rosie.ask(pb.GetMatchRecordRequest(match=match, seat="red"))
    other = await tom.ask(pb.GetMatchRecordRequest(match=match))

    assert "" == mine.text == other.text
    assert "count 1" == mine.seen[0].events[0].facts["text"]
    assert "text" not in other.seen[0].events[0].facts


async def test_a_seat_gives_up(town):
    """Once."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    request = pb.ResignMatchRequest(match=match, seat="blue", request_id="r")
    first = await sam.ask(request)

    assert {"red": 0, "blue": -1} == {s.seat: s.score for s in first.standing.outcome.scores}
    assert first == await sam.ask(request)


BY_SEAT = [
    pb.GetViewRequest(),
    pb.GetMatchRecordRequest(),
    pb.WatchMatchRequest(),
    pb.ActRequest(question=10, action="count 1", request_id="r"),
    pb.ResignMatchRequest(request_id="r"),
]


def call(caller, kind, match, seat):
    request = type(kind)()
    request.CopyFrom(kind)
    request.match, request.seat = match, seat
    if isinstance(kind, pb.WatchMatchRequest):
        return caller.stream(request).rest()
    return caller.ask(request)


@pytest.mark.parametrize("kind", BY_SEAT, ids=lambda kind: type(kind).__name__)
async def test_nobody_comes_at_a_seat_of_somebody_else(town, kind):
    """Not the opponent, not a spectator; not at a bot's seat, not even its creator."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    practice = await town.running_match(rosie, "novice")
    before = town.engine.calls.copy()

    for caller, where, seat in (
        (sam, match, "red"),
        (tom, match, "red"),
        (tom, match, "blue"),
        (rosie, practice, "blue"),
    ):
        denied = await refusal(call(caller, kind, where, seat))
        assert "WRONG_SEAT" == denied.reason
        assert {"match": where, "seat": seat} == denied.metadata
    denied = await refusal(call(rosie, kind, match, "pink"))
    assert ("UNKNOWN_SEAT", "red blue") == (denied.reason, denied.metadata["seats"])
    assert before["Act"] == town.engine.calls["Act"]
    assert before["GetSeatView"] == town.engine.calls["GetSeatView"]


@pytest.mark.parametrize("kind", BY_SEAT, ids=lambda kind: type(kind).__name__)
async def test_what_cannot_be_seen_yet_is_refused(town, kind):
    """An open match has no position, and an unknown one is unknown."""
    rosie = await town.account()
    match = await town.open_match(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=match, seat="red"))
    denied = await refusal(call(rosie, kind, match, "red"))

    assert ("NOT_ALLOWED", "a match that has started") == (denied.reason, denied.metadata["needs"])
    for name in ("h-0000000000", "unknown"):
        denied = await refusal(call(rosie, kind, name, "red"))
        assert ("UNKNOWN_MATCH", {"match": name}) == (denied.reason, denied.metadata)


@pytest.mark.parametrize("kind", BY_SEAT[3:], ids=lambda kind: type(kind).__name__)
async def test_a_spectator_does_nothing(town, kind):
    """Without a seat there is nothing to do."""
    rosie, tom = await town.account(), await town.account()
    match = await town.running_match(rosie, "novice")

    for caller in (rosie, tom):
        denied = await refusal(call(caller, kind, match, ""))
        assert ("INVALID_REQUEST", {"field": "seat"}) == (denied.reason, denied.metadata)
    assert 0 == town.world.matches[match].revision


async def test_an_account_plays_all_its_seats(town):
    """Against itself, each seat with its own eyes."""
    rosie = await town.account()
    match = await town.running_match(rosie, rosie)
    await town.act(rosie, match, "red")
    await town.act(rosie, match, "blue")

    for seat in ("red", "blue"):
        view = await rosie.ask(pb.GetViewRequest(match=match, seat=seat))
        assert f"{seat} at 2" == board(view.view)


async def test_an_engine_that_fails_is_not_the_callers_fault(town):
    """Its own refusals are passed on, its bugs too; that it does not trust us is nobody's token."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    view = pb.GetViewRequest(match=match)
    town.engine.before["GetSeatView"].append(Denied("UNAUTHENTICATED", "who are you?"))
    assert "UNAVAILABLE" == await reason(rosie.ask(view))
    town.engine.before["GetSeatView"].append(Denied("MATCH_FROZEN", "no", match=match, revision=3))
    frozen = await refusal(rosie.ask(view))
    assert ("MATCH_FROZEN", "3") == (frozen.reason, frozen.metadata["revision"])
    town.engine.before["GetSeatView"].append(_broken())
    denied = await refusal(rosie.ask(view))

    assert "BUG" == denied.reason
    assert 12 == len(denied.metadata["incident"])


async def _broken():
    raise ValueError("a secret that nobody may see")
