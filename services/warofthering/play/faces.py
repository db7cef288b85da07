"""What the face of an Action die counts as (RULES 5, 6, 16.1), for every chapter that asks."""

from __future__ import annotations

from collections.abc import Mapping

from services.warofthering.board import Board
from services.warofthering.tables import (
    ARMY,
    CHARACTER,
    EVENT,
    FACE,
    ICON,
    MOUTH_OF_SAURON,
    MUSTER,
    MUSTER_ARMY,
    SHADOW,
    WILL,
)

_USES: Mapping[int, tuple[int, ...]] = {
    CHARACTER: (CHARACTER,),
    ARMY: (ARMY,),
    MUSTER: (MUSTER,),
    MUSTER_ARMY: (MUSTER, ARMY),
    EVENT: (EVENT,),
    WILL: (CHARACTER, ARMY, MUSTER, EVENT, WILL),
}
_USE_OF_CARD = tuple(FACE[icon] for icon in ICON)


def uses(b: Board, side: int, face: int) -> tuple[int, ...]:
    """What a die may be used as; the Messenger makes an Army of a Muster once a turn."""
    ready = face == MUSTER and side == SHADOW and not b.used_messenger
    if ready and b.is_on_map(MOUTH_OF_SAURON):
        return (MUSTER, ARMY)
    return _USES[face]


def plays(allowed: tuple[int, ...], card: int) -> bool:
    """Whether one of these uses plays a card: an Event any, others those of their icon (16.1)."""
    return EVENT in allowed or _USE_OF_CARD[card] in allowed


def is_by_messenger(face: int, use: int) -> bool:
    """Whether a die that shows this can be used so by the Messenger alone."""
    return use not in _USES[face]


def is_played_by_messenger(face: int, card: int) -> bool:
    """Whether a die that shows this can play a card by the Messenger alone."""
    return not plays(_USES[face], card)
