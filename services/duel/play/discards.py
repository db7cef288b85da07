"""The discard pile (RULES 11): playing a card from it, and a grey card lost to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.duel.board import Board
from services.duel.play.armies import PASS
from services.duel.play.resolving import refuse
from services.duel.play.taking import FROM_DISCARD, PLAY, play_card
from services.duel.tables import CARDS, COLOUR, GREY, SIDES

G = Game[Board]

STRIP = tuple(Action("strip", (card,)) for card in range(len(CARDS)))


def search(g: G) -> None:
    """The side on turn looks through the whole pile and may play a card of it."""
    b = g.board
    if not b.discard and not b.aside:
        return
    facts = {"side": SIDES[b.turn], "count": len(b.discard) + len(b.aside)}
    g.emit("discard_searched", facts, None)
    if b.aside and not b.knows_aside(b.turn):
        g.emit("set_aside_seen", {"cards": [CARDS[card] for card in b.aside]}, [b.turn])
        b.looked |= 1 << b.turn
    g.call(PlayFromDiscard())


@dataclass(slots=True)
class PlayFromDiscard(Question[Board]):
    """Any card of the pile may be played for nothing (D10)."""

    prompt: ClassVar[str] = "discard.play"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        return [PASS, *(PLAY[card] for card in sorted((*b.discard, *b.aside)))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            (card,) = action.nouns
            g.board.pick_up(card)
            play_card(g, card, FROM_DISCARD)


@dataclass(slots=True)
class StripGrey(Question[Board]):
    """The other side loses one of its grey cards (D9, ruling R-25)."""

    prompt: ClassVar[str] = "discard.strip"

    def _cards(self, g: G) -> list[int]:
        area = g.board.areas[1 - g.board.turn]
        return sorted(card for card in area if COLOUR[card] == GREY)

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,) if self._cards(g) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        found = [STRIP[card] for card in self._cards(g)]
        return [PASS, *found] if g.board.settings.refusable else found

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if not action.nouns:
            refuse(g, "discard_opponent_card")
            return
        (card,) = action.nouns
        g.board.lose_grey(1 - seat, card)
        g.emit("card_lost", {"side": SIDES[1 - seat], "card": CARDS[card]}, None)
