"""The board of Duel as a message has no field that is never there."""

from __future__ import annotations

from services.duel import RULES
from tests.games.duel.test_play import played
from tests.host.boards import fields_of, newly_used


def test_every_field_is_used_in_some_position() -> None:
    """A field that is never there would be a promise that nobody keeps."""
    missing = fields_of("duel")
    for seed in range(40):
        for number, (game, _) in enumerate(played(seed, {})):
            if number % 3 == 0 or not RULES.waiting(game):
                missing -= newly_used("duel", RULES.view(game, seed % 2), missing)
        if not missing:
            return

    assert set() == missing
