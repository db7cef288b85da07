"""Taking back, offers, and the past: whose they are, what passes through, and what they cost."""

from __future__ import annotations

from contextlib import suppress

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.engines import REPEATABLE
from gateway.quota import ENTRIES_A_CALL, MOST_LOOKED_AT, NEAR_ENTRIES
from tests.gateway.test_quota import ROSIE, clock, owed, quota, standing
from tests.gateway.town import reason, refusal

__all__ = ["clock", "quota"]

SLOW = {"calls_a_second": 0.01, "calls_burst": 60}


def board(view):
    found = StringValue()
    assert view.Unpack(found)
    return found.value


def undo(match, seat="red", **given):
    return pb.UndoLastRequest(**{"match": match, "seat": seat, "request_id": "u", **given})


def offer(match, seat="red", **given):
    said = {"kind": engine.OFFER_KIND_ABORT, "request_id": "o"}
    return pb.MakeOfferRequest(match=match, seat=seat, **said | given)


def answer(match, seat="blue", **given):
    said = {"offer": 1, "accept": True, "request_id": "a"}
    return pb.AnswerOfferRequest(match=match, seat=seat, **said | given)


async def test_the_last_decision_is_taken_back(town):
    """What the engine answers passes through, and that it may be is told in every answer."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    did = await town.act(rosie, match, "red")
    views = [
        (await caller.ask(pb.GetViewRequest(match=match, seat=seat))).can_undo
        for caller, seat in ((rosie, "red"), (sam, "blue"), (sam, ""))
    ]
    assert did.can_undo
    assert [True, False, False] == views
    undone = await rosie.ask(undo(match))

    assert (10, 2) == (undone.question.number, undone.standing.revision)
    assert undone == await rosie.ask(undo(match))
    assert not undone.can_undo
    denied = await refusal(rosie.ask(undo(match, request_id="u2")))
    assert ("NOT_ALLOWED", "a decision") == (denied.reason, denied.metadata["needs"])


async def test_steps_tell_that_it_may_be_taken_back(town):
    """Also the one with which a stream begins, and that of somebody who comes later."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    first = rosie.stream(pb.WatchMatchRequest(match=match, seat="red"))
    assert not (await first.next()).can_undo
    await town.act(rosie, match, "red")
    assert (await first.next()).can_undo
    for after in (0, 1):
        request = pb.WatchMatchRequest(match=match, seat="red", after_revision=after)
        late = rosie.stream(request)
        assert (await late.next()).can_undo
        late.cancel()
    theirs = sam.stream(pb.WatchMatchRequest(match=match, seat="blue"))
    assert not (await theirs.next()).can_undo


async def test_a_stream_that_nobody_had_open_tells_it_too(town):
    """Where the match stands is looked up then, and nothing is told again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    await town.act(rosie, match, "red")
    request = pb.WatchMatchRequest(match=match, seat="red", after_revision=1)

    assert (await rosie.stream(request).next()).can_undo


async def test_offers_are_made_answered_and_listed(town):
    """What is agreed on ends the match here, too."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    made = await rosie.ask(offer(match))
    [listed] = made.standing.offers
    view = await sam.ask(pb.GetViewRequest(match=match))

    assert (1, "red", ["blue"]) == (listed.number, listed.seat, list(listed.awaited))
    assert made.standing.offers == view.standing.offers
    assert made == await rosie.ask(offer(match))
    over = await sam.ask(answer(match))
    assert over.standing.HasField("outcome")
    shown = (await sam.ask(pb.GetMatchRequest(match=match))).match
    assert pb.MATCH_STATE_OVER == shown.state


@pytest.mark.parametrize("make", [undo, offer, answer], ids=lambda make: make.__name__)
async def test_nobody_does_it_for_somebody_else(town, make):
    """Nor without a seat, nor for one that is not there; the engine is not even asked."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    await town.act(rosie, match, "red")
    before = town.engine.calls.copy()

    assert "WRONG_SEAT" == await reason(sam.ask(make(match, seat="red")))
    assert "WRONG_SEAT" == await reason(tom.ask(make(match, seat="blue")))
    assert "INVALID_REQUEST" == await reason(rosie.ask(make(match, seat="")))
    assert "UNKNOWN_SEAT" == await reason(rosie.ask(make(match, seat="pink")))
    assert "UNKNOWN_MATCH" == await reason(rosie.ask(make("h-0000000000")))
    assert "INVALID_REQUEST" == await reason(rosie.ask(make(match, seat="red", request_id="")))
    assert before == town.engine.calls


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (undo("h-0000000000", head="00"), "head"),
        (offer("h-0000000000", kind=0), "kind"),
        (offer("h-0000000000", kind=77), "kind"),
        (answer("h-0000000000", offer=0), "offer"),
        (answer("h-0000000000", offer=-7), "offer"),
    ],
)
async def test_what_is_malformed_is_named(town, request_, field):
    """Whatever the state of anything."""
    rosie = await town.account()
    denied = await refusal(rosie.ask(request_))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])


@pytest.mark.parametrize("method", ["UndoLast", "MakeOffer", "AnswerOffer"])
async def test_what_an_engine_that_is_away_did_not_do_is_done_when_asked_again(town, method):
    """Under the same id: refused as not carried out, and then carried out once."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    await town.act(rosie, match, "red")
    caller, request = {
        "UndoLast": (rosie, undo(match)),
        "MakeOffer": (rosie, offer(match)),
        "AnswerOffer": (sam, answer(match, offer=2)),
    }[method]
    if method == "AnswerOffer":
        await rosie.ask(offer(match))
    before = town.world.matches[match].revision
    town.engine.before[method].append(Denied("UNAVAILABLE", "not now", part="engine"))
    assert "UNAVAILABLE" == await reason(caller.ask(request))
    assert before == town.world.matches[match].revision
    done = await caller.ask(request)

    assert done.standing.revision == town.world.matches[match].revision
    assert method in REPEATABLE


