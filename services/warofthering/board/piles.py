"""The third part of the board: where each event card is, and who knows it.

Design. A deck is the bag of the cards that are in it. What a viewer knows of a card is one bit:
whether he has seen where it is now. A card drawn is known to who drew it, a card played to all, and
a card that goes face down from a hand stays known to its holder alone.
"""

from __future__ import annotations

from services.warofthering.board.tracks import Tracks
from services.warofthering.charter import Charter
from services.warofthering.tables import CARD_COUNT, CARDS_IN, SIDE_OF_CARD

IN_DECK, DISCARDED, ON_TABLE, IN_PLAY, IN_HAND = range(5)
"""Where a card is: `IN_HAND + seat` is that seat's hand; in play is while it is being resolved."""
ALL_KNOW = 255


class Piles(Tracks):
    """The event cards."""

    __slots__ = ("cards", "knowers", "table")

    def __init__(self, charter: Charter) -> None:
        super().__init__(charter)
        self.cards = bytearray(CARD_COUNT)  # by card: its pile
        self.knowers = bytearray(CARD_COUNT)  # by card: the seats that know where it is, as bits
        self.table = 0  # the cards on the table, as a set of bits; follows from `cards`

    def pile_of(self, card: int) -> int:
        """Where a card is."""
        return self.cards[card]

    def is_on_table(self, card: int) -> bool:
        """Whether a card lies on the table, in force."""
        return bool(self.table >> card & 1)

    def table_cards(self, side: int) -> list[int]:
        """The cards that a side has on the table."""
        table = self.table
        return [c for deck in CARDS_IN[side] for c in deck if table >> c & 1] if table else []

    def hand(self, seat: int, deck: int | None = None) -> list[int]:
        """The cards in a seat's hand, all or those of one deck."""
        decks = CARDS_IN[self.charter.sides[seat]]
        first = decks[0].start if deck is None else decks[deck].start
        end = decks[1].stop if deck is None else decks[deck].stop
        found, code = [], IN_HAND + seat
        while (card := self.cards.find(code, first, end)) >= 0:
            found.append(card)
            first = card + 1
        return found

    def hand_size(self, seat: int) -> int:
        """How many cards a seat holds."""
        return self.cards.count(IN_HAND + seat)

    def bag(self, side: int, deck: int) -> list[int]:
        """The cards left in a deck."""
        return [card for card in CARDS_IN[side][deck] if self.cards[card] == IN_DECK]

    def deck_size(self, side: int, deck: int) -> int:
        """How many cards are left in a deck."""
        cards = CARDS_IN[side][deck]
        return self.cards[cards.start : cards.stop].count(IN_DECK)

    def knows(self, seat: int, card: int) -> bool:
        """Whether a seat knows where a card is."""
        return bool(self.knowers[card] >> seat & 1)

    # Mutators.

    def draw(self, card: int, seat: int) -> None:
        """Put a card from its deck into a hand."""
        self._put(card, IN_HAND + seat)
        self.knowers[card] = 1 << seat

    def show(self, card: int) -> None:
        """A card is played or revealed: it is in play, and everyone knows it."""
        self._put(card, IN_PLAY)
        self.knowers[card] = ALL_KNOW

    def keep(self, card: int) -> None:
        """Lay a card that was played on the table."""
        self._put(card, ON_TABLE)

    def discard(self, card: int) -> None:
        """Lay a card on its face-down discards: whoever knew it still does."""
        self._put(card, DISCARDED)

    def swap(self, card: int, seat: int) -> None:
        """Hand a card over to a team-mate, unseen by others; both know it."""
        self.knowers[card] |= 1 << seat
        self._put(card, IN_HAND + seat)

    def _put(self, card: int, pile: int) -> None:
        self.cards[card] = pile
        if pile == ON_TABLE:
            self.table |= 1 << card
        else:
            self.table &= ~(1 << card)

    def card_side(self, card: int) -> int:
        """The side to which a card belongs."""
        return SIDE_OF_CARD[card]
