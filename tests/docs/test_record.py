"""docs/record.md shows a real record, and says of its form what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services import rules_of
from services.core.errors import Invalid, Refused
from services.core.reading import parse_record
from services.core.record import LARGEST, record_of
from services.core.replaying import replay
from services.core.table import Table

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
SHOWN = re.search(r"```\n(bree record 2\n.*?)```", PAGE, re.DOTALL)[1]
RULES = rules_of("confrontation")
HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


def entered(record):
    """The record that the decisions of another lead to."""
    table = Table(RULES, RULES.agree(record.options), record.fairness.fate())
    for entry in record.entries:
        table.enter(entry.who, entry.what)
    return record_of(table, record.fairness, record.players)


EXAMPLE = entered(parse_record(SHOWN)).text()
"""What is shown, with the digests that the game has today."""


def test_the_example_is_what_its_decisions_lead_to():
    """Header, decisions and ending are what the game writes; digests are only of their form."""
    form = re.compile(r"(~|^head )[0-9a-f]+$", re.MULTILINE)

    assert form.sub("~", EXAMPLE) == form.sub("~", SHOWN)


def test_the_example_verifies():
    """Every draw, decision, digest and score of the example holds."""
    table = replay(parse_record(EXAMPLE), RULES)

    assert table.is_over


def test_the_largest_record_is_as_the_page_says():
    """The page names the limit that the code has."""
    assert f"at most {LARGEST:,} characters" in PAGE


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        (EXAMPLE, EXAMPLE[:-1]),
        (EXAMPLE, EXAMPLE + "\n"),
        (EXAMPLE, EXAMPLE.partition("\n\n")[0] + "\n"),
        ("bree record 2", "bree record 3"),
        ("edition 1", "edition 01"),
        ("game confrontation", "game  confrontation"),
        ("game confrontation", "game Confrontation"),
        ("option match single_game\n", "option match single_game\n" * 2),
        ("option match single_game", "option match Single"),
        ("seat good 66726f646f ", "seat good 66726f646 "),
        ("seat good 66726f646f ", "seat good  "),
        ("seat good 66726f646f ", f"seat good {'00' * 65} "),
        ("seat good 66726f646f ", "seat good 66726f646f 00"),
        ("seat dark 736175726f6e ", "seat good 736175726f6e "),
        (" Rosie\n", " Rosie \n"),
        (" Rosie\n", " Lily\n"),
        (" Rosie\n", "\n"),
        ("player dark ", "player good "),
        (f"secret {HEX}", f"secret {HEX[2:]}"),
        (f"secret {HEX}", f"secret {HEX.upper()}"),
        ("host: resign good ~", "host: resign good "),
        ("host: resign good ~", "host: resign good  # a comment ~"),
        ("finished 12 ", "finished 13 "),
        ("finished 12 good -1 dark 1", "finished 12 dark 1 good -1"),
        ("finished 12 good -1 dark 1", "finished 12 good -01 dark 1"),
        ("finished 12 good -1 dark 1", "finished 12"),
        ("finished 12 good -1 dark 1", "open 12 good -1 dark 1"),
    ],
)
def test_what_the_page_rules_out_is_refused(was, becomes):
    """A file that strays from the form in one place is refused when it is read."""
    assert EXAMPLE.count(was) == 1

    with pytest.raises(Invalid):
        parse_record(EXAMPLE.replace(was, becomes))


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("edition 1", "edition 999999"),
        ("option match single_game\n", ""),
        ("option match single_game", "option match endless"),
        ("seat good 66726f646f ", "seat good 66726f646e "),
        (f"secret {HEX}", f"secret {'00' * 32}"),
        ("good: leave arthedain", "good: leave mordor"),
        ("dark: move witch_king gondor", "dark: move witch_king dagorlad"),
        ("host: resign good", "host: resign dark"),
        ("finished 12 good -1 dark 1", "finished 12 good 1 dark -1"),
        ("finished 12 good -1 dark 1", "aborted 12"),
        ("finished 12 good -1 dark 1", "open 12"),
    ],
)
def test_a_record_that_is_not_true_does_not_verify(was, becomes):
    """A file of the right form that says what did not happen is refused when it is replayed."""
    assert EXAMPLE.count(was) >= 1

    with pytest.raises(Refused):
        replay(parse_record(EXAMPLE.replace(was, becomes, 1)), RULES)


@pytest.mark.parametrize("ending", ["open 0", "aborted 0", "finished 0 good 0 dark 0"])
def test_a_record_without_entries_has_two_empty_lines(ending):
    """What the page says of a record with no entries is how one is read and written."""
    header = EXAMPLE.partition("\n\n")[0]
    text = f"{header}\n\n\n{ending}\nhead {'0' * 64}\n"

    assert text == parse_record(text).text()
