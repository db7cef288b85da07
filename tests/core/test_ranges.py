"""Runs of choices that differ in a last number alone."""

from __future__ import annotations

import pytest

from services.core.ranges import Range, ranges


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], []),
        (["pass", "all"], []),
        (["move 1", "move 2", "move 3"], [Range("move", 1, 3)]),
        (["all", "move 2", "move 3", "stay"], [Range("move", 2, 3)]),
        (
            ["place moria 1", "place moria 2", "place lorien 1", "place lorien 2"],
            [Range("place moria", 1, 2), Range("place lorien", 1, 2)],
        ),
        (["move 1"], []),  # one number is no range
        (["move 1", "move 3"], []),  # and what has a gap is two
        (["move 2", "move 1"], []),
        (["move 9", "move 10", "move 11"], [Range("move", 9, 11)]),
        (["7", "8"], []),  # a number alone is no answer of a verb
        (["level3", "level4"], []),  # nor is a digit at the end of a name
    ],
)
def test_runs_of_numbers_are_ranges(texts, expected):
    assert expected == ranges(texts)
