"""Everything on the table: the display, both sides' cards and coins, the map, track and tokens.

A side is also a seat. Decks and stacks are bags: what has not been turned up is in no order, and
only `aside` holds cards that someone may not know. Flat arrays throughout: a copy is a handful of
small copies.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Self

from services.core.canonical import canonical
from services.core.errors import Invalid
from services.core.saving import number, numbers, parts, word
from services.duel.settings import Settings
from services.duel.tables import (
    CARD_RACE,
    CARDS,
    CHAIN_TO,
    CHAPTERS,
    CHOICE_OF,
    CHOICES,
    DECKS,
    FORTRESSES,
    FULL_DISPLAY,
    GOAL,
    NONE,
    PRODUCES,
    RACES,
    REGIONS,
    SAURON,
    SIDES,
    SKILLS,
    SLOTS,
    START_COINS,
    START_UNITS,
    TILES,
    TOKEN_RACE,
    TOKENS,
    TOTAL_COINS,
    UNITS,
)

REGION_COUNT, SKILL_COUNT, RACE_COUNT = len(REGIONS), len(SKILLS), len(RACES)
"""Regions, skills and races; Sauron's part of an array begins after the Fellowship's."""

TAKEN, FACE_DOWN = 255, 254
"""What lies on a slot of the display, if it is no card that was turned up."""

IN_BAG, ON_TOP, REVEALED, KEPT = range(4)
"""Where an alliance token is: unseen, returned to the top of its stack, offered now, or kept by the
Fellowship; by Sauron, if it is one more."""

IN_STACK, OFFERED, OWNED = range(3)
"""Where a landmark tile is; one more than `OWNED` is Sauron's."""

UNDECIDED, SHARED = -1, 2
"""Results beside the two sides."""

REASONS = (
    "",
    "quest_of_the_ring",
    "support_of_the_races",
    "conquest",
    "most_regions",
    "equal_regions",
    "forfeit",
)
"""Why a game ended; empty while it goes on."""


