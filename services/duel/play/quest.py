"""The Quest of the Ring (RULES 8): steps, bonuses on the way, and the goal; and extra turns (4.3).

Each side has a counter of its own. The Nazgûl are carried along by the hobbits, which changes
neither their counter nor the gap (ruling R-34).
"""

from __future__ import annotations

from services.core.frames import Game
from services.duel.board import Board
from services.duel.play.ending import conclude
from services.duel.play.resolving import RESOLVE
from services.duel.tables import BONUS_AT, BONUS_EFFECTS, GOAL, SIDES

G = Game[Board]


def advance(g: G, steps: int) -> None:
    """The side on turn makes steps; then comes the victory, or the bonus reached or passed."""
    b = g.board
    before = b.quest[b.turn]
    now = b.quest[b.turn] = min(GOAL, before + steps)
    g.emit("quest_advanced", {"side": SIDES[b.turn], "steps": now - before, "step": now}, None)
    if now == GOAL:  # a bonus passed on the last steps no longer matters (ruling R-33)
        conclude(g, b.turn, "quest_of_the_ring")
        return
    for step, bonus in zip(BONUS_AT, BONUS_EFFECTS, strict=True):
        if before < step <= now:
            RESOLVE[bonus.kind](g, bonus)


def earn_turn(g: G) -> None:
    """The side on turn gets another one; a second in the same turn counts only if they add up."""
    b = g.board
    if b.extra and not b.charter.adds_up:  # ruling R-14
        return
    b.extra += 1
    g.emit("extra_turn_earned", {"side": SIDES[b.turn]}, None)
