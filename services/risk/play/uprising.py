"""A Local Uprising (RULES 9.5): it begins once its seat holds the territory of its secret card."""

from __future__ import annotations

from services.core.frames import Game
from services.risk.board import Board
from services.risk.play.resolving import gain_battalions
from services.risk.tables import TERRITORIES

G = Game[Board]

RISEN = 4
"""Battalions that rise."""


def rise(g: G, seat: int, card: int) -> None:
    """The territory of this card rises for a seat."""
    facts = {"seat": g.board.name(seat), "territory": TERRITORIES[card]}
    g.emit("uprising_begun", facts, None)
    gain_battalions(g, card, RISEN)


def show_secrets(g: G, seat: int) -> None:
    """A seat has gained a territory: its uprising begins if that was its secret."""
    b = g.board
    for secret in b.secrets:
        if secret.seat == seat and not secret.laid and b.held[seat] >> secret.card & 1:
            b.show_secret(seat, secret.card)
            rise(g, seat, secret.card)
    b.deny_secrets(seat)
