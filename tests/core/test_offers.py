"""Offers: what notes mean, what all have agreed on, and that a record shows both or is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.core.course import Course, wanted_again
from services.core.decisions import CHANCE
from services.core.entries import Entry
from services.core.errors import Illegal, Invalid, NotAsked
from services.core.offers import ABORT, DRAW, NO_OFFERS, TAKE_BACK, Offer
from services.core.reading import parse_record
from services.core.record import record_of
from services.core.replaying import replay
from services.core.table import Table
from tests.conform.walks import fairness
from tests.core.tables import GONDOR, MORDOR, dealt, refused, scripted
from tests.docs.recorded import drawn, misremembered, reconsidered
from tests.games import rules_of
from tests.games.skirmish.rules import RULES

KINDS = (TAKE_BACK, ABORT, DRAW)


# What notes mean.


def test_an_offer_stands_until_it_is_answered():
    """Under the number of its entry; one who accepts is noted."""
    table = scripted()
    table.note("gondor", "offer abort")
    table.note("mordor", "offer draw")
    assert (Offer(5, ABORT, GONDOR), Offer(6, DRAW, MORDOR)) == table.offers.standing
    table.note("mordor", "accept 5")
    assert Offer(5, ABORT, GONDOR, frozenset({MORDOR})) == table.offers.agreed(ABORT)
    table.note("gondor", "decline 6")
    assert [5] == [offer.number for offer in table.offers.standing]
    assert {(MORDOR, DRAW)} == table.offers.barred
    table.note("gondor", "withdraw 5")
    assert () == table.offers.standing


@pytest.mark.parametrize(
    ("who", "what"),
    [
        ("gondor", "accept 5"),  # its own
        ("gondor", "decline 5"),
        ("mordor", "withdraw 5"),  # another's
        ("mordor", "accept 6"),
        ("mordor", "accept"),
        ("mordor", "accept five"),
        ("mordor", "accept 5 now"),
        ("mordor", "accept 99999999999999999999"),
        ("mordor", "offer"),
        ("mordor", "offer peace"),
        ("mordor", "hint asked for"),
        ("host", "accept 5"),
    ],
)
def test_a_note_that_means_nothing_is_left_alone(who, what):
    """Records of other programs may have any; it is kept, and changes nothing."""
    table = scripted()
    table.note("gondor", "offer abort")
    before = table.offers
    table.note(who, what)

    assert before == table.offers
    assert what == table.entries[-1].what


def test_another_offer_of_a_seat_takes_the_place_of_the_first():
    """One stands at a time, also where a record of others has two."""
    table = scripted()
    table.note("gondor", "offer abort")
    table.note("gondor", "offer draw")

    assert (Offer(6, DRAW, GONDOR),) == table.offers.standing


def test_an_offer_to_take_back_lapses_when_anything_is_decided():
    """The others stand; a bar falls with a decision of the seat that it was for."""
    table = scripted()
    table.act(GONDOR, "pick charge")
    table.note("gondor", "offer takeback")
    table.note("mordor", "offer abort")
    table.note("gondor", "decline 7")
    table.note("mordor", "offer draw")
    table.act(MORDOR, "pick shield")
    assert [DRAW] == [offer.kind for offer in table.offers.standing]
    assert frozenset() == table.offers.barred
    table.note("mordor", "withdraw 9")
    table.act(GONDOR, "ready")
    assert {(MORDOR, DRAW)} == table.offers.barred


def test_nothing_stands_after_the_end():
    for end in (lambda t: t.abort(), lambda t: t.resign(MORDOR)):
        table = scripted()
        table.note("gondor", "offer draw")
        end(table)
        assert NO_OFFERS == table.offers


# What is agreed on.


def agreed(table, revision, game):
    """All agree that gondor takes its last decision back."""
    table.note("gondor", "offer takeback")
    table.note("mordor", f"accept {table.revision}")
    table.keep(revision, game)
    return table.take_back(GONDOR)


def test_all_that_was_decided_since_is_taken_back():
    """Chance and what others did, too; the numbers of questions and of draws go on."""
    table = dealt()
    revision, game, drawn_then = table.revision, table.game.copy(), 0
    number = table.number(MORDOR)
    table.act(GONDOR, "ready")
    table.act(MORDOR, "ready")
    dice = [entry.what for entry in table.entries if entry.what.startswith("roll")]
    drawn_then = table.fate.drawn
    assert revision == agreed(table, revision, game)

    assert RULES.dump(game) == RULES.dump(table.game)
    assert f"takeback gondor {revision}" == table.entries[-1].what
    assert table.number(MORDOR) > number
    assert drawn_then == table.fate.drawn
    assert not table.can_undo(GONDOR)
    assert not table.can_undo(MORDOR)
    table.act(GONDOR, "ready")
    table.act(MORDOR, "ready")
    again = [entry.what for entry in table.entries if entry.what.startswith("roll")]
    assert dice != again[len(dice) :]


def test_what_was_taken_back_is_not_taken_back_again():
    """The next time it is the decision before; and the position kept is not changed by going on."""
    table = scripted()
    first, first_game = table.revision, table.game.copy()
    table.act(GONDOR, "pick charge")
    second, second_game = table.revision, table.game.copy()
    table.act(GONDOR, "ready")
    assert second == agreed(table, second, second_game)
    saved = RULES.dump(second_game)
    table.act(MORDOR, "pick shield")
    assert saved == RULES.dump(second_game)
    assert first == agreed(table, first, first_game)
    assert table.course.last_of(GONDOR) is None
    assert table.course.last_of(MORDOR) is None


def test_nothing_is_taken_back_or_drawn_that_nobody_agreed_to():
    table = scripted()
    table.act(GONDOR, "pick charge")
    table.keep(4, table.game.copy())
    table.note("gondor", "offer takeback")
    refused(table, Illegal, lambda: table.take_back(GONDOR), "nobody has agreed")
    refused(table, Illegal, table.draw, "nobody has agreed to a draw")
    table.note("mordor", f"accept {table.revision}")
    refused(table, Illegal, lambda: table.take_back(MORDOR), "nobody has agreed")
    refused(table, Illegal, table.draw, "nobody has agreed to a draw")
    refused(table, Illegal, lambda: table.enter("host", "takeback gondor 3"), "its last decision")
    for what in ("takeback gondor", "takeback", "takeback rohan 4", "takeback gondor 4 4"):
        refused(table, Invalid, lambda what=what: table.enter("host", what), "does not do this")
    for what in ("resign gondor 4", "draw gondor", "undo gondor 4"):
        refused(table, Invalid, lambda what=what: table.enter("host", what), "does not do this")


def test_nobody_goes_back_to_before_a_seat_gave_up():
    table = dealt(seats="3")
    game, revision = table.game.copy(), table.revision
    table.act(GONDOR, "ready")
    table.resign(MORDOR)
    table.note("gondor", "offer takeback")
    table.note("rohan", f"accept {table.revision}")
    table.keep(revision, game)

    assert table.course.last_of(GONDOR) is None
    refused(table, Illegal, lambda: table.take_back(GONDOR))


def test_a_draw_gives_every_seat_the_same_score():
    record = drawn()
    table = replay(record, RULES)

    assert (0, 0) == record.scores == RULES.scores(table.game)
    refused(table, NotAsked, lambda: table.note("gondor", "offer abort"))


def test_a_game_that_knows_no_draw_has_none():
    """An offer of one is a note like any other, and the host may not do it."""
    rules = rules_of("duel")
    table = Table(rules, rules.agree({}), fairness("no draw", 2).fate())
    table.note("fellowship", "offer draw")
    table.note("sauron", f"accept {table.revision}")

    assert NO_OFFERS == table.offers
    refused_by = pytest.raises(Illegal, match="nobody has agreed to a draw")
    with refused_by:
        table.enter("host", "draw")
    with pytest.raises(AssertionError, match="knows no draw"):
        rules.end_in_draw(table.game)


# Records.


@pytest.mark.parametrize("game", ["skirmish", "confrontation", "duel", "risk", "warofthering"])
def test_a_record_with_second_thoughts_replays(game):
    """Undone and agreed, declined and withdrawn; and so from wherever it is cut."""
    rules, record = rules_of(game), reconsidered(game)

    assert record == parse_record(record.text())
    assert replay(record, rules).entries == list(record.entries)
    for cut in range(0, len(record.entries), 7):
        replay(replace(record, entries=record.entries[:cut], scores=None), rules)


@pytest.mark.parametrize("game", ["skirmish", "duel"])
def test_a_record_in_which_nobody_agreed_does_not_replay(game):
    """Whatever was changed about it, even with every digest made to fit."""
    rules, record = rules_of(game), reconsidered(game)
    for change in misremembered(record):
        with pytest.raises((Illegal, Invalid, NotAsked)):
            replay(_digested(parse_record(change.text), rules), rules)


def _digested(record, rules):
    """The record with the digests that its entries lead to, as far as they can be made."""
    table = Table(rules, record.options)
    table.keeps, table.keeps_agreed = wanted_again(record.entries, record.seats)
    entries = []
    for entry in record.entries:
        try:
            if entry.is_note:
                table.note(entry.who, entry.what)
            else:
                table.enter(entry.who, entry.what, entry.draws)
        except (Illegal, Invalid, NotAsked):
            break
        entries.append(table.entries[-1])
    return replace(record, entries=(*entries, *record.entries[len(entries) :]), claimed_head="")


# Which decisions stand.


def test_a_course_knows_what_stands():
    seats = ("gondor", "mordor")
    course = Course()
    lines = [
        ("gondor", "a", False, None),
        ("chance", "b", False, None),
        ("mordor", "c", False, None),
        ("mordor", "offer abort", True, None),
        ("host", "undo mordor", False, 2),
        ("gondor", "d", False, None),
        ("mordor", "e", False, None),
        ("host", "takeback gondor 5", False, 5),
        ("host", "takeback gondor 0", False, 0),
        ("mordor", "f", False, None),
        ("host", "resign gondor", False, None),
        ("host", "undo mordor", False, None),
    ]
    for who, what, is_note, back in lines:
        entry = Entry(who, what, "0" * 8, is_note=is_note)
        assert back == course.follow(entry, seats), what

    assert [0, 1] == [course.count(seat) for seat in (GONDOR, MORDOR)]
    assert [9] == course.last(5)
    assert course.last_of(MORDOR) is None


def test_what_is_wanted_again_is_what_is_gone_back_to():
    record = reconsidered("skirmish")
    wanted = wanted_again(record.entries, record.seats)
    agreed_on = [x.what for x in record.entries if x.what.startswith("takeback ")]

    assert wanted.agreed == {int(what.split(" ")[2]) for what in agreed_on}
    assert CHANCE not in wanted.undone


def test_a_table_gives_up_what_it_has_kept():
    table = scripted()
    table.act(GONDOR, "pick charge")
    table.keep(4, table.game)
    table.keep_no_more()
    table.act(MORDOR, "pick shield")
    record = record_of(table, fairness("kept", 2))

    assert () == table.keeps == table.keeps_agreed
    assert 6 == len(record.entries)
