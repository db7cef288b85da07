"""The battle being fought: who takes part, and what cards and abilities make of this round.

Design. All of it is public: a Combat card is here once it is revealed, not before. Numbers that a
card bends are kept by side and name in one list, cleared between rounds; what lasts for the battle
has a field of its own.
"""

from __future__ import annotations

from typing import Any, Self

from services.core.saving import number, numbers, parts
from services.warofthering.tables import (
    AREA_COUNT,
    CHARACTERS,
    ELITE,
    FIGURE_COUNT,
    LEADERS,
    NATIONS,
    NAZGUL,
    NO_CARD,
    UNITS,
)

FIELD, SIEGE, SORTIE = range(3)
KINDS = ("field", "siege", "sortie")

MOST_COMBAT_DICE = 5
"""How many dice a side rolls at most at once: in a Combat roll, a re-roll, an additional attack."""
NO_CARDS_LIMIT = 0
"""In place of how many rounds there may be: no card says it, so the rules do."""

(
    CARD,  # the Combat card played, or NO_CARD
    CANCELLED,  # it has no effect
    PLUS,  # on every die of the Combat roll
    REROLL_PLUS,  # on every die of the Leader re-roll
    FEWER,  # Combat dice less, one at least remaining
    MOST,  # Combat dice at most
    FORFEITED,  # points of Nazgûl Leadership given up
    LEADERS_SPENT,  # Free Peoples Leaders, or Nazgûl, that do not count this round
    SPENT,  # characters that do not count for Leadership this round, as bits
    SUPPRESSED,  # characters that count for nothing this round, as bits
    NO_REROLL,  # no Leader re-roll
    ONES,  # natural ones of the Combat roll, which are among the misses
    EARLY_HITS,  # of additional attacks before the Combat roll
    HITS,  # of the Combat roll, converted misses included
    MISSES,  # of the Combat roll that may be re-rolled
    REROLL_HITS,  # of the Leader re-roll
    EXTRA_HITS,  # earned by cards
    STOPPED_HITS,  # of the enemy's, cancelled by cards
) = range(18)
MODIFIER_COUNT = 18
_PLAIN = [0] * MODIFIER_COUNT
_PLAIN[CARD], _PLAIN[MOST] = NO_CARD, MOST_COMBAT_DICE
_LOWEST, _HIGHEST = -1000, 1 << 40


