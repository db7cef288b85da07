"""Everything on the table, read in two parts: lands and piles; here copied."""

from __future__ import annotations

from typing import Self

from services.risk.board.lands import BLOCK, CORSAIRS, REASONS, SAILS, STORMS, UNDERGROUND, UNWALLED
from services.risk.board.piles import Piles

__all__ = [
    "BLOCK",
    "CORSAIRS",
    "REASONS",
    "SAILS",
    "STORMS",
    "UNDERGROUND",
    "UNWALLED",
    "Board",
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
        new.extra_deeds = self.extra_deeds
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
        new.deeds = self.deeds
        new.deeds_deck = self.deeds_deck
        new.deeds_discard = self.deeds_discard
        new.deeds_pools = self.deeds_pools
        new.deeds_seen = self.deeds_seen
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
