"""What a position of Risk is worth: as it stands, and as the turn will likely end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game
from services.risk.board import Board
from workers.bots.budget import Budget
from workers.bots.evals.risk.prospects import foreseen, standing
from workers.bots.evals.risk.worth import value_of
from workers.bots.habits.risk import likely
from workers.bots.habits.risk.campaign import assault
from workers.bots.habits.risk.candidates import orders, priors, sensible
from workers.bots.judge import Judge


class Risk(Judge):
    """Judges by points and prospects; searches by the log odds of what is held."""

    worlds = 2  # hidden cards change little of what is judged here
    style = 8
    budgets: ClassVar = {
        "novice": Budget(simulations=4, seconds=1, temperature=3.0, blunder_rate=0.22),
        "apprentice": Budget(simulations=12, seconds=2, temperature=1.35),
        "adept": Budget(simulations=16, seconds=4, temperature=0.7, standing_orders=1),
        "master": Budget(
            simulations=6,
            seconds=8,
            prior_temperature=0.2,
            prior_visits=2,
            depth=1,
            standing_orders=2,
        ),
    }

    def value(self, game: Game[Board], seat: Seat) -> float:
        return value_of(game, seat)

    def foresee(self, game: Game[Board], seat: Seat) -> float:
        """How a seat will likely stand when the turn is over, as log odds to win."""
        return foreseen(game, seat, standing)

    def is_settled(self, game: Game[Board], seat: Seat) -> bool:
        """Whether somebody but chance decides next, or an assault is judged by its odds."""
        question = game.question()
        if question is None or question.waiting(game) != (CHANCE,):
            return True
        return question.prompt == "dice.battle" and assault(game, seat) is not None

    def likely(
        self, game: Game[Board], seat: Seat, actions: Sequence[Action], pick: Pick
    ) -> Action:
        return likely(game, seat, actions, pick)

    def sensible(
        self, game: Game[Board], seat: Seat, actions: Sequence[Action]
    ) -> Sequence[Action]:
        return sensible(game, seat, actions)

    def orders(self, actions: Sequence[Action], kinds: int) -> Sequence[Action]:
        return orders(actions, kinds)

    def priors(self, game: Game[Board], seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        return priors(game, seat, actions)


JUDGE = Risk()