class Fight:
    """One battle. Sides are numbered as everywhere; `attacker` is one of them."""

    __slots__ = (
        "attacker",
        "extensions",
        "fewer_always",
        "force",
        "kind",
        "may_cease",
        "modifiers",
        "no_early_card",
        "region",
        "replaced",
        "round",
        "rounds",
        "seats",
        "source",
        "target",
        "white_rider",
    )

    def __init__(self, attacker: int, source: int, target: int, kind: int) -> None:
        self.attacker = attacker
        self.source = source  # the areas of the two armies
        self.target = target
        self.kind = kind
        self.region = 0  # of the defending army
        self.seats = [0, 0]  # by side: who decides for it
        self.force = bytearray(2 * FIGURE_COUNT)  # by side: who takes part
        self.replaced = bytearray(len(NATIONS))  # by nation: Regulars who took an Elite's place
        self.round = 1
        self.rounds = NO_CARDS_LIMIT  # how many there may be, if a card says so
        self.extensions = 0  # rounds bought by reducing Elites
        self.may_cease = True  # the attacker may stop
        self.no_early_card = False  # the defender needs a Companion for a card in round 1
        self.fewer_always = [0, 0]  # by side: Combat dice less in every round
        self.white_rider = False  # Nazgûl Leadership is void
        self.modifiers = _PLAIN + _PLAIN

    def copy(self) -> Self:
        new = object.__new__(type(self))
        for name in ("attacker", "source", "target", "kind", "region", "round", "rounds",
                     "extensions", "may_cease", "no_early_card", "white_rider"):  # fmt: skip
            setattr(new, name, getattr(self, name))
        new.seats = self.seats[:]
        new.force = self.force[:]
        new.replaced = self.replaced[:]
        new.fewer_always = self.fewer_always[:]
        new.modifiers = self.modifiers[:]
        return new

    # Who takes part.

    @property
    def defender(self) -> int:
        """The side that is attacked."""
        return 1 - self.attacker

    def area_of(self, side: int) -> int:
        """Where a side's army is."""
        return self.source if side == self.attacker else self.target

    def count(self, side: int, figure: int) -> int:
        """How many of a figure take part on a side."""
        return self.force[side * FIGURE_COUNT + figure]

    def units(self, side: int) -> int:
        """How many units take part on a side."""
        first = side * FIGURE_COUNT
        return sum(self.force[first + UNITS.start : first + UNITS.stop])

    def elites(self, side: int) -> int:
        """How many Elites take part on a side."""
        first = side * FIGURE_COUNT
        return sum(self.force[first + ELITE : first + UNITS.stop])

    def leaders(self, side: int) -> int:
        """How many Free Peoples Leaders, or Nazgûl, take part on a side."""
        first = side * FIGURE_COUNT
        return sum(self.force[first + LEADERS.start : first + NAZGUL + 1])

    def characters(self, side: int, among: range = CHARACTERS) -> list[int]:
        """The characters who take part on a side."""
        first = side * FIGURE_COUNT
        return [who for who in among if self.force[first + who]]

    def enlist(self, side: int, force: tuple[int, ...]) -> None:
        """Those who take part on a side, from now on."""
        self.force[side * FIGURE_COUNT : (side + 1) * FIGURE_COUNT] = bytes(force)

    def group(self, side: int) -> tuple[int, ...]:
        """All who take part on a side, as a force."""
        return tuple(self.force[side * FIGURE_COUNT : (side + 1) * FIGURE_COUNT])

    def change(self, side: int, figure: int, by: int) -> None:
        """Figures of a side fall, or replace others."""
        self.force[side * FIGURE_COUNT + figure] += by

    # What this round is made of.

    def modifier(self, side: int, name: int) -> int:
        """A number that cards may bend, such as `PLUS`, as it stands."""
        return self.modifiers[side * MODIFIER_COUNT + name]

    def add(self, side: int, name: int, by: int = 1) -> None:
        """Bend a number."""
        self.modifiers[side * MODIFIER_COUNT + name] += by

    def fix(self, side: int, name: int, value: int) -> None:
        """Give a number a value."""
        self.modifiers[side * MODIFIER_COUNT + name] = value

    def next_round(self) -> None:
        """Forget what lasted for one round."""
        self.round += 1
        self.modifiers = _PLAIN + _PLAIN

    # Saving.

    def dump(self) -> list[Any]:
        """The battle as whole numbers and lists of these."""
        return [
            [self.attacker, self.source, self.target, self.kind, self.region],
            [self.round, self.rounds, self.extensions],
            [int(self.may_cease), int(self.no_early_card), int(self.white_rider)],
            self.seats[:],
            self.fewer_always[:],
            list(self.force),
            list(self.replaced),
            self.modifiers[:],
        ]

    @classmethod
    def load(cls, saved: object) -> Fight:
        """The battle that `dump` saved; `Invalid` if it did not."""
        areas, rounds, flags, seats, fewer, force, replaced, modifiers = parts(saved, 8)
        attacker, source, target, kind, region = numbers(areas, 5, 0, AREA_COUNT)
        fight = cls(number(attacker, 0, 1), source, target, number(kind, 0, len(KINDS) - 1))
        fight.region = region
        fight.round, fight.rounds, fight.extensions = numbers(rounds, 3, 0, 1 << 20)
        cease, early, rider = numbers(flags, 3, 0, 1)
        fight.may_cease, fight.no_early_card = bool(cease), bool(early)
        fight.white_rider = bool(rider)
        fight.seats = numbers(seats, 2, 0, 3)
        fight.fewer_always = numbers(fewer, 2, 0, 10)
        fight.force = bytearray(numbers(force, 2 * FIGURE_COUNT, 0, 50))
        fight.replaced = bytearray(numbers(replaced, len(NATIONS), 0, 50))
        fight.modifiers = numbers(modifiers, 2 * MODIFIER_COUNT, _LOWEST, _HIGHEST)
        return fight
