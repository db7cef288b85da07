"""Forces: the part of an army that moves or fights together, and how a seat picks it (RULES 7.1).

Order of reading: which figures may go, which forces may be made of them, picking one.

Design. A force is a tuple with the number of each figure. A person takes all with one answer; or he
takes figures one by one, beginning with nothing; or he leaves figures behind, beginning with all.
Having begun one way he goes on that way, so that it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.play.asking import Given, say
from services.warofthering.tables import (
    AREAS,
    AT_WAR,
    CHARACTERS,
    COMPANIONS,
    ELITE,
    FIGURE_COUNT,
    FIGURE_NATION,
    FIGURES,
    FREE,
    ISENGARD,
    LEADERS,
    LEVEL,
    NATION_OF,
    NAZGUL,
    NO_NATION,
    ON_MAP,
    SARUMAN,
    SIDE_OF,
    SOUTHRONS,
    UNITS,
    WITCH_KING,
)

G = Game[Board]
Force = tuple[int, ...]

# What a force must have in it besides a unit.
ANY_ARMY, LED, WITH_NAZGUL, WITH_WITCH_KING, WITH_COMPANION = range(5)
BY_DIE = 8
"""Added to what is needed where an army acts by a die: it may not have acted just before (19.4)."""


EVERYWHERE = -1
"""All areas, as bits."""

# How a seat picks a force: not begun, figure by figure, or all but those it leaves behind.
NOT_BEGUN, TAKING, LEAVING = range(3)


# Which figures may go.


def without(force: Force, other: Force) -> Force:
    """A force less those of another."""
    return tuple([max(n - m, 0) for n, m in zip(force, other, strict=True)])


def units_in(force: Force) -> int:
    """How many units a force has."""
    return sum(force[: UNITS.stop])


def free_leaders_in(force: Force) -> int:
    """How many Free Peoples Leaders a force has."""
    return sum(force[LEADERS.start : LEADERS.stop])


def movable(b: Board, force: Force, to: int) -> Force:
    """Those of a force who may march into a region (7.1, 7.4)."""
    return tuple(map(mul, force, _crossing(bytes(b.politics), NATION_OF[to])))


@cache
def _crossing(politics: bytes, border: int) -> Force:
    """By figure: 1 if it may march across a nation's border, or into a region without nation."""
    return tuple([int(_may_cross(politics, f, border)) for f in range(FIGURE_COUNT)])


def _may_cross(politics: bytes, figure: int, border: int) -> bool:
    nation = FIGURE_NATION[figure]
    if nation == NO_NATION:
        return figure not in CHARACTERS or LEVEL[figure] > 0
    return border in (NO_NATION, nation) or politics[nation] == AT_WAR


def fighters(b: Board, force: Force) -> Force:
    """Those of a force who may attack: units and Leaders of nations At War, and the rest (11.1)."""
    return tuple(map(mul, force, _at_war(bytes(b.politics))))


@cache
def _at_war(politics: bytes) -> Force:
    """By figure: 1 if it counts as At War."""
    return tuple([int(n == NO_NATION or politics[n] == AT_WAR) for n in FIGURE_NATION])


def elite_leaders(b: Board) -> tuple[int, ...]:
    """The Elites that count as leaders while Saruman is in play; in teams the Southrons' too."""
    if not b.is_on_map(SARUMAN):
        return ()
    return (ELITE + ISENGARD, ELITE + SOUTHRONS) if b.settings.has_teams else (ELITE + ISENGARD,)


def may_be_led(b: Board, side: int, need: int) -> int:
    """The areas where there may be what a force needs to be led, as bits; a quick look, no more."""
    if need & ~BY_DIE != LED:
        return EVERYWHERE
    found = b.led if side == FREE else b.winged
    for area in {*b.places}:
        if area < ON_MAP.stop:
            found |= 1 << area
    for elite in elite_leaders(b):
        for area in b.areas_with(elite):
            found |= 1 << area
    return found


def has_leader(b: Board, force: Force) -> bool:
    """Whether a leader or character is in a force, as a Character die wants (6)."""
    return any(force[LEADERS.start :]) or any(force[elite] for elite in elite_leaders(b))


def meets(b: Board, force: Force, need: int) -> bool:
    """Whether a force has in it what is asked of it."""
    if need & BY_DIE:
        if b.resting[0] and _is_resting(b, force):
            return False
        need -= BY_DIE
    if need == LED:
        return has_leader(b, force)
    if need == WITH_NAZGUL:
        return bool(force[NAZGUL] or force[WITCH_KING])
    if need == WITH_WITCH_KING:
        return bool(force[WITCH_KING])
    return need == ANY_ARMY or any(force[COMPANIONS.start : COMPANIONS.stop])


def nations_in(force: Force) -> int:
    """The nations whose units are in a force, as a set of bits."""
    return sum({1 << FIGURE_NATION[unit] for unit in UNITS if force[unit]})


def _is_resting(b: Board, force: Force) -> bool:
    """Whether the Free Peoples acted with this nation just before; a mixed army is another army."""
    nations = nations_in(force)
    return nations.bit_count() == 1 and bool(nations & b.resting[0])


