"""The Combat halves of the event cards: how they are registered, and the frame that plays one.

A card half is an entry of `COMBATS`, by title, for several cards share one. It says when it may be
chosen and what it does at each of its initiatives (RULES 17.2). See README.md beside this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.board.fight import CANCELLED, CARD
from services.warofthering.tables import COMBAT, COMBAT_OF, INITIATIVE, NO_CARD

G = Game[Board]

Needs = Callable[[Board, int], bool]
"""Whether a side may choose this card in the battle that stands on the board."""


@dataclass(slots=True)
class CombatPlay(Procedure):
    """One effect of a revealed Combat card, step by step."""

    side: int = 0
    card: int = NO_CARD
    initiative: int = 0
    step: int = 0
    memory: tuple[int, ...] = ()  # what an earlier step wants a later one to know

    script: ClassVar[tuple[str, ...]] = ("perform",)

    def perform(self, g: G) -> None:
        """Run the next step; what it asked for is in `got` of the one after."""
        steps = COMBATS[COMBAT_OF[self.card]].effects[self.initiative]
        if self.step < len(steps) and (self.step or not self._is_void(g)):
            self.step += 1
            self.go_to("perform")
            steps[self.step - 1](self, g)

    def _is_void(self, g: G) -> bool:
        """Cancelled, or an army is gone before its time came (17.2)."""
        fight = g.board.battle
        return bool(fight.bend(self.side, CANCELLED)) or not (fight.units(0) and fight.units(1))


Step = Callable[[CombatPlay, G], None]


class Combat(NamedTuple):
    """What a Combat title means."""

    needs: Needs
    effects: Mapping[int, tuple[Step, ...]]


COMBATS: dict[int, Combat] = {}
"""By title."""


def always(b: Board, side: int) -> bool:
    """The card has no precondition."""
    return True


def combat(title: str, effects: Mapping[int, tuple[Step, ...]], needs: Needs = always) -> None:
    """Register a Combat title."""
    number = COMBAT[title]
    assert number not in COMBATS, title
    assert tuple(sorted(effects)) == INITIATIVE[number], title
    COMBATS[number] = Combat(needs, effects)


def may_choose(b: Board, card: int, side: int) -> bool:
    """Whether a side may choose this card in the battle that stands on the board."""
    entry = COMBATS.get(COMBAT_OF[card])
    return entry is not None and entry.needs(b, side)


def plays(b: Board, first: int, last: int) -> list[CombatPlay]:
    """The effects of the revealed cards from one initiative to another, in the order of play.

    Lower initiatives go first, and the defender's before the attacker's; by the letter of the guide
    all of the defender's go first (D17).
    """
    fight = b.battle
    found = [
        CombatPlay(side=side, card=card, initiative=initiative)
        for side in (fight.defender, fight.attacker)
        if (card := fight.bend(side, CARD)) != NO_CARD
        for initiative in INITIATIVE[COMBAT_OF[card]]
        if first <= initiative <= last
    ]
    if b.settings.readings.defender_cards_go_first:
        return found
    return sorted(found, key=lambda play: play.initiative)
