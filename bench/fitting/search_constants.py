"""Whether the search plays better with another constant: games against the greedy bot, kept.

`python -m bench.fitting.search_constants GAME SIMULATIONS PAIRS [NAME=VALUE...]` sets constants of
`workers.bots.tree`, `workers.bots.search` or the game's own judge for this run, plays pairs of
games with the same chance and the seats swapped, prints the points and adds them to
`search_constants.jsonl`. Every interval there is wide: what is close together is not told apart.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from services import rules_of
from services.core.contract import Rules
from services.core.decisions import CHANCE
from workers.bots import bot_of, search, tree
from workers.bots.budget import Budget
from workers.bots.contract import Bot
from workers.bots.judge import EVALS, judge_of
from workers.bots.levels import style_of
from workers.bots.search import Search, beaten_share

KEPT = Path(__file__).with_name("search_constants.jsonl")


def main(game: str, simulations: int, pairs: int, constants: dict[str, float]) -> None:
    """Set, play, print, keep."""
    for name, value in constants.items():
        setattr(owner(game, name), name, value)
    rules = rules_of(game)
    won = [_points(rules, simulations, seed, seat) for seed, seat in product(range(pairs), (0, 1))]
    spread = 1.96 * sqrt(max(0.01, fmean(won) * (1 - fmean(won))) / len(won))
    result = {
        "game": game, "style": style_of(game), "simulations": simulations, "games": len(won),
        "constants": constants, "points": round(fmean(won), 3), "give_or_take": round(spread, 3),
    }  # fmt: skip
    print(f"{fmean(won):.3f} of the points against greedy, give or take {spread:.3f}")
    with KEPT.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")


def owner(game: str, name: str) -> object:
    """The module, or the judge, that has this constant."""
    judge = judge_of(rules_of(game))
    own = f"{EVALS}.{game}"
    modules = [m for key, m in sys.modules.items() if key == own or key.startswith(f"{own}.")]
    found = next((one for one in (tree, search, judge, *modules) if hasattr(one, name)), None)
    if found is None:
        raise SystemExit(f"there is no constant {name}")
    return found


def _points(rules: Rules[Any], simulations: int, seed: int, seat: int) -> float:
    """What the search wins of one game in this seat."""
    chance, draws = Random(f"chance {seed}").randrange, Random(f"whims {seed} {seat}").randrange
    game = rules.setup(rules.agree({}))
    bots: list[Bot] = [bot_of("greedy", rules.name) for _ in rules.scores(game)]
    bots[seat] = Search(Budget(simulations))
    while waiting := rules.waiting(game):
        decider = waiting[0]
        if decider == CHANCE:
            action = rules.deal(game, chance)
        else:
            world = rules.guess(game, decider, draws)
            action = bots[decider].choose(rules, world, decider, draws)
        rules.apply(game, decider, action)
    return beaten_share(rules.scores(game), seat)


if __name__ == "__main__":
    named = (text.partition("=") for text in sys.argv[4:])
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), {n: float(v) for n, _, v in named})
