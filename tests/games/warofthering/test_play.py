"""Random play: what must hold after every decision, for every number of players."""

from __future__ import annotations

import pytest

from services.core.decisions import CHANCE
from services.warofthering import RULES
from tests.conform.walks import chosen, fate

DECISIONS = 700


@pytest.mark.parametrize("preset", list(RULES.presets))
def test_every_position_of_random_play_passes_the_audit(preset: str) -> None:
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"play {preset}").pick
    for _ in range(DECISIONS):
        if not RULES.waiting(g):
            break
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        RULES.audit(g)
        assert seat == CHANCE or RULES.spell(action)
