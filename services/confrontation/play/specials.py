"""When special cards come in (RULES 11): with a move or instead of it, and between other things.

Design. What each card offers and does is in `cards/special.py`, which fills the tables below. The
turn and the battle know only when cards may be played, not which there are.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from services.confrontation.board import FREE, Board
from services.confrontation.tables import NOWHERE, SPECIAL, SPECIALS
from services.core.decisions import Action
from services.core.frames import Frame, Game

G = Game[Board]
Offer = Callable[[Board], list[Action]]
"""Every way to play one card now; none, if it may not be."""


class Moment(Enum):
    """When a card may be played other than at the choice of a move."""

    BETWEEN_PARTS = "between the parts of a turn"
    BEFORE_TEXTS = "in a battle, before the texts"


BESIDE_MOVE: tuple[list[Offer], list[Offer]] = ([], [])
INSTEAD_OF_MOVE: tuple[list[Offer], list[Offer]] = ([], [])
"""By side: its cards that are played with the move of a turn, and those that replace the turn."""
EFFECTS: dict[str, Callable[[G, Action], None]] = {}
"""By verb: what a card does that is played at the choice of a move, which is then on the stack."""
INTERRUPTIONS: dict[Moment, Callable[[int], Frame]] = {}
"""The question that a card puts at a moment, about this region if the moment has one."""


def holds(b: Board, special: int) -> bool:
    """Whether this card was chosen and is not used yet."""
    return bool(b.specials >> special & 1)


def use(g: G, special: int) -> None:
    """Lay a special card aside for good."""
    g.board.specials &= ~(1 << special)
    g.emit("special_played", {"card": SPECIALS[special]}, None)


# At the choice of a move.


def special_actions(b: Board) -> list[Action]:
    """Every way to play a special card at the choice of a move."""
    found: list[Action] = []
    if b.specials:
        for offer in BESIDE_MOVE[b.turn]:
            found += offer(b)
    return found + replacing_actions(b)


def replacing_actions(b: Board) -> list[Action]:
    """Cards played instead of the turn; none while a card obliges the mover."""
    found: list[Action] = []
    if b.specials and b.duty == FREE:
        for offer in INSTEAD_OF_MOVE[b.turn]:
            found += offer(b)
    return found


def play_special(g: G, action: Action) -> None:
    """Play a card at the choice of a move."""
    use(g, SPECIAL[f"sp_{action.verb}"])
    EFFECTS[action.verb](g, action)


# At other moments.


def offer_specials(g: G, moment: Moment, where: int = NOWHERE) -> None:
    """Ask whoever holds a special card for this moment; where nobody does, nobody is asked."""
    g.call(INTERRUPTIONS[moment](where))
