"""One game between two bots.

Design. Games come in pairs with the same chance and the seats swapped, so that neither luck nor the
better side favours a bot. With more than two seats the bots take turns round the table, and in
every second pair of games they sit in blocks, since either may be how teams sit.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from services import rules_of
from services.core.fair import Fate
from services.core.table import Table
from workers.bots import bot_of


@dataclass(frozen=True, slots=True)
class Contest:
    """Which game, who plays, and what chance follows from."""

    game: str
    edition: int
    options: Mapping[str, str]  # those that differ from their defaults
    bots: tuple[str, str]
    made_of: tuple[str, str]  # what the bots were, in a word: other bots are other contests
    seed: int
    swapped: bool

    def key(self) -> str:
        """The same for the same contest, whenever it is played."""
        fields = asdict(self)
        fields["options"] = sorted(self.options.items())
        return repr(sorted(fields.items()))

    def seating(self, seats: int) -> list[int]:
        """Which of the two bots sits where."""
        blocks = self.seed % 2 and seats > 3
        first = [seat * 2 // seats if blocks else seat % 2 for seat in range(seats)]
        return [1 - bot for bot in first] if self.swapped else first


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a contest."""

    contest: Contest
    scores: Sequence[int]
    points: float  # of the first bot: 1 if it beat the other everywhere, 0 if nowhere
    decisions: int
    ms: tuple[float, float]  # of processor time, for a decision of each bot


def play(contest: Contest) -> Played:
    """Play it to its end."""
    rules = rules_of(contest.game)
    seed = f"bree arena {contest.game} {contest.seed}"
    fate = Fate(hashlib.sha256(seed.encode()).digest())
    table: Table[Any] = Table(rules, rules.agree(contest.options), fate)
    seating = contest.seating(len(table.seats))
    bots = [bot_of(contest.bots[bot], contest.game) for bot in seating]
    draws = Random(f"{seed} {contest.swapped}")

    def pick(choices: int) -> int:
        return int(draws.random() * choices)

    spent, asked = [0.0, 0.0], [0, 0]
    game = table.game
    while not table.is_over:
        seat = table.waiting()[0]
        began = time.process_time()
        action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        spent[seating[seat]] += time.process_time() - began
        asked[seating[seat]] += 1
        table.act(seat, action)
    scores = rules.scores(game)
    ms = tuple(round(1000 * s / max(1, n), 2) for s, n in zip(spent, asked, strict=True))
    return Played(contest, scores, points_of(scores, seating), sum(asked), (ms[0], ms[1]))


def points_of(scores: Sequence[int], seating: Sequence[int]) -> float:
    """How much of the second bot's seats the first one's have beaten; a tie is half."""
    ours = [scores[seat] for seat, bot in enumerate(seating) if bot == 0]
    theirs = [scores[seat] for seat, bot in enumerate(seating) if bot == 1]
    won = sum(1.0 if a > b else 0.5 * (a == b) for a in ours for b in theirs)
    return won / (len(ours) * len(theirs))
