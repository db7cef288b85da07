"""How many, and where: questions that several chapters ask (RULES 5, 6.1, 8, 9.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.risk.board import Board
from services.risk.tables import LANDS, NUMBERS, TERRITORIES, bits

G = Game[Board]

BACK, CONFIRM = Action("back"), Action("confirm")
TAKEN_BACK = -2
"""What a question hands back where what had been begun is not done after all."""
NOWHERE = -1

MOST_OFFERED = 185
"""Where more counts than this could be named, the territory is asked first and then the count."""
HEAP, MOST_COUNTED = 100, 150
"""More battalions than can be counted out are moved a heap at a time."""


# Lists of actions come and go with the position; the actions in them are made once.


@cache
def _to_each(verb: str, source: int) -> tuple[Action, ...]:
    """By territory: the action from one to it."""
    return tuple([Action(verb, (source, target)) for target in range(LANDS)])


@lru_cache(maxsize=5000)
def pairs(verb: str, source: int, found: int) -> tuple[Action, ...]:
    """An action for each of these territories, from one to it."""
    to = _to_each(verb, source)
    return tuple([to[target] for target in bits(found)])


@cache
def _counts_on(land: int) -> tuple[Action, ...]:
    """As many battalions on a territory as can be named, from one on."""
    return tuple([Action("place", (land, n)) for n in range(1, len(NUMBERS))])


_INTO = tuple(Action("into", (land,)) for land in range(LANDS))


@lru_cache(maxsize=2000)
def placings(lands: int, left: int) -> tuple[Action, ...]:
    """One battalion or more, up to all, on one of these territories.

    Of a list that would be too long, all that are left, or a territory to be asked about.
    """
    among = bits(lands)
    actions: list[Action] = []
    if left * len(among) <= MOST_OFFERED:
        for land in among:
            actions += _counts_on(land)[:left]
    else:
        actions += [_counts_on(land)[left - 1] for land in among]
        actions += [_INTO[land] for land in among]
    return tuple(actions)


@dataclass(slots=True)
class Place(Question[Board]):
    """A seat places battalions on its territories, and confirms once that this is how they stand.

    Until then nobody else learns anything, and whatever has been placed can be taken back.
    """

    seat: int = 0
    left: int = 0  # to be placed, as all know
    lands: int = 0  # where they may go; the seat's own of these
    planned: tuple[int, ...] = ()  # territories and numbers by turns, known to the seat alone
    land: int = NOWHERE  # where some more are to go; how many is asked
    prompt: ClassVar[str] = "reinforce.place"

    def choices(self, g: G) -> int:
        """The territories that may be reinforced."""
        return self.lands & g.board.held[self.seat]

    @property
    def to_go(self) -> int:
        """How many have not been placed yet."""
        return self.left - sum(self.planned[1::2])

    def plan(self) -> dict[int, int]:
        """How many have been placed where, by territory, in the order of the map."""
        found: dict[int, int] = {}
        for land, battalions in zip(self.planned[::2], self.planned[1::2], strict=True):
            found[land] = found.get(land, 0) + battalions
        return dict(sorted(found.items()))

    def waiting(self, g: G) -> tuple[Seat, ...]:
        if self.left and self.choices(g) and g.board.is_in(self.seat):
            return (self.seat,)
        return ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        to_go = self.to_go
        if self.land != NOWHERE:
            return (*_counts_on(self.land)[:to_go], BACK)
        if not to_go:
            return (CONFIRM, BACK)
        actions = placings(self.choices(g), to_go)
        return (*actions, BACK) if self.planned else actions

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "place":
            self.planned += action.nouns
            self.land = NOWHERE
        elif action.verb == "into":
            (self.land,) = action.nouns
        elif action == CONFIRM:
            self._settle(g)
        elif self.land != NOWHERE:
            self.land = NOWHERE
        else:
            self.planned = self.planned[:-2]

    def _settle(self, g: G) -> None:
        """All that was planned is done, and told."""
        for land, battalions in self.plan().items():
            g.board.add(land, battalions)
            self.paid(g, battalions)
            tell_placed(g, self.seat, land, battalions)
        self.left, self.planned = 0, ()

    def paid(self, g: G, battalions: int) -> None:
        """Where the battalions come from: the supply, which is without end (RULES R2)."""


def tell_placed(g: G, seat: int, land: int, battalions: int) -> None:
    """Say that battalions were placed."""
    facts = {"seat": g.board.name(seat), "territory": TERRITORIES[land], "battalions": battalions}
    g.emit("placed", facts, None)


@dataclass(slots=True)
class PlaceInSetup(Place):
    """The same from the battalions that a player begins with, in batches (RULES 3.1)."""

    prompt: ClassVar[str] = "setup.batch"

    def paid(self, g: G, battalions: int) -> None:
        g.board.spend_reserve(self.seat, battalions)


@dataclass(slots=True)
class PlaceReward(Place):
    """The same for a mission (RULES 9.4)."""

    prompt: ClassVar[str] = "mission.place"


@dataclass(slots=True)
class PlaceByTurns(Question[Board]):
    """A seat places one battalion, and may say that its next ones go to the same place (S7).

    Then it is not asked while these are placed, one in each of its turns; nobody else knows how
    many they are.
    """

    seat: int = 0
    prompt: ClassVar[str] = "setup.place"

    def most(self, b: Board) -> int:
        """Battalions that may be placed ahead, as far as a list can hold the choices."""
        return max(1, min(b.reserve[self.seat], MOST_OFFERED // b.held[self.seat].bit_count()))

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return placings(g.board.held[self.seat], self.most(g.board))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns, self.most(g.board))


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
    before: int = 0  # of them, counted out with a heap; nobody else has been told

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if self.least < self.most and g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _counts(self.least, self.most - self.before, self.before)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "heap":
            self.before += HEAP
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


@dataclass(slots=True)
class MarchOff(HowMany):
    """How many battalions move to fortify (RULES 8); until that is said, it can be taken back."""

    prompt: ClassVar[str] = "fortify.count"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return (BACK, *HowMany.legal(self, g, seat))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action == BACK:
            g.done(TAKEN_BACK)
        else:
            HowMany.take(self, g, seat, action)
