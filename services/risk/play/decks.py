"""Drawing cards: a deck is a bag, and its discard pile becomes the next one (RULES 9, R14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game, Question
from services.risk.board import Board
from services.risk.tables import ADVENTURES, EVENTS, MOST_ADVENTURES, TERRITORY_CARDS, bits, nth

G = Game[Board]


def everyone_but(b: Board, seat: int) -> list[Seat | None]:
    """All viewers besides one seat, spectators among them."""
    return [None, *(other for other in b.seats if other != seat)]


def can_draw_territory_card(b: Board, aside: int = 0) -> bool:
    """Whether there is a Territory card in the deck or in the discard pile, its next deck.

    `aside` are cards of the discard pile that an event is still turning over.
    """
    return bool(b.territory_deck or b.territory_discard & ~aside)


def draw_territory_card(g: G, aside: int = 0) -> None:
    """Let chance deal a Territory card; an empty deck is made anew first."""
    if not g.board.territory_deck:
        _shuffle_territory_cards(g, g.board.territory_discard & ~aside)
    g.call(DrawDeed())


def _shuffle_territory_cards(g: G, cards: int) -> None:
    b = g.board
    for card in bits(b.face_down()):  # what the new deck holds is known to all (RULINGS 9)
        g.emit("secret_shown", {"card": TERRITORY_CARDS[card]}, None)
    b.shuffle_territory_cards(cards)
    g.emit("deck_shuffled", {"deck": "territory", "cards": cards.bit_count()}, None)


def can_draw_adventure_card(b: Board) -> bool:
    """Whether there is an Adventure card to draw; a pile of nothing but events is left alone."""
    return bool(b.deck or b.discard & ~EVENTS)  # (RULINGS 10)


def draw_adventure_card(g: G) -> None:
    """Let chance deal an Adventure card; an empty deck is made anew first."""
    b = g.board
    if not b.deck:
        facts = {"deck": "adventure", "cards": b.discard.bit_count()}
        b.shuffle_adventures()
        g.emit("deck_shuffled", facts, None)
    g.call(DrawAdventure())


def _drawn(pick: Pick, cards: int) -> int:
    return nth(cards, pick(cards.bit_count()))


@dataclass(slots=True)
class DrawDeed(Question[Board]):
    """Chance deals a territory card of the deck; hands it back."""

    prompt: ClassVar[str] = "deck.territory"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("draw_territory", (card,)) for card in bits(g.board.territory_deck)]

    def deal(self, g: G, pick: Pick) -> Action:
        return Action("draw_territory", (_drawn(pick, g.board.territory_deck),))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(action.nouns[0])


@dataclass(slots=True)
class DrawAdventure(Question[Board]):
    """Chance deals an Adventure card of the deck; hands it back."""

    prompt: ClassVar[str] = "deck.adventure"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("draw_adventure", (card,)) for card in bits(g.board.deck)]

    def deal(self, g: G, pick: Pick) -> Action:
        return Action("draw_adventure", (_drawn(pick, g.board.deck),))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(action.nouns[0])


@dataclass(slots=True)
class DealHand(Question[Board]):
    """Chance deals the Adventure cards that a seat begins with, events left out (RULES S11)."""

    prompt: ClassVar[str] = "deck.hand"

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        cards, deck = action.nouns, g.board.deck & ~EVENTS
        rising = all(a < b for a, b in pairwise(cards))
        return action.verb == "deal_hand" and rising and all(deck >> card & 1 for card in cards)

    def deal(self, g: G, pick: Pick) -> Action:
        cards, deck = [], g.board.deck & ~EVENTS
        for _ in range(MOST_ADVENTURES):
            card = _drawn(pick, deck)
            deck &= ~(1 << card)
            cards.append(card)
        return Action("deal_hand", tuple(sorted(cards)))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


def gain_territory_card(g: G, seat: int, card: int) -> None:
    """A territory card that chance dealt joins a hand; others learn that one did."""
    b = g.board
    b.draw_territory_card(seat, card)
    name = b.settings.seats[seat]
    g.emit("territory_card_drawn", {"seat": name, "card": TERRITORY_CARDS[card]}, [seat])
    g.emit("territory_card_drawn", {"seat": name}, everyone_but(b, seat))


def gain_adventure_card(g: G, seat: int, card: int) -> None:
    """A mission or power card joins a hand; others learn that one did."""
    b = g.board
    b.draw_adventure(seat, card)
    name = b.settings.seats[seat]
    g.emit("adventure_card_drawn", {"seat": name, "card": ADVENTURES[card]}, [seat])
    g.emit("adventure_card_drawn", {"seat": name}, everyone_but(b, seat))
