"""Playing event cards (RULES 16): with which die, from the hand to the table or the discards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept
from services.warofthering.play.asking import YES, choose_word, say
from services.warofthering.play.control import tidy
from services.warofthering.play.event_effects import EventPlay, may_play
from services.warofthering.play.faces import is_played_by_messenger, plays, uses
from services.warofthering.play.hands import Draw, DrawFromEither, HandQuestion, discard_shown
from services.warofthering.play.stacking import Trim
from services.warofthering.tables import (
    CARD,
    CARDS,
    CHARACTER_DECK,
    DECK_OF_CARD,
    EVENT,
    FREE,
    GANDALF_THE_GREY,
    IS_KEPT,
    NO_CARD,
    SHADOW,
    SIDES,
    WILL,
)

G = Game[Board]

NO_DIE = 255
"""In place of a face: the card is played by another card."""
EITHER_DECK = 255
"""In place of the deck that a card must be of: it may be of both."""

_SEE_DICE = (CARD["mirror_of_galadriel"], CARD["the_lidless_eye"])
"""Cards to which the dice left to their own side matter."""


def playable(b: Board, seat: int, face: int, deck: int | None = None) -> list[int]:
    """The cards in a seat's hand that it may play with a die that shows this (16.1)."""
    side = b.settings.sides[seat]
    hand = b.hand(seat, deck)
    return [card for card in hand if suits(b, side, face, card) and may_play(b, card, seat)]


KnownCards = dict[int, bool | None]
"""By card of a hand: whether it may be played with a die that allows it; None until it is known."""


def unknown_cards(b: Board, seat: int) -> KnownCards:
    """A seat's hand, of which nothing is known yet."""
    return dict.fromkeys(b.hand(seat))


def can_play(b: Board, seat: int, face: int, known: KnownCards) -> bool:
    """Whether a seat may play a card if it spends such a die, which it finds spent (Ruling 4).

    `known` is its hand, and remembers what holds for every die.
    """
    side = b.settings.sides[seat]
    allowed = uses(b, side, face)
    b.use_die(side, face)
    for card in known:
        if plays(allowed, card):
            if known[card] is None or card in _SEE_DICE:
                known[card] = may_play(b, card, seat)
            if known[card]:
                break
    else:
        card = NO_CARD
    b.put_die(side, face)
    return card != NO_CARD


def suits(b: Board, side: int, face: int, card: int) -> bool:
    """Whether a die of a side that shows this may play a card; a card that needs no die may any."""
    return face == NO_DIE or plays(uses(b, side, face), card)


@dataclass(slots=True)
class PlayEvent(Procedure):
    """A seat plays an event card; `deck` limits it to one deck, if a card lets it play another."""

    seat: int = 0
    face: int = EVENT
    deck: int = EITHER_DECK
    optional: int = 0
    card: int = NO_CARD

    script: ClassVar[tuple[str, ...]] = (
        "choose_card",
        "show",
        "lay_down",
        "ask_gandalf",
        "draw_for_gandalf",
        "draw_for_palantir",
        "trim",
    )

    def choose_card(self, g: G) -> None:
        deck = None if self.deck == EITHER_DECK else self.deck
        if self.optional or playable(g.board, self.seat, self.face, deck):
            question = ChooseEvent(seat=self.seat, optional=self.optional)
            question.face, question.deck = self.face, self.deck
            g.call(question)

    def show(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        (self.card,) = self.got
        b = g.board
        if self.face != NO_DIE and is_played_by_messenger(self.face, self.card):
            b.used_messenger = True
        b.show(self.card)
        say(g, "event_played", side=SIDES[b.settings.sides[self.seat]], card=CARDS[self.card])
        if IS_KEPT[self.card]:
            b.keep(self.card)
        g.call(EventPlay(card=self.card, seat=self.seat))

    def lay_down(self, g: G) -> None:
        if not IS_KEPT[self.card]:
            discard_shown(g, self.card)
        tidy(g)

    # Gandalf the Grey as Guide draws for the Free Peoples (D05).

    def ask_gandalf(self, g: G) -> None:
        b = g.board
        if b.settings.sides[self.seat] != FREE or b.guide != GANDALF_THE_GREY:
            return
        any_event = b.settings.readings.gandalf_draws_after_any_event
        by_guide = DECK_OF_CARD[self.card] == CHARACTER_DECK and self.face != NO_DIE
        if self.face in (EVENT, WILL) if any_event else by_guide:
            choose_word(g, self.seat, ("no", "yes"), "gandalf_draw")

    def draw_for_gandalf(self, g: G) -> None:
        if self.got == (YES,):
            any_event = g.board.settings.readings.gandalf_draws_after_any_event
            deck = DECK_OF_CARD[self.card] if any_event else CHARACTER_DECK
            g.call(Draw(seat=self.seat, deck=deck))

    # The Palantír of Orthanc draws for the Shadow, though not for being played itself.

    def draw_for_palantir(self, g: G) -> None:
        b = g.board
        by_shadow = b.settings.sides[self.seat] == SHADOW and self.face == EVENT
        if by_shadow and b.is_on_table(kept.PALANTIR) and self.card != kept.PALANTIR:
            g.call(DrawFromEither(seat=self.seat))

    def trim(self, g: G) -> None:
        g.call(Trim())


@dataclass(slots=True)
class ChooseEvent(HandQuestion):
    """A seat chooses the card that it plays; asked even if there is only one (1.5)."""

    prompt: ClassVar[str] = "event.card"
    neutral: ClassVar[bool] = True

    face: int = EVENT
    deck: int = EITHER_DECK

    def fits(self, b: Board, card: int) -> bool:
        side = b.settings.sides[self.seat]
        in_deck = self.deck in (EITHER_DECK, DECK_OF_CARD[card])
        return in_deck and suits(b, side, self.face, card) and may_play(b, card, self.seat)
