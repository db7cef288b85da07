"""Taking back: only what taught nobody anything, and under new numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.core.decisions import CHANCE, Action, Event, Seat
from services.core.errors import Illegal, Stale
from services.core.reading import parse_record
from services.core.record import record_of
from services.core.replaying import replay
from services.core.table import Entry, Table
from tests.conform.walks import fairness
from tests.core.tables import GONDOR, MORDOR, ROHAN, dealt, refused, scripted
from tests.games.skirmish.rules import RULES, Board, G, Skirmish


def test_what_taught_nobody_can_be_taken_back() -> None:
    table = scripted()
    before, number = RULES.dump(table.game), table.number(GONDOR)
    table.act(GONDOR, "pick charge")
    assert table.can_undo(GONDOR)
    table.undo(GONDOR)

    assert before == RULES.dump(table.game)
    assert ["pick charge", "undo gondor"] == [entry.what for entry in table.entries[4:]]
    assert ["ready", "pick charge", "pick horn"] == [
        RULES.spell(action) for action in table.ask(GONDOR).actions
    ]
    refused(table, Stale, lambda: table.act(GONDOR, "ready", number))
    refused(table, Stale, lambda: table.act(GONDOR, "ready", number + 1))
    table.act(GONDOR, "pick horn", table.number(GONDOR))


def test_numbers_only_rise() -> None:
    table = scripted()
    numbers = [table.number(GONDOR)]
    for _ in range(3):
        table.act(GONDOR, "pick charge")
        numbers.append(table.number(GONDOR))
        table.undo(GONDOR)
        numbers.append(table.number(GONDOR))

    assert sorted(set(numbers)) == numbers


def test_taking_back_does_not_make_the_question_of_others_stale() -> None:
    table = scripted()
    number = table.number(MORDOR)
    table.act(GONDOR, "pick charge")
    table.undo(GONDOR)
    table.act(MORDOR, "pick shield", number)

    assert "pick shield" == table.entries[-1].what


def test_only_the_last_decision_can_be_taken_back_and_only_by_whoever_made_it() -> None:
    table = scripted()
    table.act(GONDOR, "pick charge")
    refused(table, Illegal, lambda: table.undo(MORDOR), "this can no longer be taken back")
    table.act(MORDOR, "pick shield")

    refused(table, Illegal, lambda: table.undo(GONDOR))
    table.undo(MORDOR)
    table.undo(GONDOR)
    taken = ["pick charge", "pick shield", "undo mordor", "undo gondor"]
    assert taken == [entry.what for entry in table.entries[4:]]


def test_what_others_saw_cannot_be_taken_back() -> None:
    table = scripted()
    table.act(GONDOR, "pick charge")
    table.act(GONDOR, "ready")

    refused(table, Illegal, lambda: table.undo(GONDOR))
    refused(table, Illegal, lambda: table.undo(MORDOR))


@pytest.mark.parametrize("eyes", [None, {MORDOR}, {GONDOR, MORDOR}, {None}])
def test_what_anybody_else_has_seen_cannot_be_taken_back(eyes: set[Seat | None] | None) -> None:
    """Though the same seats are asked as before: it is enough that one viewer was told."""
    table = shown_to(eyes)
    table.act(GONDOR, "pick charge")

    assert (GONDOR, MORDOR) == table.waiting()
    refused(table, Illegal, lambda: table.undo(GONDOR), "this can no longer be taken back")


@pytest.mark.parametrize("eyes", [set(), {GONDOR}])
def test_what_only_the_decider_has_seen_can_be_taken_back(eyes: set[Seat | None]) -> None:
    table = shown_to(eyes)
    table.act(GONDOR, "pick charge")

    assert table.can_undo(GONDOR)


def test_nothing_can_be_taken_back_once_others_are_waited_for() -> None:
    """Though nobody was told anything: who is waited for is plain to all."""
    table = shown_to(set())
    table.act(GONDOR, "ready")

    assert (MORDOR,) == table.waiting()
    refused(table, Illegal, lambda: table.undo(GONDOR))


def shown_to(eyes: set[Seat | None] | None) -> Table[Board]:
    """A table where all that happens from now on is shown to these viewers alone."""
    table, seen_by = scripted(), None if eyes is None else frozenset(eyes)

    class Shown(Skirmish):
        def apply(self, g: G, seat: Seat, action: Action) -> list[Event]:
            events = super().apply(g, seat, action)
            return [Event(event.kind, event.facts, seen_by) for event in events]

    table.rules = Shown()
    return table


def test_nothing_can_be_taken_back_across_chance() -> None:
    table = scripted()
    assert not table.can_undo(CHANCE)
    table.act(GONDOR, "ready")
    table.act(MORDOR, "ready")
    table.act(CHANCE, "roll 1 1 1")

    for seat in (CHANCE, GONDOR, MORDOR):
        refused(table, Illegal, lambda seat=seat: table.undo(seat))


def test_nothing_can_be_taken_back_after_a_forfeit_or_an_abort() -> None:
    table = dealt(seats="3")
    hand = RULES.view(table.game, GONDOR)["hand"]
    assert isinstance(hand, list)
    table.act(GONDOR, Action("pick", (hand[0],)))
    assert table.can_undo(GONDOR)
    table.resign(MORDOR)
    assert not table.can_undo(GONDOR)
    table.act(ROHAN, Action("pick", (table.game.board.hands[ROHAN][0],)))
    assert table.can_undo(ROHAN)
    table.abort()

    assert not table.can_undo(ROHAN)


def test_two_decisions_can_be_taken_back_one_after_the_other() -> None:
    table = dealt(seats="3")
    start = RULES.dump(table.game)
    for seat in (GONDOR, MORDOR, ROHAN):
        table.act(seat, Action("pick", (table.game.board.hands[seat][0],)))
    for seat in (ROHAN, MORDOR, GONDOR):
        table.undo(seat)

    assert start == RULES.dump(table.game)
    undone = [f"undo {seat}" for seat in ("rohan", "mordor", "gondor")]
    assert undone == [entry.what for entry in table.entries[-3:]]


def test_a_record_tells_what_was_taken_back_and_replays() -> None:
    """Revisions never fall, and the history holds what was tried."""
    chance = fairness("taken back", 2)
    table = Table(RULES, RULES.agree({}), chance.fate())
    first = table.ask(GONDOR).actions[1]
    table.act(GONDOR, first)
    table.undo(GONDOR)
    table.act(GONDOR, "ready")
    record = record_of(table, chance)

    assert parse_record(record.text()) == record
    assert RULES.dump(table.game) == RULES.dump(replay(record, RULES).game)
    twice = (*record.entries[:-1], Entry("host", "undo gondor", "0" * 8))
    with pytest.raises(Illegal, match="can no longer be taken back"):
        replay(replace(record, entries=twice), RULES)
