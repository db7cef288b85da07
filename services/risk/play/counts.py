"""How many, and where: questions that several chapters ask (RULES 5, 6.1, 8, 9.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.risk.board import Board
from services.risk.tables import TERRITORIES, bits

G = Game[Board]

MOST_OFFERED = 190
_STEPS = (5, 10, 2, 3, 20)
HEAP, MOST_COUNTED = 100, 150
"""More battalions than can be counted out are moved a heap at a time."""


@lru_cache(maxsize=10_000)
def _placings_on(land: int, amounts: tuple[int, ...]) -> tuple[Action, ...]:
    return tuple([Action("place", (land, n)) for n in amounts])


@lru_cache(maxsize=1000)
def placings(lands: int, left: int) -> tuple[Action, ...]:
    """One battalion or more, up to all, on one of these territories."""
    places = bits(lands)
    amounts = {1, left}
    for step in _STEPS:
        if step < left and (len(amounts) + 1) * len(places) <= MOST_OFFERED:
            amounts.add(step)
    in_order = tuple(sorted(amounts))
    actions: list[Action] = []
    for land in places:
        actions += _placings_on(land, in_order)
    return tuple(actions)


@dataclass(slots=True)
class Place(Question[Board]):
    """A seat places battalions on its territories until none is left."""

    seat: int = 0
    left: int = 0
    lands: int = 0  # where they may go; the seat's own of these
    prompt: ClassVar[str] = "reinforce.place"

    def choices(self, g: G) -> int:
        """The territories that may be reinforced."""
        return self.lands & g.board.held[self.seat]

    def waiting(self, g: G) -> tuple[Seat, ...]:
        if self.left and self.choices(g) and g.board.is_in(self.seat):
            return (self.seat,)
        return ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return placings(self.choices(g), self.left)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        land, battalions = action.nouns
        b = g.board
        b.add(land, battalions)
        self.left -= battalions
        self.paid(g, battalions)
        facts = {
            "seat": b.charter.seats[seat],
            "territory": TERRITORIES[land],
            "battalions": battalions,
        }
        g.emit("placed", facts, None)

    def paid(self, g: G, battalions: int) -> None:
        """Where the battalions come from: the supply, which is without end (RULES R2)."""


@dataclass(slots=True)
class PlaceInSetup(Place):
    """The same from the battalions that a player begins with (RULES S7)."""

    prompt: ClassVar[str] = "setup.place"

    def paid(self, g: G, battalions: int) -> None:
        g.board.spend_reserve(self.seat, battalions)


@dataclass(slots=True)
class PlaceReward(Place):
    """The same for a mission (RULES 9.4)."""

    prompt: ClassVar[str] = "mission.place"


@lru_cache(maxsize=1000)
def _counts(least: int, most: int, before: int) -> tuple[Action, ...]:
    few = min(most, MOST_COUNTED)
    actions = [Action("move", (n,)) for n in range(0 if before else least, few + 1)]
    if most > few:
        actions += [Action("all"), Action("heap")]
    return tuple(actions)


@dataclass(slots=True)
class HowMany(Question[Board]):
    """A seat says how many battalions go. Who has no choice is not asked and hands back nothing."""

    seat: int = 0
    least: int = 0
    most: int = 0
    before: int = 0  # of them, gone with a heap
    prompt: ClassVar[str] = "fortify.count"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if self.least < self.most and g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _counts(self.least, self.most - self.before, self.before)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "heap":
            self.before += HEAP
            g.emit("counted", {"battalions": self.before}, None)
        elif action.verb == "all":
            g.done(self.most)
        else:
            g.done(self.before + action.nouns[0])


@dataclass(slots=True)
class Follow(HowMany):
    """How many battalions follow into a conquered territory (RULES 6.1)."""

    prompt: ClassVar[str] = "conquest.follow"


@dataclass(slots=True)
class Defect(HowMany):
    """How many battalions Gríma wins over."""

    prompt: ClassVar[str] = "card.defect"
