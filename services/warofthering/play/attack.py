"""Attacks (RULES 11.1): which army attacks which, with whom, and how the battle begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import NO_FORCE, Board, areas_in
from services.warofthering.board.fight import FIELD, NO_CARDS_LIMIT, SIEGE, SORTIE, Fight
from services.warofthering.play import kept
from services.warofthering.play.asking import choose
from services.warofthering.play.battle import Battle
from services.warofthering.play.forces import (
    ANY_ARMY,
    BY_DIE,
    Detach,
    Force,
    detach,
    fighters,
    largest,
    may_be_led,
    note_action,
)
from services.warofthering.tables import (
    ADJACENT,
    GARRISON_OF,
    NOWHERE,
    ON_MAP,
    REGION_COUNT,
    REGION_OF,
)

G = Game[Board]


def _beside(area: int) -> int:
    region = REGION_OF[area]
    if area >= REGION_COUNT:
        return 1 << region
    near = sum(1 << other for other in ADJACENT[region])
    garrison = GARRISON_OF[region]
    return near if garrison == NOWHERE else near | 1 << garrison


_BESIDE = tuple(_beside(area) for area in ON_MAP)
"""By area: the areas that an army there may attack, as bits."""


def attacking(b: Board, seat: int, area: int, need: int) -> Force:
    """The largest force of a seat's army in an area that may attack; the rest stays behind.

    Figures that must stay out of it are the rearguard, Leaders without units among them.
    """
    army = b.army(area, seat)
    return largest(b, army, fighters(b, army), need)


def targets(b: Board, seat: int, area: int) -> list[int]:
    """The areas of the armies that one in this area may attack."""
    side = b.settings.sides[seat]
    units, enemy = b.units, 1 - side
    region = REGION_OF[area]
    if area >= REGION_COUNT:
        return [region] if units[2 * region + enemy] else []
    found = [near for near in ADJACENT[region] if units[2 * near + enemy]]
    garrison = GARRISON_OF[region]
    if garrison != NOWHERE and units[2 * garrison + enemy]:
        found.append(garrison)
    return [at for at in found if not kept.is_barred(b, REGION_OF[at], side)] if found else found


def starts(b: Board, seat: int, need: int) -> Iterator[int]:
    """The areas from which a seat may attack, found one by one."""
    side = b.settings.sides[seat]
    enemies, barred = b.armies[1 - side], kept.barred(b, side)
    resting = b.resting[1] if need & BY_DIE else 0
    in_team = b.settings.has_teams
    for area in areas_in(b.armies[side] & may_be_led(b, side, need) & ~resting):
        if not _BESIDE[area] & enemies or (in_team and not b.has_units(area, seat)):
            continue
        if barred and not targets(b, seat, area):
            continue
        if attacking(b, seat, area, need) != NO_FORCE:
            yield area


def attack_areas(b: Board, seat: int, need: int) -> list[int]:
    """The areas from which a seat may attack."""
    return list(starts(b, seat, need))


def can_attack(b: Board, seat: int, need: int = ANY_ARMY) -> bool:
    """Whether a seat may attack anything."""
    return next(starts(b, seat, need), NOWHERE) != NOWHERE


def begin(g: G, seat: int, force: Force, source: int, target: int) -> Fight:
    """Put a battle on the board; the caller may bend it before it is fought."""
    b = g.board
    side = b.settings.sides[seat]
    kind = FIELD if source < REGION_COUNT and target < REGION_COUNT else SIEGE
    if source >= REGION_COUNT:
        kind = SORTIE
    fight = Fight(side, source, target, kind)
    fight.region = REGION_OF[target]
    fight.seats[side] = seat
    fight.seats[1 - side] = b.commander(target, 1 - side)
    fight.enlist(side, force)
    fight.enlist(1 - side, b.group(target, 1 - side))
    b.fight = fight
    return fight


@dataclass(slots=True)
class Attack(Procedure):
    """A seat attacks with one army. `sources` and `aims` limit it to areas, if not empty."""

    seat: int = 0
    need: int = ANY_ARMY
    sources: tuple[int, ...] = ()
    aims: tuple[int, ...] = ()
    rounds: int = NO_CARDS_LIMIT  # how many the battle may have
    no_early_card: int = 0
    fewer: int = 0  # Combat dice less for the defender in every round
    must_go_on: int = 0
    area: int = 0
    target: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_area", "choose_target", "detach", "fight")

    def choose_area(self, g: G) -> None:
        b = g.board
        areas = attack_areas(b, self.seat, self.need)
        if self.sources:
            areas = [area for area in areas if area in self.sources]
        areas = [area for area in areas if self._targets(b, area)]
        choose(g, self.seat, "area", areas, "attack_from")

    def choose_target(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        (self.area,) = self.got
        choose(g, self.seat, "area", self._targets(g.board, self.area), "attack_whom")

    def detach(self, g: G) -> None:
        (self.target,) = self.got
        b = g.board
        able = attacking(b, self.seat, self.area, self.need)
        army = b.army(self.area, self.seat)
        question = Detach(seat=self.seat, area=self.area, army=army, able=able, need=self.need)
        question.what = "attack"
        detach(g, question)

    def fight(self, g: G) -> None:
        if self.need & BY_DIE:
            note_action(g.board, self.got, self.area, REGION_OF[self.target])
        fight = begin(g, self.seat, self.got, self.area, self.target)
        fight.rounds = self.rounds
        fight.no_early_card = bool(self.no_early_card)
        fight.fewer_always[fight.defender] = self.fewer
        fight.may_cease = not self.must_go_on
        g.call(Battle())

    def _targets(self, b: Board, area: int) -> list[int]:
        found = targets(b, self.seat, area)
        return [target for target in found if target in self.aims] if self.aims else found
