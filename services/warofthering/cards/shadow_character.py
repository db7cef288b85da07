"""The event halves of the Shadow's Character deck, in the order of their numbers."""

from __future__ import annotations

from services.warofthering.board import Board
from services.warofthering.cards.conditions import (
    away_from_free_settlements,
    in_play,
    progressed,
    revealed,
)
from services.warofthering.cards.event import event
from services.warofthering.cards.verbs import corrupt, fly, hunt_tile, reveal, when
from services.warofthering.play.hunt import NO_EYE, NO_FELLOWSHIP_TILE, NO_REDUCTION
from services.warofthering.tables import NAZGUL, SARUMAN, WITCH_KING

_SPARED = NO_EYE | NO_FELLOWSHIP_TILE

event("orc_patrol", hunt_tile(_SPARED), needs=away_from_free_settlements)

event("isildurs_bane", hunt_tile(_SPARED | NO_REDUCTION), needs=away_from_free_settlements)


def nazgul_at_fellowship(b: Board, seat: int) -> bool:
    """Whether a Nazgûl, the Witch-king among them, is in the region of the Fellowship."""
    if b.in_mordor:
        return False
    areas = b.army_areas(b.region)
    return any(b.count(area, who) for area in areas for who in (NAZGUL, WITCH_KING))


event("nazgul_search", fly(), when(nazgul_at_fellowship, reveal()), needs=progressed)

event("morgul_wound", corrupt(lambda b: 2 if b.corruption <= 3 else 1), needs=revealed)

# Kept on the table; that Saruman falls, or Rohan is roused, ends it: `kept.GONE`.
event("wormtongue", needs=in_play(SARUMAN))
