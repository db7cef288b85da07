"""What a War of the Ring position is worth: the Ring's way, conquest, armies, and the rest.

Everything is counted for the Free Peoples and turned round for the Shadow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from services.warofthering.board import DRAWN_GAME, UNDECIDED, Board
from services.warofthering.tables import FREE
from workers.bots.budget import Budget
from workers.bots.evals.warofthering.parts import finer_parts_of, parts_of
from workers.bots.habits.warofthering import likely, sensible
from workers.bots.judge import Judge

WON = 10_000.0

_SETTLED = {"turn.action"}
_SETTLED_CHOICES = {"declare", "allocate_hunt"}

WEIGHTS: Mapping[str, tuple[float, float]] = {
    "way": (4.05, 2.66),
    "corruption": (2.09, 3.00),
    "company": (1.47, 1.52),
    "dread": (1.15, 1.15),
    "haste": (0.99, 1.64),
    "hiding": (3.95, 1.04),
    "the Hunt": (0.57, 1.77),
    "pursuit": (1.21, 0.99),
    "conquests of the Free Peoples": (1.25, 0.91),
    "conquests of the Shadow": (1.02, 1.38),
    "threats of the Free Peoples": (1.20, 0.66),
    "threats of the Shadow": (0.52, 1.36),
    "figures of the Free Peoples": (0.72, 0.80),
    "figures of the Shadow": (0.45, 0.83),
    "politics of the Free Peoples": (0.83, 0.83),
    "politics of the Shadow": (0.75, 1.73),
    "Aragorn and Gandalf the White": (1.51, 1.66),
    "Minions": (0.92, 1.23),
    "Elven Rings": (0.93, 2.21),
    "dice": (0.76, 1.02),
    "cards": (1.78, 1.04),
    "tiles": (1.12, 1.00),
    "faces of the Free Peoples": (1.08, 1.17),
    "faces of the Shadow": (1.08, 1.15),
}
"""What is judged, each for the Free Peoples, and how much it counts for them and for the Shadow.

As `bench.fitting.warofthering` has found it. The sides do not agree, since what wins differs: the
Free Peoples do well to hurry and to stay hidden, the Shadow to count every point of Corruption.
"""

_BY_SIDE: tuple[tuple[float, ...], ...] = tuple(zip(*WEIGHTS.values(), strict=True))


class WarOfTheRing(Judge):
    """The same parts for all; a search weighs them by what they have turned out to count."""

    worlds = 4  # dice and tiles vary more than hidden cards, and are thrown anew in every world
    told_scale = 250.0  # some 244 by 12 games between greedy bots
    style = 4
    budgets: ClassVar = {
        "novice": Budget(
            simulations=6,
            seconds=1,
            temperature=1.8,
            prior_temperature=0.6,
            blunder_rate=0.12,
            depth=1,
        ),
        "apprentice": Budget(
            simulations=8,
            seconds=2,
            temperature=1.1,
            prior_temperature=0.35,
            blunder_rate=0.05,
            depth=1,
        ),
        "adept": Budget(
            simulations=12,
            seconds=4,
            temperature=0.75,
            prior_temperature=0.2,
            blunder_rate=0.02,
            depth=1,
        ),
        "master": Budget(simulations=16, seconds=8, prior_temperature=0.1, depth=1),
    }

    def value(self, game: Game[Board], seat: Seat) -> float:
        b = game.board
        worth = sum(parts_of(b)) if b.result == UNDECIDED else _decided(b)
        return worth if b.settings.sides[seat] == FREE else -worth

    def foresee(self, game: Game[Board], seat: Seat) -> float:
        """The same and finer, each part counting as much as it has turned out to for success."""
        return weighted(game, seat, _BY_SIDE[game.board.settings.sides[seat]])

    def is_settled(self, game: Game[Board], seat: Seat) -> bool:
        """Whether a die is about to be used, or a phase begins: no action is half done."""
        question = game.question()
        if question is None or question.prompt in _SETTLED:
            return True
        if question.prompt != "choose.one":
            return False
        return question.shown(game, seat)["what"] in _SETTLED_CHOICES

    def likely(
        self, game: Game[Board], seat: Seat, actions: Sequence[Action], pick: Pick
    ) -> Action:
        return likely(game, seat, actions, pick)

    def sensible(
        self, game: Game[Board], seat: Seat, actions: Sequence[Action]
    ) -> Sequence[Action]:
        return sensible(game, seat, actions)


JUDGE = WarOfTheRing()


def weighted(game: Game[Board], seat: Seat, weights: Sequence[float]) -> float:
    """What a position is worth to a seat, if the parts count as these weights say."""
    b = game.board
    if b.result != UNDECIDED:
        return JUDGE.value(game, seat)
    found = (*parts_of(b), *finer_parts_of(b))
    worth = sum([weight * part for weight, part in zip(weights, found, strict=True)])
    return worth if b.settings.sides[seat] == FREE else -worth


def _decided(b: Board) -> float:
    """What the end of the game is worth to the Free Peoples."""
    return 0.0 if b.result == DRAWN_GAME else WON if b.result == FREE else -WON
