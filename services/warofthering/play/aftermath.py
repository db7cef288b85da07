"""How rounds and battles end (RULES 11.2 B12 to B14, 11.3, 12.1, 12.3).

Order of reading: an army that is wiped out, going on, retreat, withdrawal into siege, advance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action
from services.core.frames import Game, Procedure
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.board.fight import FIELD, NO_CARDS_LIMIT, SIEGE, Fight
from services.warofthering.play import control
from services.warofthering.play.armies import end_march, march
from services.warofthering.play.asking import ANSWER, NO, YES, choose, choose_word, say
from services.warofthering.play.casualties import drop_replacements, replacement_pile, take_loss
from services.warofthering.play.characters import eliminate
from services.warofthering.play.forces import ANY_ARMY, Detach, Force, detach, largest
from services.warofthering.play.separation import fall_on_map
from services.warofthering.play.stacking import Trim
from services.warofthering.play.volley import destroy_shadow_leaders
from services.warofthering.tables import (
    ADJACENT,
    CHARACTERS,
    COMPANIONS,
    ELITE,
    FALLEN,
    FIGURE_COUNT,
    GARRISON_OF,
    LEADERS,
    LEVEL,
    NAZGUL,
    REGIONS,
    RESERVE,
    SHADOW,
    SIDES,
    UNITS_OF,
)

G = Game[Board]

GUIDE_ROUNDS = 5
"""How many rounds a field battle lasts unless Elites are reduced (D13)."""


# An army that is wiped out.


def wipe_out(g: G, side: int) -> None:
    """All leaders and characters of an army without units fall with it (B10, D38)."""
    b = g.board
    fight = b.battle
    area = fight.area_of(side)
    force = fight.group(side)
    fight.enlist(side, NO_FORCE)
    for figure in range(LEADERS.start, FIGURE_COUNT):
        for _ in range(force[figure]):
            if figure in COMPANIONS:
                fall_on_map(g, figure)
            else:
                eliminate(g, figure, area, RESERVE if figure == NAZGUL else FALLEN)


# Going on.


ANY_ROUNDS = 0


def limit_of_rounds(b: Board) -> int:
    """How many rounds the battle may have, or `ANY_ROUNDS` (D13, 12.3)."""
    fight = b.battle
    if fight.rounds != NO_CARDS_LIMIT:
        return fight.rounds + fight.extensions
    if fight.kind == SIEGE:
        return 1 + fight.extensions
    has_limit = b.settings.readings.field_battles_are_limited
    return GUIDE_ROUNDS + fight.extensions if has_limit else ANY_ROUNDS


@dataclass(slots=True)
class Continue(Procedure):
    """The attacker stops or goes on; past the last round only by reducing an Elite (B13, 12.3)."""

    script: ClassVar[tuple[str, ...]] = ("ask", "choose_elite", "reduce")

    def ask(self, g: G) -> None:
        b = g.board
        fight = b.battle
        limit = limit_of_rounds(b)
        may_go_on = limit == ANY_ROUNDS or fight.round < limit
        if may_go_on and not fight.may_cease:
            g.done(YES)
        elif not may_go_on and not fight.elites(fight.attacker):
            g.done(NO)
        else:
            what = "go_on" if may_go_on else "extend"
            choose_word(g, fight.seats[fight.attacker], ("stop", "go_on"), what)

    def choose_elite(self, g: G) -> None:
        b = g.board
        fight = b.battle
        if self.got != (ANSWER["go_on"],):
            g.done(NO)
            return
        limit = limit_of_rounds(b)
        if limit == ANY_ROUNDS or fight.round < limit:
            g.done(YES)
            return
        units = UNITS_OF[fight.attacker]
        elites = [u for u in units if u >= ELITE and fight.count(fight.attacker, u)]
        choose(g, fight.seats[fight.attacker], "figure", elites, "extend")

    def reduce(self, g: G) -> None:
        b = g.board
        fight = b.battle
        (elite,) = self.got
        verb = "lose" if replacement_pile(b, elite - ELITE) is None else "reduce"
        take_loss(g, fight.source, fight.attacker, Action(verb, (elite,)), 1)
        fight.extensions += 1
        if fight.units(fight.attacker):
            g.done(YES)
        else:  # who fought beside the last unit falls with it (Ruling 43)
            wipe_out(g, fight.attacker)
            g.done(NO)


# Retreat.


def havens(b: Board, region: int, side: int) -> list[int]:
    """Where a side's army in the field may retreat: adjacent regions that are strictly free."""
    return [near for near in ADJACENT[region] if b.is_free(near, side)]


def retreat_regions(b: Board) -> list[int]:
    """Where the defending army may retreat (B14); not out of a Stronghold under siege."""
    fight = b.battle
    return [] if fight.kind == SIEGE else havens(b, fight.region, fight.defender)


