"""What goes over the wire says what the core says, and can be read back."""

from __future__ import annotations

import random

import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from services import GAMES
from services.core.decisions import Event
from services.core.fair import Fate
from services.core.table import Table
from services.host import wire
from services.host.serialization import Due
from services.host.values import plain as told_by
from tests.games import rules_of
from tests.games.skirmish.rules import RULES
from tests.host.test_match_state import begun, played

PLAYED = ["skirmish", *GAMES]


def plain(fact):
    return [plain(part) for part in fact] if isinstance(fact, list | tuple) else fact


@pytest.mark.parametrize("game", PLAYED)
def test_the_facts_of_every_event_come_back(game):
    """Whole numbers, words and lists of these, with the sentence that the rules make of them."""
    rules, kinds = rules_of(game), set()
    for number in range(6):
        chance = random.Random(number)
        table = Table(rules, rules.agree({}), Fate(chance.randbytes(32)))
        events = [*table.opening]
        while not table.is_over and table.revision < 700:  # some games have no end
            seat = chance.choice(table.waiting())
            events += table.act(seat, chance.choice(table.ask(seat).actions))
        for happened in events:
            message = t.Event.FromString(wire.event(rules, happened, 1).SerializeToString())
            kinds.add(message.kind)

            assert (happened.kind, rules.report(happened)) == (message.kind, message.sentence)
            assert {k: plain(v) for k, v in happened.facts.items()} == told_by(message.facts)
    assert kinds


def test_facts_of_other_kinds_come_back_too():
    """What other games may tell: yes and no, nothing, nothing in a list."""
    told = {"yes": True, "no": False, "nothing": None, "empty": [], "nested": [[1], ["a", None]]}
    message = wire.event(RULES, Event("kind", told, None), 1)

    assert told == told_by(message.facts)


def test_what_cannot_be_told_is_a_mistake_of_the_rules():
    """It is not written as something else."""
    with pytest.raises(TypeError, match="cannot tell"):
        wire.event(RULES, Event("kind", {"what": 0.5j}, None), 1)


@pytest.mark.parametrize("game", PLAYED)
def test_a_question_holds_every_action_and_nothing_else(game):
    """In the order of the rules; each text is understood as its action."""
    rules = rules_of(game)
    first, lines = begun(game)
    for state in played(first, lines, 2, 40)[:-1]:
        for seat, number in state.asked.items():
            ask = rules.ask(state.table.game, seat)
            asked = wire.question(state, seat)
            texts = [choice.action.text for choice in asked.choices]

            assert (number, ask.prompt) == (asked.number, asked.prompt)
            assert ask.neutral == asked.neutral
            assert list(ask.actions) == [rules.parse(text) for text in texts]
            for choice, action in zip(asked.choices, ask.actions, strict=True):
                words = [choice.action.verb, *choice.action.nouns]
                assert choice.action.text.split(" ") == words
                assert rules.sentence(state.table.game, seat, action) == choice.sentence


def test_choices_that_differ_in_a_number_are_a_range_besides():
    """A stepper of a client gives the same answers as the choices do."""
    ranged = 0
    first, lines = begun("risk", setup_mode="random")
    for state in played(first, lines, 2, 60)[:-1]:
        for seat in state.asked:
            asked = wire.question(state, seat)
            texts = [choice.action.text for choice in asked.choices]
            for run in asked.ranges:
                numbers = range(run.numbers.first, run.numbers.last + 1)
                place = texts.index(f"{run.text} {numbers[0]}")
                ranged += 1

                assert [f"{run.text} {n}" for n in numbers] == texts[place : place + len(numbers)]
    assert ranged


def test_who_is_not_asked_has_no_question():
    """Nor has a spectator, nor anyone once a match is over."""
    state, _ = begun("skirmish")
    assert wire.question(state, None) is None
    state.abort(0, "a")

    assert wire.question(state, 0) is None


def test_what_is_due_has_its_kind_and_its_time():
    """To the millisecond."""
    message = wire.due(Due("clock", "m-1", "good", 7, "", 1_700_000_000_123))

    assert (e.DUE_KIND_CLOCK, "m-1", "good", 7, "") == (
        message.kind,
        message.match,
        message.seat,
        message.question,
        message.bot_level,
    )
    assert 1_700_000_000_123 == message.since.ToMilliseconds()
