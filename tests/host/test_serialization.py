"""What is kept as text comes back as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.host.clocks import Clock
from services.host.serialization import (
    Due,
    Handover,
    LogEntry,
    Player,
    Setup,
    handovers_of,
    handovers_text,
)

WORDS = st.text("abyz09_", min_size=1, max_size=12)
NUMBERS = st.integers(0, 2**53 - 1)
LABELS = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=40)
IDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)
PLAYERS = st.builds(Player, WORDS, LABELS, WORDS | st.just(""), st.binary(min_size=1, max_size=64))
CLOCKS = st.none() | st.builds(Clock, NUMBERS, NUMBERS, WORDS | st.just(""))
SETUPS = st.builds(
    Setup,
    edition=st.integers(1, 999_999),
    options=st.dictionaries(WORDS, WORDS),
    players=st.lists(PLAYERS, min_size=1).map(tuple),
    clock=CLOCKS,
    commitment=WORDS,
    created=NUMBERS,
)


@given(SETUPS)
def test_a_setup_comes_back(setup):
    """In one line, with all that follows from it."""
    text = setup.text()
    found = Setup.of(text)

    assert setup == found
    assert (setup.choice(), list(setup.options)) == (found.choice(), list(found.options))
    assert "\n" not in text


@given(st.builds(LogEntry, WORDS, WORDS, WORDS, NUMBERS, IDS | st.just("")))
def test_a_line_comes_back(line):
    """Whatever a request may be called."""
    assert line == LogEntry.of(line.text())
    assert len(line.text().splitlines()) == 1 or line.request


@given(
    st.builds(
        Due,
        WORDS,
        WORDS,
        WORDS | st.just(""),
        NUMBERS,
        WORDS | st.just(""),
        NUMBERS,
        payer=WORDS | st.just(""),
    )
)
def test_what_is_due_comes_back(due):
    """Its member begins with the kind and ends with since when, as a census wants it."""
    member = due.member()

    assert due == Due.of(member)
    assert (due.kind, str(due.since)) == (member.split("|")[0], member.split("|")[-1])
    assert " " not in member


@given(st.lists(st.builds(Handover, NUMBERS, WORDS, WORDS, NUMBERS)).map(tuple))
def test_handovers_come_back(handovers):
    """All of them in one text, which is empty if there are none."""
    assert handovers == handovers_of(handovers_text(handovers))


def test_a_choice_is_the_same_for_the_same_and_not_for_anything_else():
    """When it was made does not matter; what was chosen does."""
    player = Player("good", "Rosie", "", b"n")
    setup = Setup(1, {"a": "b"}, (player,), Clock(1, 2), "c0", 5)
    others = [
        Setup(1, {"a": "c"}, (player,), Clock(1, 2), "c0", 5),
        Setup(1, {"a": "b"}, (player._replace(label="Sam"),), Clock(1, 2), "c0", 5),
        Setup(1, {"a": "b"}, (player._replace(nonce=b"m"),), Clock(1, 2), "c0", 5),
        Setup(1, {"a": "b"}, (player._replace(level="greedy"),), Clock(1, 2), "c0", 5),
        Setup(1, {"a": "b"}, (player,), Clock(1, 3), "c0", 5),
        Setup(1, {"a": "b"}, (player,), None, "c0", 5),
    ]

    assert setup.choice() == Setup(1, {"a": "b"}, (player,), Clock(1, 2), "c0", 9).choice()
    assert 7 == len({setup.choice(), *(other.choice() for other in others)})


def test_a_request_belongs_to_the_seat_that_made_it():
    """So two seats may choose the same id."""
    lines = [
        LogEntry("good", "move", "d", 0, "x"),
        LogEntry("host", "resign good", "d", 0, "x"),
        LogEntry("host", "abort", "d", 0, "x"),
    ]

    assert ["good", "good", ""] == [line.asker() for line in lines]
