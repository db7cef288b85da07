"""The arena itself: which games are to be played, on every core, until they are or time is up."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise
from multiprocessing import get_context

from bree.cli.arena.contest import Contest, Played, play
from bree.cli.arena.results import Results
from services import rules_of
from workers.bots import PLAIN, made_of
from workers.bots.levels import USUAL

Pairing = tuple[str, str]
Tell = Callable[[Played, int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """Who meets whom, in how many pairs of games."""

    game: str
    pairings: Sequence[Pairing]
    pairs: int
    options: dict[str, str] = field(default_factory=dict)

    def contests(self, pairing: Pairing) -> Iterator[Contest]:
        """Every game of one pairing."""
        edition = rules_of(self.game).edition
        made = made_of(pairing[0], self.game), made_of(pairing[1], self.game)
        for seed in range(self.pairs):
            for swapped in (False, True):
                yield Contest(self.game, edition, self.options, pairing, made, seed, swapped)

    def all(self) -> Iterator[Contest]:
        """Every game, so that all pairings come equally far."""
        rows = [list(self.contests(pairing)) for pairing in self.pairings]
        for row in zip(*rows, strict=True):
            yield from row


def ladder() -> list[Pairing]:
    """Each level and the one below it; the best also meets the bots that do not search."""
    levels = list(USUAL)
    steps = [(above, below) for below, above in pairwise(["uniform", *levels])]
    return [*steps, *((levels[-1], plain) for plain in PLAIN)]


def everyone(bots: Sequence[str]) -> list[Pairing]:
    """Each with each, the later named first."""
    return [(above, below) for below, above in combinations(bots, 2)]


def run(plan: Plan, results: Results, seconds: float, tell: Tell, processes: int = 0) -> bool:
    """Play what has not been played; whether all of it was before time was up."""
    left = [contest for contest in plan.all() if contest.key() not in results.played]
    until = time.monotonic() + seconds
    waiting, done = iter(left), 0
    cores = processes or os.cpu_count() or 1
    fresh = get_context("forkserver")  # what forks with threads inside may never come to life
    with ProcessPoolExecutor(cores, mp_context=fresh) as pool:
        begun = {pool.submit(play, contest) for contest in islice(waiting, cores)}
        while begun:
            finished, begun = wait(begun, return_when=FIRST_COMPLETED)
            for future in finished:
                done += 1
                results.add(future.result())
                tell(future.result(), done, len(left))
                if time.monotonic() < until:
                    begun |= {pool.submit(play, contest) for contest in islice(waiting, 1)}
    return done == len(left)