def note_action(b: Board, force: Force, *areas: int) -> None:
    """Remember whose action this is: a nation's, or a mixed army's, which stands there (19.4)."""
    if b.settings.players != 3:  # in any other game nobody rests
        return
    nations = nations_in(force)
    if nations.bit_count() == 1:
        b.note_action(side_of(force), nations, 0)
    else:
        b.note_action(side_of(force), 0, sum({1 << area for area in areas}))


# Which forces may be made of them.


def is_whole(b: Board, army: Force, force: Force, need: int) -> bool:
    """Whether a force may go, and what it leaves of its army may stay (7.1)."""
    if not units_in(force) or not meets(b, force, need):
        return False
    if b.settings.has_teams and not _keeps_control(b, army, force):
        return False
    if not any(army[LEADERS.start : LEADERS.stop]):
        return True
    if free_leaders_in(army) == free_leaders_in(force):
        return True
    return units_in(army) > units_in(force)


def largest(b: Board, army: Force, able: Force, need: int) -> Force:
    """The largest force of those able to go; `NO_FORCE` if there is none.

    If Leaders must stay, a unit stays with them: a Regular before an Elite.
    """
    if not units_in(able) or not meets(b, able, need):  # nor would any part of them
        return NO_FORCE
    if able == army:
        return army
    for most in _largest_of(b, army, able):
        if is_whole(b, army, most, need):
            return most
        for unit in UNITS:
            if most[unit]:
                smaller = tuple([n - (f == unit) for f, n in enumerate(most)])
                if is_whole(b, army, smaller, need):
                    return smaller
    return NO_FORCE


def _largest_of(b: Board, army: Force, able: Force) -> Iterator[Force]:
    """All who are able; and, of a mixed army, those of the seat that controls it."""
    yield able
    if b.settings.has_teams and b.is_shared(army):
        yield tuple(map(mul, able, b.settings.owned[b.controller(army, side_of(army))]))


def _keeps_control(b: Board, army: Force, force: Force) -> bool:
    """Whether the seat that controls a mixed army controls both parts of it after a split (19.5).

    It may take all its own out, as its mate may: what is left is the mate's, and mixed no more.
    """
    if force == army or not b.is_shared(army):
        return True
    side = side_of(army)
    seat, rest = b.controller(army, side), without(army, force)
    if b.controller(force, side) != seat:
        return False
    return not b.is_shared(rest) or b.controller(rest, side) == seat


# Picking one.


@dataclass(slots=True)
class Detach(Question[Board]):
    """A seat picks who of its army goes; hands back the force.

    Give it the army, the largest force that may go (from `largest`), and what must be in it.
    """

    prompt: ClassVar[str] = "army.detach"

    seat: int = 0
    area: int = 0
    army: Force = NO_FORCE
    able: Force = NO_FORCE
    need: int = ANY_ARMY
    what: str = "move"  # the purpose: move, attack, advance …
    picked: Force = NO_FORCE
    way: int = NOT_BEGUN
    part: int = 0  # whether the seat wants a part to go; it may still send all

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        listed = [Action("all")] if self.way == NOT_BEGUN else []
        if self.way != NOT_BEGUN and self._may_go(b, self.picked):
            listed.append(Action("go"))
        if self.way != LEAVING:
            listed += [Action("take", (f,)) for f in self._takeable()]
        if self.way != TAKING:
            listed += [Action("leave", (f,)) for f in self._leavable(b)]
        return listed

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "all":
            g.done(*self.able)
        elif action.verb == "go":
            g.done(*self.picked)
        else:
            self._count(g, action)
            if len(self.legal(g, seat)) == 1 and self._may_go(g.board, self.picked):
                g.done(*self.picked)

    def _count(self, g: G, action: Action) -> None:
        (figure,) = action.nouns
        takes = action.verb == "take"
        name = g.board.settings.seats[self.seat]
        say(g, "figure_picked", seat=name, figure=FIGURES[figure], goes=takes)
        if self.way == NOT_BEGUN:
            self.way, self.picked = (TAKING, NO_FORCE) if takes else (LEAVING, self.able)
        step = 1 if takes else -1
        self.picked = tuple([n + step * (f == figure) for f, n in enumerate(self.picked)])

    def _takeable(self) -> list[int]:
        picked = self.picked if self.way != NOT_BEGUN else NO_FORCE
        return [f for f in range(FIGURE_COUNT) if picked[f] < self.able[f]]

    def _leavable(self, b: Board) -> list[int]:
        picked = self.picked if self.way != NOT_BEGUN else self.able
        left = ((f, [*picked]) for f in range(FIGURE_COUNT) if picked[f])
        found = []
        for figure, force in left:
            force[figure] -= 1
            if self._may_go(b, tuple(force)):
                found.append(figure)
        return found

    def _may_go(self, b: Board, force: Force) -> bool:
        return is_whole(b, self.army, force, self.need)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        picked = self.picked if self.way != NOT_BEGUN else self.able
        return {"what": self.what, "area": AREAS[self.area], "picked": list(picked)}


def detach(g: G, question: Detach) -> None:
    """Let a seat pick, unless only one figure may go."""
    if sum(question.able) > 1:
        g.call(question)
    else:
        g.call(Given(value=question.able))


def side_of(force: Force) -> int:
    """The side whose figures a force is made of."""
    return next((SIDE_OF[figure] for figure, n in enumerate(force) if n), FREE)
