"""Decks, piles, hands, and what has been seen of them.

Cards are numbers, sets of them whole numbers with a bit for each; decks are sets without an order.
Beside them stands what has been seen: `deeds_seen`, `secrets`, and the pools, of which `guess`
makes worlds: all can count how many cards of each pool a hand holds. Deeds are Territory cards.
"""

from __future__ import annotations

from typing import Any

from services.risk.board.lands import Lands
from services.risk.settings import Settings
from services.risk.tables import ALL_ADVENTURES, ALL_DEEDS


class Piles(Lands):
    """All cards of both kinds."""

    __slots__ = (
        "deck",
        "deeds",
        "deeds_deck",
        "deeds_discard",
        "deeds_pools",
        "deeds_seen",
        "discard",
        "hands",
        "played",
        "pools",
        "removed",
        "secrets",
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        seats = len(settings.seats)
        self.deeds: tuple[int, ...] = (0,) * seats
        self.deeds_deck = ALL_DEEDS
        self.deeds_discard = 0
        self.deeds_pools: tuple[int, ...] = (ALL_DEEDS,)  # by shuffling: cards that went in last
        self.deeds_seen: tuple[int, ...] = (0,) * seats  # in others' hands, known to this seat
        # Local Uprising: seat, card, territories that it cannot be, and whether it lies discarded.
        self.secrets: tuple[tuple[int, int, int, int], ...] = ()
        self.hands: tuple[int, ...] = (0,) * seats
        self.deck = ALL_ADVENTURES
        self.discard = 0
        self.played: tuple[int, ...] = (0,) * seats
        self.removed = 0
        self.pools: tuple[int, ...] = (ALL_ADVENTURES,)  # by shuffling, as above

    # Territory cards.

    def draw_deed(self, seat: int, card: int) -> None:
        """A card of the deck joins a hand, unseen by others."""
        self.deeds_deck &= ~(1 << card)
        self.deeds = _with(self.deeds, seat, self.deeds[seat] | 1 << card)

    def turn_over_deed(self, card: int) -> None:
        """A card of the deck is shown to all and laid on the discard pile."""
        self.deeds_deck &= ~(1 << card)
        self.deeds_discard |= 1 << card

    def spend_deeds(self, seat: int, cards: int) -> None:
        """Cards of a hand are shown to all and laid on the discard pile."""
        self.deeds = _with(self.deeds, seat, self.deeds[seat] & ~cards)
        self.deeds_discard |= cards
        self.deeds_seen = tuple([seen & ~cards for seen in self.deeds_seen])

    def hand_over_deeds(self, loser: int, to: int) -> int:
        """A whole hand goes to another seat; only these two, and who knew of it, know it."""
        cards = self.deeds[loser]
        self.deeds = _with(_with(self.deeds, loser, 0), to, self.deeds[to] | cards)
        self.deeds_seen = _with(self.deeds_seen, loser, self.deeds_seen[loser] | cards)
        self.deeds_seen = _with(self.deeds_seen, to, self.deeds_seen[to] & ~cards)
        return cards

    def shuffle_deeds(self, cards: int) -> None:
        """These cards of the discard pile become the deck; its face-down cards have been shown."""
        self.deeds_discard &= ~cards
        self.deeds_deck = cards
        self.deeds_pools = (*[pool & ~cards for pool in self.deeds_pools], cards)
        self.secrets = tuple([s for s in self.secrets if not s[3]])

    def face_down(self) -> int:
        """The cards of the discard pile that were never shown."""
        cards = 0
        for _, card, _, laid in self.secrets:
            if laid:
                cards |= 1 << card
        return cards

    def keep_secret(self, seat: int, card: int) -> None:
        """A card of the deck lies before a seat, unseen by others: it is none that he holds."""
        self.deeds_deck &= ~(1 << card)
        self.secrets = (*self.secrets, (seat, card, self.held[seat], 0))

    def show_secret(self, seat: int, card: int) -> None:
        """A secret card is shown and laid on the discard pile."""
        self.secrets = tuple([s for s in self.secrets if s[:2] != (seat, card)])
        self.deeds_discard |= 1 << card

    def lay_secrets_down(self, seat: int) -> None:
        """The secret cards of a seat go to the discard pile unseen."""
        for owner, card, _, laid in self.secrets:
            if owner == seat and not laid:
                self.deeds_discard |= 1 << card
        self.secrets = tuple(
            [(s, c, n, 1 if s == seat else laid) for s, c, n, laid in self.secrets]
        )

    def deny_secrets(self, seat: int) -> None:
        """All can see that the secret cards of a seat are none of the territories it holds."""
        held = self.held[seat]
        self.secrets = tuple(
            [
                (s, c, n | held if s == seat and not laid else n, laid)
                for s, c, n, laid in self.secrets
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
