"""The Combat halves of the cards: where what they do is found, and the frame that plays one.

Design. Play does not know the cards: `COMBAT_HALVES` is empty until `cards` fills it, which
`rules.py` sees to. A half is an entry by title, for several cards share one. It says when it may be
chosen and what it does at each of its initiatives (RULES 17.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.board.fight import CANCELLED, CARD
from services.warofthering.tables import COMBAT_OF, INITIATIVE, NO_CARD

G = Game[Board]

Needs = Callable[[Board, int], bool]
"""Whether a side may choose this card in the battle that stands on the board."""


@dataclass(slots=True)
class CombatPlay(Procedure):
    """What a revealed Combat card does at one of its initiatives, tactic by tactic."""

    side: int = 0
    card: int = NO_CARD
    initiative: int = 0
    next_tactic: int = 0
    memory: tuple[int, ...] = ()  # what an earlier tactic wants a later one to know

    script: ClassVar[tuple[str, ...]] = ("perform",)

    def perform(self, g: G) -> None:
        """Run the next tactic; what it asked for is in `got` of the one after."""
        tactics = COMBAT_HALVES[COMBAT_OF[self.card]].tactics[self.initiative]
        if self.next_tactic < len(tactics) and (self.next_tactic or not self._is_void(g)):
            tactic = tactics[self.next_tactic]
            self.next_tactic += 1
            self.go_to("perform")
            tactic(self, g)

    def _is_void(self, g: G) -> bool:
        """Cancelled, or an army is gone before its time came (17.2)."""
        fight = g.board.battle
        return bool(fight.modifier(self.side, CANCELLED)) or not (fight.units(0) and fight.units(1))


Tactic = Callable[[CombatPlay, G], None]
"""A step of `CombatPlay`: it bends a number of the battle, or puts a frame on the stack.

`g.done()` in it ends what the card does at this initiative: a price that cannot be paid. A figure
that falls must leave both the battle, by `Fight.change`, and the board.
"""


class CombatHalf(NamedTuple):
    """What a Combat title means."""

    needs: Needs
    tactics: Mapping[int, tuple[Tactic, ...]]  # by initiative


COMBAT_HALVES: dict[int, CombatHalf] = {}
"""By title."""


def may_choose(b: Board, card: int, side: int) -> bool:
    """Whether a side may choose this card in the battle that stands on the board."""
    return COMBAT_HALVES[COMBAT_OF[card]].needs(b, side)


def plays(b: Board, first: int, last: int) -> list[CombatPlay]:
    """What the revealed cards do from one initiative to another, in the order of play.

    Lower initiatives go first, and the defender's before the attacker's; by the letter of the guide
    all of the defender's go first (D17).
    """
    fight = b.battle
    found = [
        CombatPlay(side=side, card=card, initiative=initiative)
        for side in (fight.defender, fight.attacker)
        if (card := fight.modifier(side, CARD)) != NO_CARD
        for initiative in INITIATIVE[COMBAT_OF[card]]
        if first <= initiative <= last
    ]
    if b.settings.readings.defender_cards_go_first:
        return found
    return sorted(found, key=lambda play: play.initiative)
