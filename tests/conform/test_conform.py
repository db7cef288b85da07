"""Every game holds to every check: under each preset, and with each option changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.core.contract import Rules
from tests.conform.rules import RULES_CHECKS
from tests.conform.secrets import some_guess_differs_from_the_truth
from tests.conform.suite import (
    DEAR_CHECKS,
    MOMENT_CHECKS,
    WALK_CHECKS,
    MomentCheck,
    WalkCheck,
    check_all,
    check_moments,
    check_walk,
    density,
    sampled,
)
from tests.conform.walks import Variant, variants, walk
from tests.games import GAMES, rules_of

VARIANTS = [variant for game in GAMES for variant in variants(game)]
PRESETS = [variant for variant in VARIANTS if variant.is_preset]
CHANGED = [variant for variant in VARIANTS if not variant.is_preset]

each_preset = pytest.mark.parametrize("variant", PRESETS, ids=str)


def each(checks: tuple[Any, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("check", checks, ids=lambda check: check.__name__)


@each(RULES_CHECKS)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules(game: str, check: Callable[[Rules[Any]], None]) -> None:
    check(rules_of(game))


@each(WALK_CHECKS)
@each_preset
def test_a_game(variant: Variant, check: WalkCheck, tmp_path: Path) -> None:
    for seed in range(density(variant).seeds):
        check_walk(check, walk(variant, seed), tmp_path)


@each(MOMENT_CHECKS)
@each_preset
def test_every_moment(variant: Variant, check: MomentCheck, tmp_path: Path) -> None:
    for seed in range(density(variant).seeds):
        game = walk(variant, seed)
        check_moments(check, game, tmp_path, sampled(game, density(variant).cheap))


@each(DEAR_CHECKS)
@each_preset
def test_many_moments(variant: Variant, check: MomentCheck, tmp_path: Path) -> None:
    seeds, dense, every, _ = density(variant)
    for seed in range(seeds):
        game = walk(variant, seed)
        moments = game.moments if seed < dense else sampled(game, every)
        check_moments(check, game, tmp_path, moments)


@pytest.mark.parametrize("variant", CHANGED, ids=str)
def test_an_option(variant: Variant, tmp_path: Path) -> None:
    how = density(variant)
    for seed in range(how.seeds):
        check_all(walk(variant, seed), tmp_path, how.every, how.cheap)


@pytest.mark.parametrize("game", GAMES)
def test_secrets_are_redrawn(game: str) -> None:
    some_guess_differs_from_the_truth([walk(variants(game)[0], seed) for seed in range(2)])
