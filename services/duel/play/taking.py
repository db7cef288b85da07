"""The main choice of a turn (RULES 4.1, 6): play a card, discard one, or take a landmark tile.

Order of reading: playing, the alliance and the tokens that follow, discarding and landmarks, the
choice itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.duel.board import KEPT, OFFERED, OWNED, Board
from services.duel.play.alliance import ally
from services.duel.play.cost import (
    card_price,
    discard_income,
    is_chained,
    missing,
    surcharge,
    tile_price,
)
from services.duel.play.ending import check_support
from services.duel.play.quest import earn_turn
from services.duel.play.resolving import RESOLVE, card_source, resolve, tile_source, token_source
from services.duel.tables import (
    CARD_RACE,
    CARDS,
    CHAIN_COINS,
    COLOUR,
    GREEN,
    LANDMARK_TURN,
    SIDES,
    TILE_NEEDS,
    TILES,
    TOKEN_EFFECTS,
    TRIGGERED,
    available,
)

G = Game[Board]

PLAY = tuple(Action("play", (card,)) for card in range(len(CARDS)))
DISCARD = tuple(Action("discard", (card,)) for card in range(len(CARDS)))
LANDMARK = tuple(Action("landmark", (tile,)) for tile in range(len(TILES)))

PAID, CHAINED, FROM_DISCARD = MODES = ("paid", "chained", "from_discard")


def play_card(g: G, card: int, mode: str, price: int = 0) -> None:
    """Play a card that has been taken from its place (RULES 6.1)."""
    b = g.board
    side, colour = b.turn, COLOUR[card]
    # Tokens that this card earns do not answer to it (ruling R-17).
    answers = tuple([token for token in TRIGGERED[colour] if b.tokens[token] == KEPT + side])
    b.coins[side] -= price
    b.add_card(side, card)
    facts = {"side": SIDES[side], "card": CARDS[card], "mode": mode, "price": price}
    g.emit("card_played", facts, None)
    if mode == CHAINED and b.has_token(side, CHAIN_COINS):  # ruling R-21
        RESOLVE["gain_coins"](g, TOKEN_EFFECTS[CHAIN_COINS][0])
    if colour == GREEN and check_support(g):
        return
    if colour == GREEN or answers:
        g.call(Played(card=card, answers=answers))
    resolve(g, card_source(card))


@dataclass(slots=True)
class Played(Procedure):
    """What follows a card's own effects: its alliance, then the tokens that answer to it."""

    card: int = 0
    answers: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("make_alliance", "answer")

    def make_alliance(self, g: G) -> None:
        if COLOUR[self.card] == GREEN:
            ally(g, CARD_RACE[self.card])

    def answer(self, g: G) -> None:
        if self.answers:
            token, *rest = self.answers
            self.answers = tuple(rest)
            self.go_to("answer")
            resolve(g, token_source(token))


def discard_card(g: G, card: int) -> None:
    """Discard a card of the display for coins (RULES 6.2)."""
    b = g.board
    b.take(card)
    b.discard.append(card)
    coins = b.gain(b.turn, discard_income(b, b.turn))
    facts = {"side": SIDES[b.turn], "card": CARDS[card], "coins": coins}
    g.emit("card_discarded", facts, None)


def take_landmark(g: G, tile: int) -> None:
    """Pay for a landmark tile and take it for good (RULES 6.3.2)."""
    b = g.board
    price = tile_price(b, b.turn, tile)
    b.coins[b.turn] -= price
    b.tiles[tile] = OWNED + b.turn
    facts = {"side": SIDES[b.turn], "landmark": TILES[tile], "price": price}
    g.emit("landmark_taken", facts, None)
    if b.has_token(b.turn, LANDMARK_TURN):  # one that the tile brings comes too late (RULES 6.3.1)
        g.call(Taken())
    resolve(g, tile_source(tile))


@dataclass(slots=True)
class Taken(Procedure):
    """What follows a landmark's own effects, for who had the token that answers to it before."""

    script: ClassVar[tuple[str, ...]] = ("earn_turn",)

    def earn_turn(self, g: G) -> None:
        earn_turn(g)


@dataclass(slots=True)
class MainChoice(Question[Board]):
    """The side on turn does exactly one thing; it may not pass (D1)."""

    prompt: ClassVar[str] = "turn.choose"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        cards = [b.display[slot] for slot in available(b.chapter, b.left)]
        coins = b.coins[seat]
        found = [DISCARD[card] for card in cards]
        found += [
            PLAY[card]
            for card in cards
            if is_chained(b, seat, card) or card_price(b, seat, card) <= coins
        ]
        coins -= surcharge(b, seat)  # the same for every tile
        found += [
            LANDMARK[tile]
            for tile, where in enumerate(b.tiles)
            if where == OFFERED and missing(b, seat, TILE_NEEDS[tile]) <= coins
        ]
        return found

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        (what,) = action.nouns
        g.done()
        if action.verb == "discard":
            discard_card(g, what)
        elif action.verb == "landmark":
            take_landmark(g, what)
        else:
            b.take(what)
            if is_chained(b, seat, what):  # always used (ruling R-20)
                play_card(g, what, CHAINED)
            else:
                play_card(g, what, PAID, card_price(b, seat, what))
