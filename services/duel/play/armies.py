"""The central board (RULES 10): placing, conflict, movement, removal, fortresses.

Order of reading: what happens, then what the side on turn is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.duel.board import IN_STACK, OFFERED, REGION_COUNT, Board
from services.duel.play.ending import check_conquest
from services.duel.play.resolving import refuse
from services.duel.tables import (
    ADJACENT,
    ALL_REGIONS,
    CHAPTERS,
    NO_SURCHARGE,
    REGIONS,
    SIDES,
    UNITS,
)

G = Game[Board]

PASS = Action("pass")
PLACE = tuple(Action("place", (region,)) for region in range(REGION_COUNT))
REMOVE = tuple(Action("remove", (region,)) for region in range(REGION_COUNT))
BUILD = tuple(Action("build", (region,)) for region in range(REGION_COUNT))
RAZE = tuple(Action("raze", (region,)) for region in range(REGION_COUNT))
MOVE = tuple(
    tuple(Action("move", (start, to)) for to in ADJACENT[start]) for start in range(REGION_COUNT)
)


# What happens.


def fight(g: G, region: int) -> None:
    """Both sides lose as many units as the weaker one has there."""
    b = g.board
    losses = min(b.units[region], b.units[REGION_COUNT + region])
    if losses:
        for side in range(len(SIDES)):
            b.remove_units(side, region, losses)
        g.emit("conflict_fought", {"region": REGIONS[region], "losses": losses}, None)


def place(g: G, region: int, units: int) -> None:
    """The side on turn brings units to a region, no more than its supply has (ruling R-26)."""
    b = g.board
    units = min(units, b.supply[b.turn])
    b.add_units(b.turn, region, units)
    facts = {"side": SIDES[b.turn], "region": REGIONS[region], "units": units}
    g.emit("units_placed", facts, None)
    fight(g, region)
    check_conquest(g)  # after the conflict (ruling R-32)


def march(g: G, start: int, to: int) -> None:
    """A unit of the side on turn crosses one connection."""
    b = g.board
    base = b.turn * REGION_COUNT
    b.units[base + start] -= 1
    b.units[base + to] += 1
    facts = {"side": SIDES[b.turn], "from": REGIONS[start], "to": REGIONS[to]}
    g.emit("unit_moved", facts, None)
    fight(g, to)
    check_conquest(g)


def build(g: G, region: int) -> None:
    """The side on turn builds a fortress, or is asked where it could come to be dear."""
    if g.board.settings.refusable and _could_be_dear(g.board, region):
        g.call(BuildFortress(region=region))
    else:
        found(g, region)


def _could_be_dear(b: Board, region: int) -> bool:
    """Whether a fortress there, unless it wins, could make a later landmark dearer."""
    to_come = OFFERED in b.tiles or (IN_STACK in b.tiles and b.chapter < len(CHAPTERS))
    wins = b.presence(b.turn) == REGION_COUNT - 1 and not b.is_present(b.turn, region)
    return to_come and not wins and not b.has_token(b.turn, NO_SURCHARGE)


def found(g: G, region: int) -> None:
    """A fortress of the side on turn stands; it starts no conflict."""
    b = g.board
    assert not b.forts[region]  # one tile, one fortress (ruling R-30)
    b.forts[region] = b.turn + 1
    g.emit("fortress_built", {"side": SIDES[b.turn], "region": REGIONS[region]}, None)
    check_conquest(g)


# What is asked. A refusal ends the effect, movements or removals left over included.


@cache
def _placements(regions: int, *, refusable: bool) -> tuple[Action, ...]:
    places = [PLACE[region] for region in range(REGION_COUNT) if regions >> region & 1]
    return (PASS, *places) if refusable else tuple(places)


@dataclass(slots=True)
class PlaceUnits(Question[Board]):
    """Units of a red card all go to one of its regions (D2), those of a landmark to its own."""

    units: int = 0
    regions: int = 0

    prompt: ClassVar[str] = "armies.place"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _placements(self.regions, refusable=g.board.settings.refusable)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            place(g, action.nouns[0], self.units)
        else:
            refuse(g, "place_units")


@dataclass(slots=True)
class BuildFortress(Question[Board]):
    """The fortress of a landmark is built, or not (D12, ruling R-59)."""

    region: int = 0

    prompt: ClassVar[str] = "armies.build"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return (PASS, BUILD[self.region])

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            found(g, self.region)
        else:
            refuse(g, "place_fortress")


@dataclass(slots=True)
class PlaceFreely(Question[Board]):
    """Single units, each in any region (D3)."""

    count: int = 1

    prompt: ClassVar[str] = "armies.place_freely"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.turn,) if b.supply[b.turn] else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _placements(ALL_REGIONS, refusable=True)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        self.count = self.count - 1 if action.nouns else 0
        if not self.count:
            g.done()
        if action.nouns:
            place(g, action.nouns[0], 1)


@dataclass(slots=True)
class MoveUnits(Question[Board]):
    """Movements, one unit and one connection at a time (D4, ruling R-31)."""

    count: int = 1

    prompt: ClassVar[str] = "armies.move"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.turn,) if b.supply[b.turn] < UNITS else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        units, base = g.board.units, seat * REGION_COUNT
        found = [PASS]
        for start in range(REGION_COUNT):
            if units[base + start]:
                found += MOVE[start]
        return found

    def take(self, g: G, seat: Seat, action: Action) -> None:
        self.count = self.count - 1 if action.nouns else 0
        if not self.count:
            g.done()
        if action.nouns:
            start, to = action.nouns
            march(g, start, to)


@dataclass(slots=True)
class RemoveUnits(Question[Board]):
    """Enemy units are removed, each from any region (D5)."""

    count: int = 1

    prompt: ClassVar[str] = "armies.remove"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.turn,) if b.supply[1 - b.turn] < UNITS else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        units, base = g.board.units, (1 - seat) * REGION_COUNT
        return [PASS, *(REMOVE[region] for region in range(REGION_COUNT) if units[base + region])]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        self.count = self.count - 1 if action.nouns else 0
        if not self.count:
            g.done()
        if action.nouns:
            region = action.nouns[0]
            g.board.remove_units(1 - seat, region, 1)
            facts = {"side": SIDES[1 - seat], "region": REGIONS[region]}
            g.emit("unit_removed", facts, None)


@dataclass(slots=True)
class RemoveFortress(Question[Board]):
    """An enemy fortress goes back to its owner (D6, ruling R-29)."""

    prompt: ClassVar[str] = "armies.raze"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.turn,) if b.fortresses(1 - b.turn) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        forts, enemy = g.board.forts, 1 - seat
        return [PASS, *(RAZE[region] for region, fort in enumerate(forts) if fort == enemy + 1)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            region = action.nouns[0]
            g.board.forts[region] = 0
            facts = {"side": SIDES[1 - seat], "region": REGIONS[region]}
            g.emit("fortress_removed", facts, None)
