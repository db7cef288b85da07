"""Hands of event cards (RULES P1, 16.5, 19.2): drawing, the limit, the swap of team-mates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.core.questions import Seal
from services.warofthering.board import Board
from services.warofthering.play.asking import ANSWER, chance_of, choose_word, confide, say
from services.warofthering.tables import (
    CARDS,
    CHARACTER_DECK,
    DECK_OF_CARD,
    DECKS,
    FREE,
    NO_CARD,
    SIDE_OF_CARD,
    SIDES,
    STRATEGY_DECK,
)

G = Game[Board]

DECK_ANSWERS = ("character_deck", "strategy_deck")


def excess_cards(b: Board, seat: int) -> int:
    """How many cards a seat holds above its limit."""
    return max(b.hand_size(seat) - b.settings.hand_limits[seat], 0)


def discard_unseen(g: G, seat: int, card: int) -> None:
    """A card goes from a hand to the face-down discards; others see its back."""
    g.board.discard_unseen(card)
    facts = {"seat": g.board.settings.seats[seat], "deck": DECKS[DECK_OF_CARD[card]]}
    confide(g, "card_discarded", facts, {"card": CARDS[card]}, [seat])


@dataclass(slots=True)
class HandQuestion(Question[Board]):
    """A seat chooses a card of its hand.

    Design. The list is made when it is asked for, from the hand as it is on the board: a frame that
    held cards would carry a secret into imagined worlds. `guess` sees to it that some card fits
    there too, since nobody is asked who could not answer.
    """

    seat: int = 0
    optional: int = 0

    verb: ClassVar[str] = "play"

    def fits(self, b: Board, card: int) -> bool:
        """Whether a card may be chosen, were it in the hand."""
        return True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        listed = [Action(self.verb, (card,)) for card in b.hand(seat) if self.fits(b, card)]
        return listed if listed and not self.optional else [Action("decline"), *listed]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if not action.nouns:
            say(g, "declined", seat=g.board.settings.seats[seat], what="card")
        g.done(*action.nouns)


@dataclass(slots=True)
class Draw(Procedure):
    """A seat draws cards from a deck, an empty one giving none, and keeps to its limit (S23)."""

    seat: int = 0
    deck: int = CHARACTER_DECK
    cards: int = 1
    trims: int = 1  # whether the limit applies at once

    script: ClassVar[tuple[str, ...]] = ("draw", "trim")

    def draw(self, g: G) -> None:
        if self.cards:
            self.cards -= 1
            self.go_to("draw")
            g.call(DrawCard(seat=self.seat, deck=self.deck))

    def trim(self, g: G) -> None:
        if self.trims and excess_cards(g.board, self.seat):
            g.call(DiscardExcess(seats=(self.seat,)))


@dataclass(slots=True)
class DrawCard(Question[Board]):
    """Chance draws a card for a seat; nobody else sees which."""

    prompt: ClassVar[str] = "chance.card"

    seat: int = 0
    deck: int = CHARACTER_DECK

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return chance_of(self._bag(g.board))

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("draw", (card,)) for card in self._bag(g.board)]

    def deal(self, g: G, pick: Pick) -> Action:
        bag = self._bag(g.board)
        return Action("draw", (bag[pick(len(bag))],))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (card,) = action.nouns
        g.board.draw(card, self.seat)
        facts = {"seat": g.board.settings.seats[self.seat], "deck": DECKS[self.deck]}
        confide(g, "card_drawn", facts, {"card": CARDS[card]}, [self.seat])
        g.done(card)

    def _bag(self, b: Board) -> list[int]:
        return b.bag(b.settings.sides[self.seat], self.deck)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"seat": g.board.settings.seats[self.seat], "deck": DECKS[self.deck]}


@dataclass(slots=True)
class DiscardExcess(Question[Board]):
    """Every seat above its limit discards face down, all at the same time."""

    prompt: ClassVar[str] = "hand.discard"

    seats: tuple[int, ...] = ()

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return tuple([seat for seat in self.seats if excess_cards(g.board, seat)])

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("discard", (card,)) for card in g.board.hand(seat)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        discard_unseen(g, seat, action.nouns[0])
        if not self.waiting(g):
            g.done()


@dataclass(slots=True)
class DrawFromEither(Procedure):
    """A seat draws a card from the deck of its choice (16.5)."""

    seat: int = 0
    trims: int = 1

    script: ClassVar[tuple[str, ...]] = ("choose_deck", "draw")

    def choose_deck(self, g: G) -> None:
        b = g.board
        side = b.settings.sides[self.seat]
        decks = [DECK_ANSWERS[deck] for deck in (0, 1) if b.deck_size(side, deck)]
        choose_word(g, self.seat, decks, "deck")

    def draw(self, g: G) -> None:
        if self.got:
            deck = (CHARACTER_DECK, STRATEGY_DECK)[self.got[0] == ANSWER["strategy_deck"]]
            g.call(Draw(seat=self.seat, deck=deck, trims=self.trims))


@dataclass(slots=True)
class TurnDraw(Procedure):
    """All seats draw at the beginning of a turn, discard and swap (P1, 19.3, 19.4, D02)."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("draw_both", "draw_second", "next_seat", "trim", "swap")

    def draw_both(self, g: G) -> None:
        if draws_freely(g.board, self.seat):
            g.call(DrawFromEither(seat=self.seat, trims=0))
        else:
            g.call(Draw(seat=self.seat, deck=CHARACTER_DECK, trims=0))

    def draw_second(self, g: G) -> None:
        if not draws_freely(g.board, self.seat):
            g.call(Draw(seat=self.seat, deck=STRATEGY_DECK, trims=0))

    def next_seat(self, g: G) -> None:
        self.seat += 1
        if self.seat < len(g.board.settings.seats):
            self.go_to("draw_both")

    def trim(self, g: G) -> None:
        g.call(DiscardExcess(seats=tuple(range(len(g.board.settings.seats)))))

    def swap(self, g: G) -> None:
        if g.board.settings.has_teams:
            size = len(g.board.settings.seats)
            g.call(SwapCards(picks=((),) * size))


