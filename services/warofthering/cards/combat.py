"""How the Combat half of a card is written down, by its title."""

from __future__ import annotations

from collections.abc import Mapping

from services.warofthering.board import Board
from services.warofthering.play.combat_effects import COMBAT_HALVES, CombatHalf, Needs, Tactic
from services.warofthering.tables import COMBAT, INITIATIVE


def always(b: Board, side: int) -> bool:
    """The card has no precondition."""
    return True


def combat(title: str, tactics: Mapping[int, tuple[Tactic, ...]], needs: Needs = always) -> None:
    """Say what the cards of a title do at each initiative, which are those in the data.

    They are: 0 at the reveal, 1 and 2 before combat, 3 before the Combat roll, 4 after it and
    before the re-roll, 5 after the re-roll, 6 before losses, 7 after them.
    """
    number = COMBAT[title]
    assert number not in COMBAT_HALVES, title
    assert tuple(sorted(tactics)) == INITIATIVE[number], title
    COMBAT_HALVES[number] = CombatHalf(needs, tactics)
