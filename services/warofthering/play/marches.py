"""Which army marches where (RULES 7.1, 7.2): by a die, or by a card that moves armies one region.

Order of reading: choosing one march, making it, several of them.

Design. One question offers every army and every region to which all of it that can may go; a part
of an army has questions of its own. What has marched is `held`, as in `armies`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.play import control
from services.warofthering.play.armies import (
    Combine,
    also_held,
    can_march,
    departures,
    end_march,
    march,
    marching,
    parties,
)
from services.warofthering.play.asking import Given, choose, say
from services.warofthering.play.forces import (
    ANY_ARMY,
    BY_DIE,
    Detach,
    Force,
    detach,
    note_action,
)
from services.warofthering.play.stacking import Trim
from services.warofthering.tables import ADJACENT, AREAS, REGION_COUNT, REGIONS

G = Game[Board]


# Choosing one march.


MOST_LISTED = 190
"""If there are more marches than this, the army is asked for first, and then where it goes."""


@dataclass(slots=True)
class ChooseMarch(Question[Board]):
    """A seat chooses an army and where all go who can, or an army of which a part is to go.

    Hands back the area and the region, of a part the area alone, nothing if it declined.
    """

    prompt: ClassVar[str] = "army.march"

    seat: int = 0
    ways: tuple[int, ...] = ()  # the area times the number of regions, and the region
    parts: tuple[int, ...] = ()  # areas
    optional: int = 0

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _march_choices(self.ways, self.parts, self.optional)

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        if action.verb == "march":
            area, region = action.nouns
            return region < REGION_COUNT and area * REGION_COUNT + region in self.ways
        if action.verb == "part":
            return action.nouns[0] in self.parts
        return bool(self.optional) and action == _DECLINE

    def take(self, g: G, seat: Seat, action: Action) -> None:
        name = g.board.settings.seats[seat]
        if action.verb == "march":
            area, region = action.nouns
            say(g, "march_chosen", seat=name, origin=AREAS[area], to=REGIONS[region])
        elif action.verb == "part":
            say(g, "march_chosen", seat=name, origin=AREAS[action.nouns[0]], to=None)
        else:
            say(g, "declined", seat=name, what="march")
        g.done(*action.nouns)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"what": "march"}


def _march_choices(ways: tuple[int, ...], parts: tuple[int, ...], optional: int) -> list[Action]:
    """The answers, army by army."""
    listed = [_DECLINE] if optional else []
    first = 0
    for area in parts:
        end = bisect_left(ways, (area + 1) * REGION_COUNT, first)
        listed += [_WAYS[way] for way in ways[first:end]]
        listed.append(_PARTS[area])
        first = end
    listed += [_WAYS[way] for way in ways[first:]]
    return listed


_DECLINE = Action("decline")
_WAYS = {
    area * REGION_COUNT + region: Action("march", (area, region))
    for area in range(REGION_COUNT)
    for region in ADJACENT[area]
}
_PARTS = tuple(Action("part", (area,)) for area in range(REGION_COUNT))


def choose_march(g: G, question: ChooseMarch) -> None:
    """Let a seat choose, unless there is only one answer, or none (RULES 1.5)."""
    if (question.optional and question.ways) or len(question.ways) + len(question.parts) > 1:
        g.call(question)
    else:
        g.call(Given(value=tuple([n for way in question.ways for n in divmod(way, REGION_COUNT)])))


# Making it.


@dataclass(slots=True)
class March(Procedure):
    """One army of a seat moves one step, of its choice; hands back what is held then.

    `sources` limits the areas from which it may be. Hands back nothing if it declined.
    """

    seat: int = 0
    need: int = ANY_ARMY
    held: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()  # areas, or none for all
    optional: int = 0
    area: int = 0
    region: int = 0
    force: Force = NO_FORCE

    script: ClassVar[tuple[str, ...]] = (
        "narrow",
        "choose_way",
        "choose_region",
        "detach",
        "go",
        "combine",
        "hand_back",
    )

    def narrow(self, g: G) -> None:
        ways, parts = self._ways(g.board)
        if len(ways) + len(parts) <= MOST_LISTED:
            choose_march(g, self._question(ways, parts, self.optional))
            self.go_to("choose_region")
        else:
            areas = sorted({way // REGION_COUNT for way in ways})
            choose(g, self.seat, "area", areas, "march_from", optional=bool(self.optional))

    def choose_way(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        self.sources = self.got
        choose_march(g, self._question(*self._ways(g.board)))

    def choose_region(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        self.area, *whole = self.got
        if whole:
            (self.region,) = whole
            self.force = self.most(g.board, self.area, self.region)
            self.go_to("go")
        else:
            able = parties(g.board, self.seat, self.area, self.need, self.held)
            regions = [region for region, force in able if sum(force) > 1]
            choose(g, self.seat, "region", regions, "march_to")

    def detach(self, g: G) -> None:
        (self.region,) = self.got
        b = g.board
        army, able = b.army(self.area, self.seat), self.most(b, self.area, self.region)
        question = Detach(seat=self.seat, area=self.area, army=army, able=able, need=self.need)
        question.part = 1
        detach(g, question)

    def go(self, g: G) -> None:
        self.force = self.got or self.force
        march(g, self.force, self.area, self.region)
        end_march(g, self.force, self.region)
        if self.need & BY_DIE:
            note_action(g.board, self.force, self.region)

    def combine(self, g: G) -> None:
        g.call(Combine(seat=self.seat, area=self.region))

    def hand_back(self, g: G) -> None:
        g.done(*also_held(self.held, self.region, self.force))

    def most(self, b: Board, area: int, region: int) -> Force:
        """The most of the army in an area that may go to a region."""
        return marching(b, self.seat, area, region, self.need, self.held)

    def _question(
        self, ways: tuple[int, ...], parts: tuple[int, ...], optional: int = 0
    ) -> ChooseMarch:
        return ChooseMarch(seat=self.seat, ways=ways, parts=parts, optional=optional)

    def _ways(self, b: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The marches of whole armies, and the armies of which a part may march."""
        ways: list[int] = []
        parts: list[int] = []
        for area, there, can_split in departures(b, self.seat, self.need, self.held):
            if not self.sources or area in self.sources:
                ways += there
                if can_split:
                    parts.append(area)
        return tuple(ways), tuple(parts)


# Several of them.


@dataclass(slots=True)
class Marches(Procedure):
    """Up to `most` armies of a seat move one region each; the first, unless optional, must."""

    seat: int = 0
    most: int = 2
    need: int = ANY_ARMY
    optional: int = 0
    sources: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    made: int = 0

    script: ClassVar[tuple[str, ...]] = ("march", "count", "trim")

    def march(self, g: G) -> None:
        g.call(
            March(
                seat=self.seat,
                need=self.need,
                held=self.held,
                sources=self.sources,
                optional=int(bool(self.made or self.optional)),
            )
        )

    def count(self, g: G) -> None:
        if self.got:
            self.held = self.got
            self.made += 1
            if self.made < self.most and can_march(g.board, self.seat, self.need, self.held):
                self.go_to("march")

    def trim(self, g: G) -> None:
        control.tidy(g)
        g.call(Trim())