def draws_freely(b: Board, seat: int) -> bool:
    """Whether a seat draws one card of its choice this turn, and not one of each deck."""
    players = b.settings.players
    if players < 3:
        return False
    if players == 4:
        return b.turn > 1
    free_draw_two = b.settings.readings.free_draw_two_each_turn
    if b.settings.sides[seat] == FREE:
        return not free_draw_two and b.turn > 1
    return not free_draw_two or b.turn > 1


@dataclass(slots=True)
class SwapCards(Seal[Board]):
    """Team-mates may each offer a card; if both of a team do, they change hands unseen (19.2)."""

    prompt: ClassVar[str] = "hand.swap"

    def offers(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("keep"), *(Action("swap", (card,)) for card in g.board.hand(seat))]

    def pick_of(self, g: G, action: Action) -> int:
        return action.nouns[0] if action.nouns else NO_CARD

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return tuple(
            seat
            for team in b.settings.teams
            if len(team) > 1 and all(b.hand_size(mate) for mate in team)
            for seat in team
            if not self.picks[seat]
        )

    def take(self, g: G, seat: Seat, action: Action) -> None:
        self._keep(seat, (self.pick_of(g, action),))
        if not self.waiting(g):
            for side, team in enumerate(g.board.settings.teams):
                if len(team) > 1 and all(self.picks[mate] for mate in team):
                    self._exchange(g, side, team)
            g.done()

    def _exchange(self, g: G, side: int, team: tuple[int, ...]) -> None:
        one, other = team
        given, taken = self.picks[one][0], self.picks[other][0]
        if NO_CARD in (given, taken):
            return
        g.board.swap(given, other)
        g.board.swap(taken, one)
        secret = {"cards": [CARDS[given], CARDS[taken]]}
        confide(g, "cards_swapped", {"side": SIDES[side]}, secret, team)


def discard_shown(g: G, card: int) -> None:
    """A card that was played openly goes to the discards."""
    g.board.discard(card)
    say(g, "card_spent", card=CARDS[card], side=SIDES[SIDE_OF_CARD[card]])
