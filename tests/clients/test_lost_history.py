"""The Python client at a platform that has lost moves: what it says, and how it begins anew."""

from __future__ import annotations

import grpc
import pytest

from bree.client.hearing import Ear
from bree.client.patience import Refused
from bree.engine.v1.types_pb2 import Question
from bree.gateway.v1 import gateway_pb2 as pb
from tests.clients.taking import CHOICES, Refusal
from tests.clients.test_python_client import CHOOSE, against_a_bot, first

CHANGED = Refusal(grpc.StatusCode.ABORTED, "HISTORY_CHANGED", "moves were lost")
OTHER = [("left", CHOICES[2]), ("right", CHOICES[2])]


def test_an_answer_says_to_which_history_it_belongs(ann, gateway):
    """In another one it is refused; `answer` lets it go like one that is too late."""
    match = against_a_bot(ann)
    known = ann.view(match, "left").standing.head
    assert ann.answer(match, "left", 1, "take one", head=known)
    known = ann.view(match, "left").standing.head
    gateway.world.matches[match].lose(0, *OTHER)

    assert ann.answer(match, "left", 2, "take one", head=known) is None
    with pytest.raises(Refused) as refused:
        ann.act(match, "left", 2, "take one", head=known)
    assert ("HISTORY_CHANGED", "2") == (refused.value.reason, refused.value.metadata["revision"])
    assert OTHER == gateway.world.matches[match].log


def test_watching_never_goes_on_from_another_history(ann, gateway):
    """A stream that is taken up again says what it knows, and ends where that is lost."""
    match = against_a_bot(ann)
    ann.act(match, "left", 1, "take one")
    steps = ann.watch(match, "left")
    head = next(steps).standing.head
    gateway.restart(0.2)
    ann.act(match, "left", 2, "take one", head=head)
    assert 4 == next(steps).standing.revision
    assert ["", head] == [request.head for request in gateway.world.sent("WatchMatch")]
    gateway.world.matches[match].lose(2)

    with pytest.raises(Refused, match="lost"):
        next(steps)


@pytest.mark.parametrize("lost_at", ["answered", "asked"])
@pytest.mark.parametrize("kept", [0, 2])
def test_playing_begins_anew_where_moves_were_lost(ann, gateway, kept, lost_at):
    """Everything is told again from the first step, and what stands is answered, once."""
    match = against_a_bot(ann, turns=6)
    played = gateway.world.matches[match]
    seen, forgotten = [], []
    if lost_at == "answered":
        gateway.world.on_answer = {3: lambda: played.lose(kept, *OTHER)}

    def choose(question):
        if lost_at == "asked" and question.number == 4 and not forgotten:
            played.lose(kept, *OTHER)
        return next(CHOOSE)

    def forget():
        forgotten.append(seen.copy())
        seen.clear()

    outcome = ann.play(match, "left", choose, seen.append, forget)

    assert played.outcome() == outcome
    assert OTHER == played.log[kept : kept + 2]
    told = [event.sentence for step in seen for event in step.events]
    assert [f"{seat} {text}" for seat, text in played.log] == told
    assert 1 == len(forgotten)
    for act, _ in played.answers.values():
        assert played.heads()[2 * (act.question - 1)] == act.head


def test_an_engine_that_finds_out_by_a_look_is_asked_again(ann, gateway):
    """Whoever knows nothing yet has nothing to forget."""
    match = against_a_bot(ann)
    gateway.world.refuse["GetView"] = [CHANGED, CHANGED]

    assert 1 == ann.view(match, "left").question.number


def listened(client, gateway, match, *, meanwhile=lambda number: None, turns=4):
    """The numbers of the questions that are told until a match is over, each answered."""
    told = []
    for news in client.listen():
        if news.HasField("outcome"):
            return told
        number = news.question.number
        told.append(number)
        meanwhile(number)
        client.answer(match, "left", number, first(news.question), head=news.head)
        assert len(told) < 3 * turns
    raise AssertionError("listening never ends")


@pytest.mark.parametrize(("kept", "again"), [(4, [3]), (2, [2, 3]), (0, [1, 2, 3])])
def test_what_was_answered_and_lost_is_told_again(ann, gateway, kept, again):
    """By the numbers that it had, also by the same one with the same head."""
    match = against_a_bot(ann)
    gateway.world.on_answer = {3: lambda: gateway.world.matches[match].lose(kept)}

    assert [1, 2, 3, *again, 4] == listened(ann, gateway, match)


@pytest.mark.parametrize(("rounds", "again"), [(1, [2, 3, 4]), (2, [3, 4]), (3, [4])])
def test_what_was_asked_in_a_lost_history_is_told_as_it_stands(ann, gateway, rounds, again):
    """While the caller thinks about the third question the moves before it are lost."""
    match = against_a_bot(ann)
    played = gateway.world.matches[match]

    def lose(number):
        if number == 3 and not played.losses:
            played.lose(0, *rounds * OTHER)

    assert [1, 2, 3, *again] == listened(ann, gateway, match, meanwhile=lose)
    assert rounds * OTHER == played.log[: 2 * rounds]


def test_a_question_that_is_told_again_while_its_answer_is_owed_is_told_once():
    """Others may have moved under it; nobody needs to be asked whether it stands."""
    ear = Ear()
    place = {"match": "t-1", "seat": "left", "question": Question(number=1)}

    def asked(news):
        raise AssertionError(news)

    assert ear.hear(pb.ListenQuestionsResponse(**place, head="a"), asked)
    assert not ear.hear(pb.ListenQuestionsResponse(**place, head="b"), asked)
    ear.note("t-1", "left", 1)
    assert not ear.hear(pb.ListenQuestionsResponse(**place, head="b"), lambda _: False)
    assert ear.hear(pb.ListenQuestionsResponse(**place, head="b"), lambda _: True)
