"""Random games under random options, and nearly right texts, until the time is up.

`BREE_FUZZ_SECONDS` says how long each of these tests runs. The seeds are fresh; what fails prints
the one it began with, and `BREE_FUZZ_SEED` runs that one again.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services import GAMES, rules_of
from services.core.contract import Option, Rules
from services.core.decisions import Pick
from services.core.errors import Invalid
from tests.conform import garbage
from tests.conform.suite import (
    DEAR_CHECKS,
    MOMENT_CHECKS,
    check_all,
    check_moments,
    check_walk,
)
from tests.conform.walks import Variant, Walk, fate

SECONDS = float(os.environ.get("BREE_FUZZ_SECONDS", "60"))
SEED = os.environ.get("BREE_FUZZ_SEED") or secrets.token_hex(8)
EVERY = 9  # moments from one dear check to the next
WIDEST = 40  # numbers are mostly taken from the low end of a wide span

ENDLESS = [game for game in GAMES if rules_of(game).bound(rules_of(game).agree({})) is None]
"""Games that other tests cut after some hundred decisions."""
WHOLE = 20_000
"""Decisions after which a random game has lost its way."""

pytestmark = pytest.mark.fuzz
each_game = pytest.mark.parametrize("game", GAMES)


def walks(game: str, what: str, most: int | None = None) -> Iterator[Walk]:
    """Random games of random variants, until the time is up."""
    rules = rules_of(game)
    stop = time.monotonic() + SECONDS
    number = 0
    while time.monotonic() < stop:
        label = f"{SEED} {what} {number}"
        print(f"BREE_FUZZ_SEED={SEED}: {game}, {what}, game {number}")  # noqa: T201
        yield Walk(variant(rules, fate(label).pick), label, most=most)
        number += 1
    assert number, "the time was up before the first game"


def variant(rules: Rules[Any], pick: Pick) -> Variant:
    """Options that go together, several of them changed from a preset."""
    presets = [{}, *rules.presets.values()]
    while True:
        choice = dict(presets[pick(len(presets))])
        choice |= {option.name: value(option, pick) for option in rules.options if pick(3) == 0}
        try:
            options = tuple(rules.agree(choice).items())
        except Invalid:
            continue
        return Variant(rules, rules.name, "fuzz", options, is_preset=False)


def value(option: Option, pick: Pick) -> str:
    """Any value that an option allows."""
    low, high = option.span or (0, -1)
    numbers = [str(low + pick(min(high - low + 1, WIDEST))), str(high)] if option.span else []
    values = [*option.values, *numbers]
    return values[pick(len(values))]


@each_game
def test_games_hold_to_every_check(game: str, tmp_path: Path) -> None:
    for walk in walks(game, "games"):
        check_all(walk, tmp_path, EVERY)


@pytest.mark.parametrize("game", ENDLESS)
def test_endless_games_are_walked_to_their_end(game: str, tmp_path: Path) -> None:
    """Every decision of a whole game is looked at, by the dear checks too."""
    for walk in walks(game, "whole", WHOLE):
        assert walk.failure is None, walk.failure
        assert walk.table.is_over, f"{walk} goes on after {WHOLE} decisions"
        for check in (*MOMENT_CHECKS, *DEAR_CHECKS):
            check_moments(check, walk, tmp_path, walk.moments)


@each_game
def test_texts_are_refused_or_mean_what_they_say(game: str, tmp_path: Path) -> None:
    for walk in walks(game, "texts"):
        check_walk(garbage.changed_texts_are_refused_or_mean_what_they_say, walk, tmp_path)


@each_game
def test_positions_are_refused_or_are_positions(game: str, tmp_path: Path) -> None:
    for walk in walks(game, "positions"):
        check_walk(garbage.changed_positions_are_refused_or_are_positions, walk, tmp_path)


@each_game
def test_records_are_refused_or_are_the_same_game(game: str, tmp_path: Path) -> None:
    for walk in walks(game, "records"):
        check_walk(garbage.changed_records_are_refused_or_are_the_same_game, walk, tmp_path)
