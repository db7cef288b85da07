"""The table: what is refused and when, how questions are numbered, how a match ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from services.core.decisions import CHANCE, Action
from services.core.errors import Illegal, Invalid, NotAsked, Refused, Stale
from services.core.fair import Fate
from services.core.frames import Game
from services.core.table import Entry, Table, digest
from tests.core.tables import GONDOR, MORDOR, ROHAN, dealt, refused, scripted, state
from tests.games.skirmish.rules import RULES, Board, G, SealCards, Skirmish

# Chance.


def test_chance_is_answered_before_anybody_is_asked() -> None:
    table = dealt()

    assert (GONDOR, MORDOR) == table.waiting()
    assert ["chance"] * 4 == [entry.who for entry in table.entries]
    assert table.opening
    assert ["card_drawn"] * 4 == [event.kind for event in table.opening]


def test_chance_is_answered_after_the_decision_that_calls_for_it() -> None:
    table = dealt()
    table.act(GONDOR, "ready")
    events = table.act(MORDOR, "ready")

    assert ["got_ready", "rolled", "rolled"] == [event.kind for event in events[:3]]
    assert ["mordor", "chance", "chance"] == [entry.who for entry in table.entries[5:8]]


def test_chance_waits_like_a_seat_where_there_is_no_fate() -> None:
    table = Table(RULES, RULES.agree({}))

    assert (CHANCE,) == table.waiting()
    assert [] == table.opening
    assert "battle.draw_cards" == table.ask(CHANCE).prompt
    refused(table, Illegal, lambda: table.act(CHANCE, "draw none"), "chance may not do this")
    refused(table, NotAsked, lambda: table.act(GONDOR, "ready"), "gondor is not asked anything")


def test_nobody_speaks_for_chance_where_there_is_fate() -> None:
    table = dealt()

    refused(table, NotAsked, lambda: table.act(CHANCE, "draw horn"), "chance is not asked")
    refused(table, NotAsked, lambda: table.enter("chance", "draw horn"))


def test_the_same_fate_deals_the_same() -> None:
    assert dealt().entries == dealt().entries
    assert dealt().entries != Table(RULES, RULES.agree({}), Fate(bytes([1] * 32))).entries


# Decisions.


def test_a_decision_is_entered_as_it_is_spelt_with_a_digest_of_the_game_after_it() -> None:
    table = scripted()
    table.act(GONDOR, "  pick   charge ")

    fingerprint = digest("gondor: pick charge", RULES, table.game)

    assert Entry("gondor", "pick charge", fingerprint) == table.entries[-1]
    assert 5 == table.revision


def test_an_action_may_be_given_as_a_value() -> None:
    table = scripted()
    table.act(GONDOR, Action("pick", (1,)))

    assert "pick charge" == table.entries[-1].what


@pytest.mark.parametrize(
    ("seat", "said", "kind", "message"),
    [
        (GONDOR, "pick", Invalid, "'pick' takes 1 nouns: 'pick'"),
        (GONDOR, "", Invalid, "an action is a verb and its nouns"),
        (GONDOR, "sleep", Invalid, "unknown verb 'sleep'"),
        (GONDOR, "pick shield", Illegal, "gondor may not do this: 'pick shield' .*revision 4"),
        (GONDOR, "draw horn", Illegal, "at revision 4, Battle.seal > SealCards"),
        (GONDOR, Action("pick", (2,)), Illegal, "gondor may not do this: 'pick 2'"),
        (GONDOR, Action("nonsense", (7, 7)), Illegal, "may not do this: 'nonsense 7 7'"),
        (ROHAN, "ready", Invalid, "there is no seat 2"),
        (-2, "ready", Invalid, "there is no seat -2"),
        (CHANCE, "draw horn", NotAsked, "chance is not asked anything"),
    ],
)
def test_what_is_refused_changes_nothing(
    seat: int, said: str | Action, kind: type[Refused], message: str
) -> None:
    table = scripted()

    refused(table, kind, lambda: table.act(seat, said), message)


def test_a_seat_that_has_answered_is_not_asked() -> None:
    table = scripted()
    table.act(GONDOR, "ready")

    refused(table, NotAsked, lambda: table.act(GONDOR, "ready"))
    refused(table, NotAsked, lambda: table.ask(GONDOR), "gondor is not asked anything")


def test_deciders_have_names() -> None:
    table = scripted()

    assert ["chance", "gondor", "mordor"] == [table.name(seat) for seat in (-1, 0, 1)]
    assert [-1, 0, 1] == [table.seat(name) for name in ("chance", "gondor", "mordor")]
    with pytest.raises(Invalid, match="there is no such seat: 'rohan'"):
        table.seat("rohan")


def test_a_copied_table_shares_nothing() -> None:
    """Undo, numbers, entries and fate go on in each as if the other were not there."""
    table, other = dealt(), dealt()
    for t in (table, other):
        t.act(GONDOR, t.ask(GONDOR).actions[1])
    copy = table.copy()
    before = state(table)
    assert before == state(copy)
    for seat in (GONDOR, MORDOR):
        copy.act(seat, "ready", copy.number(seat))
    assert before == state(table)
    for seat in (GONDOR, MORDOR):
        other.act(seat, "ready", other.number(seat))

    assert state(copy) == state(other)
    table.undo(GONDOR)
    assert state(copy) == state(other)


def test_a_copied_table_without_fate_has_none() -> None:
    copy = Table(RULES, RULES.agree({})).copy()

    assert (CHANCE,) == copy.waiting()
    copy.abort()
    assert copy.copy().aborted


# Question numbers.


def test_an_answer_to_an_older_question_is_stale() -> None:
    table = scripted()
    number = table.number(GONDOR)
    table.act(GONDOR, "pick charge", number)

    assert number < table.number(GONDOR)
    refused(table, Stale, lambda: table.act(GONDOR, "ready", number), "has been answered: 'ready'")
    table.act(GONDOR, "ready", table.number(GONDOR))


def test_the_last_question_is_stale_once_it_is_answered() -> None:
    table = scripted()
    number = table.number(GONDOR)
    table.act(GONDOR, "ready", number)

    assert number == table.number(GONDOR)
    refused(table, Stale, lambda: table.act(GONDOR, "ready", number))


def test_an_answer_to_a_question_not_yet_put_is_invalid() -> None:
    table = scripted()
    number = table.number(GONDOR) + 1

    refused(table, Invalid, lambda: table.act(GONDOR, "ready", number), "there is no question")


def test_a_simultaneous_answer_does_not_make_the_question_of_others_stale() -> None:
    table = dealt(seats="3")
    numbers = [table.number(seat) for seat in range(3)]
    for seat in (ROHAN, GONDOR, MORDOR):
        table.act(seat, "ready", numbers[seat])

    assert table.revision > 9


def test_a_new_question_has_a_higher_number_for_everyone() -> None:
    table = dealt()
    numbers = table.number(GONDOR), table.number(MORDOR)
    while table.game.board.left == 3:
        seat = table.waiting()[0]
        table.act(seat, table.ask(seat).actions[0], table.number(seat))

    assert (GONDOR, MORDOR) == table.waiting()
    assert table.number(GONDOR) > numbers[0]
    assert table.number(MORDOR) > numbers[1]


@dataclass(slots=True)
class InTurn(SealCards):
    """One question, put to the seats one after the other, and to each twice."""

    prompt: ClassVar = "battle.in_turn"

    def waiting(self, g: G) -> tuple[int, ...]:
        return (len(self.ready) % 2,) if len(self.ready) < 4 else ()

    def legal(self, g: G, seat: int) -> list[Action]:
        return [Action("ready")]

    def take(self, g: G, seat: int, action: Action) -> None:
        self.ready += (1,)


class TakingTurns(Skirmish):
    frames = (*RULES.frames, InTurn)

    def setup(self, options: Any) -> G:
        board: Board = super().setup(options).board
        return Game(board, [InTurn()])


def test_a_question_that_comes_back_to_a_seat_is_a_new_one() -> None:
    """The same frame asks again after another seat: an answer sent twice must not count twice."""
    rules = TakingTurns()
    table = Table(rules, rules.agree({}))
    first = table.number(GONDOR)
    table.act(GONDOR, "ready", first)
    table.act(MORDOR, "ready", table.number(MORDOR))

    assert first < table.number(GONDOR)
    with pytest.raises(Stale):
        table.act(GONDOR, "ready", first)


# Endings outside the rules.


@pytest.mark.parametrize("verb", ["resign", "expire"])
def test_a_forfeit_is_an_entry_of_the_host(verb: str) -> None:
    table = dealt()
    events = table.resign(MORDOR) if verb == "resign" else table.expire(MORDOR)

    assert ["gave_up"] == [event.kind for event in events]
    assert ("host", f"{verb} mordor") == table.entries[-1][:2]
    assert table.is_over
    assert () == table.waiting()
    assert (3, 0) == RULES.scores(table.game)


def test_the_others_play_on_and_chance_answers_what_a_forfeit_calls_for() -> None:
    table = dealt(seats="3")
    table.act(GONDOR, "ready")
    table.act(MORDOR, "ready")
    number = table.number(MORDOR)
    events = table.resign(ROHAN)

    assert ["gave_up", "rolled", "rolled"] == [event.kind for event in events[:3]]
    assert ROHAN not in table.waiting()
    assert table.is_over or all(table.number(seat) > number for seat in table.waiting())


def test_an_aborted_match_is_over_for_nobodys_gain() -> None:
    table = dealt()
    table.abort()

    assert table.is_over
    assert table.aborted
    assert ("host", "abort", digest("host: abort", RULES, table.game)) == table.entries[-1][:3]
    refused(table, NotAsked, lambda: table.act(GONDOR, "ready"))
    refused(table, NotAsked, lambda: table.ask(GONDOR))


def test_a_game_that_is_over_cannot_end_again() -> None:
    table = dealt()
    table.resign(GONDOR)

    refused(table, NotAsked, lambda: table.resign(MORDOR), "the game is over: 'resign mordor'")
    refused(table, NotAsked, lambda: table.expire(GONDOR), "the game is over: 'expire gondor'")
    refused(table, NotAsked, table.abort, "the game is over: 'abort'")


def test_a_forfeit_of_no_seat_is_invalid() -> None:
    table = dealt()

    refused(table, Invalid, lambda: table.resign(ROHAN), "there is no seat 2")


# Entries of a record.


def test_an_entry_is_made_by_whom_it_names() -> None:
    table = scripted()
    table.enter("gondor", "pick horn")
    table.enter("host", "expire mordor")

    assert [("gondor", "pick horn"), ("host", "expire mordor")] == [
        e[:2] for e in table.entries[4:]
    ]
    table = scripted()
    assert [] == table.enter("host", "abort")
    assert table.aborted


@pytest.mark.parametrize("what", ["sleep", "resign", "resign rohan", "resign chance", "abort now"])
def test_the_host_does_nothing_else(what: str) -> None:
    table = scripted()

    refused(table, Invalid, lambda: table.enter("host", what), "the host does not do this")


@pytest.mark.parametrize("who", ["rohan", "nobody", "Gondor", ""])
def test_an_entry_of_nobody_here_is_invalid(who: str) -> None:
    table = scripted()

    refused(table, Invalid, lambda: table.enter(who, "ready"), "there is no such seat")
