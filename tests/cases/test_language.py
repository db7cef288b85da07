"""The language of rule cases: what does not hold, or cannot be read, is said with its line."""

from __future__ import annotations

import pytest

from tests.cases.cases import CaseError, parsed, run

GIVEN = "given gondor: charge, horn\ngiven mordor: shield, shield\n"


def play(text: str) -> None:
    for case in parsed(text, "skirmish", "a.txt"):
        run(case)


def test_cases_are_split_by_their_titles() -> None:
    cases = list(parsed("# why\ncase one\nmay gondor: ready\n\ncase two # x\nover a 1\n", "g", "f"))

    assert ["f: one", "f: two"] == [str(case) for case in cases]
    assert [3, 6] == [case.lines[0].number for case in cases]


def test_decisions_keep_their_order_among_the_claims() -> None:
    play(f"case c\n{GIVEN}can gondor: pick horn\ngondor: pick  horn\nmay gondor: ready\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("may gondor: ready", r"line 4: may gondor: ready\noffered: ready, pick charge, pick horn"),
        ("may gondor: ready, ready, pick charge, pick horn", "line 4"),
        ("can gondor: pick shield", "line 4: can .*\npick shield; offered: ready, pick charge"),
        ("cannot gondor: ready", "line 4: cannot .*\nready; offered"),
        ("cannot gondor: pik shield", "line 4: cannot .*\nunknown verb 'pik'"),
        ("cannot rohan: ready", "line 4: cannot .*\nthere is no such seat: 'rohan'"),
        ("may gondor ready", "'may' names a seat, then a colon"),
        ("gondor: pick shield\nmay gondor: ready", "line 4: .*\nline 4: .* is refused: gondor may"),
        ("then gondor has 9 figures", r"line 4: then .*\nfigures are \[3, 3\]"),
        ("then gondor shines", "no fact of the skirmish"),
        ("over gondor 3, mordor 3", "line 4: over .*\ngondor, mordor must still decide"),
        ("host: resign gondor\nover gondor 3, mordor 3", "'gondor': '0', 'mordor': '3'"),
        ("gondor: ready\ncan gondor: pick horn", "line 5: .*\ngondor is not asked anything"),
    ],
)
def test_what_does_not_hold_fails_with_its_line(lines: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        play(f"case c\n{GIVEN}{lines}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("may gondor: ready\n", "line 1: .* stands before the first case"),
        ("case\nmay gondor: ready\n", "line 1: 'case' stands before the first case"),
        ("case c\nmight gondor: ready\n", "line 2: .* is neither a decision nor given, may"),
        ("case c\ngondor:\n", "line 2: 'gondor:' is neither"),
        ("case c\ngondor: ready\n", "case 'c' claims nothing"),
        ("case c\nmay gondor: ready\ngiven 1 rounds are left\n", "'given' comes too late"),
    ],
)
def test_what_cannot_be_read_fails_with_its_line(text: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        list(parsed(text, "skirmish", "a.txt"))


def test_a_position_that_cannot_be_fails_with_its_line() -> None:
    with pytest.raises(CaseError, match=r"a\.txt line 2: no such position: ValueError"):
        play("case c\ngiven gondor: spear\nmay gondor: ready\n")


def test_options_are_the_position_builders() -> None:
    play("case c\ngiven option seats 3\nmay rohan: ready\n")
