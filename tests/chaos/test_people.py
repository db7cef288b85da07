"""Those who play in the chaos do as the documentation says, and no more."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.chaos.journal import Journal
from tests.chaos.people import Heard, Person, Sitter
from tests.chaos.run import Run, is_short
from tests.chaos.tables import Played
from tests.e2e.client import Refused, Seat


def refusal(reason, **metadata):
    """A call that was refused so."""
    refused = Refused.__new__(Refused)
    refused.code, refused.reason, refused.metadata = SimpleNamespace(name="…"), reason, metadata
    return refused


def asked(*answers):
    """What somebody is told in the end who is answered so, and how often he asked."""
    given = list(answers)

    async def once(*_):
        answer = given.pop(0)
        if isinstance(answer, Refused):
            raise answer
        return answer

    async def ask():
        person = Person("ipv4:127.0.0.1:1", Heard())
        person.once = once
        try:
            return await person.call(None, None)
        finally:
            await person.channel.close()

    try:
        return asyncio.run(ask()), len(answers) - len(given)
    except Refused as refused:
        return refused.reason, len(answers) - len(given)


@pytest.mark.parametrize("reason", ["", "UNAVAILABLE", "OUTCOME_UNKNOWN"])
def test_what_passes_is_sent_again_until_it_is_answered(reason):
    """A status without a reason comes from the network."""
    again = refusal(reason, retry_after_ms="1")

    assert ("done", 3) == asked(again, again, "done")


@pytest.mark.parametrize("reason", ["BUG", "STALE_QUESTION", "HISTORY_CHANGED", "LIMIT_REACHED"])
def test_what_does_not_pass_is_not_sent_again(reason):
    assert (reason, 1) == asked(refusal(reason), "done")


def test_a_limit_that_says_when_to_try_again_is_waited_for():
    assert ("done", 2) == asked(refusal("LIMIT_REACHED", retry_after_ms="1"), "done")


class Client:
    """A gateway that answers acts as it is told to."""

    def __init__(self, *answers):
        self.answers, self.sent = list(answers), []
        self.matches = SimpleNamespace(Act="Act", ResignMatch="ResignMatch")

    async def call(self, method, request):
        self.sent.append((method, request))
        answer = self.answers.pop(0)
        if isinstance(answer, Refused):
            raise answer
        return answer


def told(number, head):
    """An answer that tells the next question."""
    answer = pb.ActResponse()
    answer.question.number = number
    answer.question.choices.add().action.text = f"move {number}"
    answer.standing.head = head
    return answer


def decided(client, enough):
    """A seat that was asked question 1, and has gone on from there."""
    sitter = Sitter(Seat(client, "d-1", "good"), enough, lambda: None)
    first = told(1, "h1")
    asyncio.run(sitter._decide(first.question, first.standing.head))
    return sitter


def test_a_seat_answers_with_the_head_that_came_with_the_question_and_resigns_after_enough():
    client = Client(told(2, "h2"), told(3, "h3"), pb.ResignMatchResponse())
    sitter = decided(client, 2)

    assert ["Act", "Act", "ResignMatch"] == [method for method, _ in client.sent]
    assert [(1, "h1"), (2, "h2")] == [(sent.question, sent.head) for _, sent in client.sent[:2]]
    assert ["move 1", "move 2"] == sitter.acknowledged
    assert sitter.resigned


def test_what_a_seat_is_refused_is_kept_and_what_came_too_late_apart():
    """The first is a breach, the second happens: somebody else has resigned meanwhile."""
    late = decided(Client(refusal("MATCH_OVER")), 5)
    refused = decided(Client(refusal("HISTORY_CHANGED")), 5)

    assert ("move 1", [], []) == (late.too_late, late.refused, late.acknowledged)
    assert ("", 1, []) == (refused.too_late, len(refused.refused), refused.acknowledged)


@pytest.mark.parametrize(
    ("resigned", "answers", "short"), [(True, 4, True), (True, 5, False), (False, 4, False)]
)
def test_a_match_that_is_given_up_at_once_need_not_count(resigned, answers, short):
    """As a rating goes by what was decided; one that is played to its end always counts."""
    seat = SimpleNamespace(resigned=resigned, acknowledged=["one"] * answers)
    other = SimpleNamespace(resigned=False, acknowledged=[])

    assert short == is_short(Played("d-1", "duel", ("rosie",), (seat, other), None))


@pytest.mark.parametrize("told", [refusal("UNKNOWN_MATCH"), AssertionError()])
def test_a_match_that_nobody_finds_again_is_a_broken_promise(told):
    """And no end of the run, which examines all others."""

    async def rated(_):
        raise told

    run = Run(None, None, Journal(), print)
    played = SimpleNamespace(match="c-1", ended=1.0)
    asyncio.run(run._examine_score(SimpleNamespace(rated=rated), played))

    assert ["c-1"] == [broken.match for broken in run.journal.breaches]
