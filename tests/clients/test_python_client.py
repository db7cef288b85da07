"""The Python client: calls, refusals, and streams that mend themselves."""

from __future__ import annotations

import itertools

import grpc
import pytest

from bree.client.client import Client
from bree.client.patience import Patience, Refused
from bree.engine.v1.engine_pb2 import OFFER_KIND_TAKE_BACK
from bree.gateway.v1 import gateway_pb2 as pb
from tests.clients.taking import CHOICES, Refusal
from tests.clients.wire import Wire

CHOOSE = itertools.cycle(CHOICES)
AWAY = Refusal(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", "the gateway is starting")


def against_a_bot(client, turns=4):
    match = client.create("taking", {"turns": str(turns)})
    client.join(match.id, "left")
    client.add_bot(match.id, "novice", "right")
    client.start(match.id)
    return match.id


def first(question):
    return question.choices[0].action.text


# Calls.


def test_an_account_is_made_known_and_given_up(gateway):
    """Each token is used from when it is told."""
    with Client(gateway.address) as client:
        assert "bilbo" == client.register("bilbo").name
        assert "bilbo" == client.account().name
        old = client.token
        assert old != client.rotate_token() == client.token
        assert "bilbo" == client.account().name
        client.revoke_token()

        assert "" == client.token
        with pytest.raises(Refused, match="a valid token is needed") as refused:
            client.account()

    assert ("UNAUTHENTICATED", grpc.StatusCode.UNAUTHENTICATED) == (
        refused.value.reason,
        refused.value.code,
    )


def test_a_match_is_made_and_everything_about_it_can_be_asked(ann):
    """The calls of a match, from the lobby to the record."""
    opened = ann.create("taking", {"turns": "1"})
    assert "left" == ann.join(opened.id).seat
    assert "right" == ann.add_bot(opened.id, "master").seat
    assert pb.MATCH_STATE_RUNNING == ann.start(opened.id).state
    question = ann.view(opened.id, "left").question
    done = ann.act(opened.id, "left", question.number, first(question))

    assert done.standing.HasField("outcome")
    assert pb.MATCH_STATE_OVER == ann.match(opened.id).state
    assert "take one" in ann.record(opened.id).text
    assert ["taking"] == [game.game for game in ann.games()]
    assert ("ann", 25) == (ann.rating("taking").account, ann.rating("taking").mu)


def test_leaving_and_resigning(ann):
    """A creator who leaves closes the match; a seat that resigns ends it."""
    assert pb.MATCH_STATE_CLOSED == ann.leave(ann.create("taking").id).state
    assert ann.resign(against_a_bot(ann), "left").HasField("outcome")


def test_second_thoughts_and_the_past(ann, gateway):
    """Each under an id of its own, by which it may be sent again."""
    match = against_a_bot(ann)
    undone = ann.undo(match, "left", head="")
    offered = ann.offer(match, "left", OFFER_KIND_TAKE_BACK)
    [offer] = offered.offers

    assert undone.can_undo
    assert (7, OFFER_KIND_TAKE_BACK, "left") == (offer.number, offer.kind, offer.seat)
    assert 8 == ann.answer_offer(match, "left", 7, accept=True).revision
    assert 7 == ann.answer_offer(match, "left", 7, accept=False).revision
    with pytest.raises(Refused, match="does not stand"):
        ann.answer_offer(match, "left", 6, accept=True)
    with pytest.raises(Refused) as changed:
        ann.undo(match, "left", head="f" * 64)
    assert "HISTORY_CHANGED" == changed.value.reason
    for revision in (0, 3):
        assert revision == ann.view(match, "left", revision=revision).standing.revision
    assert ann.view(match, "left").HasField("question")
    sent = [*gateway.world.sent("UndoLast"), *gateway.world.sent("AnswerOffer")]
    assert 5 == len({request.request_id for request in sent})


def test_lists_are_read_page_by_page(ann, gateway):
    """A list has everything, and no page is asked for before it is needed."""
    made = [ann.create("taking").id for _ in range(5)]

    assert made[::-1] == [match.id for match in ann.matches()]
    assert ["ann", "bob", "cy"] == [leader.account for leader in ann.leaders("taking")]
    gateway.world.calls.clear()
    next(ann.matches())
    assert 1 == len(gateway.world.sent("ListMatches"))


def test_a_refusal_says_what_the_platform_said(ann):
    """Code, reason, message and metadata, as the contract has them."""
    with pytest.raises(Refused, match="there is no match 't-9'") as refused:
        ann.match("t-9")

    said = refused.value
    assert (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH") == (said.code, said.reason)
    assert {"match": "t-9"} == said.metadata


# Faults.


def test_an_act_whose_answer_got_lost_counts_once(ann, gateway):
    """It is sent again under its request id, and gets the answer that got lost."""
    match = against_a_bot(ann)
    gateway.world.lose["Act"] = 2
    got = ann.act(match, "left", 1, "take two")

    assert 2 == got.question.number
    assert 3 == len(gateway.world.sent("Act"))
    assert 1 == len({request.request_id for request in gateway.world.sent("Act")})
    assert 2 == len(gateway.world.matches[match].log)


def test_what_may_have_been_done_is_not_repeated_blindly(ann, gateway):
    """Taking the first free seat twice would take two seats."""
    match = ann.create("taking").id
    gateway.world.lose["JoinMatch"] = 1
    with pytest.raises(Refused) as refused:
        ann.join(match)

    assert (grpc.StatusCode.UNAVAILABLE, "") == (refused.value.code, refused.value.reason)
    assert 1 == len(gateway.world.sent("JoinMatch"))


def test_what_was_not_done_is_repeated(ann, gateway):
    """The gateway says so by its reason."""
    match = ann.create("taking").id
    gateway.world.refuse["JoinMatch"] = [AWAY, AWAY]

    assert "left" == ann.join(match).seat


def test_an_answer_that_is_too_late_is_nothing(ann):
    """`answer` lets go what `act` complains about; other refusals remain."""
    match = against_a_bot(ann)
    ann.act(match, "left", 1, "take one")

    assert ann.answer(match, "left", 1, "take two") is None
    assert "take three" == ann.view(match, "left").question.choices[2].action.text
    with pytest.raises(Refused) as refused:
        ann.answer(match, "left", 2, "take nine")
    assert "ILLEGAL_ACTION" == refused.value.reason


def test_patience_ends(gateway):
    """A gateway that stays away is given up, with what the last attempt said."""
    with Client(gateway.address, patience=2) as client:
        gateway.world.refuse["CreateAccount"] = [AWAY] * 100
        with pytest.raises(Refused, match="the gateway is starting"):
            client.register()

        assert 2 <= len(gateway.world.sent("CreateAccount")) <= 8


def test_a_gateway_that_is_not_there_is_said():
    """An address at which nobody listens is no mystery."""
    with Client("localhost:1", patience=0.2) as client, pytest.raises(Refused) as refused:
        client.games()

    assert (grpc.StatusCode.UNAVAILABLE, "") == (refused.value.code, refused.value.reason)


def test_tls(guarded):
    """With the authority the gateway is trusted; without, nothing is said to it."""
    gateway, certificate = guarded
    with Client(gateway.address, authority=certificate) as client:
        assert "ann" == client.register("ann").name
    with Client(gateway.address, patience=0.2) as client, pytest.raises(Refused):
        client.games()


# Streams.


def test_watching_sees_every_step_once_whatever_happens(ann, gateway):
    """Streams that end, a restart and a cut wire leave no gap and no double."""
    wire = Wire(gateway.port)
    gateway.world.end_streams_after = 3
    gateway.world.on_answer = {5: gateway.restart_soon, 9: wire.cut_soon}
    match = against_a_bot(ann, turns=12)
    seen = []
    with Client(wire.address, ann.token, patience=20) as client:
        outcome = client.play(match, "left", lambda _: next(CHOOSE), seen.append)
    wire.close()

    events = [event.sentence for step in seen for event in step.events]
    log = gateway.world.matches[match].log
    assert [f"{seat} {text}" for seat, text in log] == events
    assert gateway.world.matches[match].outcome() == outcome
    revisions = [step.standing.revision for step in seen]
    assert sorted(set(revisions)) == revisions


def test_watching_goes_on_after_a_revision(ann):
    """The first step is told although nothing is new, and has the question."""
    match = against_a_bot(ann)
    ann.act(match, "left", 1, "take one")
    step = next(ann.watch(match, "left", after=2))

    assert ([], 2, 2) == (list(step.events), step.question.number, step.standing.revision)


def test_watching_what_one_may_not_is_refused(ann):
    """A refusal that waiting does not mend ends the stream at once."""
    with pytest.raises(Refused):
        next(ann.watch("t-9"))


def test_listening_tells_each_question_once_and_every_end(ann, gateway):
    """Also if it was told more often, and if the match ended while nobody listened."""
    gateway.world.repeat_news = 2
    matches = {against_a_bot(ann, turns=4), against_a_bot(ann, turns=4)}
    gateway.world.on_answer = {8: gateway.restart_soon}
    told, over = [], set()
    for news in ann.listen():
        if news.HasField("question"):
            told.append((news.match, news.question.number))
            ann.answer(news.match, news.seat, news.question.number, first(news.question))
        else:
            assert gateway.world.matches[news.match].outcome() == news.outcome
            over.add(news.match)
        if over == matches:
            break

    assert sorted((match, number) for match in matches for number in range(1, 5)) == sorted(told)


# Patience.


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


def patient(seconds):
    clock = Clock()
    return clock, Patience(seconds, sleep=clock.sleep, now=lambda: clock.now)


BROKEN = Refused(grpc.StatusCode.UNAVAILABLE, "connection refused")


def bear_for_ever(patience):
    while True:
        patience.bear(BROKEN)


def test_waits_grow_and_the_whole_has_an_end():
    """Each wait is about twice the one before, none is above the longest, all fit the time."""
    clock, patience = patient(60)
    with pytest.raises(Refused):
        bear_for_ever(patience)

    assert all(0.05 * 2**n <= wait <= 0.15 * 2**n for n, wait in enumerate(clock.slept[:5]))
    assert 5 < max(clock.slept) <= 7.5
    assert 45 < sum(clock.slept) <= 60


def test_a_success_begins_anew():
    """Failures far apart are not one failure."""
    clock, patience = patient(1)
    for _ in range(50):
        patience.bear(BROKEN)
        patience.renew()

    assert max(clock.slept) <= 0.15


def test_an_outage_is_counted_from_its_first_failure():
    """A stream that was quiet for an hour and breaks then is taken up again like any other."""
    clock, patience = patient(60)
    patience.renew()
    clock.now += 3600
    patience.bear(BROKEN)

    assert 1 == len(clock.slept)


def test_failures_far_apart_are_two_outages_though_nothing_came_between():
    """A stream without news is no failure: what breaks an hour later may be borne as long."""
    clock, patience = patient(60)
    for _ in range(20):
        patience.bear(BROKEN)
        clock.now += 3600

    assert max(clock.slept) <= 0.15


def test_an_attempt_that_hangs_is_of_the_same_outage():
    """A connection that is never made fails after twenty seconds, and in the end is given up."""
    clock, patience = patient(60)

    def hang_for_ever():
        while True:
            clock.now += 20
            patience.bear(BROKEN)

    with pytest.raises(Refused):
        hang_for_ever()

    assert clock.now < 60 + 2 * 20 + 10


def test_an_outage_is_told_and_its_end_once():
    """So that a person can be told why nothing happens."""
    told = []
    patience = Patience(60, tell=told.append, sleep=lambda _: None)
    patience.renew()
    patience.bear(BROKEN)
    patience.bear(BROKEN)
    patience.renew()
    patience.renew()

    assert [BROKEN, BROKEN, None] == told


def test_a_call_tells_of_its_troubles(gateway):
    """Each failure that is borne, and the success after them."""
    told = []
    gateway.world.refuse["CreateAccount"] = [AWAY, AWAY]
    with Client(gateway.address, patience=20, tell=told.append) as client:
        client.register()

    assert ["UNAVAILABLE", "UNAVAILABLE", None] == [one and one.reason for one in told]


def test_the_gateway_may_say_how_long_to_wait():
    """A hint is the least that is waited."""
    limited = Refused(
        grpc.StatusCode.RESOURCE_EXHAUSTED, "", "RATE_LIMITED", {"retry_after_ms": "2500"}
    )
    clock, patience = patient(60)
    patience.bear(limited)

    assert [2.5] == clock.slept


@pytest.mark.parametrize(
    ("code", "reason", "passing", "undone"),
    [
        ("UNAVAILABLE", "", True, False),
        ("CANCELLED", "", True, False),
        ("UNAVAILABLE", "UNAVAILABLE", True, True),
        ("UNAVAILABLE", "OUTCOME_UNKNOWN", True, False),
        ("RESOURCE_EXHAUSTED", "RATE_LIMITED", True, True),
        ("RESOURCE_EXHAUSTED", "WATCH_LAGS", True, False),
        ("RESOURCE_EXHAUSTED", "LIMIT_REACHED", False, False),
        ("RESOURCE_EXHAUSTED", "", False, False),
        ("INTERNAL", "", True, False),
        ("INTERNAL", "BUG", False, False),
        ("NOT_FOUND", "UNKNOWN_MATCH", False, False),
        ("UNIMPLEMENTED", "", False, False),
    ],
)
def test_which_refusals_pass(code, reason, passing, undone):
    """The reason decides; without one the code does."""
    refused = Refused(grpc.StatusCode[code], "", reason)

    assert (passing, undone) == (refused.is_passing, refused.is_undone)


# Others at the table.


def test_notes_are_written_and_read_page_after_page(ann):
    """The latest first; each says whom it is for."""
    match = ann.create("taking").id
    written = [ann.say_note(match, "left", text) for text in ("one", "two", "three")]

    assert ["three", "two", "one"] == [note.text for note in ann.notes(match, "left")]
    assert {pb.NOTE_CHANNEL_TEAM} == {note.channel for note in written}


def test_a_bot_is_sent_away(ann):
    """Before the start."""
    match = ann.create("taking").id
    ann.add_bot(match, "master", "right")

    assert "" == ann.remove_bot(match, "right").seats[1].bot_level


def test_a_watcher_is_told_who_plays_though_nothing_happens(gateway, ann):
    """Of each change once; and whoever plays is asked the same question again after it."""
    match = against_a_bot(ann, turns=2)
    steps = ann.watch(match, "left")
    assert 1 == next(steps).question.number
    assert "master" == ann.hand_over(match, "left", "master").stand_ins[0].bot_level
    with gateway.world.lock:
        gateway.world.lock.notify_all()
    asked = []

    def choose(question):
        asked.append(question.number)
        if len(asked) == 1:
            ann.hand_over(match, "left", "novice")
            ann.take_back_seat(match, "left")
        return first(question)

    assert 1 == ann.take_back_seat(match, "left").question.number
    assert ann.play(match, "left", choose).scores
    assert asked[-1] == 2
