"""The board of Risk as a message has no field that is never there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from services.core.decisions import CHANCE
from services.core.frames import Game
from tests.games import rules_of
from tests.games.risk.positions import given
from tests.host.boards import fields_of, newly_used

RULES = rules_of("risk")
RARE = {
    *("Territory.rested", "Piles.face_down"),
    *(
        f"Invasion.{word}"
        for word in ("corsairs_paid", "below_mountains", "black_sails", "no_walls")
    ),
}
"""What random games seldom come to; they are written and read like the fields beside them."""


def positions(preset: str, seed: int) -> Iterator[Game[Any]]:
    """Positions on the way through a match played at random."""
    chance = random.Random(f"{preset} {seed}")
    game = RULES.setup(RULES.agree(RULES.presets[preset]))
    while waiting := RULES.waiting(game):
        yield game
        actions = RULES.ask(game, waiting[0]).actions if waiting[0] != CHANCE else ()
        action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
        RULES.apply(game, waiting[0], action)
    yield game


MADE = (
    (
        "at cards; conquered; extra 1; yellow: moria 4; red: nurn 1; rest red 1",
        "yellow secret harad",
    ),
    (
        "effect storms moria red; effect bridge bridge_01 red; effect corsairs red",
        "yellow: moria 4; red: nurn 1; rest red 1; spent wild_1; discard power_ambush",
    ),
    (
        "players 3; at fortify; yellow: moria 4 leader, eregion 1; red: nurn 1; black: harad 1",
        "rest red 1; black played power_gollum; yellow holds power_ambush",
    ),
    (
        "at start; yellow: moria 4 leader, harad 4; red: nurn 1; rest red 1",
        "yellow holds power_borne_to_another_place",
    ),
)
"""Positions with what games seldom come to."""


def test_every_field_is_used_in_some_position() -> None:
    """A field that is never there would be a promise that nobody keeps."""
    played = [game.copy() for game in positions("three_quick", 0)]
    games = [*played[::12], played[-1]]
    games += [given(RULES, lines) for lines in MADE]
    gone = games[-2].copy()
    RULES.forfeit(gone, 2)
    gone.board.locked = 1
    march = gone.copy()
    RULES.apply(march, 0, RULES.parse("lead moria eregion"))
    missing = fields_of("risk") - RARE
    for game in [*games, gone, march]:
        missing -= newly_used("risk", RULES.view(game, 0), missing)

    assert set() == missing
