"""Combat cards (RULES 11.2 B1 to B3, 17.1): each side chooses one unseen, and both are revealed.

Design. The attacker chooses first and cannot change his mind; the defender sees only the back.
Until both are revealed a chosen card stays in its hand on the board, and the round's frame alone
knows which it is: `guess` redraws it, `view` shows its back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.warofthering.board import Board
from services.warofthering.play import kept
from services.warofthering.play.asking import say
from services.warofthering.play.combat_effects import may_choose
from services.warofthering.tables import (
    COMPANIONS,
    DECK_OF_CARD,
    DECKS,
    FREE,
    NO_CARD,
    SHADOW,
    SIDES,
)

G = Game[Board]


def card_choices(b: Board, side: int) -> list[int]:
    """The Combat cards that a side may choose in the battle that stands on the board."""
    fight = b.battle
    if not is_allowed(b, side):
        return []
    cards = [card for card in b.hand(fight.seats[side]) if may_choose(b, card, side)]
    if side == SHADOW and b.is_on_table(kept.BALROG) and may_choose(b, kept.BALROG, side):
        cards.append(kept.BALROG)
    return cards


def is_allowed(b: Board, side: int) -> bool:
    """Whether a side may use a Combat card at all this round."""
    fight = b.battle
    if not kept.may_use_combat_card(b, side, fight.region):
        return False
    early = fight.no_early_card and fight.round == 1 and side == FREE
    return not early or bool(fight.characters(side, COMPANIONS))


@dataclass(slots=True)
class ChooseCombatCard(Question[Board]):
    """A side chooses a Combat card, or none; the other sees its back."""

    prompt: ClassVar[str] = "battle.combat_card"
    neutral: ClassVar[bool] = True

    side: int = 0

    # A side that holds a card is asked though none can be chosen: not to be asked would tell.
    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        seat = b.battle.seats[self.side]
        balrog = self.side == SHADOW and b.is_on_table(kept.BALROG)
        has_any = b.hand_size(seat) or balrog
        return (seat,) if has_any and is_allowed(b, self.side) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        cards = card_choices(g.board, self.side)
        return [Action("no_card"), *(Action("combat", (card,)) for card in cards)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        card = action.nouns[0] if action.nouns else NO_CARD
        back = None if card == NO_CARD else DECKS[DECK_OF_CARD[card]]
        say(g, "combat_card_chosen", side=SIDES[self.side], deck=back)
        g.done(card)
