"""Companions, Nazgûl and Minions on the map (RULES 8).

Order of reading: how far a group of Companions goes, moving them, flying, the Mouth of Sauron.

Design. As in `armies`, who has moved is remembered until the action ends: Companions as a set of
bits, flown Nazgûl as the areas and numbers that must stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.play import politics
from services.warofthering.play.asking import Given, choose, say
from services.warofthering.tables import (
    ADJACENT,
    ANY_SEAT,
    AREAS,
    COMPANIONS,
    FIGURES,
    FREE,
    GANDALF_THE_WHITE,
    HOBBITS,
    LEVEL,
    MOUTH_OF_SAURON,
    NAZGUL,
    NOWHERE,
    ON_MAP,
    REGION_COUNT,
    REGION_OF,
    REGIONS,
    SETTLEMENT,
    SHADOW,
    STRONGHOLD,
    STRONGHOLDS,
    WITCH_KING,
)

G = Game[Board]

ANY_NUMBER = 99
"""How many groups of Companions move at most, where nothing limits it: there are fewer."""


# How far a group of Companions goes.


def bits_of(figures: Iterable[int]) -> int:
    """A set of figures as bits."""
    return sum(1 << figure for figure in figures)


def figures_in(mask: int) -> list[int]:
    """The figures of a set of bits."""
    return [figure for figure in COMPANIONS if mask >> figure & 1]


OWN_LEVEL = 0
"""In place of a Level that a card gives a group: that of the group itself."""


def level_of(b: Board, group: Sequence[int], given: int = OWN_LEVEL) -> int:
    """The highest Level in a group, or a given one; Gandalf the White rides Shadowfax (8.1)."""
    if given != OWN_LEVEL:
        return given
    rest = [who for who in group if who != GANDALF_THE_WHITE]
    rides = len(rest) < len(group) and len(rest) <= 1 and all(who in HOBBITS for who in rest)
    if rides and b.settings.readings.unlisted_abilities:
        return 4
    return max(LEVEL[who] for who in group)


def reach(b: Board, start: int, steps: int, *, into_siege: bool = False) -> list[int]:
    """The regions to which Companions can go from one; the start is not among them (8.1)."""
    distance = {start: 0}
    open_ends, found = [start], []
    for region in open_ends:
        if distance[region] == steps or (region != start and _stops(b, region)):
            continue
        for near in ADJACENT[region]:
            if near in distance:
                continue
            distance[near] = distance[region] + 1
            besieged = b.is_besieged_by(near, SHADOW)
            if besieged and not into_siege:
                continue
            found.append(near)
            if not besieged:  # a siege may be where they end, never where they pass
                open_ends.append(near)
    return sorted(found)


def _stops(b: Board, region: int) -> bool:
    return SETTLEMENT[region] == STRONGHOLD and b.is_controlled_by(region, SHADOW)


def may_leave(area: int) -> bool:
    """Whether Companions may leave an area: not a Stronghold under siege (8.1, S29)."""
    return area < REGION_COUNT


def put(g: G, companion: int, region: int) -> None:
    """Put a Companion into a region, in the Stronghold if it is besieged; activate its nation."""
    b = g.board
    b.move(companion, b.place_of(companion), b.home_area(region, FREE))
    politics.rouse_by_companion(g, companion, region)


# Moving them.


def movers(b: Board, seat: int, moved: int = 0) -> list[int]:
    """The Companions on the map that a seat may move, and who have not moved."""
    return [
        who
        for who in COMPANIONS
        if b.is_on_map(who)
        and not moved >> who & 1
        and may_leave(b.place_of(who))
        and _is_led_by(b, seat, who)
    ]


def _is_led_by(b: Board, seat: int, who: int) -> bool:
    if b.settings.readings.companions_are_shared:
        return b.settings.sides[seat] == FREE
    owner = b.settings.seat_of_character[who]
    return owner == seat or (owner == ANY_SEAT and b.settings.sides[seat] == FREE)


@dataclass(slots=True)
class MoveCompanions(Procedure):
    """Groups of Companions move, one after the other, as many as the seat wants."""

    seat: int = 0
    groups: int = ANY_NUMBER  # how many groups move at most
    bonus: int = 0  # steps more
    level: int = OWN_LEVEL  # or the Level as of which they move
    into_siege: int = 0
    optional: int = 0  # whether even the first may stay
    moved: int = 0
    group: int = 0

    script: ClassVar[tuple[str, ...]] = ("gather", "choose_region", "go")

    def gather(self, g: G) -> None:
        movable = movers(g.board, self.seat, self.moved)
        may_stop = bool(self.moved or self.optional)
        if not self.groups or not movable:
            return
        if len(movable) == 1 and not may_stop:
            g.call(Given(value=(bits_of(movable),)))
        else:
            g.call(Gather(seat=self.seat, among=bits_of(movable), optional=int(may_stop)))

    def choose_region(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        (self.group,) = self.got
        b = g.board
        group = figures_in(self.group)
        steps = level_of(b, group, self.level) + self.bonus
        start = b.region_of(group[0])
        regions = reach(b, start, steps, into_siege=bool(self.into_siege))
        choose(g, self.seat, "region", regions, "companions_to")

    def go(self, g: G) -> None:
        if self.got:
            (region,) = self.got
            group = figures_in(self.group)
            origin = REGIONS[g.board.region_of(group[0])]
            names = [FIGURES[who] for who in group]
            say(g, "companions_moved", origin=origin, to=REGIONS[region], companions=names)
            for who in group:
                put(g, who, region)
        self.moved |= self.group
        self.groups -= 1
        self.go_to("gather")


@dataclass(slots=True)
class Gather(Question[Board]):
    """A seat picks Companions of one place who go together; hands back the set as bits."""

    prompt: ClassVar[str] = "companions.gather"

    seat: int = 0
    among: int = 0  # who may be picked, as bits
    optional: int = 0
    picked: int = 0

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        listed = [Action("take", (who,)) for who in self._choices(g.board)]
        if self.picked:
            return [Action("go"), *listed]
        return [Action("decline"), *listed] if self.optional else listed

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "take":
            (who,) = action.nouns
            self.picked |= 1 << who
            name = g.board.settings.seats[seat]
            say(g, "figure_picked", seat=name, figure=FIGURES[who], goes=True)
            if not self._choices(g.board):
                g.done(self.picked)
        elif action.verb == "go":
            g.done(self.picked)
        else:
            say(g, "declined", seat=g.board.settings.seats[seat], what="companions")
            g.done()

    def _choices(self, b: Board) -> list[int]:
        """Who is not picked, and stands where those stand who are."""
        left = figures_in(self.among & ~self.picked)
        if not self.picked:
            return left
        area = b.place_of(figures_in(self.picked)[0])
        return [who for who in left if b.place_of(who) == area]

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"picked": [FIGURES[who] for who in figures_in(self.picked)]}


# Flying, and the Mouth of Sauron.


def may_fly_to(b: Board, region: int) -> bool:
    """Whether Nazgûl may fly to a region (8.3)."""
    if SETTLEMENT[region] != STRONGHOLD or not b.is_controlled_by(region, FREE):
        return True
    return b.is_besieged_by(region, SHADOW)


def mouth_reach(b: Board) -> list[int]:
    """Where the Mouth of Sauron can go on his own (8.4)."""
    start = b.place_of(MOUTH_OF_SAURON)
    if start not in ON_MAP or start >= REGION_COUNT:
        return []
    found, ends = {start}, [start]
    for _ in range(LEVEL[MOUTH_OF_SAURON]):
        near = {r for region in ends for r in ADJACENT[region]} - found
        ends = [region for region in sorted(near) if _mouth_may_enter(b, region)]
        found.update(ends)
    return sorted(found - {start})


def _mouth_may_enter(b: Board, region: int) -> bool:
    return may_fly_to(b, region) and not b.is_besieged_by(region, FREE)


class Flown(NamedTuple):
    """Some of a figure have flown to an area in this action, and stay there until it ends."""

    area: int
    figure: int
    number: int


def stationed(flown: tuple[int, ...], area: int, figure: int) -> int:
    """How many of a figure in an area have flown there in this action."""
    return sum(n for at, who, n in _each(flown) if (at, who) == (area, figure))


def _each(flown: tuple[int, ...]) -> Iterator[Flown]:
    """Who has flown, flight by flight, from the whole numbers that a frame holds."""
    return map(Flown, flown[::3], flown[1::3], flown[2::3])


def flyers(b: Board, seat: int, flown: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """The areas with Nazgûl whom a seat may let fly and who have not yet, and who it is.

    The Witch-king is among them for the seat whose Minion he is (19.2; Ruling 37).
    """
    there = [(area, NAZGUL) for area in b.areas_with(NAZGUL)]
    if b.is_on_map(WITCH_KING) and b.owns(seat, WITCH_KING):
        there = sorted([*there, (b.place_of(WITCH_KING), WITCH_KING)])
    if not flown:
        return there
    return [(area, who) for area, who in there if b.count(area, who) > stationed(flown, area, who)]


@dataclass(slots=True)
class MoveMinions(Procedure):
    """Nazgûl fly and the Mouth of Sauron walks, as many as the seat wants (8.5).

    `walks` is 0 where a card lets Nazgûl fly only. Hands back one `Flown` after another.
    """

    seat: int = 0
    walks: int = 1
    optional: int = 0
    flown: tuple[int, ...] = ()  # one `Flown` after another
    area: int = 0
    figure: int = 0
    number_gone: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "choose_area",
        "choose_figure",
        "choose_number",
        "choose_region",
        "go",
    )

    def choose_area(self, g: G) -> None:
        areas = {area for area, _ in self._choices(g.board)}
        may_stop = bool(self.flown or self.optional)
        choose(g, self.seat, "area", sorted(areas), "fly_from", optional=may_stop)

    def choose_figure(self, g: G) -> None:
        if not self.got:
            g.done(*self.flown)
            return
        (self.area,) = self.got
        figures = [figure for area, figure in self._choices(g.board) if area == self.area]
        choose(g, self.seat, "figure", figures, "fly_who")

    def choose_number(self, g: G) -> None:
        (self.figure,) = self.got
        there = g.board.count(self.area, self.figure)
        most = there - stationed(self.flown, self.area, self.figure)
        choose(g, self.seat, "number", range(most, 0, -1), "fly_number")

    def choose_region(self, g: G) -> None:
        (self.number_gone,) = self.got
        choose(g, self.seat, "region", self._regions(g.board), "fly_to")

    def go(self, g: G) -> None:
        (region,) = self.got
        b = g.board
        to = b.home_area(region, SHADOW)
        b.move(self.figure, self.area, to, self.number_gone)
        who, origin = FIGURES[self.figure], AREAS[self.area]
        say(g, "flew", figure=who, number=self.number_gone, origin=origin, to=REGIONS[region])
        self.flown += Flown(to, self.figure, self.number_gone)
        self.go_to("choose_area")

    def _choices(self, b: Board) -> list[tuple[int, int]]:
        found = flyers(b, self.seat, self.flown)
        walked = stationed(self.flown, b.place_of(MOUTH_OF_SAURON), MOUTH_OF_SAURON)
        if self.walks and not walked and _mouth_can_walk(b, self.seat):
            found.append((b.place_of(MOUTH_OF_SAURON), MOUTH_OF_SAURON))
        return found

    def _regions(self, b: Board) -> list[int]:
        if self.figure == MOUTH_OF_SAURON:
            return mouth_reach(b)
        closed = [r for r in STRONGHOLDS if not may_fly_to(b, r)] + [REGION_OF[self.area]]
        return [r for r in range(REGION_COUNT) if r not in closed]


def can_move_minions(b: Board, seat: int) -> bool:
    """Whether a seat can move any Nazgûl or Minion."""
    return bool(flyers(b, seat) or _mouth_can_walk(b, seat))


def _mouth_can_walk(b: Board, seat: int) -> bool:
    return b.owns(seat, MOUTH_OF_SAURON) and bool(mouth_reach(b))


def eliminate(g: G, figure: int, area: int, pile: int) -> None:
    """Take one figure from an area out of play, to a pile."""
    g.board.move(figure, area, pile)
    region = REGION_OF[area] if area in ON_MAP else NOWHERE
    where = REGIONS[region] if region != NOWHERE else AREAS[area]
    say(g, "eliminated", figure=FIGURES[figure], place=where)