# The past.


async def test_a_position_of_the_past_is_shown_to_who_sits_there(town):
    """While the match runs, to nobody else; a spectator sees what spectators saw."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam)
    await town.act(rosie, match, "red")
    red = await rosie.ask(pb.GetViewRequest(match=match, seat="red", revision=0))
    nobody = await tom.ask(pb.GetViewRequest(match=match, revision=1))

    assert ("red at 0", 0) == (board(red.view), red.standing.revision)
    assert "spectator at 1" == board(nobody.view)
    for caller, seat in ((sam, "red"), (tom, "red"), (tom, "blue")):
        request = pb.GetViewRequest(match=match, seat=seat, revision=0)
        assert "WRONG_SEAT" == await reason(caller.ask(request))
    for revision in (-1, 2):
        request = pb.GetViewRequest(match=match, seat="red", revision=revision)
        denied = await refusal(rosie.ask(request))
        assert ("UNKNOWN_REVISION", "1") == (denied.reason, denied.metadata["latest"])


async def test_once_a_match_is_over_anyone_looks_through_any_eyes(town):
    """Now, then, and from the beginning; but nobody acts there, and nobody looks before."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam, length=2)
    await town.act(rosie, match, "red")
    early = tom.stream(pb.WatchMatchRequest(match=match, seat="red")).rest()
    assert "WRONG_SEAT" == await reason(early)
    await town.act(sam, match, "blue")

    for seat in ("red", "blue"):
        now = await tom.ask(pb.GetViewRequest(match=match, seat=seat))
        then = await tom.ask(pb.GetViewRequest(match=match, seat=seat, revision=1))
        assert (f"{seat} at 2", f"{seat} at 1") == (board(now.view), board(then.view))
        steps = await tom.stream(pb.WatchMatchRequest(match=match, seat=seat)).rest()
        own = [e for step in steps for e in step.events if "text" in e.facts]
        assert 1 == len(own)
        assert steps[-1].standing.HasField("outcome")
        await tom.ask(pb.GetMatchRecordRequest(match=match, seat=seat))
        for request in (undo(match, seat), offer(match, seat), answer(match, seat)):
            assert "WRONG_SEAT" == await reason(tom.ask(request))


async def test_what_only_the_gateway_believes_to_be_over_stays_closed(town):
    """A store of the engine that was set back: the match goes on, and secrets are secrets again."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.running_match(rosie, sam, length=2)
    await town.act(rosie, match, "red")
    await town.act(sam, match, "blue")
    await tom.ask(pb.GetViewRequest(match=match, seat="red"))
    town.world.matches[match].lose(1)
    town.world.matches[match].length = 9

    for request in (
        pb.GetViewRequest(match=match, seat="red"),
        pb.GetViewRequest(match=match, seat="red", revision=1),
        pb.GetMatchRecordRequest(match=match, seat="red"),
    ):
        assert "WRONG_SEAT" == await reason(tom.ask(request))


# What it costs.


def test_a_look_into_the_past_is_paid_by_its_length_once(quota):
    """Those that follow are short, as long as not too many others were looked at."""
    quota.note("m", standing(50 * ENTRIES_A_CALL))
    quota.charge_look(ROSIE, "m")
    assert 0 == owed(quota)
    quota.charge_past(ROSIE, ENTRIES_A_CALL)
    assert 10 == owed(quota)
    quota.charge_look(ROSIE, "m")
    assert 10 + round(10 * NEAR_ENTRIES / ENTRIES_A_CALL) == owed(quota)
    for n in range(MOST_LOOKED_AT):
        quota.charge_look(ROSIE, f"m{n}")
    before = owed(quota)
    quota.charge_look(ROSIE, "m")
    assert before + 500 == owed(quota)


@pytest.mark.parametrize("town", [SLOW], indirect=True)
async def test_looking_into_the_past_is_paid(town):
    """Of a match of which this gateway has heard nothing, too; whoever owes is refused."""
    rosie = await town.account()
    match = await town.running_match(rosie, rosie, length=99)
    town.world.matches[match].entries += [("red", "count 1", f"r{n}", n) for n in range(90)]
    requests = [pb.GetViewRequest(match=match, seat="red", revision=n) for n in range(40)]
    for looked in requests[:6]:
        await rosie.ask(looked)
    for more in requests[6:25]:
        with suppress(grpc.aio.AioRpcError):
            await rosie.ask(more)

    assert "RATE_LIMITED" == await reason(rosie.ask(requests[25]))
