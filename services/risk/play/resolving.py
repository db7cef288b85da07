"""How cards take effect (RULES 9.2): through tables that `cards/` fills.

Design. What a card does is said in `cards/`, which knows the chapters of the rules; the chapters
know only that a card was played, and ask the tables. A card changes the board at once, or puts a
question on the stack.
"""

from __future__ import annotations

from collections.abc import Callable

from services.core.decisions import Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import STEM, TERRITORIES

G = Game[Board]

POWER_EFFECTS: dict[str, Callable[[G, Seat, int, int], None]] = {}
"""By the name of a power card: what it does for its player, with the source and the target of the
invasion that it was played in, where there is one."""

EVENT_EFFECTS: dict[str, Callable[[G, Seat], None]] = {}
"""By the name of an event: what it does, with the seat that drew it."""


def resolve(g: G, seat: Seat, card: int, source: int = 0, target: int = 0) -> None:
    """Carry out a power card that was played; it may put a question."""
    POWER_EFFECTS[STEM[card]](g, seat, source, target)


def resolve_event(g: G, seat: Seat, card: int) -> None:
    """Carry out an event that a seat has drawn; it may put a question."""
    EVENT_EFFECTS[STEM[card]](g, seat)


def gain_battalions(g: G, land: int, battalions: int) -> None:
    """A card brings battalions from the supply to a territory."""
    g.board.add(land, battalions)
    g.emit("battalions_gained", {"territory": TERRITORIES[land], "battalions": battalions}, None)
