"""Everything on the table, read in two parts: lands and piles; here copied."""

from __future__ import annotations

from typing import Self

from services.risk.board.lands import (
    BLOCK,
    CORSAIRS,
    REASONS,
    SAILS,
    STORMS,
    UNDERGROUND,
    UNWALLED,
    Lasting,
)
from services.risk.board.piles import Piles, Secret

__all__ = [
    "BLOCK",
    "CORSAIRS",
    "REASONS",
    "SAILS",
    "STORMS",
    "UNDERGROUND",
    "UNWALLED",
    "Board",
    "Lasting",
    "Secret",
]


class Board(Piles):
    """One position of one game."""

    __slots__ = ()

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.settings = self.settings
        new.owner = self.owner[:]
        new.army = self.army[:]
        new.held = self.held[:]
        new.led = self.led
        new.ring = self.ring
        new.reserve = self.reserve
        new.turn = self.turn
        new.number = self.number
        new.gone = self.gone
        new.conquered = self.conquered
        new.sited = self.sited
        new.extra_cards = self.extra_cards
        new.moves_left = self.moves_left
        new.boons = self.boons
        new.roll_more = self.roll_more
        new.locked = self.locked
        new.rested = self.rested
        new.stands = self.stands
        new.stands_seen = self.stands_seen
        new.orders = self.orders
        new.orders_maybe = self.orders_maybe
        new.lasting = self.lasting
        new.territory_cards = self.territory_cards
        new.territory_deck = self.territory_deck
        new.territory_discard = self.territory_discard
        new.territory_pools = self.territory_pools
        new.territory_seen = self.territory_seen
        new.secrets = self.secrets
        new.hands = self.hands
        new.deck = self.deck
        new.discard = self.discard
        new.played = self.played
        new.removed = self.removed
        new.pools = self.pools
        new.placing = self.placing
        new.reason = self.reason
        new.stormed = self.stormed
        new.blocked = self.blocked
        new.taxed = self.taxed
        return new
