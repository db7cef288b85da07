"""How effects are resolved (RULES 6, 15): one after the other, and each with all that it causes.

Design. `RESOLVE` says what each kind of effect does; `cards/effects.py` fills it, so that a card
may cause anything without the chapters knowing each other. A resolver changes the board, and puts
at most one frame on the stack if somebody must decide. Depth comes first: what an effect causes
stands above the rest of its parent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.duel.board import Board
from services.duel.tables import (
    CARD_EFFECTS,
    CARDS,
    SIDES,
    TILE_EFFECTS,
    TILES,
    TOKEN_EFFECTS,
    Effect,
)

G = Game[Board]

RESOLVE: dict[str, Callable[[G, Effect], None]] = {}

SOURCES = (*CARD_EFFECTS, *TILE_EFFECTS, *TOKEN_EFFECTS)
"""What is printed on every card, tile and token, in one list."""


def card_source(card: int) -> int:
    """Where a card stands in `SOURCES`."""
    return card


def tile_source(tile: int) -> int:
    """Where a tile stands in `SOURCES`."""
    return len(CARDS) + tile


def token_source(token: int) -> int:
    """Where a token stands in `SOURCES`."""
    return len(CARDS) + len(TILES) + token


def resolve(g: G, source: int) -> None:
    """Resolve what is printed there, before anything else goes on."""
    effects = SOURCES[source]
    if len(effects) == 1:
        RESOLVE[effects[0].kind](g, effects[0])
    elif effects:
        g.call(Effects(source=source))


def refuse(g: G, kind: str) -> None:
    """The side on turn does without an effect that it may refuse (ruling R-57)."""
    g.emit("effect_refused", {"side": SIDES[g.board.turn], "effect": kind}, None)


@dataclass(slots=True)
class Effects(Procedure):
    """Several effects, in printed order (ruling R-18)."""

    source: int = 0
    resolved: int = 0

    script: ClassVar[tuple[str, ...]] = ("resolve_next",)

    def resolve_next(self, g: G) -> None:
        effects = SOURCES[self.source]
        while self.resolved < len(effects):
            effect = effects[self.resolved]
            self.resolved += 1
            RESOLVE[effect.kind](g, effect)
            if not g.stack or g.stack[-1] is not self:
                self.at = 0  # and come back for the rest
                return
