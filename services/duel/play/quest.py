"""The Quest of the Ring (RULES 8): steps, bonuses on the way, and the goal; and extra turns (4.3).

Each side has a counter of its own. The Nazgûl are carried along by the hobbits, which changes
neither their counter nor the gap (ruling R-34).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.duel.board import Board
from services.duel.play.armies import PASS
from services.duel.play.ending import conclude
from services.duel.play.resolving import RESOLVE, refuse
from services.duel.tables import BONUS_AT, BONUS_EFFECTS, GOAL, SIDES

G = Game[Board]


ADVANCE = tuple(Action("advance", (steps,)) for steps in range(GOAL + 1))


def advance(g: G, steps: int) -> None:
    """The side on turn may make steps; it is asked where fewer of them could be better."""
    b = g.board
    if b.settings.refusable and _meets_bonus(b.quest[b.turn], steps):
        g.call(MakeSteps(most=steps))
    else:
        make_steps(g, steps)


def _meets_bonus(before: int, steps: int) -> bool:
    """Whether steps reach or pass a space that pays; else further on is never worse."""
    now = before + steps
    return now < GOAL and any(before < step <= now for step in BONUS_AT)


def make_steps(g: G, steps: int) -> None:
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
    if b.extra and not b.settings.adds_up:  # ruling R-14
        return
    b.extra += 1
    g.emit("extra_turn_earned", {"side": SIDES[b.turn]}, None)


@dataclass(slots=True)
class MakeSteps(Question[Board]):
    """The steps may all be made, or fewer, where one of them brings a bonus (D13, R-58)."""

    most: int = 0

    prompt: ClassVar[str] = "quest.advance"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return (PASS, *ADVANCE[1 : self.most + 1])

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            make_steps(g, action.nouns[0])
        else:
            refuse(g, "advance_quest")