class Board:
    """One position of one game."""

    __slots__ = (
        "areas",
        "aside",
        "bag",
        "chains",
        "chapter",
        "choices",
        "coins",
        "discard",
        "display",
        "extra",
        "forts",
        "left",
        "looked",
        "quest",
        "races",
        "reason",
        "result",
        "settings",
        "skills",
        "supply",
        "tiles",
        "tokens",
        "trio",
        "turn",
        "turns",
        "units",
    )

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.chapter = 0  # from 1; none has begun
        self.turn = SAURON
        self.turns = 0  # begun
        self.extra = 0  # turns that the side on turn has earned
        self.left = 0  # slots of the display that are not taken
        self.display = bytearray([TAKEN]) * SLOTS
        self.bag = bytearray()  # the chapter's cards that nobody has drawn, ascending
        self.aside = bytearray()  # the chapter's set-aside cards, in the discard pile, ascending
        self.looked = 0  # the sides that have seen these
        self.discard = bytearray()  # the cards in the discard pile that everyone knows
        self.areas = (bytearray(), bytearray())  # the cards played, by side
        self.coins = list(START_COINS)
        self.units = bytearray((*START_UNITS[0], *START_UNITS[1]))  # by side and region
        self.supply = bytearray(UNITS - sum(units) for units in START_UNITS)
        self.forts = bytearray(REGION_COUNT)  # 0, or one more than the side that built there
        self.quest = bytearray(2)
        self.skills = bytearray(2 * SKILL_COUNT)  # produced every turn, by side and skill
        self.choices = bytearray(2)  # the choice cards in play, as bits of `CHOICES`
        self.chains = [0, 0]  # the chain symbols in play, as bits
        self.races = bytearray(2 * RACE_COUNT)  # symbols in play, by side and race
        self.trio = bytearray(2)  # whether the alliance of three races has been made
        self.tokens = bytearray(len(TOKENS))
        self.tiles = bytearray(len(TILES))
        self.result = UNDECIDED
        self.reason = ""

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.settings = self.settings
        new.chapter = self.chapter
        new.turn = self.turn
        new.turns = self.turns
        new.extra = self.extra
        new.left = self.left
        new.display = self.display[:]
        new.bag = self.bag[:]
        new.aside = self.aside[:]
        new.looked = self.looked
        new.discard = self.discard[:]
        one, other = self.areas
        new.areas = (one[:], other[:])
        new.coins = self.coins[:]
        new.units = self.units[:]
        new.supply = self.supply[:]
        new.forts = self.forts[:]
        new.quest = self.quest[:]
        new.skills = self.skills[:]
        new.choices = self.choices[:]
        new.chains = self.chains[:]
        new.races = self.races[:]
        new.trio = self.trio[:]
        new.tokens = self.tokens[:]
        new.tiles = self.tiles[:]
        new.result = self.result
        new.reason = self.reason
        return new

    # The display.

    def open_chapter(self) -> None:
        """Lay out the next chapter, every card of it still face down and in the bag."""
        self.chapter += 1
        self.bag = bytearray(DECKS[self.chapter])
        self.display = bytearray([FACE_DOWN]) * SLOTS
        self.left = FULL_DISPLAY
        self.looked = 0

    def turn_up(self, slot: int, card: int) -> None:
        """Lay a card that chance has drawn face up on a slot."""
        self.bag.remove(card)
        self.display[slot] = card

    def put_aside(self, card: int) -> None:
        """Put a card into the discard pile unseen."""
        self.bag.remove(card)
        self.aside = bytearray(sorted((*self.aside, card)))

    def close_chapter(self) -> None:
        """What was set aside follows from the cards that were seen: everyone knows it now."""
        assert not self.bag
        self.discard += self.aside
        self.aside = bytearray()

    def take(self, card: int) -> None:
        """Take a card from the display."""
        slot = self.display.index(card)
        self.display[slot] = TAKEN
        self.left &= ~(1 << slot)

    # The discard pile.

    def knows_aside(self, side: int | None) -> bool:
        """Whether a viewer has seen the set-aside cards of this chapter."""
        return side is not None and bool(self.looked >> side & 1)

    def pick_up(self, card: int) -> None:
        """Take a card out of the discard pile."""
        (self.aside if card in self.aside else self.discard).remove(card)

    # Cards in play.

    def add_card(self, side: int, card: int) -> None:
        """Put a card into a play area; what it shows counts from here on."""
        self.areas[side].append(card)
        for skill, count in PRODUCES[card]:
            self.skills[side * SKILL_COUNT + skill] += count
        if card in CHOICE_OF:
            self.choices[side] |= 1 << CHOICES.index(card)
        if CHAIN_TO[card] != NONE:
            self.chains[side] |= 1 << CHAIN_TO[card]
        if CARD_RACE[card] != NONE:
            self.races[side * RACE_COUNT + CARD_RACE[card]] += 1

    def lose_grey(self, side: int, card: int) -> None:
        """Discard a grey card from a play area."""
        self.areas[side].remove(card)
        self.discard.append(card)
        for skill, count in PRODUCES[card]:
            self.skills[side * SKILL_COUNT + skill] -= count
        if card in CHOICE_OF:
            self.choices[side] &= ~(1 << CHOICES.index(card))

    def has_token(self, side: int, token: int) -> bool:
        """Whether a side has kept this token."""
        return self.tokens[token] == KEPT + side

    def different_races(self, side: int) -> list[int]:
        """The races of which a side has a symbol."""
        base = side * RACE_COUNT
        return [race for race in range(RACE_COUNT) if self.races[base + race]]

    def race_tokens(self, race: int, where: int) -> list[int]:
        """The tokens of a race that are there."""
        return [t for t, of in enumerate(TOKEN_RACE) if of == race and self.tokens[t] == where]

    # Coins.

    @property
    def reserve(self) -> int:
        """How many coins nobody holds; without a limit there are always enough."""
        return max(0, TOTAL_COINS - self.coins[0] - self.coins[1])

    def gain(self, side: int, coins: int) -> int:
        """Give coins from the reserve, no more than it has; the coins given."""
        if self.settings.limited:
            coins = min(coins, TOTAL_COINS - self.coins[0] - self.coins[1])
        self.coins[side] += coins
        return coins

    def lose(self, side: int, coins: int) -> int:
        """Take coins to the reserve, no more than the side has; the coins taken."""
        coins = min(coins, self.coins[side])
        self.coins[side] -= coins
        return coins

    # The map.

    def is_present(self, side: int, region: int) -> bool:
        """Whether a side has a unit or its fortress there."""
        return bool(self.units[side * REGION_COUNT + region]) or self.forts[region] == side + 1

    def presence(self, side: int) -> int:
        """In how many regions a side is present."""
        return sum(self.is_present(side, region) for region in range(REGION_COUNT))

    def is_everywhere(self, side: int) -> bool:
        """Whether a side is present in every region."""
        units, forts, base, own = self.units, self.forts, side * REGION_COUNT, side + 1
        return all(units[base + region] or forts[region] == own for region in range(REGION_COUNT))

    def fortresses(self, side: int) -> int:
        """How many fortresses of a side stand on the board."""
        return self.forts.count(side + 1)

    def add_units(self, side: int, region: int, units: int) -> None:
        """Bring units from the supply to a region."""
        self.units[side * REGION_COUNT + region] += units
        self.supply[side] -= units

    def remove_units(self, side: int, region: int, units: int) -> None:
        """Return units from a region to the supply."""
        self.units[side * REGION_COUNT + region] -= units
        self.supply[side] += units

    # Saving.

    def dump(self) -> list[Any]:
        """The board as whole numbers, strings and lists of these."""
        return [
            list(self.settings.options.items()),
            [self.chapter, self.turn, self.turns, self.extra, self.looked],
            list(self.display),
            list(self.bag),
            list(self.aside),
            list(self.discard),
            [list(area) for area in self.areas],
            self.coins[:],
            list(self.units),
            list(self.forts),
            [*self.quest, *self.trio],
            list(self.tokens),
            list(self.tiles),
            [self.result, self.reason],
        ]

    def gist(self) -> str:
        """What tells this board from others, with the options that are played by."""
        return canonical((self.settings.text, _told_apart_by(self)))

    @classmethod
    def load(cls, settings: Settings, saved: list[Any]) -> Board:
        """The board that `dump` saved, its options already agreed; `Invalid` if it did not."""
        _, turn, display, bag, aside, discard, areas, *rest = parts(saved, 14)
        b = cls(settings)
        chapter, b.turn, b.turns, b.extra, b.looked = numbers(turn, 5, 0, 255)
        b.chapter, b.turn = number(chapter, 0, len(CHAPTERS)), number(b.turn, 0, SAURON)
        b.looked = number(b.looked, 0, 3)
        b.display = bytearray(_face(face) for face in parts(display, SLOTS))
        b.left = sum(1 << slot for slot, face in enumerate(b.display) if face != TAKEN)
        b.bag = bytearray(numbers(bag, None, 0, len(CARDS) - 1))
        b.aside = bytearray(numbers(aside, None, 0, len(CARDS) - 1))
        b.discard = bytearray(numbers(discard, None, 0, len(CARDS) - 1))
        for side, area in enumerate(parts(areas, len(SIDES))):
            for card in numbers(area, None, 0, len(CARDS) - 1):
                b.add_card(side, card)
        b._load_tables(rest)
        return b

    def _load_tables(self, saved: list[object]) -> None:
        coins, units, forts, steps, tokens, tiles, end = saved
        self.coins = numbers(coins, 2, 0, 1 << 20)
        self.units = bytearray(numbers(units, 2 * REGION_COUNT, 0, UNITS))
        placed = [sum(self.units[:REGION_COUNT]), sum(self.units[REGION_COUNT:])]
        self.supply = bytearray(number(UNITS - there, 0, UNITS) for there in placed)
        self.forts = bytearray(numbers(forts, REGION_COUNT, 0, len(SIDES)))
        *quest, one, other = numbers(steps, 4, 0, GOAL)
        self.quest = bytearray(quest)
        self.trio = bytearray([number(one, 0, 1), number(other, 0, 1)])
        self.tokens = bytearray(numbers(tokens, len(TOKENS), IN_BAG, KEPT + SAURON))
        self.tiles = bytearray(numbers(tiles, len(TILES), IN_STACK, OWNED + SAURON))
        result, reason = parts(end, 2)
        self.result, self.reason = number(result, UNDECIDED, SHARED), word(reason, REASONS)


TOLD_APART_BY = (
    "display", "bag", "aside", "discard", "areas", "coins", "units", "forts", "quest", "trio",
    "tokens", "tiles", "chapter", "turn", "turns", "extra", "looked", "result", "reason",
)  # fmt: skip
"""What tells boards apart, in the order of docs/positions.md."""
_told_apart_by = attrgetter(*TOLD_APART_BY)


def _face(value: object) -> int:
    face = number(value, 0, TAKEN)
    if len(CARDS) <= face < FACE_DOWN:
        raise Invalid("there is no such card", said=str(face))
    return face


assert FORTRESSES == REGION_COUNT  # one for each place where it could stand: nobody runs out
