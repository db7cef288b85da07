"""Only the truth replays: a record that was changed anywhere is refused, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import Illegal, Invalid, NotAsked, Refused
from services.core.reading import FIRST_LINE, parse_record
from services.core.record import Fairness, Record, players_of
from services.core.replaying import replay
from services.core.table import Entry
from tests.core.records import LENGTH, LINES, TEXT, WHOLE, verifies
from tests.games.skirmish.rules import RULES


def changed(number: int, entry: Entry) -> Record:
    return replace(WHOLE, entries=(*WHOLE.entries[:number], entry, *WHOLE.entries[number + 1 :]))


def number_of(who: str, verb: str) -> int:
    """Where somebody first does this."""
    return next(
        number
        for number, entry in enumerate(WHOLE.entries)
        if entry.who == who and entry.what.split()[0] == verb
    )


# What did not happen so does not replay.


def refused(record: Record, kinds: type[Refused] | tuple[type[Refused], ...], message: str) -> None:
    """Assert that a record of the right form is refused when it is replayed."""
    assert record == parse_record(record.text())
    with pytest.raises(kinds, match=message):
        replay(record, RULES)


def test_another_draw_is_invalid() -> None:
    number = number_of("chance", "draw")
    dealt = WHOLE.entries[number].what
    other = next(f"draw {card}" for card in ("horn", "shield") if f"draw {card}" != dealt)

    message = f"entry {number + 1}: chance dealt '{dealt}': 'chance: {other}'"
    refused(changed(number, WHOLE.entries[number]._replace(what=other)), Invalid, message)


def test_another_roll_is_invalid() -> None:
    number = number_of("chance", "roll")
    entry = WHOLE.entries[number]
    other = "roll 6 6 6" if entry.what != "roll 6 6 6" else "roll 1 1 1"

    refused(
        changed(number, entry._replace(what=other)), Invalid, f"entry {number + 1}: chance dealt"
    )


def test_another_number_of_a_draw_is_invalid() -> None:
    number = number_of("chance", "draw")
    (draw,) = WHOLE.entries[number].draws
    for draws in ((), (draw._replace(choices=draw.choices + 1),), (draw, draw)):
        other = WHOLE.entries[number]._replace(draws=draws)
        refused(changed(number, other), Invalid, f"entry {number + 1}: chance drew {draw}")


def test_a_line_that_was_changed_later_does_not_go_with_the_head() -> None:
    """Whatever the line, also one that the rules could not tell."""
    for at, line in enumerate(LINES[:-2]):
        if line.startswith(("option", "seat", "commitment", "finished")) or "~" in line:
            text = "\n".join(
                [*LINES[:at], line.replace("0", "1").replace("a", "b"), *LINES[at + 1 :]]
            )
            if text != TEXT:
                assert not verifies(text), line
    named = replace(WHOLE, sitting=players_of(("Sam", "Frodo"), WHOLE.seats, bytes(32)))
    other = players_of(("Bill", "Frodo"), WHOLE.seats, bytes(32))
    swapped = (
        replace(named, sitting=other)
        .text()
        .replace(replace(named, sitting=other).head(), named.head())
    )
    assert verifies(named.text())
    with pytest.raises(Invalid, match="something was changed after it was written"):
        replay(parse_record(swapped), RULES)


def test_an_action_that_was_not_offered_is_illegal() -> None:
    number = number_of("gondor", "ready")
    entry = WHOLE.entries[number]._replace(what="fall")

    refused(changed(number, entry), Illegal, f"entry {number + 1}: gondor may not do this")


def test_an_action_that_is_none_is_invalid() -> None:
    number = number_of("gondor", "ready")
    entry = WHOLE.entries[number]._replace(what="flee")

    refused(changed(number, entry), Invalid, f"entry {number + 1}: unknown verb 'flee'")


def test_an_action_that_is_spelt_otherwise_is_invalid() -> None:
    """The text of a record is exact, so that two records of one game are the same file."""
    number = number_of("gondor", "ready")
    record = changed(number, WHOLE.entries[number]._replace(what="ready "))

    with pytest.raises(Invalid, match="an entry is who, what and a digest"):
        parse_record(record.text())
    with pytest.raises(Invalid, match=f"entry {number + 1}: the game is not where"):
        replay(record, RULES)


def test_an_action_by_somebody_else_is_refused() -> None:
    number = number_of("chance", "draw")
    message = f"entry {number + 1}: gondor is not asked anything"
    refused(
        changed(number, WHOLE.entries[number]._replace(who="gondor", draws=())), NotAsked, message
    )
    message = f"entry {number + 1}: there is no such seat"
    refused(
        changed(number, WHOLE.entries[number]._replace(who="rohan", draws=())), Invalid, message
    )


@pytest.mark.parametrize("number", [0, 4, LENGTH // 2, LENGTH - 1])
def test_another_digest_is_invalid(number: int) -> None:
    entry = WHOLE.entries[number]
    other = entry._replace(digest=f"{int(entry.digest, 16) ^ 1:08x}")

    refused(
        changed(number, other), Invalid, f"entry {number + 1}: the game is not where the record"
    )


def test_another_order_is_refused() -> None:
    for number in range(LENGTH - 1):
        entries = list(WHOLE.entries)
        entries[number : number + 2] = entries[number : number + 2][::-1]
        with pytest.raises((Invalid, Illegal, NotAsked), match="entry "):
            replay(replace(WHOLE, entries=tuple(entries)), RULES)


@pytest.mark.parametrize("number", [0, 4, LENGTH - 1])
def test_an_entry_left_out_or_said_twice_is_refused(number: int) -> None:
    entries = WHOLE.entries
    for others in (
        entries[:number] + entries[number + 1 :],
        entries[: number + 1] + entries[number:],
    ):
        with pytest.raises(Refused):
            replay(replace(WHOLE, entries=others), RULES)


def test_options_that_were_not_agreed_to_are_refused() -> None:
    options = dict(WHOLE.options)

    refused(replace(WHOLE, options=options | {"rounds": "1"}), Invalid, "entry 1: the game is not")
    refused(replace(WHOLE, options=options | {"rounds": "9"}), Invalid, "option 'rounds' allows")
    refused(replace(WHOLE, options=options | {"speed": "9"}), Invalid, "has no option 'speed'")
    del options["deck"]
    refused(replace(WHOLE, options=options), Invalid, "options are missing: 'deck'")


def test_another_secret_or_nonce_is_invalid() -> None:
    fair = WHOLE.fairness
    secret = bytes([fair.secret[0] ^ 1]) + fair.secret[1:]
    nonces = (fair.nonces[0] + b"x", *fair.nonces[1:])
    promised = "the secret is not the one that was committed to"

    refused(replace(WHOLE, fairness=replace(fair, secret=secret)), Invalid, promised)
    refused(replace(WHOLE, fairness=replace(fair, commitment="00" * 32)), Invalid, promised)
    refused(replace(WHOLE, fairness=replace(fair, nonces=nonces)), Invalid, "chance dealt")
    refused(replace(WHOLE, fairness=Fairness.of(secret, fair.nonces)), Invalid, "chance dealt")


def test_another_ending_is_invalid() -> None:
    assert WHOLE.scores is not None
    better = (WHOLE.scores[0] + 1, *WHOLE.scores[1:])
    for ending in ({"scores": better}, {"scores": None}, {"scores": None, "aborted": True}):
        refused(replace(WHOLE, **ending), Invalid, "the record claims another ending")
    unfinished = replace(WHOLE, entries=WHOLE.entries[:-1])
    refused(unfinished, Invalid, "the record claims another ending")


def test_an_entry_after_the_end_is_refused() -> None:
    for who, what in (("host", "abort"), ("host", "resign gondor"), ("gondor", "ready")):
        entries = (*WHOLE.entries, Entry(who, what, WHOLE.entries[-1].digest))
        refused(replace(WHOLE, entries=entries), NotAsked, f"entry {LENGTH + 1}: ")


def test_a_record_of_another_game_edition_or_table_is_invalid() -> None:
    seats = ("mordor", "gondor")
    refused(replace(WHOLE, game="duel"), Invalid, "this is not a record of skirmish: 'duel'")
    refused(replace(WHOLE, edition=2), Invalid, "skirmish replays edition 1 only: 'edition 2'")
    refused(replace(WHOLE, seats=seats), Invalid, "these are not the seats of this game")


# Whatever the text, nothing else is raised.


@given(st.integers(0, len(TEXT) - 1), st.integers(0, 8), st.text(max_size=4))
def test_a_changed_text_is_refused_or_is_the_same_game(at: int, cut: int, other: str) -> None:
    text = TEXT[:at] + other + TEXT[at + cut :]
    if verifies(text):
        claimed = replace(parse_record(text), sitting=())

        assert claimed == WHOLE


@given(st.data())
def test_changed_lines_are_refused_or_are_the_same_game(data: st.DataObject) -> None:
    lines = LINES[:-1]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        others = data.draw(st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=2))
        lines[at : at + 1] = others
        if not lines:
            break
    text = "".join(f"{line}\n" for line in lines)
    if verifies(text):
        assert replace(parse_record(text), sitting=()) == WHOLE


@given(st.text(alphabet=st.characters() | st.sampled_from("\n :~"), max_size=300))
def test_any_text_is_a_record_or_invalid(text: str) -> None:
    assert not verifies(text)
    assert not verifies(f"{FIRST_LINE}\n{text}\n")
