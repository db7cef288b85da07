"""Decks, piles, hands, and what has been seen of them.

Cards are numbers, sets of them whole numbers with a bit for each; decks are sets without an order.
Beside them stands what has been seen: `territory_seen`, `secrets`, and the pools, of which `guess`
makes worlds: all can count how many cards of each pool a hand holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from services.risk.board.lands import Lands
from services.risk.settings import Settings
from services.risk.tables import ALL_ADVENTURES, ALL_TERRITORY_CARDS


class Secret(NamedTuple):
    """The card of a Local Uprising, unseen by others than its seat."""

    seat: int
    card: int
    barred: int  # the territories that all know it cannot be
    laid: int = 0  # it lies discarded, still unseen


class Piles(Lands):
    """All cards of both kinds."""

    __slots__ = (
        "deck",
        "discard",
        "hands",
        "played",
        "pools",
        "removed",
        "secrets",
        "territory_cards",
        "territory_deck",
        "territory_discard",
        "territory_pools",
        "territory_seen",
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        seats = len(settings.seats)
        self.territory_cards: tuple[int, ...] = (0,) * seats
        self.territory_deck = ALL_TERRITORY_CARDS
        self.territory_discard = 0
        # By shuffling: the cards that went in last.
        self.territory_pools: tuple[int, ...] = (ALL_TERRITORY_CARDS,)
        self.territory_seen: tuple[int, ...] = (0,) * seats  # in others' hands, known to this seat
        self.secrets: tuple[Secret, ...] = ()
        self.hands: tuple[int, ...] = (0,) * seats
        self.deck = ALL_ADVENTURES
        self.discard = 0
        self.played: tuple[int, ...] = (0,) * seats
        self.removed = 0
        self.pools: tuple[int, ...] = (ALL_ADVENTURES,)  # by shuffling, too

    # Territory cards.

    def draw_territory_card(self, seat: int, card: int) -> None:
        """A card of the deck joins a hand, unseen by others."""
        self.territory_deck &= ~(1 << card)
        self._hold(seat, self.territory_cards[seat] | 1 << card)

    def turn_over_territory_card(self, card: int) -> None:
        """A card of the deck is shown to all and laid on the discard pile."""
        self.territory_deck &= ~(1 << card)
        self.territory_discard |= 1 << card

    def spend_territory_cards(self, seat: int, cards: int) -> None:
        """Cards of a hand are shown to all and laid on the discard pile."""
        self._hold(seat, self.territory_cards[seat] & ~cards)
        self.territory_discard |= cards
        self.territory_seen = tuple([seen & ~cards for seen in self.territory_seen])

    def hand_over_territory_cards(self, loser: int, to: int) -> int:
        """A whole hand goes to another seat; only these two, and who knew of it, know it."""
        cards = self.territory_cards[loser]
        self._hold(loser, 0)
        self._hold(to, self.territory_cards[to] | cards)
        self.territory_seen = _with(self.territory_seen, loser, self.territory_seen[loser] | cards)
        self.territory_seen = _with(self.territory_seen, to, self.territory_seen[to] & ~cards)
        return cards

    def _hold(self, seat: int, cards: int) -> None:
        self.territory_cards = _with(self.territory_cards, seat, cards)

    def shuffle_territory_cards(self, cards: int) -> None:
        """These cards of the discard pile become the deck; its face-down cards have been shown."""
        self.territory_discard &= ~cards
        self.territory_deck = cards
        self.territory_pools = (*[pool & ~cards for pool in self.territory_pools], cards)
        self.secrets = tuple([secret for secret in self.secrets if not secret.laid])

    def face_down(self) -> int:
        """The cards of the discard pile that were never shown."""
        cards = 0
        for secret in self.secrets:
            if secret.laid:
                cards |= 1 << secret.card
        return cards

    def keep_secret(self, seat: int, card: int) -> None:
        """A card of the deck lies before a seat, unseen by others: it is none that he holds."""
        self.territory_deck &= ~(1 << card)
        self.secrets = (*self.secrets, Secret(seat, card, barred=self.held[seat]))

    def show_secret(self, seat: int, card: int) -> None:
        """A secret card is shown and laid on the discard pile."""
        self.secrets = tuple(
            [secret for secret in self.secrets if (secret.seat, secret.card) != (seat, card)]
        )
        self.territory_discard |= 1 << card

    def lay_secrets_down(self, seat: int) -> None:
        """The secret cards of a seat go to the discard pile unseen."""
        for secret in self.secrets:
            if secret.seat == seat and not secret.laid:
                self.territory_discard |= 1 << secret.card
        self.secrets = tuple(
            [secret._replace(laid=1) if secret.seat == seat else secret for secret in self.secrets]
        )

    def deny_secrets(self, seat: int) -> None:
        """All can see that the secret cards of a seat are none of the territories it holds."""
        held = self.held[seat]
        self.secrets = tuple(
            [
                secret._replace(barred=secret.barred | held)
                if secret.seat == seat and not secret.laid
                else secret
                for secret in self.secrets
            ]
        )

    # Adventure cards.

    def draw_adventure(self, seat: int, card: int) -> None:
        """A card of the deck joins a hand, unseen by others."""
        self.deck &= ~(1 << card)
        self.hands = _with(self.hands, seat, self.hands[seat] | 1 << card)

    def turn_over_adventure(self, card: int) -> None:
        """A card of the deck is shown to all and laid on the discard pile."""
        self.deck &= ~(1 << card)
        self.discard |= 1 << card

    def play_adventure(self, seat: int, card: int) -> None:
        """A card of a hand comes to lie open before its player."""
        self._leave_hand(seat, card)
        self.played = _with(self.played, seat, self.played[seat] | 1 << card)

    def discard_adventure(self, seat: int, card: int) -> None:
        """A card of a hand is shown and laid on the discard pile."""
        self._leave_hand(seat, card)
        self.discard |= 1 << card

    def shuffle_adventures(self) -> None:
        """The discard pile becomes the deck."""
        cards, self.discard = self.discard, 0
        self.deck = cards
        self.pools = (*[pool & ~cards for pool in self.pools], cards)

    def _leave_hand(self, seat: int, card: int) -> None:
        self.hands = _with(self.hands, seat, self.hands[seat] & ~(1 << card))

    def retire(self, seat: int) -> None:
        """A seat is out; the cards that it had played leave the game."""
        self.gone = (*self.gone, seat)
        self.removed |= self.played[seat]
        self.played = _with(self.played, seat, 0)

    def open_cards(self) -> int:
        """The Adventure cards that lie open or are out of the game."""
        cards = self.discard | self.removed
        for played in self.played:
            cards |= played
        return cards


def _with(by_seat: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    changed = list(by_seat)
    changed[seat] = value
    return tuple(changed)
