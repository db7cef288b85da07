"""The suite finds what it looks for: each check fails on a game that is wrong in that way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from services.core.contract import Rules
from services.core.errors import Invalid
from services.core.reading import parse_record
from tests.conform.faults import MOMENT_FAULTS, RULES_FAULTS, WALK_FAULTS, Check, names
from tests.conform.rules import RULES_CHECKS
from tests.conform.secrets import some_guess_differs_from_the_truth
from tests.conform.suite import (
    DEAR_CHECKS,
    MOMENT_CHECKS,
    WALK_CHECKS,
    Broken,
    check_moments,
    check_walk,
)
from tests.conform.walks import Variant, Walk, variants
from tests.games.skirmish.rules import RULES

SEEDS = 8
DUEL = variants("skirmish")[0]


def walks(rules: Rules[Any], variant: Variant = DUEL) -> list[Walk]:
    return [Walk(variant, seed, rules) for seed in range(SEEDS)]


@pytest.mark.parametrize(("check", "rules"), RULES_FAULTS, ids=names(RULES_FAULTS))
def test_wrong_rules_are_found(check: Check, rules: Rules[Any]) -> None:
    check(RULES)

    with pytest.raises((AssertionError, Invalid, pytest.fail.Exception)):
        check(rules)


@pytest.mark.parametrize(("check", "rules"), WALK_FAULTS, ids=names(WALK_FAULTS))
def test_wrong_games_are_found(check: Check, rules: Rules[Any], tmp_path: Path) -> None:
    with pytest.raises(Broken, match=check.__name__.replace("_", " ")):
        _check_each(check_walk, check, walks(rules), tmp_path)


@pytest.mark.parametrize(("check", "rules"), MOMENT_FAULTS, ids=names(MOMENT_FAULTS))
def test_wrong_moments_are_found(check: Check, rules: Rules[Any], tmp_path: Path) -> None:
    with pytest.raises(Broken, match=check.__name__.replace("_", " ")):
        _check_each(check_moments, check, walks(rules), tmp_path)


def test_a_guess_of_the_truth_is_found() -> None:
    rules = next(r for c, r in MOMENT_FAULTS if type(r).__name__ == "SameGuess")

    with pytest.raises(AssertionError):
        some_guess_differs_from_the_truth(walks(rules))


def test_every_check_has_a_fault_that_it_finds() -> None:
    found = {check for check, _ in (*RULES_FAULTS, *WALK_FAULTS, *MOMENT_FAULTS)}

    assert set() == {*RULES_CHECKS, *WALK_CHECKS, *MOMENT_CHECKS, *DEAR_CHECKS} - found


def test_a_failure_says_where_and_keeps_the_game(tmp_path: Path) -> None:
    check, rules = MOMENT_FAULTS[-1]

    with pytest.raises(Broken) as caught:
        check_moments(check, Walk(DUEL, 5, rules), tmp_path)
    (kept,) = tmp_path.iterdir()

    assert "skirmish-duel seed 5, at decision 4" in str(caught.value)
    assert str(kept) in str(caught.value)
    assert parse_record(kept.read_text()).entries == Walk(DUEL, 5, rules).record().entries


def _check_each(make: Any, check: Check, played: list[Walk], folder: Path) -> None:
    for walk in played:
        make(check, walk, folder)
