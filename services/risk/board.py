"""Everything on the table: who holds which territory, Leaders, the Ring, both decks and all hands.

Territories and cards are numbers; a set of them is one whole number with a bit for each. Decks are
sets without an order. Beside the cards stands what has been seen of them: `deeds_seen`, `secrets`,
`slots` and `hints`, of which `guess` makes worlds. Deeds are Territory cards.
"""

from __future__ import annotations

from array import array
from typing import Any, Self

from services.risk.charter import Charter
from services.risk.tables import (
    ALL_ADVENTURES,
    ALL_DEEDS,
    ALL_LANDS,
    EVENTS,
    LANDS,
    MOST_SEATS,
    NEUTRAL,
    NOBODY,
    bits,
)

NOT_EVENTS = ALL_ADVENTURES & ~EVENTS
STORMS, BLOCK, CORSAIRS = range(3)
"""Effects that last: a set of territories, a bridge, nothing more."""
SAILS, UNWALLED, UNDERGROUND = 1, 2, 4
"""What cards make of an invasion: Black Sails, no bonus for a stronghold, a way below mountains."""

REASONS = ("", "ring_destroyed", "last_player")
"""Why a game ended; empty while it goes on."""


class Board:
    """One position of one game."""

    __slots__ = (
        "army",
        "blocked",
        "boons",
        "charter",
        "conquered",
        "deck",
        "deeds",
        "deeds_deck",
        "deeds_discard",
        "deeds_pools",
        "deeds_seen",
        "discard",
        "extra_deeds",
        "gone",
        "hands",
        "held",
        "hints",
        "lasting",
        "led",
        "locked",
        "moves_left",
        "number",
        "owner",
        "placing",
        "played",
        "pools",
        "reason",
        "removed",
        "reserve",
        "rested",
        "ring",
        "roll_more",
        "secrets",
        "sited",
        "slots",
        "stormed",
        "taxed",
        "turn",
    )

    def __init__(self, charter: Charter) -> None:
        seats = len(charter.seats)
        self.charter = charter
        self.owner = bytearray([NOBODY]) * LANDS
        self.army = array("q", [0]) * LANDS
        self.held = [0] * NOBODY + [ALL_LANDS]  # by army: its territories
        self.led = 0  # the territories with a Leader
        self.ring = 0  # of its path, from 0
        self.reserve: tuple[int, ...] = (charter.battalions,) * seats  # to be placed in the setup
        self.turn = 0
        self.number = 0  # of turns begun
        self.gone: tuple[int, ...] = ()  # seats that are out, the first one first
        self.conquered = 0  # of the turn: something was conquered
        self.sited = 0  # of the turn: a Leader conquered a site of power
        self.extra_deeds = 0  # of the turn: territory cards earned by missions
        self.moves_left = 0  # of the turn: fortify moves
        self.boons = 0  # of the invasion: what cards have made of it
        self.roll_more = 0  # of the Fellowship's step: what cards add to its roll
        self.locked = 0  # of the turn: seats that may play no more cards
        self.rested = 0  # of the turn: where a Leader must stay who completed a mission
        self.lasting: tuple[tuple[int, int, int], ...] = ()  # effect, of what, of which seat
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
        self.pools: tuple[int, ...] = (ALL_ADVENTURES,)
        # For each card in a hand, the longest held first: its pool, and what it cannot be.
        self.slots: tuple[tuple[tuple[int, int], ...], ...] = ((),) * seats
        # Of a hand: one of its so many longest held cards is one of these.
        self.hints: tuple[tuple[tuple[int, int], ...], ...] = ((),) * seats
        self.placing: tuple[int, ...] = ()  # by seat, how many stand below it; empty until the end
        self.reason = ""
        self.derive()

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.charter = self.charter
        new.owner = self.owner[:]
        new.army = self.army[:]
        new.held = self.held[:]
        new.led = self.led
        new.ring = self.ring
        new.reserve = self.reserve
        new.turn = self.turn
        new.number = self.number
        new.gone = self.gone
        new.conquered = self.conquered
        new.sited = self.sited
        new.extra_deeds = self.extra_deeds
        new.moves_left = self.moves_left
        new.boons = self.boons
        new.roll_more = self.roll_more
        new.locked = self.locked
        new.rested = self.rested
        new.lasting = self.lasting
        new.deeds = self.deeds
        new.deeds_deck = self.deeds_deck
        new.deeds_discard = self.deeds_discard
        new.deeds_pools = self.deeds_pools
        new.deeds_seen = self.deeds_seen
        new.secrets = self.secrets
        new.hands = self.hands
        new.deck = self.deck
        new.discard = self.discard
        new.played = self.played
        new.removed = self.removed
        new.pools = self.pools
        new.slots = self.slots
        new.hints = self.hints
        new.placing = self.placing
        new.reason = self.reason
        new.stormed = self.stormed
        new.blocked = self.blocked
        new.taxed = self.taxed
        return new

    # Seats.

    @property
    def seats(self) -> range:
        """Every seat, those that are out included."""
        return range(len(self.deeds))

    def name(self, army: int) -> str:
        """What texts call an army: its colour, or neutral."""
        return "neutral" if army == NEUTRAL else self.charter.seats[army]

    def is_in(self, seat: int) -> bool:
        """Whether a seat still plays."""
        return seat not in self.gone

    def playing(self) -> list[int]:
        """The seats that are not out."""
        return [seat for seat in self.seats if seat not in self.gone]

    def after(self, seat: int) -> int:
        """The next seat clockwise that is not out."""
        count = len(self.deeds)
        return next(
            (seat + step) % count
            for step in range(1, count + 1)
            if (seat + step) % count not in self.gone
        )

    def from_seat(self, seat: int) -> tuple[int, ...]:
        """The seats that still play, clockwise from this one."""
        count = len(self.deeds)
        order = [(seat + step) % count for step in range(count)]
        return tuple([s for s in order if s not in self.gone])

    # Territories.

    def give(self, land: int, army: int, battalions: int) -> None:
        """A territory changes hands, with so many battalions in it."""
        bit = 1 << land
        self.held[self.owner[land]] &= ~bit
        self.held[army] |= bit
        self.owner[land] = army
        self.army[land] = battalions

    def add(self, land: int, battalions: int) -> None:
        """So many battalions more; fewer, if it is a negative number."""
        self.army[land] += battalions

    def lose(self, land: int, battalions: int) -> int:
        """Take battalions away, never the last; how many they were."""
        lost = min(battalions, self.army[land] - 1)
        self.army[land] -= lost
        return lost

    def leader_lands(self, seat: int) -> int:
        """Where a seat's Leaders stand."""
        return self.led & self.held[seat]

    def has_leader(self, land: int) -> bool:
        """Whether a Leader stands there: its holder's."""
        return bool(self.led >> land & 1)

    def move_leader(self, start: int, to: int) -> None:
        """A Leader goes somewhere else."""
        self.led = self.led & ~(1 << start) | 1 << to

    def battalions_of(self, army: int) -> int:
        """All battalions of an army."""
        return sum([self.army[land] for land in bits(self.held[army])])

    def spend_reserve(self, seat: int, battalions: int) -> None:
        """Take battalions from those that a seat has yet to place in the setup."""
        left = list(self.reserve)
        left[seat] -= battalions
        self.reserve = tuple(left)

    # Effects that last.

    def begin_effect(self, effect: int, of: int, seat: int) -> None:
        """An effect holds until the next turn of this seat would begin."""
        self.lasting = (*self.lasting, (effect, of, seat))
        self.derive()

    def end_effects(self, seat: int) -> list[tuple[int, int, int]]:
        """The effects of this seat are over; which they were."""
        ended = [effect for effect in self.lasting if effect[2] == seat]
        if ended:
            self.lasting = tuple(effect for effect in self.lasting if effect[2] != seat)
            self.derive()
        return ended

    def derive(self) -> None:
        """Work out again what follows from the effects that last."""
        self.stormed = 0  # territories that nobody may invade or invade from
        self.blocked = 0  # bridges that only a Leader opens
        self.taxed = False  # invasions by sea cost battalions
        for effect, of, _ in self.lasting:
            if effect == STORMS:
                self.stormed |= of
            elif effect == BLOCK:
                self.blocked |= 1 << of
            else:
                self.taxed = True

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
        """A card of the deck joins a hand, unseen by others; all know that it is no event."""
        bit, pool = 1 << card, len(self.pools) - 1
        self.deck &= ~bit
        self.hands = _with(self.hands, seat, self.hands[seat] | bit)
        self.slots = _with(self.slots, seat, (*self.slots[seat], (pool, EVENTS)))

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

    def deny(self, seat: int, cards: int) -> None:
        """All have seen that a seat holds none of these cards."""
        slots = self.slots[seat]
        if slots and cards & ~slots[-1][1]:
            known = tuple([(pool, barred | cards) for pool, barred in slots])
            self.slots = _with(self.slots, seat, known)

    def attest(self, seat: int, cards: int) -> None:
        """All have seen that a seat holds at least one of these cards."""
        hint = (cards, len(self.slots[seat]))
        if hint not in self.hints[seat]:
            self.hints = _with(self.hints, seat, (*self.hints[seat], hint))

    # Which of the cards in a hand it was, all can only guess. The longest held that it can have
    # been is struck out: what is barred only shrinks from card to card, so every hand that is
    # possible after one choice is possible after this one. A hint that it may meet is dropped.
    def _leave_hand(self, seat: int, card: int) -> None:
        bit = 1 << card
        self.hands = _with(self.hands, seat, self.hands[seat] & ~bit)
        slots = list(self.slots[seat])
        slots.remove(
            next(s for s in slots if not s[1] & bit and self.pools[s[0]] & bit),
        )
        self.slots = _with(self.slots, seat, tuple(slots))
        if self.hints[seat]:
            left = [(cards, min(n, len(slots))) for cards, n in self.hints[seat] if not cards & bit]
            self.hints = _with(self.hints, seat, tuple(dict.fromkeys(left)))

    def retire(self, seat: int) -> None:
        """A seat is out; the cards that it had played leave the game."""
        self.gone = (*self.gone, seat)
        self.removed |= self.played[seat]
        self.played = _with(self.played, seat, 0)
        self.hints = _with(self.hints, seat, ())

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


assert NEUTRAL == MOST_SEATS
