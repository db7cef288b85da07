"""Attacks beside the Combat roll (RULES 16.6, 16.7, 17.5): dice, hits, and losses at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.board.fight import EARLY_HITS, MOST_COMBAT_DICE
from services.warofthering.play import politics
from services.warofthering.play.asking import Roll, say
from services.warofthering.play.casualties import Losses
from services.warofthering.play.characters import eliminate
from services.warofthering.play.control import tidy
from services.warofthering.play.strength import is_hit, target_number
from services.warofthering.tables import (
    AREAS,
    FALLEN,
    MINIONS,
    NAZGUL,
    RESERVE,
    SHADOW,
    SIDES,
)

G = Game[Board]

MOST_STRIKE_DICE = 5
"""How many dice a card rolls at most at once outside a battle."""
TARGET_OF_BATTLE = 0
"""In place of what the dice of a volley must reach: as much as those of the Combat roll."""


@dataclass(slots=True)
class Volley(Procedure):
    """An additional attack in the battle that stands on the board; hands back its hits."""

    side: int = 0
    dice: int = 0
    target: int = TARGET_OF_BATTLE  # what the dice must reach
    hits: int = 0

    script: ClassVar[tuple[str, ...]] = ("roll", "count", "hand_back")

    def roll(self, g: G) -> None:
        if self.dice:
            g.call(Roll(dice=min(self.dice, MOST_COMBAT_DICE), what=f"volley_{SIDES[self.side]}"))

    def count(self, g: G) -> None:
        fight = g.board.battle
        target = self.target or target_number(fight, self.side)
        self.hits = sum(1 for n in self.got if is_hit(n, 0, target))
        fight.add(self.side, EARLY_HITS, self.hits)
        enemy = 1 - self.side
        area, seat = fight.area_of(enemy), fight.seats[enemy]
        g.call(Losses(seat=seat, area=area, side=enemy, hits=self.hits, in_battle=1))

    def hand_back(self, g: G) -> None:
        g.done(self.hits)


@dataclass(slots=True)
class Strike(Procedure):
    """An army outside a battle is hit by a card: dice, or a number of hits (16.6).

    `is_attack` is for cards to which nations react as to an attack; `kills_all` for those that take
    Nazgûl and Minions with the last unit. Hands back the hits.
    """

    area: int = 0
    side: int = SHADOW  # of the army that is hit
    dice: int = 0
    target: int = 5
    hits: int = 0
    is_attack: int = 0
    kills_all: int = 0

    script: ClassVar[tuple[str, ...]] = ("react", "roll", "count", "hit", "finish", "hand_back")

    def react(self, g: G) -> None:
        if self.is_attack:
            politics.react_to_attack(g, self.area, self.side)

    def roll(self, g: G) -> None:
        if self.dice:
            g.call(Roll(dice=min(self.dice, MOST_STRIKE_DICE), what="strike"))

    def count(self, g: G) -> None:
        self.hits += sum(1 for n in self.got if n >= self.target)
        say(g, "army_hit", place=AREAS[self.area], hits=self.hits)

    def hit(self, g: G) -> None:
        b = g.board
        seat = b.commander(self.area, self.side)
        g.call(Losses(seat=seat, area=self.area, side=self.side, hits=self.hits))

    def finish(self, g: G) -> None:
        b = g.board
        if self.kills_all and not b.units_at(self.area, self.side):
            destroy_shadow_leaders(g, self.area)
        tidy(g)

    def hand_back(self, g: G) -> None:
        g.done(self.hits)


def destroy_shadow_leaders(g: G, area: int) -> None:
    """The Nazgûl and Minions of an army that was destroyed fall with it."""
    b = g.board
    for _ in range(b.count(area, NAZGUL)):
        eliminate(g, NAZGUL, area, RESERVE)
    for minion in b.characters_at(area, MINIONS):
        eliminate(g, minion, area, FALLEN)
