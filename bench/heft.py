"""How much each part of what War of the Ring's judge says counts: fits weights to games.

`python -m bench.heft [GAMES]` lets greedy bots play that look into one world only, some moves at
random so that positions differ, and notes now and then what each part says. The weights that
foretell best who won are printed in the order of `PARTS` in `workers/bots/evals/warofthering.py`;
they are held back towards 1, and towards no more than a few times that. Those in use are in
`bench/weights-warofthering.txt`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

from bench.newton import Sample, fitted, surprise
from services import rules_of
from services.core.decisions import CHANCE
from workers.bots.evals.warofthering import PARTS, is_settled, parts
from workers.bots.greedy import Greedy

USUAL_GAMES = 60
WHIMS = (8, 15, 40)
"""One decision of so many is taken at random; each seat draws which of these it is."""
NOTED = 3
"""Of so many positions that can be judged, one is noted."""
SCALE = 600.0
"""About so much worth, as the parts have it, wins nearly three games of four."""
HELD_BACK = 0.003
LONGEST = 5000  # a game of more decisions is left out


def samples(number: int) -> Iterator[Sample]:
    """Of one game, what each part says, and whether the Free Peoples won."""
    rules, pick = rules_of("warofthering"), Random(f"heft {number}").randrange
    game, bots = rules.setup(rules.agree({})), (Greedy(1), Greedy(1))
    whims = [WHIMS[pick(len(WHIMS))] for _ in bots]
    noted: list[list[float]] = []
    for _ in range(LONGEST):
        waiting = rules.waiting(game)
        if not waiting:
            free, shadow = rules.scores(game)
            won = 0.5 + 0.5 * ((free > shadow) - (free < shadow))
            yield from ((row, won) for row in noted)
            return
        seat = waiting[0]
        if seat == CHANCE:
            rules.apply(game, CHANCE, rules.deal(game, pick))
            continue
        actions = rules.ask(game, seat).actions
        if is_settled(game, seat) and not pick(NOTED):
            noted.append([*[part / SCALE for part in parts(game.board)], 1.0])
        action = actions[pick(len(actions))]
        if pick(whims[seat]):
            action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        rules.apply(game, seat, action)


def main(games: int) -> None:
    """Play, fit and print."""
    found = [list(samples(number)) for number in range(games)]
    fifth = games // 5
    rest = [sample for game in found[:fifth] for sample in game]
    used = [sample for game in found[fifth:] for sample in game]
    weights = fitted(used, 1.0, HELD_BACK)
    print(f"{len(used) + len(rest)} positions of {games} games")
    print(
        f"surprised by {surprise(used, weights):.4f} nats, by {surprise(rest, weights):.4f} where"
    )
    print(f"it was not fitted; with all weights 1 by {surprise(rest, [1.0] * len(weights)):.4f}")
    for name, weight in zip((*PARTS, "the beginning"), weights, strict=True):
        print(f"{name:32} {weight:6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else USUAL_GAMES)
