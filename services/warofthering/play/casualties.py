"""Casualties (RULES 11.2 B10, 16.6): the owner removes hits from an army, in a battle or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.play.asking import say
from services.warofthering.tables import (
    AREAS,
    ELITE,
    FALLEN,
    FIGURE_NATION,
    FIGURES,
    FREE,
    LOSSES,
    NATIONS_OF,
    REGULAR,
    RESERVE,
    UNITS_OF,
)

G = Game[Board]

# How a hit is taken: by a whole unit, by an Elite that becomes a Regular, or, with all that
# are left, in the usual way.
KILLED, REDUCED, USUALLY = range(3)
USUAL = Action("usual")


def unit_count(b: Board, area: int, side: int, figure: int, in_battle: int) -> int:
    """How many units of a kind may be lost there."""
    return b.battle.count(side, figure) if in_battle else b.count(area, figure)


def pile_for(side: int, in_battle: int) -> int:
    """Where a side's lost units go: the Shadow's can be recruited again (9.4, D16)."""
    return RESERVE if side != FREE else LOSSES if in_battle else FALLEN


def replacement_pile(b: Board, nation: int) -> int | None:
    """Where the Regular that replaces an Elite comes from; None if there is none (D16)."""
    piles = [LOSSES, RESERVE]
    if b.settings.readings.earlier_losses_replace:
        piles.insert(1, FALLEN)
    return next((pile for pile in piles if b.count(pile, REGULAR + nation)), None)


def loss_choices(b: Board, area: int, side: int, hits: int, in_battle: int) -> list[Action]:
    """How the next hit, or two, may be taken."""
    found = []
    for unit in UNITS_OF[side]:
        if not unit_count(b, area, side, unit, in_battle):
            continue
        if unit < ELITE:
            found.append(Action("lose", (unit,)))
            continue
        can_reduce = replacement_pile(b, unit - ELITE) is not None
        if can_reduce:
            found.append(Action("reduce", (unit,)))
        if hits >= 2 or not can_reduce:
            found.append(Action("lose", (unit,)))
    return found


def hits_of(b: Board, action: Action) -> int:
    """How many hits a loss uses up: a whole Elite two, unless it could not be reduced."""
    (unit,) = action.nouns
    if unit < ELITE or action.verb == "reduce":
        return 1
    return 1 if replacement_pile(b, unit - ELITE) is None else 2


def take_loss(g: G, area: int, side: int, action: Action, in_battle: int) -> int:
    """Remove or reduce a unit; how many hits that used up."""
    b = g.board
    (unit,) = action.nouns
    nation = FIGURE_NATION[unit]
    source = replacement_pile(b, nation)
    hits = hits_of(b, action)
    b.move(unit, area, pile_for(side, in_battle))
    if in_battle:
        b.battle.change(side, unit, -1)
    if action.verb == "reduce":
        assert source is not None
        b.move(REGULAR + nation, source, area)
        if in_battle:
            b.battle.change(side, REGULAR + nation, 1)
            b.battle.replaced[nation] += 1
    elif in_battle and unit < ELITE and b.battle.replaced[nation]:
        b.battle.replaced[nation] -= 1
    kind = "unit_reduced" if action.verb == "reduce" else "unit_lost"
    say(g, kind, figure=FIGURES[unit], place=AREAS[area])
    return hits


def drop_replacements(g: G, side: int) -> None:
    """By the letter of the guide a Regular that replaced an Elite falls after the battle (D28)."""
    b = g.board
    if not b.settings.readings.replacements_fall:
        return
    fight = b.battle
    for nation in NATIONS_OF[side]:
        regular, area = REGULAR + nation, fight.area_of(side)
        for _ in range(min(fight.replaced[nation], fight.count(side, regular))):
            b.move(regular, area, pile_for(side, in_battle=1))
            fight.change(side, regular, -1)
            say(g, "unit_lost", figure=FIGURES[regular], place=AREAS[area])
        fight.replaced[nation] = 0


def usual_choice(choices: Sequence[Action]) -> Action:
    """What most people would do: Regulars first, then Elites reduced."""
    return min(choices, key=lambda a: (a.verb != "lose" or a.nouns[0] >= ELITE, a.verb != "reduce"))


@dataclass(slots=True)
class Losses(Procedure):
    """An army takes `hits`, as far as it has units for them; hands back the hits that are left."""

    seat: int = 0
    area: int = 0
    side: int = 0
    hits: int = 0
    in_battle: int = 0
    usual: int = 0  # all the rest in the usual way

    script: ClassVar[tuple[str, ...]] = ("choose_loss", "take")

    def choose_loss(self, g: G) -> None:
        choices = self._choices(g.board)
        if not choices:
            g.done(max(self.hits, 0))
        elif len(choices) > 1 and not self.usual:
            question = TakeLosses(seat=self.seat, area=self.area, side=self.side)
            question.hits, question.in_battle = self.hits, self.in_battle
            g.call(question)

    def take(self, g: G) -> None:
        choices = self._choices(g.board)
        if not self.got:
            action = usual_choice(choices)
        elif self.got == (USUALLY,):
            self.usual = 1
            action = usual_choice(choices)
        else:
            kind, unit = self.got
            action = Action("reduce" if kind == REDUCED else "lose", (unit,))
        self.hits -= take_loss(g, self.area, self.side, action, self.in_battle)
        self.go_to("choose_loss")

    def _choices(self, b: Board) -> list[Action]:
        if self.hits <= 0:
            return []
        return loss_choices(b, self.area, self.side, self.hits, self.in_battle)


@dataclass(slots=True)
class TakeLosses(Question[Board]):
    """The owner takes the next hit, or all that are left in the usual way."""

    prompt: ClassVar[str] = "battle.casualties"

    seat: int = 0
    area: int = 0
    side: int = 0
    hits: int = 0
    in_battle: int = 0

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [USUAL, *loss_choices(g.board, self.area, self.side, self.hits, self.in_battle)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "usual":
            g.done(USUALLY)
        else:
            g.done(REDUCED if action.verb == "reduce" else KILLED, action.nouns[0])

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"area": AREAS[self.area], "hits": self.hits}
