"""The third part of the board: where each event card is, and who knows it.

Design. A deck is the bag of the cards that are in it. What a seat knows of a card is one bit:
whether it is sure where the card is now. A card drawn is known to who drew it, a card played to
all, and a card that goes face down from a hand to its holder alone. A card handed to a team-mate is
known to both until the mate discards one with such a back unseen; from then on the giver knows
only that the mate got it, which `given` remembers.
"""

from __future__ import annotations

from services.warofthering.board.tracks import Tracks
from services.warofthering.settings import Settings
from services.warofthering.tables import CARD_COUNT, CARDS_IN, DECK_OF_CARD, SIDE_OF_CARD

IN_DECK, DISCARDED, ON_TABLE, IN_PLAY, IN_HAND = range(5)
FACE_DOWN = 8
"""Where a card is: in its deck; discarded after everyone saw it; on the table; in play, while it is
being resolved; `IN_HAND + seat`; `FACE_DOWN + seat` is discarded by that seat unseen."""
LAST_PILE = FACE_DOWN + 3
NO_HOLDER = -1
ALL_KNOW = 255


class Piles(Tracks):
    """The event cards."""

    __slots__ = ("cards", "given", "knowers", "table")

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.cards = bytearray(CARD_COUNT)  # by card: its pile
        self.knowers = bytearray(CARD_COUNT)  # by card: the seats that know where it is, as bits
        self.given = bytearray(CARD_COUNT)  # by card: 1 + the seat to which a mate handed it, or 0
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
        decks = CARDS_IN[self.settings.sides[seat]]
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

    def holder_of(self, card: int) -> int:
        """The seat in whose hand a card is, or who discarded it unseen; `NO_HOLDER` if nobody."""
        pile = self.cards[card]
        return (pile - IN_HAND) % 4 if pile >= IN_HAND else NO_HOLDER

    def discards(self, side: int, deck: int) -> int:
        """How many cards of a deck are discarded, seen or not."""
        cards = CARDS_IN[side][deck]
        piles = self.cards[cards.start : cards.stop]
        return sum(pile == DISCARDED or pile >= FACE_DOWN for pile in piles)

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
        self.given[card] = 0

    def keep(self, card: int) -> None:
        """Lay a card that was played on the table."""
        self._put(card, ON_TABLE)

    def discard(self, card: int) -> None:
        """Lay a card that everyone has seen on the discards."""
        assert self.knowers[card] == ALL_KNOW
        self._put(card, DISCARDED)

    def discard_unseen(self, card: int) -> None:
        """Lay a card from a hand on the discards. Mates can no longer be sure of what is left."""
        seat = self.cards[card] - IN_HAND
        for other in self.hand(seat, DECK_OF_CARD[card]):
            self.knowers[other] = 1 << seat
        self._put(card, FACE_DOWN + seat)

    def swap(self, card: int, seat: int) -> None:
        """Hand a card over to a team-mate, unseen by others; both know it."""
        self.knowers[card] |= 1 << seat
        self.given[card] = seat + 1
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
