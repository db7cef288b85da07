"""What a gist must do: tell positions apart wherever their dumps do, and survive being saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.core.contract import Rules
from tests.conform.walks import chosen, fate

STEPS = 600


def tells_apart(rules: Rules[Any], presets: Iterable[str]) -> None:
    """Walk through a game of each preset; a gist and a dump belong to each other alone."""
    for preset in presets:
        dumps: dict[bytes, bytes] = {}
        g = rules.setup(rules.agree(rules.presets[preset]))
        pick = fate(f"gist {preset}").pick
        for _ in range(STEPS):
            assert rules.dump(g) == dumps.setdefault(rules.gist(g), rules.dump(g))
            assert rules.gist(rules.load(rules.dump(g))) == rules.gist(g)
            rules.apply(g, *chosen(rules, g, pick, pick))

        assert len(dumps) == len(set(dumps.values()))
