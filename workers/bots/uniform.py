"""The bot that plays anything that is legal, each as likely as the next."""

from __future__ import annotations

from typing import Any

from services.core.contract import Rules
from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from workers.bots.contract import Thought, onward


class Uniform:
    """Plays at random."""

    def choose(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Action:
        actions = onward(rules.ask(world, seat).actions)
        return actions[pick(len(actions))]

    def think(self, rules: Rules[Any], world: Game[Any], seat: Seat, pick: Pick) -> Thought:
        return Thought(self.choose(rules, world, seat, pick))
