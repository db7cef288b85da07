"""Dice: single throws, who begins (RULES S5, S13), and what a battle's dice decide (RULES 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.tables import DICE_FROM, FACES

G = Game[Board]

_MOST_LISTED = 216


@cache
def falling(throw: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of a throw, the highest first."""
    return tuple(sorted(throw, reverse=True))


def losses(attack: Sequence[int], defence: Sequence[int], more: tuple[int, int]) -> tuple[int, int]:
    """How many battalions attacker and defender lose, `more` added to the highest die of each."""
    ours, theirs = falling(tuple(attack)), falling(tuple(defence))
    lost = int(ours[0] + more[0] <= theirs[0] + more[1])  # ties go to the defender
    pairs = 1
    if len(ours) > 1 and len(theirs) > 1:
        lost += int(ours[1] <= theirs[1])
        pairs = 2
    return lost, pairs - lost


def capped_losses(
    attack: Sequence[int], defence: Sequence[int], more: tuple[int, int], highest: int
) -> tuple[int, int]:
    """The same where no die with its bonus counts more than `highest` (option cap_dice_at_6)."""
    if not any(more):
        return losses(attack, defence, more)
    bonus = min(more[0], highest - max(attack)), min(more[1], highest - max(defence))
    return losses(attack, defence, bonus)


@cache
def _throws(dice: int) -> tuple[Action, ...]:
    return tuple(Action("roll", (DICE_FROM[dice] + n,)) for n in range(6**dice))


@cache
def _battles(attack: int, defence: int) -> tuple[Action, ...]:
    return tuple(
        Action("battle", (DICE_FROM[attack] + n, DICE_FROM[defence] + m))
        for n in range(6**attack)
        for m in range(6**defence)
    )


@dataclass(slots=True)
class Roll(Question[Board]):
    """Chance throws some dice; hands back their faces."""

    dice: int = 1
    prompt: ClassVar[str] = "dice.roll"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _throws(self.dice) if self.dice <= 3 else ()

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        return seat == CHANCE and action.verb == "roll" and len(FACES[action.nouns[0]]) == self.dice

    def deal(self, g: G, pick: Pick) -> Action:
        return Action("roll", (DICE_FROM[self.dice] + pick(6**self.dice),))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*FACES[action.nouns[0]])


@dataclass(slots=True)
class RollBattle(Question[Board]):
    """Chance throws the dice of both sides at once; hands back the two throws."""

    attack: int = 1
    defence: int = 1
    prompt: ClassVar[str] = "dice.battle"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        few = 6 ** (self.attack + self.defence) <= _MOST_LISTED
        return _battles(self.attack, self.defence) if few else ()

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        if seat != CHANCE or action.verb != "battle":
            return False
        sizes = [len(FACES[noun]) for noun in action.nouns]
        return sizes == [self.attack, self.defence]

    def deal(self, g: G, pick: Pick) -> Action:
        attack, defence = self.attack, self.defence
        return Action(
            "battle",
            (DICE_FROM[attack] + pick(6**attack), DICE_FROM[defence] + pick(6**defence)),
        )

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class RollOff(Procedure):
    """Seats throw a die each; the highest wins, and those who tie for it throw again (RULES R3)."""

    seats: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("throw", "compare")

    def throw(self, g: G) -> None:
        if len(self.seats) == 1:
            g.done(self.seats[0])
        else:
            g.call(Roll(dice=len(self.seats)))

    def compare(self, g: G) -> None:
        highest = max(self.got)
        names = g.board.settings.seats
        seats = [names[seat] for seat in self.seats]
        g.emit("rolled_off", {"seats": seats, "dice": list(self.got)}, None)
        self.seats = tuple(
            [seat for seat, face in zip(self.seats, self.got, strict=True) if face == highest]
        )
        self.go_to("throw")
