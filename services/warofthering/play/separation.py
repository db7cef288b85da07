"""Companions leave the Fellowship (RULES 13.6), are lost or come back, and who guides it (13.7).

Order of reading: the Guide, separating, losing a Companion, Hobbits who return.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import characters
from services.warofthering.play.asking import Given, choose, say
from services.warofthering.play.characters import (
    OWN_LEVEL,
    Gather,
    bits_of,
    figures_in,
    level_of,
    reach,
)
from services.warofthering.tables import (
    COMPANY,
    FALLEN,
    FIGURES,
    FREE,
    GUIDES,
    HOBBITS,
    RETURNING,
    ROHAN,
)

G = Game[Board]

ANYBODY = 0
"""In place of who may go, as bits: nothing limits it."""


# The Guide.


def fellowship_seat(b: Board) -> int:
    """The seat that decides for the Fellowship: the leader of the Free Peoples (19.2)."""
    return b.leading[FREE]


def acts_for_fellowship(b: Board, seat: int) -> bool:
    """Whether a seat may move, hide and split the Fellowship (D22): of four, the Rohan player."""
    if b.settings.players < 4 or b.settings.readings.both_act_for_fellowship:
        return True
    return b.settings.seat_of_nation[ROHAN] == seat


@dataclass(slots=True)
class ChooseGuide(Procedure):
    """The Free Peoples choose among those of the highest Level, if the Guide must change (13.7).

    `anew` lets them choose even if the present Guide may stay, as in the Fellowship phase.
    """

    anew: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_guide", "follow")

    def choose_guide(self, g: G) -> None:
        b = g.board
        choices = b.guide_choices()
        if b.guide in choices and not self.anew:
            g.done()
        else:
            first = [who for who in choices if who == b.guide]
            rest = [who for who in choices if who != b.guide]
            choose(g, fellowship_seat(b), "guide", [*first, *rest], "guide")

    def follow(self, g: G) -> None:
        (guide,) = self.got
        if guide != g.board.guide:
            g.board.guide = guide
            say(g, "guide_chosen", guide=GUIDES[guide])


# Separating.


def leavers(b: Board, seat: int) -> list[int]:
    """The Companions whom a seat may lead out of the Fellowship (D22, D23; Ruling 37)."""
    company = b.company()
    if acts_for_fellowship(b, seat):
        return company
    return [who for who in company if b.owns(seat, who)]


@dataclass(slots=True)
class Separate(Procedure):
    """A group of Companions leaves the Fellowship for a region (13.6).

    In Mordor they leave the game instead (15.5). `among` limits who may go, as bits.
    """

    seat: int = 0
    bonus: int = 0  # steps more
    level: int = OWN_LEVEL  # or the Level as of which they move
    into_siege: int = 0
    among: int = ANYBODY
    optional: int = 0
    group: int = 0

    script: ClassVar[tuple[str, ...]] = ("gather", "choose_region", "leave", "choose_guide")

    def gather(self, g: G) -> None:
        company = bits_of(leavers(g.board, self.seat))
        if self.among != ANYBODY:
            company &= self.among
        if company.bit_count() == 1 and not self.optional:
            g.call(Given(value=(company,)))
        elif company:
            g.call(Gather(seat=self.seat, among=company, optional=self.optional))

    def choose_region(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        (self.group,) = self.got
        b = g.board
        if not b.in_mordor:
            group, bonus = figures_in(self.group), b.progress + self.bonus
            regions = separation_regions(
                b, group, bonus, level=self.level, into_siege=bool(self.into_siege)
            )
            choose(g, self.seat, "region", regions, "separate_to")

    def leave(self, g: G) -> None:
        region = self.got[0] if self.got else None
        for who in figures_in(self.group):
            leave_company(g, who, region)

    def choose_guide(self, g: G) -> None:
        g.call(ChooseGuide())


@dataclass(slots=True)
class SendAway(Procedure):
    """As many Companions as the card says, chosen by the seat, leave the Fellowship where it is."""

    seat: int = 0
    companions: int = 0  # how many still have to leave
    chosen: int = 0  # as bits

    script: ClassVar[tuple[str, ...]] = ("choose_companion", "count", "leave", "choose_guide")

    def choose_companion(self, g: G) -> None:
        left = [who for who in g.board.company() if not self.chosen >> who & 1]
        if self.companions and left:
            choose(g, self.seat, "figure", left, "send_away")

    def count(self, g: G) -> None:
        if self.got:
            self.chosen |= 1 << self.got[0]
            self.companions -= 1
            self.go_to("choose_companion")

    def leave(self, g: G) -> None:
        b = g.board
        for who in figures_in(self.chosen):
            leave_company(g, who, None if b.in_mordor else b.region)

    def choose_guide(self, g: G) -> None:
        g.call(ChooseGuide())


def separation_regions(
    b: Board, group: list[int], steps: int, *, level: int = OWN_LEVEL, into_siege: bool = False
) -> list[int]:
    """Where a group that leaves may go; out of a besieged Stronghold it cannot (13.6)."""
    if b.home_area(b.region, FREE) != b.region:
        return [b.region]
    most = steps + level_of(b, group, level)
    return [b.region, *reach(b, b.region, most, into_siege=into_siege)]


def going(who: int) -> str:
    """What a choice is about: where a Hobbit goes who leaves the Fellowship alone."""
    return f"{FIGURES[who]}_to"


def leave_company(g: G, who: int, region: int | None) -> None:
    """One Companion leaves the Fellowship for a region; in Mordor he leaves the game."""
    b = g.board
    if region is None:
        b.move(who, COMPANY, FALLEN)
        say(g, "companion_lost", companion=FIGURES[who])
        return
    say(g, "separated", companion=FIGURES[who])
    characters.put(g, who, region)


# Losing a Companion.


def lose_companion(g: G, who: int) -> None:
    """A Companion of the Fellowship is eliminated; a Hobbit outside Mordor comes back (D07)."""
    b = g.board
    returns = who in HOBBITS and not b.in_mordor
    if returns and b.settings.readings.hobbits_separate_at_once:
        b.move(who, COMPANY, b.home_area(b.region, FREE))
        g.call(TakenAlive(companion=who))
        return
    b.move(who, COMPANY, RETURNING if returns else FALLEN)
    say(g, "companion_lost", companion=FIGURES[who])


@dataclass(slots=True)
class TakenAlive(Procedure):
    """A Hobbit who was eliminated in the Fellowship goes his way as if he had separated (D07)."""

    companion: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_region", "go")

    def choose_region(self, g: G) -> None:
        regions = separation_regions(g.board, [self.companion], g.board.progress)
        choose(g, fellowship_seat(g.board), "region", regions, going(self.companion))

    def go(self, g: G) -> None:
        say(g, "separated", companion=FIGURES[self.companion])
        characters.put(g, self.companion, self.got[0])


def fall_on_map(g: G, who: int) -> None:
    """A Companion on the map is eliminated; a Hobbit comes back at the end of the turn (S33)."""
    b = g.board
    returns = (
        who in HOBBITS and not b.in_mordor and not b.settings.readings.hobbits_separate_at_once
    )
    characters.eliminate(g, who, b.place_of(who), RETURNING if returns else FALLEN)


@dataclass(slots=True)
class ReturnHobbits(Procedure):
    """At the end of the turn Hobbits who were eliminated are in the Fellowship again (D07)."""

    script: ClassVar[tuple[str, ...]] = ("return_hobbits",)

    def return_hobbits(self, g: G) -> None:
        b = g.board
        back = b.returning()
        for who in back:
            b.move(who, RETURNING, FALLEN if b.in_mordor else COMPANY)
            if not b.in_mordor:
                say(g, "hobbit_returned", companion=FIGURES[who])
        if back and not b.in_mordor:
            g.call(ChooseGuide())
