"""The board of The Confrontation as a message has no field that is never there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from services.core.fair import Fate
from services.core.frames import Game
from services.core.table import Table
from tests.games import rules_of
from tests.host.boards import fields_of, newly_used

RULES = rules_of("confrontation")
CHOSEN: tuple[dict[str, str], ...] = (
    {},
    {"preset": "classic_2002", "special_cards": "set_2002", "inference": "on"},
    {"preset": "deluxe_draft", "announce_draft": "off", "match": "two_games_swap_sides"},
    {"preset": "deluxe_variant", "special_cards": "set_deluxe", "special_count": "4"},
    {"draw_ply_cap": "12", "inference": "on"},
)


def positions(chosen: dict[str, str], seed: int) -> Iterator[Game[Any]]:
    """Positions on the way through a match played at random."""
    chance = random.Random(seed)
    table = Table(RULES, RULES.agree(chosen), Fate(chance.randbytes(32)))
    yield table.game.copy()
    while not table.is_over:
        seat = chance.choice(table.waiting())
        table.act(seat, chance.choice(table.ask(seat).actions))
        yield table.game.copy()


def test_every_field_is_used_in_some_position() -> None:
    """A field that is never there would be a promise that nobody keeps."""
    missing = fields_of("confrontation")
    for seed in range(20):
        for chosen in CHOSEN:
            for game in list(positions(chosen, seed))[:: 9 if "inference" in chosen else 2]:
                for seat in (0, 1):
                    missing -= newly_used("confrontation", RULES.view(game, seat), missing)
            if not missing:
                return

    assert set() == missing
