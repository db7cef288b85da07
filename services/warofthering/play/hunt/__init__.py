"""The Hunt for the Ring (RULES 14): the roll, the tile it draws, and what that costs."""

from __future__ import annotations

from services.warofthering.play.hunt.draws import (
    DrawTile,
    RandomCompanion,
    RandomDiscard,
)
from services.warofthering.play.hunt.roll import (
    Hunt,
    rerolls,
)
from services.warofthering.play.hunt.routes import (
    reveal_regions,
    shadow_strongholds,
    shortest_route,
)
from services.warofthering.play.hunt.tile import (
    FOLLOW_UP,
    FORCED_CASUALTY,
    NO_EYE,
    NO_FELLOWSHIP_TILE,
    NO_REDUCTION,
    NO_REVEAL,
    ON_TRACK,
    Reveal,
    Tile,
)
from services.warofthering.play.hunt.toll import (
    Aftermath,
    character_cards_on_table,
    corrupt,
    hunter,
    reducers,
    step_on_track,
)
from services.warofthering.play.hunt.warding import WardedDraw

__all__ = [
    "FOLLOW_UP",
    "FORCED_CASUALTY",
    "NO_EYE",
    "NO_FELLOWSHIP_TILE",
    "NO_REDUCTION",
    "NO_REVEAL",
    "ON_TRACK",
    "Aftermath",
    "DrawTile",
    "Hunt",
    "RandomCompanion",
    "RandomDiscard",
    "Reveal",
    "Tile",
    "WardedDraw",
    "character_cards_on_table",
    "corrupt",
    "hunter",
    "reducers",
    "rerolls",
    "reveal_regions",
    "shadow_strongholds",
    "shortest_route",
    "step_on_track",
]
