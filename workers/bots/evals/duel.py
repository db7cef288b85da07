"""What a position of Duel is worth: the three ways to win as threats, and what helps to get there.

Everything is counted for one side as for the other, and the difference is the worth. A hundred is
about what a landmark is worth in the middle of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from services.duel.board import KEPT, REGION_COUNT, SHARED, SKILL_COUNT, TAKEN, UNDECIDED, Board
from services.duel.tables import (
    CHAIN_FROM,
    CHAPTER,
    CHAPTERS,
    EAGLE,
    GOAL,
    IS_IMMEDIATE,
    NONE,
    SLOTS,
    TOKENS,
)
from workers.bots.budget import Budget
from workers.bots.habits.duel import likely, sensible
from workers.bots.judge import Judge

WON = 10_000.0

# Each way to win is worth more with each step, and most just before the goal.
STEPS = tuple(9.0 * step + 1.1 * step * step for step in range(GOAL + 1))
SUPPORT = (0.0, 16.0, 36.0, 62.0, 95.0, 190.0, 400.0)
PRESENCE = (0.0, 22.0, 44.0, 68.0, 96.0, 140.0, 270.0, 500.0)

LEAD = 60.0  # a region more than the other, when the last card is near
FORTRESS = 18.0  # it stays when units fall
UNIT = 6.0
COIN, SPARE_COIN = 7.0, 3.0
POOR = 8  # coins beyond these are spare
SYMBOL = (0.0, 26.0, 44.0, 56.0, 62.0, 64.0, 64.0, 64.0)  # of one skill, by how many
CHOICE = 34.0
CHAIN = 16.0  # a symbol whose card may still come
TOKEN = 45.0
EXTRA_TURN = 40.0

_TAKER = {symbol: card for card, symbol in enumerate(CHAIN_FROM) if symbol != NONE}


class Duel(Judge):
    """Three races at once, of which one is enough."""

    scale = 150.0
    style = 2
    budgets: ClassVar = {
        "apprentice": Budget(simulations=40, seconds=2, temperature=0.3),
        "adept": Budget(simulations=90, seconds=4, temperature=0.15),
        "master": Budget(simulations=1200, seconds=8),
    }

    def value(self, game: Game[Board], seat: Seat) -> float:
        b = game.board
        if b.result != UNDECIDED:
            return 0.0 if b.result == SHARED else WON if b.result == seat else -WON
        to_come = _to_come(b)
        mine, theirs = b.presence(seat), b.presence(1 - seat)
        lead = mine - theirs
        worth = _worth(b, seat, mine, to_come) - _worth(b, 1 - seat, theirs, to_come)
        return worth + LEAD * lead * (1 - to_come) ** 2

    def is_settled(self, game: Game[Board], seat: Seat) -> bool:
        """Whether a turn is about to begin: no effect is half resolved, nothing is face down."""
        question = game.question()
        return question is None or question.prompt == "turn.choose"

    def likely(
        self, game: Game[Board], seat: Seat, actions: Sequence[Action], pick: Pick
    ) -> Action:
        return likely(game, seat, actions, pick)

    def sensible(
        self, game: Game[Board], seat: Seat, actions: Sequence[Action]
    ) -> Sequence[Action]:
        return sensible(game, seat, actions)


JUDGE = Duel()


def _to_come(b: Board) -> float:
    """How much of the game lies ahead: 1 at its beginning, 0 when the last card is taken."""
    left = SLOTS - b.display.count(TAKEN) if b.chapter else SLOTS
    return (left + SLOTS * (len(CHAPTERS) - max(1, b.chapter))) / (SLOTS * len(CHAPTERS))


def _worth(b: Board, side: int, presence: int, to_come: float) -> float:
    worth = STEPS[b.quest[side]] + SUPPORT[_support(b, side)] + PRESENCE[presence]
    worth += FORTRESS * b.fortresses(side) + UNIT * sum(
        b.units[side * REGION_COUNT : side * REGION_COUNT + REGION_COUNT]
    )
    worth += _coins(b.coins[side], to_come)
    worth += to_come * (_skills(b, side) + _tokens(b, side) + _chains(b, side))
    if b.turn == side and b.extra:
        worth += EXTRA_TURN * b.extra
    return worth


def _support(b: Board, side: int) -> int:
    return len(b.different_races(side)) + b.has_token(side, EAGLE)


def _coins(coins: int, to_come: float) -> float:
    """Coins buy what skills do not; at the end they buy nothing any more."""
    worth = COIN * min(coins, POOR) + SPARE_COIN * max(0, coins - POOR)
    return worth * min(1.0, 4 * to_come)


def _skills(b: Board, side: int) -> float:
    produced = b.skills[side * SKILL_COUNT : side * SKILL_COUNT + SKILL_COUNT]
    return sum(SYMBOL[min(count, 7)] for count in produced) + CHOICE * b.choices[side].bit_count()


def _tokens(b: Board, side: int) -> float:
    kept = (t for t in range(len(TOKENS)) if b.tokens[t] == KEPT + side)
    return sum(TOKEN for token in kept if not IS_IMMEDIATE[token])


def _chains(b: Board, side: int) -> float:
    """The chain symbols whose cards have not been played or discarded."""
    gone = {*b.areas[0], *b.areas[1], *b.discard}
    return sum(
        CHAIN
        for symbol, card in _TAKER.items()
        if b.chains[side] >> symbol & 1 and card not in gone and CHAPTER[card] >= b.chapter
    )
