"""Sentences that are fit for people, and those that are not."""

from __future__ import annotations

import pytest

from tests.conform.words import faults

NAMES = ("Minas Tirith", "Free Peoples", "Boromir")


@pytest.mark.parametrize(
    "sentence",
    [
        "The Free Peoples win.",
        "3 Hunt damage is open: how do you meet it?",
        "Throw an Event die away.",
        "1 battalion is left.",
        "2 battalions are left, and 1 hit.",
        "A unit, a one-sided union, an hour and an 8.",
        "The army in Minas Tirith takes 0 hits.",
        "Draw a 3 with Reveal (2 left).",
        "Player 1 draws a card.",
    ],
)
def test_what_is_fit(sentence: str) -> None:
    assert [] == faults(sentence, NAMES)


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Free_peoples wins.", "has an id in it"),
        ("The army in minas tirith moves.", "names minas tirith in small letters"),
        ("Kill boromir.", "names boromir in small letters"),
        ("Throw a Event die away.", "has a wrong article"),
        ("Throw an Muster die away.", "has a wrong article"),
        ("Draw a an Eye.", "has two articles"),
        ("1 battalion are left.", "has the plural of one"),
        ("It takes 1 hits.", "has the plural of one"),
        ("You have 1 Gondor Regulars.", "has the plural of one"),
        ("It takes 2 hit.", "has one of many"),
        ("Roll 5 die.", "has one of many"),
        ("3 Gondor Elite are lost.", "has one of many"),
        ("the game begins.", "begins without a capital"),
        ("The game begins", "does not end"),
        ("It is over..", "is badly stopped"),
        ("It is  over.", "is badly spaced"),
        ("It is {over}.", "has a value of the code in it"),
    ],
)
def test_what_is_not(sentence: str, fault: str) -> None:
    assert fault in [*faults(sentence), *faults(sentence, NAMES)]
