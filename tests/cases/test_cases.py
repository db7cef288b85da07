"""Every rule case of every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.cases import Case, cases_in, run

FOLDERS = sorted(path for path in Path(__file__).parent.iterdir() if any(path.glob("*.txt")))
CASES = [case for folder in FOLDERS for case in cases_in(folder)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    run(case)


def test_titles_are_told_apart() -> None:
    """A title is the name of a test: two that are the same could not be run alone."""
    names = [f"{case.game} {case}" for case in CASES]

    assert [] == sorted({name for name in names if names.count(name) > 1})
