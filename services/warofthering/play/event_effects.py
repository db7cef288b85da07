"""The event halves of the cards: where what they do is found, and the frame that plays one.

Design. Play does not know the cards: `EVENT_HALVES` is empty until `cards` fills it, which
`rules.py` sees to. A half is a precondition, and effects in the order of the card's text. An effect
is two functions: whether it can do anything now, and what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept
from services.warofthering.tables import CARD_SEATS, IS_KEPT, NO_CARD

G = Game[Board]

Needs = Callable[[Board, int], bool]
"""Whether a seat may play the card now; also whether an effect can do anything for it."""


@dataclass(slots=True)
class EventPlay(Procedure):
    """A card being played, effect by effect. The card lies open, in nobody's hand.

    When it is done `PlayEvent` tidies the board and trims the stacks, so no card need do it.
    """

    card: int = NO_CARD
    seat: int = 0
    next_effect: int = 0
    memory: tuple[int, ...] = ()  # what an earlier effect wants a later one to know

    script: ClassVar[tuple[str, ...]] = ("perform",)

    def perform(self, g: G) -> None:
        """Run the next effect; what it asked for is in `got` of the one after."""
        effects = EVENT_HALVES[self.card].effects
        if self.next_effect < len(effects):
            effect = effects[self.next_effect]
            self.next_effect += 1
            self.go_to("perform")
            effect.run(self, g)

    def skip_rest(self) -> None:
        """Do none of the effects that are left."""
        self.next_effect = len(EVENT_HALVES[self.card].effects)


Run = Callable[[EventPlay, G], None]
"""A step of `EventPlay`: it changes the board, or puts one frame on the stack.

What that frame hands back is `play.got` of the next effect and of no other; what is needed longer
is kept in `play.memory`. What can end the game empties the stack, so no frame may be put on it
after that in the same step: what follows is an effect of its own, which is then not run.
"""


class Effect(NamedTuple):
    """One thing that an event does.

    It is run if any effect of the card can do something, so it does nothing where it cannot.
    """

    may: Needs
    run: Run


class EventHalf(NamedTuple):
    """What the event half of a card means."""

    needs: Needs
    effects: tuple[Effect, ...]


EVENT_HALVES: dict[int, EventHalf] = {}
"""By card."""


def may_play(b: Board, card: int, seat: int) -> bool:
    """Whether a seat may play a card as an event now (RULES 16.1 to 16.3, S13, 19.2)."""
    half = EVENT_HALVES[card]
    if not _is_for(b, card, seat) or not half.needs(b, seat):
        return False
    if IS_KEPT[card]:
        is_gone = kept.GONE.get(card)
        return is_gone is None or not is_gone(b)
    return any(effect.may(b, seat) for effect in half.effects)


def _is_for(b: Board, card: int, seat: int) -> bool:
    """Whether the icon of a card lets this seat play it, in a game with teams."""
    seats = CARD_SEATS[card]
    side = b.settings.sides[seat]
    return seats is None or len(b.settings.teams[side]) == 1 or b.settings.seats[seat] in seats
