"""The Witch-king's sorcery (D10): a Combat card of the Shadow in his battle draws another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.board.fight import CARD
from services.warofthering.play.asking import YES, choose_word
from services.warofthering.play.hands import Draw
from services.warofthering.tables import DECK_OF_CARD, NO_CARD, SHADOW, WITCH_KING

G = Game[Board]


@dataclass(slots=True)
class SorcererDraw(Procedure):
    """The Shadow may draw from the deck of the Combat card that it played this round."""

    deck: int = 0

    script: ClassVar[tuple[str, ...]] = ("ask", "draw")

    def ask(self, g: G) -> None:
        b = g.board
        fight = b.battle
        card = fight.modifier(SHADOW, CARD)
        first_only = b.settings.readings.witch_king_draws_once
        takes_part = card != NO_CARD and fight.count(SHADOW, WITCH_KING)
        if not takes_part or (first_only and fight.round > 1):
            g.done()
        else:
            self.deck = DECK_OF_CARD[card]
            choose_word(g, fight.seats[SHADOW], ("no", "yes"), "sorcerer")

    def draw(self, g: G) -> None:
        if self.got == (YES,):
            g.call(Draw(seat=g.board.battle.seats[SHADOW], deck=self.deck))