@dataclass(slots=True)
class Retreat(Procedure):
    """The defender may leave the battle, all of him (B14). `must` is for cards that make him."""

    must: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_region", "go")

    def choose_region(self, g: G) -> None:
        b = g.board
        regions = retreat_regions(b)
        if regions:
            seat = b.battle.seats[b.battle.defender]
            choose(g, seat, "region", regions, "retreat", optional=not self.must)

    def go(self, g: G) -> None:
        if self.got:
            retreat(g, self.got[0])


def retreat(g: G, region: int) -> None:
    """The defending army is in another region; who cannot move stays behind (S07)."""
    b = g.board
    fight = b.battle
    drop_replacements(g, fight.defender)
    _fall_back(g, fight.defender, fight.group(fight.defender), fight.target, region)
    fight.enlist(fight.defender, NO_FORCE)


def _fall_back(g: G, side: int, force: Force, area: int, region: int) -> None:
    b = g.board
    mixed = b.mixed[area]
    b.move_force(_mobile(force), area, region)
    b.mixed[region], b.mixed[area] = mixed, 0
    say(g, "army_retreated", side=SIDES[side], to=REGIONS[region])


def _mobile(force: Force) -> Force:
    """A force less the characters of Level 0, who never move."""
    return tuple([0 if f in CHARACTERS and not LEVEL[f] else n for f, n in enumerate(force)])


@dataclass(slots=True)
class Flight(Procedure):
    """A card makes a Shadow army in the field retreat; one that cannot is destroyed, all of it."""

    area: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_region", "go")

    def choose_region(self, g: G) -> None:
        b = g.board
        if not b.units_at(self.area, SHADOW):
            g.done()
            return
        regions = havens(b, self.area, SHADOW)
        choose(g, b.commander(self.area, SHADOW), "region", regions, "retreat")

    def go(self, g: G) -> None:
        b = g.board
        army = b.group(self.area, SHADOW)
        if self.got:
            _fall_back(g, SHADOW, army, self.area, self.got[0])
            return
        for unit in UNITS_OF[SHADOW]:
            for _ in range(army[unit]):
                eliminate(g, unit, self.area, RESERVE)
        destroy_shadow_leaders(g, self.area)


# Withdrawal into siege.


@dataclass(slots=True)
class Withdraw(Procedure):
    """The defenders are shut in, if the attacker moves in; the battle is over (12.1, D26)."""

    script: ClassVar[tuple[str, ...]] = ("shut_in", "answer", "advance", "trim")

    def shut_in(self, g: G) -> None:
        b = g.board
        fight = b.battle
        drop_replacements(g, fight.defender)
        b.shut_in(fight.region, fight.defender)
        fight.target = GARRISON_OF[fight.region]
        fight.enlist(fight.defender, NO_FORCE)
        say(g, "withdrew", side=SIDES[fight.defender], region=REGIONS[fight.region])
        g.call(Advance(must=int(b.settings.readings.attackers_must_advance)))

    def answer(self, g: G) -> None:
        b = g.board
        fight = b.battle
        if not b.units_at(fight.region, fight.attacker):
            control.settle_siege(g, fight.region)

    def advance(self, g: G) -> None:
        fight = g.board.battle
        fight.enlist(fight.attacker, NO_FORCE)

    def trim(self, g: G) -> None:
        g.call(Trim())


# Advance.


@dataclass(slots=True)
class Advance(Procedure):
    """The attacker moves none, some or all of those who fought into the region (11.3)."""

    must: int = 0

    script: ClassVar[tuple[str, ...]] = ("ask", "detach", "go")

    def ask(self, g: G) -> None:
        b = g.board
        fight = b.battle
        if not may_advance(b, fight):
            g.done()
        elif self.must:
            choose_word(g, fight.seats[fight.attacker], ("yes",), "advance")
        else:
            choose_word(g, fight.seats[fight.attacker], ("no", "yes"), "advance")

    def detach(self, g: G) -> None:
        b = g.board
        fight = b.battle
        if self.got != (YES,):
            g.done()
            return
        seat = fight.seats[fight.attacker]
        army, able = advancing(b, fight)
        question = Detach(seat=seat, area=fight.source, army=army, able=able, what="advance")
        detach(g, question)

    def go(self, g: G) -> None:
        fight = g.board.battle
        force = self.got
        march(g, force, fight.source, fight.region)
        end_march(g, force, fight.region)


def advancing(b: Board, fight: Fight) -> tuple[Force, Force]:
    """The army whose part advances, and the most of it that may: those who fought."""
    army = b.army(fight.source, fight.seats[fight.attacker])
    return army, largest(b, army, _mobile(fight.group(fight.attacker)), ANY_ARMY)


def may_advance(b: Board, fight: Fight) -> bool:
    """Whether there is anywhere to advance to: not out of a siege or a sortie, nor into enemies."""
    if fight.kind != FIELD or fight.source == fight.region:
        return False
    return b.is_open(fight.region, fight.attacker) and advancing(b, fight)[1] != NO_FORCE
